"""Writes a rig whose weights are noise, the hardest for method `cor`, as a GLB.

    scattered_rig.py OUT.glb VERTICES JOINTS INFLUENCES

Each vertex of a wavy sheet is moved by INFLUENCES random ones of JOINTS joints, with random weights.
"""
import math
import random
import sys
from array import array

from common import write_glb


def main():
    out, (wanted, joint_count, influences) = sys.argv[1], map(int, sys.argv[2:])
    rng = random.Random(1)
    side = max(2, round(math.sqrt(wanted)))
    sets = -(-influences // 4)
    positions = array("f")
    joints, weights = [array("H") for _ in range(sets)], [array("f") for _ in range(sets)]
    for row in range(side):
        for column in range(side):
            positions.extend((column / side, row / side, 0.1 * math.sin(9 * row / side)))
            raw = [rng.random() + 0.001 for _ in range(influences)] + [0.0] * (4 * sets - influences)
            chosen = rng.sample(range(joint_count), influences) + [0] * (4 * sets - influences)
            for s in range(sets):
                joints[s].extend(chosen[4 * s:4 * s + 4])
                weights[s].extend(w / sum(raw) for w in raw[4 * s:4 * s + 4])
    indices = array("I")
    for row in range(side - 1):
        for column in range(side - 1):
            a = row * side + column
            indices.extend((a, a + 1, a + side, a + 1, a + side + 1, a + side))
    blob, views, accessors = bytearray(), [], []

    def add(values, component, kind, width, **extra):
        data = values.tobytes()
        views.append({"buffer": 0, "byteOffset": len(blob), "byteLength": len(data)})
        accessors.append({"bufferView": len(views) - 1, "componentType": component,
                          "count": len(values) // width, "type": kind, **extra})
        blob.extend(data + bytes(-len(data) % 4))
        return len(accessors) - 1

    attributes = {"POSITION": add(positions, 5126, "VEC3", 3, min=[0, 0, -0.1], max=[1, 1, 0.1])}
    for s in range(sets):
        attributes[f"JOINTS_{s}"] = add(joints[s], 5123, "VEC4", 4)
        attributes[f"WEIGHTS_{s}"] = add(weights[s], 5126, "VEC4", 4)
    primitive = {"attributes": attributes, "indices": add(indices, 5125, "SCALAR", 1)}
    turn = add(array("f", (0, 0, 0, 1, 0, 0.5, 0, math.sqrt(0.75))), 5126, "VEC4", 4)
    times = add(array("f", (0, 1)), 5126, "SCALAR", 1, min=[0], max=[1])
    write_glb(out, {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, *range(1, joint_count + 1)]}],
        "nodes": [{"mesh": 0, "skin": 0}, *({"name": f"j{j}"} for j in range(joint_count))],
        "meshes": [{"primitives": [primitive]}], "skins": [{"joints": list(range(1, joint_count + 1))}],
        "animations": [{"name": "turn", "samplers": [{"input": times, "output": turn}], "channels": [
            {"sampler": 0, "target": {"node": j + 1, "path": "rotation"}} for j in range(0, joint_count, 2)]}],
        "accessors": accessors, "bufferViews": views, "buffers": [{"byteLength": len(blob)}]}, blob)


if __name__ == "__main__":
    main()
