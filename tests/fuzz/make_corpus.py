#!/usr/bin/env python3
"""Makes seeds for the fuzzers, from data/rigs, from literals and from the shared models.

    make_corpus.py FOLDER      writes FOLDER/TARGET/… for every target of scripts/fuzz

Small rigs are copied, with external buffers as data URIs. Every mesh of a large rig is cut to some vertices,
because a fuzzer learns more from small files. SKINBAKE_SHARED names the folder of the models (default: ../shared
beside the checkout); models of more than 16000 bytes are left out, and nothing is copied into the repository.
"""
import base64
import json
import os
import pathlib
import random
import struct
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
RIGS = SOURCE / "data/rigs"
SMALL = 8 << 10
SHARED = pathlib.Path(os.environ.get("SKINBAKE_SHARED") or SOURCE.parent / "shared")
LARGEST_MODEL = 16000  # below the -max_len of scripts/fuzz
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
    """The document with at most that many elements in each accessor and without indices."""
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


def embedded(path):
    """A model in one file: with its external buffers as data URIs, if they exist."""
    data = path.read_bytes()
    try:
        document = json.loads(data)
        for buffer in document["buffers"]:
            if not buffer["uri"].startswith("data:"):
                content = base64.b64encode((path.parent / buffer["uri"]).read_bytes()).decode()
                buffer["uri"] = "data:application/octet-stream;base64," + content
        return json.dumps(document).encode()
    except (ValueError, TypeError, KeyError, OSError):  # a GLB, or an invalid file
        return data


def shared_seeds():
    """The small shared models, and the number of those that are too large."""
    seeds, left_out = {}, 0
    for path in sorted(SHARED.glob("assets/**/*")):
        if path.suffix not in (".gltf", ".glb", ".vrm", ".vrma"):
            continue
        seed = embedded(path)
        if len(seed) <= LARGEST_MODEL:
            seeds[path.name] = seed
        else:
            left_out += 1
    return seeds, left_out


def humanoid_seed():
    """A rig that is also a VRM animation: two of its nodes are bones."""
    document, data = read(RIGS / "two_joints.gltf")
    moved = sorted({channel["target"]["node"] for channel in document["animations"][0]["channels"]})
    bones = dict(zip(("hips", "leftUpperLeg", "rightUpperLeg"), moved + [0, 1, 2]))
    document["extensionsUsed"] = ["VRMC_vrm_animation"]
    document["extensions"] = {"VRMC_vrm_animation": {"humanoid": {
        "humanBones": {bone: {"node": node} for bone, node in bones.items()}}}}
    return text(document, data)


# Files that users write for a rig.
USER_FILES = ({}, {"elbow": "b"}, {"elbow": "b", "Root": "B", "b": "elbow", "nobody": ""},
              {"elbow": {"r0": 0.05, "r1": 0.04, "s": 0.5}}, {"elbow": {}, "Root": {"s": 2}},
              {"elbow": {"r0": -1e999}}, [], None, {"elbow": ["b"]})


def meshopt_stream(elements):
    """A stream of EXT_meshopt_compression, version 0, of at most 16 elements of 8 bytes, every delta in one byte."""
    stream = b"\xa0"
    for k in range(8):
        deltas = [(b[k] - a[k] + 128) % 256 - 128 for a, b in zip(elements[:1] + elements, elements)]
        stream += b"\x03" + bytes((d << 1 ^ d >> 7) & 255 for d in deltas).ljust(16, b"\0")
    return stream + bytes(24) + elements[0]


def vectors(rows, packing):
    if packing == "floats":
        return b"".join(struct.pack("<3f", *row) for row in rows)
    elements = [struct.pack("<3h2x", *row) for row in rows]
    return meshopt_stream(elements) if packing == "meshopt" else b"".join(elements)


