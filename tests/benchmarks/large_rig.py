"""Writes a large rig for benchmarks: a tube of 100 000 vertices on a chain of 64 joints, as a GLB.

    large_rig.py OUT.glb [RINGS]      RINGS: circles of 100 vertices; 1000 by default

The clip lasts 8 seconds, with 30 keys a second.
"""
import math
import sys
from array import array

from common import write_glb

RINGS = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
SEGMENTS, JOINTS, INFLUENCES = 100, 64, 4
HEIGHT, RADIUS = 64.0, 2.0
KEYS, KEYS_PER_SECOND = 241, 30


def tube():
    """Positions, normals, joints, weights and indices. Each vertex is moved by its nearest joints."""
    positions, normals, joints, weights = array("f"), array("f"), array("H"), array("f")
    circle = [(math.cos(2 * math.pi * k / SEGMENTS), math.sin(2 * math.pi * k / SEGMENTS))
              for k in range(SEGMENTS)]
    for ring in range(RINGS):
        y = HEIGHT * ring / (RINGS - 1)
        at = y / HEIGHT * JOINTS - 0.5
        near = sorted(range(JOINTS), key=lambda j: (abs(at - j), j))[:INFLUENCES]
        raw = [1 / (0.25 + abs(at - j)) for j in near]
        share = [w / sum(raw) for w in raw]
        for c, s in circle:
            positions.extend((RADIUS * c, y, RADIUS * s))
            normals.extend((c, 0.0, s))
            joints.extend(near)
            weights.extend(share)
    indices = array("I")
    for ring in range(RINGS - 1):
        for k in range(SEGMENTS):
            a, b = ring * SEGMENTS + k, ring * SEGMENTS + (k + 1) % SEGMENTS
            indices.extend((a, a + SEGMENTS, b + SEGMENTS, a, b + SEGMENTS, b))
    return positions, normals, joints, weights, indices


def clip():
    """Key times, and the rotations of each joint: a wave that moves up the chain."""
    times = array("f", (k / KEYS_PER_SECOND for k in range(KEYS)))
    rotations = []
    for j in range(JOINTS):
        values = array("f")
        for k in range(KEYS):
            angle = 0.1 * math.sin(2 * math.pi * (k / 60 + j / 16))
            values.extend((0.6 * math.sin(angle / 2), 0.8 * math.sin(angle / 2), 0.0,
                           math.cos(angle / 2)))
        rotations.append(values)
    return times, rotations


def main():
    out = sys.argv[1]
    blob, views, accessors = bytearray(), [], []

    def add(values, component, kind, width, **extra):
        data = values.tobytes()
        views.append({"buffer": 0, "byteOffset": len(blob), "byteLength": len(data)})
        accessors.append({"bufferView": len(views) - 1, "componentType": component,
                          "count": len(values) // width, "type": kind, **extra})
        blob.extend(data + bytes(-len(data) % 4))
        return len(accessors) - 1

    positions, normals, joints, weights, indices = tube()
    bounds = {"min": [-RADIUS, 0.0, -RADIUS], "max": [RADIUS, HEIGHT, RADIUS]}
    primitive = {"attributes": {"POSITION": add(positions, 5126, "VEC3", 3, **bounds),
                                "NORMAL": add(normals, 5126, "VEC3", 3),
                                "JOINTS_0": add(joints, 5123, "VEC4", 4),
                                "WEIGHTS_0": add(weights, 5126, "VEC4", 4)},
                 "indices": add(indices, 5125, "SCALAR", 1)}
    step = HEIGHT / JOINTS
    inverse_bind = array("f")
    for j in range(JOINTS):
        inverse_bind.extend((1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -step * (j + 0.5), 0, 1))
    times, rotations = clip()
    time_accessor = add(times, 5126, "SCALAR", 1, min=[times[0]], max=[times[-1]])
    samplers = [{"input": time_accessor, "output": add(r, 5126, "VEC4", 4)} for r in rotations]
    nodes = [{"name": f"joint{j}", "translation": [0, step * (0.5 if j == 0 else 1), 0],
              **({"children": [j + 1]} if j + 1 < JOINTS else {})} for j in range(JOINTS)]
    nodes.append({"name": "tube", "mesh": 0, "skin": 0})
    document = {
        "asset": {"version": "2.0", "generator": "skinbake large_rig.py"},
        "scene": 0, "scenes": [{"nodes": [0, JOINTS]}], "nodes": nodes,
        "meshes": [{"primitives": [primitive]}],
        "skins": [{"joints": list(range(JOINTS)),
                   "inverseBindMatrices": add(inverse_bind, 5126, "MAT4", 16)}],
        "animations": [{"name": "wave", "samplers": samplers,
                        "channels": [{"sampler": j, "target": {"node": j, "path": "rotation"}}
                                     for j in range(JOINTS)]}],
        "buffers": [{"byteLength": len(blob)}], "bufferViews": views, "accessors": accessors}
    write_glb(out, document, blob)


main()
