#!/usr/bin/env python3
"""Measures loading a large file, against reading it and copying its accessors once.

    load_speed.py LOAD_TIMES FOLDER [--runs N]

LOAD_TIMES is the program of that name in the benchmarks' build folder. The model of a million vertices
(50 MB: positions, normals, joints and weights in bytes, one and a half million triangles) is written to
FOLDER and removed. Each run is a separate process; the two alternate; figures are medians.
"""
import argparse
import os
import statistics
import subprocess
from array import array

from common import print_times, write_glb

SIDE, JOINTS = 1000, 16


def grid():
    """(accessor, bytes) of a wavy sheet of SIDE x SIDE vertices that is moved by a row of joints."""
    positions, normals, joints, weights = array("f"), array("f"), array("B"), array("B")
    for row in range(SIDE):
        near = [(row * JOINTS // SIDE + k) % JOINTS for k in range(4)]
        first = 60 + row % 95
        joints.extend(near * SIDE)
        weights.extend([first, 155 - first, 60, 40] * SIDE)
        normals.extend([0.0, 0.0, 1.0] * SIDE)
        for column in range(SIDE):
            positions.extend((column * 0.01, row * 0.01, (row * column % 7) * 0.001))
    indices = array("I")
    for row in range(SIDE - 1):
        if row % 4 == 3:  # every fourth row is omitted, so that the file has 50 MB
            continue
        for column in range(SIDE - 1):
            a = row * SIDE + column
            indices.extend((a, a + 1, a + SIDE + 1, a, a + SIDE + 1, a + SIDE))
    count = SIDE * SIDE
    return [({"componentType": 5126, "type": "VEC3", "count": count,
              "min": [0, 0, 0], "max": [10, 10, 0.01]}, positions),
            ({"componentType": 5126, "type": "VEC3", "count": count}, normals),
            ({"componentType": 5121, "type": "VEC4", "count": count}, joints),
            ({"componentType": 5121, "type": "VEC4", "count": count, "normalized": True}, weights),
            ({"componentType": 5125, "type": "SCALAR", "count": len(indices)}, indices)]


def write_model(path):
    blob, views, accessors = bytearray(), [], []
    for accessor, values in grid():
        data = values.tobytes()
        views.append({"buffer": 0, "byteOffset": len(blob), "byteLength": len(data)})
        accessors.append({**accessor, "bufferView": len(views) - 1})
        blob += data
    attributes = {"POSITION": 0, "NORMAL": 1, "JOINTS_0": 2, "WEIGHTS_0": 3}
    document = {
        "asset": {"version": "2.0"}, "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0, "skin": 0}] + [{"children": [j + 2]} for j in range(JOINTS - 1)] + [{}],
        "skins": [{"joints": list(range(1, JOINTS + 1))}],
        "meshes": [{"primitives": [{"attributes": attributes, "indices": 4}]}],
        "accessors": accessors, "bufferViews": views, "buffers": [{"byteLength": len(blob)}]}
    write_glb(path, document, blob)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("load_times")
    parser.add_argument("folder")
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    model = os.path.join(options.folder, "million.glb")
    write_model(model)
    size = os.path.getsize(model)

    def seconds(what):
        return float(subprocess.run([options.load_times, what, model], check=True, capture_output=True).stdout)

    reads, loads = [], []
    seconds("read"), seconds("load")  # the file is in the page cache from now on
    for _ in range(options.runs):
        reads.append(seconds("read"))
        loads.append(seconds("load"))
    os.remove(model)
    read, load = statistics.median(reads), statistics.median(loads)
    print(f"{SIDE * SIDE} vertices, {size / 1e6:.0f} MB; load / read and copy once")
    print_times("load_asset", load, read, "at most 3")


main()