def baked_glb(packing):
    """JSON and binary chunk as `bake` writes them: three vertices in three frames, of which one is sparse.

    packing: the form of the vertices: "floats", as "shorts" (quantize=1) or as "meshopt" (quantize=1,meshopt=1).
    """
    is_float = packing == "floats"
    rows = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
    parts = (vectors(rows, packing), vectors([(1, 1, 1)] * 3, packing),
             struct.pack("<3f" if is_float else "<3h2x", 1, 2, 3), struct.pack("<H2x", 2),
             struct.pack("<3f", 0, 0.5, 1), struct.pack("<2I", 2, 5), struct.pack("<2f", 1, 1))
    views, at = [], 0
    for part in parts:
        views.append({"buffer": 0, "byteOffset": at, "byteLength": len(part)})
        at += len(part) + -len(part) % 4
    parts = [part + bytes(-len(part) % 4) for part in parts]
    for view in [] if is_float else views[:2]:
        view["byteStride"] = 8
        if packing == "meshopt":
            stream = {**view, "mode": "ATTRIBUTES", "count": len(rows)}
            view.update(buffer=1, byteOffset=0, byteLength=8 * len(rows), extensions={"EXT_meshopt_compression": stream})

    def sparse(count, indices, kind, values):
        return {"count": count, "indices": {"bufferView": indices, "byteOffset": 0, "componentType": kind},
                "values": {"bufferView": values, "byteOffset": 0}}
    made = {"method": "lbs", "clip": "run", "fps": 2, "first_frame": 0, "frame_step": 1, "frame_count": 3}
    place = {} if is_float else {"translation": [1, 2, 3], "scale": [4, 4, 4]}
    position = {"type": "VEC3", "count": len(rows), **(
        {"componentType": 5126} if is_float else {"componentType": 5122, "normalized": True})}
    document = {
        "asset": {"version": "2.0", "generator": "skinbake 0.1.0", "extras": {"skinbake": made}},
        "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "arm", "mesh": 0, **place}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "targets": [{"POSITION": 1}, {"POSITION": 2}]}]}],
        "animations": [{"name": "run", "samplers": [{"input": 3, "output": 4, "interpolation": "LINEAR"}],
                        "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}]}],
        "accessors": [{**position, "bufferView": 0, "byteOffset": 0}, {**position, "bufferView": 1, "byteOffset": 0},
                      {**position, "sparse": sparse(1, 3, 5123, 2)},
                      {"componentType": 5126, "count": 3, "type": "SCALAR", "bufferView": 4},
                      {"componentType": 5126, "count": 6, "type": "SCALAR", "sparse": sparse(2, 5, 5125, 6)}],
        "bufferViews": views}
    if not is_float:
        document["extensionsRequired"] = ["KHR_mesh_quantization"]
    return document, b"".join(parts)


def sidecar_members():
    """The part of the sidecar of a cache of one point that the fuzzer does not write."""
    members = {
        "inputs": [{"role": "rig", "path": "a.gltf", "bytes": 5, "xxh128": "0" * 32}],
        "mesh": {"id": "arm", "node": 3, "node_name": "arm", "mesh_name": None, "vertex_count": 1,
                 "primitives": [{"first_vertex": 0, "vertex_count": 1}]},
        "clip": "run", "fps": 30, "first_frame": 0, "frame_step": 1, "frame_count": 1, "space": "scene",
        "axis": "y-up, right-handed", "unit": "m", "units_per_metre": 1, "method": "lbs", "modifiers": ["weights=u8"]}
    return ", " + json.dumps(members)[1:]


def cache_seeds():
    """Seeds by the reader that the first byte chooses in cache_fuzzer.cpp."""
    frames, points = 3, 2
    values = [0.25 * i for i in range(3 * frames * points)]
    floats = struct.pack(f"<{len(values)}f", *values)
    yield 0, struct.pack("<12siiffi", b"POINTCACHE2", 1, points, 0, 1, frames) + floats
    yield 1, struct.pack(f">ii{frames}f{len(values)}f", frames, points, 0, 0.5, 1, *values)
    for kind, version in ((b"f4", 1), (b"f8", 2)):
        head = b"{'descr': '<%s', 'fortran_order': False, 'shape': (%d, %d, 3), }" % (kind, frames, points)
        size = 8 + 2 * version + len(head) + 1
        head += b" " * (-size % 64) + b"\n"
        data = floats if kind == b"f4" else struct.pack(f"<{len(values)}d", *values)
        yield 2, b"\x93NUMPY" + struct.pack("<BBH" if version == 1 else "<BBI", version, 0, len(head)) + head + data
    for packing in ("floats", "shorts", "meshopt"):
        document, data = baked_glb(packing)
        yield 3, glb(document, data)
        yield 4, json.dumps(document).encode() + b"\0" + data
    yield 5, sidecar_members().encode()


def report_seeds():
    """The report of the schema test, and smaller ones."""
    report = json.loads((SOURCE / "tests/report/ref/small.report.json").read_text())
    yield report
    yield {**report, "meshes": []}
    yield {**report, "command": "diff", "meshes": report["meshes"][:1], "issues": []}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    shared, left_out = shared_seeds()
    print(f"{len(shared)} shared models are seeds; {left_out} have more than {LARGEST_MODEL} bytes")
    models = {**shared, **dict(load_seeds()), "humanoid.gltf": humanoid_seed()}
    for target in ("bake", "load"):
        (folder / target).mkdir(parents=True, exist_ok=True)
        for number, (name, seed) in enumerate(models.items()):
            # bake_fuzzer.cpp reads its choices from the first bytes.
            choices = bytes((number, number // 2, number, 7 * number % 256)) if target == "bake" else b""
            (folder / target / name).write_bytes(choices + seed)
    (folder / "user").mkdir(parents=True, exist_ok=True)
    for i, content in enumerate(USER_FILES):
        (folder / "user" / f"{i:02}.json").write_text(json.dumps(content))
    for target, seeds in (("cache", (bytes([kind]) + seed for kind, seed in cache_seeds())),
                          ("report", (json.dumps(report).encode() for report in report_seeds()))):
        (folder / target).mkdir(parents=True, exist_ok=True)
        for i, seed in enumerate(seeds):
            (folder / target / f"{i:02}").write_bytes(seed)
    chance = random.Random(1)
    (folder / "bind").mkdir(parents=True, exist_ok=True)
    for i in range(40):  # choices
        (folder / "bind" / f"{i:02}").write_bytes(chance.randbytes(1 + i * 300 // 40))
    (folder / "command").mkdir(parents=True, exist_ok=True)
    lines = (SOURCE / "tests/fuzz/command/lines.txt").read_text().splitlines()
    for i, line in enumerate(lines):  # words.h: one word in each line
        (folder / "command" / f"{i:02}").write_text("\n".join(line.split()))
    for target, size in (("clip", 400), ("rig", 4000)):
        (folder / target).mkdir(parents=True, exist_ok=True)
        for i in range(20):
            floats = [chance.choice([0, 1, -1, chance.uniform(-2, 2)]) for _ in range(size // 4)]
            seed = struct.pack(f"<{len(floats)}f", *floats) + chance.randbytes(16)
            (folder / target / f"{i:02}").write_bytes(seed)


if __name__ == "__main__":
    main()
