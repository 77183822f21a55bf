"""Helpers of the tests of GLBs: the parsed parts of a file, and small models in code."""

import base64
import json
import math
import struct

PNG = b"\x89PNG\r\n\x1a\n and what follows"


def glb(data):
    """(JSON, binary chunk), parsed by the container's specification."""
    magic, version, length, size, kind = struct.unpack_from("<4sIII4s", data)
    if (magic, version, length, kind) != (b"glTF", 2, len(data), b"JSON"):
        raise ValueError("not a GLB")
    bin_size, bin_kind = struct.unpack_from("<I4s", data, 20 + size)
    if bin_kind != b"BIN\0" or 28 + size + bin_size != len(data):
        raise ValueError("no binary chunk to the end")
    return json.loads(data[20:20 + size]), data[28 + size:]


def packed(gltf, data):
    """A GLB of a JSON document and its binary chunk."""
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    data += b"\0" * (-len(data) % 4)
    return (struct.pack("<4sIII4s", b"glTF", 2, 28 + len(text) + len(data), len(text), b"JSON") + text
            + struct.pack("<I4s", len(data), b"BIN\0") + data)


def vectors(gltf, data, number):
    """Rows of three of an uncompressed accessor of floats or normalised shorts, dense or sparse."""
    accessor = gltf["accessors"][number]
    kind, size, unit = {5126: ("<3f", 12, 1), 5122: ("<3h", 6, 32767)}[accessor["componentType"]]

    def read(view, offset, count, stride):
        at = gltf["bufferViews"][view]["byteOffset"] + offset
        return [tuple(x / unit for x in struct.unpack_from(kind, data, at + i * stride)) for i in range(count)]

    if "sparse" not in accessor:
        view = accessor["bufferView"]
        return read(view, accessor.get("byteOffset", 0), accessor["count"], gltf["bufferViews"][view]["byteStride"])
    rows = [(0, 0, 0)] * accessor["count"]
    sparse = accessor["sparse"]
    places, values = sparse["indices"], sparse["values"]
    at = gltf["bufferViews"][places["bufferView"]]["byteOffset"] + places["byteOffset"]
    indices = struct.unpack_from(f"<{sparse['count']}{'H' if places['componentType'] == 5123 else 'I'}", data, at)
    for place, row in zip(indices, read(values["bufferView"], values["byteOffset"], sparse["count"], size)):
        rows[place] = row
    return rows


def frames_of(gltf, data, name, mesh=0):
    """An attribute of all primitives of a mesh in every frame: the base, then the base plus each target."""
    frames = []
    for primitive in gltf["meshes"][mesh]["primitives"]:
        base = vectors(gltf, data, primitive["attributes"][name])
        rows = [base] + [[tuple(map(sum, zip(a, b))) for a, b in zip(base, vectors(gltf, data, target[name]))]
                         for target in primitive["targets"]]
        frames = [a + b for a, b in zip(frames, rows)] if frames else rows
    return frames


def parts(data, places, accessors):
    """The location and type of the data: (offset, bytes) and (componentType, count, type) of each accessor."""
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    return {
        "accessors": [{"bufferView": i, "componentType": c, "count": n, "type": t}
                      for i, (c, n, t) in enumerate(accessors)],
        "bufferViews": [{"buffer": 0, "byteOffset": at, "byteLength": n} for at, n in places],
        "buffers": [{"byteLength": len(data), "uri": uri}],
    }


def two_meshes():
    """Two nodes of one triangle; the first rises by 1 in a tenth of a second."""
    data = struct.pack("<9f6f3H2x2f6f", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 2, 1, 0,
                       0, 0.1, 0, 0, 0, 0, 1, 0)
    places = [(0, 36), (36, 24), (60, 6), (68, 8), (76, 24)]
    accessors = [(5126, 3, "VEC3"), (5126, 3, "VEC2"), (5123, 3, "SCALAR"), (5126, 2, "SCALAR"),
                 (5126, 2, "VEC3")]
    return {
        "asset": {"version": "2.0", "copyright": "Nobody"},
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"name": "up", "mesh": 0}, {"name": "still", "mesh": 0, "translation": [5, 0, 0]}],
        "meshes": [{"name": "corner", "primitives": [
            {"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2, "material": 0}]}],
        "materials": [{"name": "paint", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
        "textures": [{"source": 0}],
        "images": [{"uri": "paint.png"}],
        "animations": [{"name": "rise", "samplers": [{"input": 3, "output": 4}],
                        "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}],
        **parts(data, places, accessors),
    }


def turning_plate():
    """A square with unit normals and tangents, which turns about z: by an eighth in 0.1 s, by a quarter in 0.2 s."""
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]
    turns = [(0, 0, math.sin(a), math.cos(a)) for a in (0, math.pi / 8, math.pi / 4)]
    data = b"".join([struct.pack("<12f", *sum(corners, ())), struct.pack("<12f", *(0, 0, 1) * 4),
                     struct.pack("<16f", *(1, 0, 0, -1) * 4), struct.pack("<6H", 0, 1, 2, 2, 1, 3),
                     struct.pack("<3f", 0, 0.1, 0.2), struct.pack("<12f", *sum(turns, ()))])
    places = [(0, 48), (48, 48), (96, 64), (160, 12), (172, 12), (184, 48)]
    accessors = [(5126, 4, "VEC3"), (5126, 4, "VEC3"), (5126, 4, "VEC4"), (5123, 6, "SCALAR"), (5126, 3, "SCALAR"),
                 (5126, 3, "VEC4")]
    return {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "plate", "mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1, "TANGENT": 2}, "indices": 3}]}],
        "animations": [{"samplers": [{"input": 4, "output": 5}],
                        "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}]}],
        **parts(data, places, accessors),
    }
