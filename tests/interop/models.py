"""Takes glTF files apart and makes variants of them for the interoperability checks."""

import base64
import ctypes
import ctypes.util
import json
import struct
import urllib.parse

COMPONENT_SIZE = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}


def document(data):
    """The JSON of a glTF file of either container; raises ValueError or struct.error."""
    if data[:4] == b"glTF":
        length, = struct.unpack_from("<I", data, 12)
        data = data[20:20 + length]
    return json.loads(data)


def read(path):
    """(JSON, bytes of each buffer)."""
    data = path.read_bytes()
    gltf, buffers = document(data), []
    for buffer in gltf.get("buffers", []):
        uri = buffer.get("uri")
        if uri is None:
            start = 20 + struct.unpack_from("<I", data, 12)[0] + 8
            content = data[start:]
        elif uri.startswith("data:"):
            content = base64.b64decode(uri.split(",", 1)[1])
        else:
            content = (path.parent / urllib.parse.unquote(uri)).read_bytes()
        buffers.append(content[:buffer["byteLength"]])
    return gltf, buffers


def write_glb(path, gltf, binary):
    """A GLB whose first buffer is `binary`."""
    gltf["buffers"][0] = {"byteLength": len(binary)}
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    binary = bytes(binary) + bytes(-len(binary) % 4)
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(binary))
                     + struct.pack("<I4s", len(text), b"JSON") + text
                     + struct.pack("<I4s", len(binary), b"BIN\0") + binary)


def append(binary, content):
    """Appends at a multiple of four; returns the offset."""
    binary.extend(bytes(-len(binary) % 4))
    offset = len(binary)
    binary.extend(content)
    return offset


def with_influence_sets(source, target, sets):
    """Writes `source` with each influence spread over `sets` sets of joints: 4 * sets influences per vertex."""
    gltf, buffers = read(source)
    assert len(buffers) == 1, "models of one buffer only"
    binary = bytearray(buffers[0])

    def values(index, letters):
        accessor = gltf["accessors"][index]
        view = gltf["bufferViews"][accessor["bufferView"]]
        form = "<4" + letters[accessor["componentType"]]
        stride = view.get("byteStride", struct.calcsize(form))
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        return [struct.unpack_from(form, binary, start + i * stride)
                for i in range(accessor["count"])]

    def add(rows, form, component_type):
        content = b"".join(struct.pack("<4" + form, *row) for row in rows)
        gltf["bufferViews"].append({"buffer": 0, "byteOffset": append(binary, content),
                                    "byteLength": len(content)})
        gltf["accessors"].append({"bufferView": len(gltf["bufferViews"]) - 1, "count": len(rows),
                                  "componentType": component_type, "type": "VEC4"})
        return len(gltf["accessors"]) - 1

    joints_in_skin = min(len(skin["joints"]) for skin in gltf["skins"])
    shares = [(sets - s) / (sets * (sets + 1) / 2) for s in range(sets)]
    for mesh in gltf["meshes"]:
        for primitive in mesh["primitives"]:
            attributes = primitive["attributes"]
            joints = values(attributes["JOINTS_0"], {5121: "B", 5123: "H"})
            weights = values(attributes["WEIGHTS_0"], {5126: "f"})
            for s, share in enumerate(shares):
                # Each set names joints three further on, so that all joints differ.
                attributes[f"JOINTS_{s}"] = add(
                    [[(j + 3 * s + i) % joints_in_skin for i, j in enumerate(row)]
                     for row in joints], "H", 5123)
                attributes[f"WEIGHTS_{s}"] = add(
                    [[w * share for w in row] for row in weights], "f", 5126)
    write_glb(target, gltf, binary)


