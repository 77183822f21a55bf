#!/usr/bin/env python3
"""Makes seeds for the fuzzers from data/rigs.

    make_corpus.py FOLDER      writes FOLDER/load, FOLDER/clip, FOLDER/rig, FOLDER/user

The rigs are kept as they are where they are small, with outer buffers as data URIs; of the large ones
every mesh is cut to some vertices, because a fuzzer learns more from small files.
"""
import base64
import json
import pathlib
import random
import struct
import sys

RIGS = pathlib.Path(__file__).resolve().parents[2] / "data/rigs"
SMALL = 8 << 10
COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
SIZES = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}


def read(path):
    """(document, bytes of its only buffer)"""
    data = path.read_bytes()
    if path.suffix == ".glb":
        length, = struct.unpack_from("<I", data, 12)
        return json.loads(data[20:20 + length]), data[28 + length:]
    document = json.loads(data)
    uri = document["buffers"][0]["uri"]
    if uri.startswith("data:"):
        return document, base64.b64decode(uri.split(",")[1])
    return document, (path.parent / uri).read_bytes()


def cut(document, data, most):
    """The same with at most so many elements in each accessor; indices are left out."""
    for mesh in document.get("meshes", []):
        for primitive in mesh["primitives"]:
            primitive.pop("indices", None)
    kept, views, new = bytearray(), [], []
    for accessor in document["accessors"]:
        count = min(accessor["count"], most)
        new.append({key: accessor[key] for key in ("componentType", "type", "normalized") if key in accessor})
        new[-1]["count"] = count
        if "bufferView" not in accessor:  # all zeros
            continue
        view = document["bufferViews"][accessor["bufferView"]]
        size = COMPONENTS[accessor["type"]] * SIZES[accessor["componentType"]]
        stride = view.get("byteStride", size)
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        kept += bytes(-len(kept) % 4)
        views.append({"buffer": 0, "byteOffset": len(kept), "byteLength": count * size})
        for i in range(count):
            kept += data[start + i * stride:start + i * stride + size]
        new[-1]["bufferView"] = len(views) - 1
    document.update(accessors=new, bufferViews=views, buffers=[{"byteLength": len(kept)}])
    return document, bytes(kept)


def text(document, data):
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    return json.dumps({**document, "buffers": [{"byteLength": len(data), "uri": uri}]}).encode()


def glb(document, data):
    body = json.dumps({**document, "buffers": [{"byteLength": len(data)}]}).encode()
    body += b" " * (-len(body) % 4)
    data += bytes(-len(data) % 4)
    return (struct.pack("<4sIII4s", b"glTF", 2, 28 + len(body) + len(data), len(body), b"JSON") + body +
            struct.pack("<I4s", len(data), b"BIN\0") + data)


def load_seeds():
    for path in sorted(RIGS.iterdir()):
        if path.suffix not in (".gltf", ".glb"):
            continue
        document, data = read(path)
        if len(data) > SMALL:
            document, data = cut(document, data, 32)
        yield path.stem + ".gltf", text(document, data)
        yield path.stem + ".glb", glb(document, data)


def humanoid_seed():
    """A rig that is a VRM animation for itself: two of its nodes are bones."""
    document, data = read(RIGS / "two_joints.gltf")
    moved = sorted({channel["target"]["node"] for channel in document["animations"][0]["channels"]})
    bones = dict(zip(("hips", "leftUpperLeg", "rightUpperLeg"), moved + [0, 1, 2]))
    document["extensionsUsed"] = ["VRMC_vrm_animation"]
    document["extensions"] = {"VRMC_vrm_animation": {"humanoid": {
        "humanBones": {bone: {"node": node} for bone, node in bones.items()}}}}
    return text(document, data)


# What users write beside a rig.
USER_FILES = ({}, {"elbow": "b"}, {"elbow": "b", "Root": "B", "b": "elbow", "nobody": ""},
              {"elbow": {"r0": 0.05, "r1": 0.04, "s": 0.5}}, {"elbow": {}, "Root": {"s": 2}},
              {"elbow": {"r0": -1e999}}, [], None, {"elbow": ["b"]})


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    for name, seed in load_seeds():
        (folder / "load").mkdir(parents=True, exist_ok=True)
        (folder / "load" / name).write_bytes(seed)
    (folder / "load" / "humanoid.gltf").write_bytes(humanoid_seed())
    (folder / "user").mkdir(parents=True, exist_ok=True)
    for i, content in enumerate(USER_FILES):
        (folder / "user" / f"{i:02}.json").write_text(json.dumps(content))
    chance = random.Random(1)
    for target, size in (("clip", 400), ("rig", 4000)):
        (folder / target).mkdir(parents=True, exist_ok=True)
        for i in range(20):
            floats = [chance.choice([0, 1, -1, chance.uniform(-2, 2)]) for _ in range(size // 4)]
            seed = struct.pack(f"<{len(floats)}f", *floats) + chance.randbytes(16)
            (folder / target / f"{i:02}").write_bytes(seed)


main()
