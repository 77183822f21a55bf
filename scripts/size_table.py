#!/usr/bin/env python3
"""What a clip takes in every cache format: bytes, error, time.

    size_table.py [RIG…]      rigs of one mesh; default: CesiumMan of the shared assets (or of
                              SKINBAKE_SHARED), and a bending tube of 100 000 vertices x 240 frames

Prints Markdown. The error is what `bake --verify` finds, as a part of the diagonal of the box that holds
all frames; the time is that of evaluating and writing, the best of three; --quick takes the first.

environment
  SKINBAKE   the program (default: build/release/cli/skinbake)
"""

import argparse
import array
import json
import math
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = os.environ.get("SKINBAKE") or ROOT / "build/release/cli/skinbake"
SHARED = pathlib.Path(os.environ.get("SKINBAKE_SHARED") or ROOT.parent / "shared")

OUTPUTS = [("pc2", ""), ("mdd", ""), ("npy", ""), ("npy", "precision=half"), ("glb", ""), ("glb", "quantize=1"),
           ("glb", "quantize=1,bits=14,meshopt=1"), ("glb", "quantize=1,bits=12,meshopt=1"),
           ("usda", ""), ("exr", ""), ("exr", "precision=half"), ("png", "")]

# What no reader of ours reads back: there is no error to be measured.
NOT_READ = {"usda", "exr", "png"}


def tube(path, rings, segments, seconds):
    """A glTF of a tube that four joints bend to and fro; every vertex between two of them."""
    joints = 4
    parts = []

    def add(kind, values, component_type, type_, **more):
        data = array.array(kind, values)
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[type_]
        parts.append((data.tobytes(), {"componentType": component_type, "count": len(data) // width,
                                       "type": type_, **more}))
        return len(parts) - 1

    positions, numbers, weights, indices = [], [], [], []
    for ring in range(rings):
        along = ring / (rings - 1) * (joints - 1)
        joint = min(int(along), joints - 2)
        share = (1 - math.cos(math.pi * (along - joint))) / 2
        for s in range(segments):
            angle = 2 * math.pi * s / segments
            positions += [0.3 * math.cos(angle), along, 0.3 * math.sin(angle)]
            numbers += [joint, joint + 1, 0, 0]
            weights += [1 - share, share, 0, 0]
            if ring:
                a, b = ring * segments + s, ring * segments + (s + 1) % segments
                indices += [a, b, a - segments, b, b - segments, a - segments]
    keys = [k * seconds / 32 for k in range(33)]
    turns = [math.radians(40) * math.sin(time * math.pi) for time in keys]
    quarter = [number for a in turns for number in (0, 0, math.sin(a / 2), math.cos(a / 2))]
    inverse = [number for j in range(joints)
               for number in (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -j, 0, 1)]
    attributes = {"POSITION": add("f", positions, 5126, "VEC3", min=[-0.3, 0, -0.3],
                                  max=[0.3, joints - 1, 0.3]),
                  "JOINTS_0": add("B", numbers, 5121, "VEC4"), "WEIGHTS_0": add("f", weights, 5126, "VEC4")}
    primitive = {"attributes": attributes, "indices": add("I", indices, 5125, "SCALAR")}
    sampler = {"input": add("f", keys, 5126, "SCALAR", min=[0], max=[keys[-1]]),
               "output": add("f", quarter, 5126, "VEC4")}
    gltf = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0, "skin": 0}] + [
            {**({"translation": [0, 1, 0]} if j else {}), **({"children": [j + 2]} if j < joints - 1 else {})}
            for j in range(joints)],
        "meshes": [{"primitives": [primitive]}],
        "skins": [{"joints": list(range(1, joints + 1)),
                   "inverseBindMatrices": add("f", inverse, 5126, "MAT4")}],
        "animations": [{"samplers": [sampler], "channels": [
            {"sampler": 0, "target": {"node": j + 1, "path": "rotation"}} for j in range(1, joints)]}],
        "accessors": [{"bufferView": i, **accessor} for i, (_, accessor) in enumerate(parts)]}
    data, gltf["bufferViews"] = b"", []
    for part, _ in parts:
        gltf["bufferViews"].append({"buffer": 0, "byteOffset": len(data), "byteLength": len(part)})
        data += part + bytes(-len(part) % 4)
    gltf["buffers"] = [{"byteLength": len(data)}]
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    path.write_bytes(struct.pack("<4sIII4s", b"glTF", 2, 28 + len(text) + len(data), len(text), b"JSON")
                     + text + struct.pack("<I4s", len(data), b"BIN\0") + data)


def diagonal(pc2):
    """Of the box that holds all frames."""
    numbers = array.array("f")
    numbers.frombytes(pc2.read_bytes()[32:])
    if sys.byteorder == "big":
        numbers.byteswap()
    return math.dist([min(numbers[axis::3]) for axis in range(3)],
                     [max(numbers[axis::3]) for axis in range(3)])


def bake(rig, folder, output, options, times):
    """(bytes, frames x vertices, largest error in metres or None, seconds, path)"""
    path, report, timing = folder / f"a.{output}", folder / "r.json", folder / "t.json"
    chosen = ["--format", f"{'vat' if output in ('exr', 'png') else output}:{options}"] if options else []
    error = None
    if output not in NOT_READ:
        subprocess.run([PROGRAM, "bake", rig, "--clip", "#0", "-q", "-o", path, "--verify", "--report", report,
                        "--metrics", "error", *chosen], check=True)
        error = json.loads(report.read_text())["verification"][0]["max_m"]
    best = math.inf
    for _ in range(times):
        subprocess.run([PROGRAM, "bake", rig, "--clip", "#0", "-q", "-o", path, "--timing", timing, *chosen],
                       check=True)
        best = min(best, json.loads(timing.read_text())["bake_s"])
    sidecar = json.loads((folder / f"a.{output}.json").read_text())
    return (path.stat().st_size, sidecar["frame_count"] * sidecar["mesh"]["vertex_count"], error, best,
            path)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rigs", nargs="*", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    times = 1 if arguments.quick else 3
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rigs = arguments.rigs
        if not rigs:
            tube(folder / "tube.glb", 1000, 100, 239 / 30)
            rigs = [SHARED / "assets" / "CesiumMan.glb", folder / "tube.glb"]
        for rig in rigs:
            print(f"\n{rig.stem}\n\n| format | bytes | per vertex and frame | largest error / diagonal | s |")
            print("|---|---:|---:|---:|---:|")
            size = None
            for output, options in OUTPUTS:
                length, places, error, seconds, path = bake(rig, folder, output, options, times)
                size = size or diagonal(path)  # the first is a PC2
                print(f"| `{output}{':' if options else ''}{options}` | {length} | {length / places:.2f} | "
                      f"{'not read back' if error is None else f'{error / size:.1e}'} | {seconds:.2f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