class Meshoptimizer:
    """The encoders of the installed library without filters, which are lossless."""

    def __init__(self):
        name = ctypes.util.find_library("meshoptimizer")
        if name is None:
            raise OSError("no meshoptimizer library; scripts/setup installs it (libmeshoptimizer-dev)")
        self.encoder = ctypes.CDLL(name)
        for function in ("VertexBuffer", "IndexBuffer", "IndexSequence"):
            for kind in ("", "Bound"):
                getattr(self.encoder, f"meshopt_encode{function}{kind}").restype = ctypes.c_size_t

    def vertices(self, content, stride):
        count, size = len(content) // stride, ctypes.c_size_t
        bound = self.encoder.meshopt_encodeVertexBufferBound(size(count), size(stride))
        out = (ctypes.c_ubyte * bound)()
        n = self.encoder.meshopt_encodeVertexBuffer(out, size(bound), bytes(content), size(count),
                                                    size(stride))
        return bytes(out[:n])

    def indices(self, numbers, as_triangles):
        function = "IndexBuffer" if as_triangles else "IndexSequence"
        size, count = ctypes.c_size_t, len(numbers)
        getattr(self.encoder, "meshopt_encodeIndexVersion")(1)
        bound = getattr(self.encoder, f"meshopt_encode{function}Bound")(
            size(count), size(max(numbers, default=0) + 1))
        out = (ctypes.c_ubyte * bound)()
        n = getattr(self.encoder, f"meshopt_encode{function}")(
            out, size(bound), (ctypes.c_uint * count)(*numbers), size(count))
        return bytes(out[:n])


def packed_losslessly(source, target, extension="EXT_meshopt_compression"):
    """Writes `source` with every possible view as a meshopt stream; returns the number of streams per mode."""
    gltf, buffers = read(source)
    encoder, binary, fallback = Meshoptimizer(), bytearray(), 0
    by_view, indices_of = {}, set()
    for a, accessor in enumerate(gltf["accessors"]):
        if "bufferView" in accessor:
            by_view.setdefault(accessor["bufferView"], []).append(a)
    for mesh in gltf["meshes"]:
        indices_of.update(p["indices"] for p in mesh["primitives"] if "indices" in p)
    modes = {"ATTRIBUTES": 0, "TRIANGLES": 0, "INDICES": 0}
    for v, view in enumerate(gltf["bufferViews"]):
        start = view.get("byteOffset", 0)
        content = buffers[view["buffer"]][start:start + view["byteLength"]]
        used = [gltf["accessors"][a] for a in by_view.get(v, [])]
        is_indices = len(used) == 1 and by_view[v][0] in indices_of
        mode = stride = None
        if is_indices and used[0]["componentType"] in (5123, 5125):
            stride = COMPONENT_SIZE[used[0]["componentType"]]
            content = content[used[0].get("byteOffset", 0):][:used[0]["count"] * stride]
            triangles = used[0]["count"] % 3 == 0 and sum(modes.values()) % 2 == 0
            mode = "TRIANGLES" if triangles else "INDICES"
        elif used and len(content) % 4 == 0:
            mode = "ATTRIBUTES"
            size = COMPONENT_SIZE[used[0]["componentType"]] * COMPONENTS[used[0]["type"]]
            stride = view.get("byteStride", size if size % 4 == 0 else 4)
            if len(content) % stride:
                content += bytes(-len(content) % stride)
        if mode is None:
            view.update(buffer=0, byteOffset=append(binary, content))
            continue
        if mode == "ATTRIBUTES":
            stream = encoder.vertices(content, stride)
        else:
            numbers = struct.unpack(f"<{len(content) // stride}{'H' if stride == 2 else 'I'}", content)
            stream = encoder.indices(numbers, mode == "TRIANGLES")
            used[0].pop("byteOffset", None)
        modes[mode] += 1
        view["extensions"] = {extension: {
            "buffer": 0, "byteOffset": append(binary, stream), "byteLength": len(stream),
            "byteStride": stride, "count": len(content) // stride, "mode": mode}}
        fallback += -fallback % 4
        view.update(buffer=1, byteOffset=fallback, byteLength=len(content))
        fallback += len(content)
    gltf["buffers"] = [{}, {"byteLength": max(fallback, 1),
                            "extensions": {extension: {"fallback": True}}}]
    gltf.setdefault("extensionsUsed", []).append(extension)
    gltf.setdefault("extensionsRequired", []).append(extension)
    write_glb(target, gltf, binary)
    return modes
