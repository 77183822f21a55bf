"""glTF documents: accessors, nodes, skins, meshes and clips, as a file with a data URI or a .bin, or as a GLB."""

import base64
import json
import struct

from rigs.formulas import clean, whole_units

BYTE, SHORT, FLOAT = 5121, 5123, 5126  # unsigned
VERTICES, INDICES = 34962, 34963
COMPONENT = {BYTE: "B", SHORT: "H", FLOAT: "f"}
WIDTH = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Asset:
    """A glTF document with one buffer, to which accessors, nodes and meshes are added."""

    def __init__(self):
        self.document = {
            "asset": {"version": "2.0", "generator": "skinbake make_rigs.py"},
            "scene": 0, "scenes": [{"nodes": []}], "nodes": [], "meshes": [],
            "animations": [], "accessors": [], "bufferViews": []}
        self.binary = bytearray()
        self.joint_origins = {}  # node index -> position in the scene at rest

    def _append(self, key, value):
        self.document.setdefault(key, []).append(value)
        return len(self.document[key]) - 1

    def view(self, data, **properties):
        self.binary += bytes(-len(self.binary) % 4)
        view = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data), **properties}
        self.binary += data
        return self._append("bufferViews", view)

    def accessor(self, kind, component, rows, limits=False, target=None, normalized_=False):
        """Adds a packed accessor in a new buffer view."""
        flat = [x for row in rows for x in row]
        data = struct.pack(f"<{len(flat)}{COMPONENT[component]}", *flat)
        properties = {} if target is None else {"target": target}
        view = self.view(data, **properties)
        accessor = {"bufferView": view, "componentType": component, "count": len(rows), "type": kind}
        if normalized_:
            accessor["normalized"] = True
        if limits:
            accessor.update(self.limits(rows))
        return self._append("accessors", accessor)

    @staticmethod
    def limits(rows):
        # `min` and `max` must equal the stored float32 values exactly.
        stored = [struct.unpack("<f", struct.pack("<f", x))[0] for row in rows for x in row]
        width = len(rows[0])
        return {"min": [min(stored[k::width]) for k in range(width)],
                "max": [max(stored[k::width]) for k in range(width)]}

    def sparse_deltas(self, deltas):
        """Adds a sparse VEC3 accessor that stores only the vertices that move."""
        moved = [(i, d) for i, d in enumerate(deltas) if any(d)]
        indices = self.view(struct.pack(f"<{len(moved)}H", *(i for i, _ in moved)))
        values = self.view(struct.pack(f"<{3 * len(moved)}f", *(x for _, d in moved for x in d)))
        return self._append("accessors", {
            "componentType": FLOAT, "count": len(deltas), "type": "VEC3", **self.limits(deltas),
            "sparse": {"count": len(moved), "indices": {"bufferView": indices, "componentType": SHORT},
                       "values": {"bufferView": values}}})

    def node(self, name, parent=None, position=(0, 0, 0), **properties):
        """Adds a node at a position of the scene, without rotation."""
        origin = self.joint_origins.get(parent, (0, 0, 0))
        node = {"name": name, **properties}
        offset = [clean(a - b) for a, b in zip(position, origin)]
        if any(offset):
            node["translation"] = offset
        index = self._append("nodes", node)
        self.joint_origins[index] = position
        if parent is None:
            self.document["scenes"][0]["nodes"].append(index)
        else:
            self.document["nodes"][parent].setdefault("children", []).append(index)
        return index

    def skin(self, joints):
        matrices = []
        for joint in joints:
            x, y, z = self.joint_origins[joint]
            matrices.append([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, clean(-x), clean(-y), clean(-z), 1])
        return self._append("skins", {
            "joints": joints, "skeleton": joints[0],
            "inverseBindMatrices": self.accessor("MAT4", FLOAT, matrices)})

    def primitive(self, surface, weights=FLOAT, skinned=True, interleaved=False):
        """Adds a primitive. `weights`: the component type of the weights, float or a normalised integer."""
        columns = [("POSITION", "VEC3", FLOAT, surface.positions),
                   ("NORMAL", "VEC3", FLOAT, surface.normals)]
        if skinned:
            joints, shares = [], []
            for influences in surface.influences:
                used = [(j, w) for j, w in influences if w > 0]
                if weights == FLOAT:
                    values = [clean(w) for _, w in used]
                else:
                    values = whole_units(used, {BYTE: 255, SHORT: 65535}[weights])
                padding = 4 - len(used)
                # The validator requires joint 0 for a weight of 0.
                joints.append([j if v else 0 for (j, _), v in zip(used, values)] + [0] * padding)
                shares.append(values + [0] * padding)
            columns += [("JOINTS_0", "VEC4", BYTE, joints), ("WEIGHTS_0", "VEC4", weights, shares)]

        attributes = {}
        if interleaved:
            formats = [f"<{WIDTH[kind]}{COMPONENT[component]}" for _, kind, component, _ in columns]
            stride = sum(map(struct.calcsize, formats))
            data = b"".join(struct.pack(form, *column[3][i]) for i in range(len(surface.positions))
                            for form, column in zip(formats, columns))
            view = self.view(data, byteStride=stride, target=VERTICES)
            offset = 0
            for form, (name, kind, component, rows) in zip(formats, columns):
                accessor = {"bufferView": view, "byteOffset": offset, "componentType": component,
                            "count": len(rows), "type": kind}
                if name == "WEIGHTS_0" and component != FLOAT:
                    accessor["normalized"] = True
                if name == "POSITION":
                    accessor.update(self.limits(rows))
                attributes[name] = self._append("accessors", accessor)
                offset += struct.calcsize(form)
        else:
            for name, kind, component, rows in columns:
                attributes[name] = self.accessor(
                    kind, component, rows, limits=name == "POSITION", target=VERTICES,
                    normalized_=name == "WEIGHTS_0" and component != FLOAT)
        indices = self.accessor("SCALAR", SHORT, [(i,) for t in surface.triangles for i in t],
                                target=INDICES)
        return {"attributes": attributes, "indices": indices}

    def mesh(self, name, primitives, **properties):
        return self._append("meshes", {"name": name, "primitives": primitives, **properties})

    def clip(self, name):
        return self._append("animations", {"name": name, "channels": [], "samplers": []})

    def times(self, seconds):
        return self.accessor("SCALAR", FLOAT, [(clean(t),) for t in seconds], limits=True)

    def channel(self, clip, node, path, times, rows, interpolation="LINEAR"):
        kind = {"rotation": "VEC4", "translation": "VEC3", "weights": "SCALAR"}[path]
        values = self.accessor(kind, FLOAT, [[clean(x) for x in row] for row in rows])
        animation = self.document["animations"][clip]
        animation["samplers"].append(
            {"input": times, "interpolation": interpolation, "output": values})
        animation["channels"].append(
            {"sampler": len(animation["samplers"]) - 1, "target": {"node": node, "path": path}})

    def files(self, name):
        """{file name: bytes}. The extension of `name` and a `.bin` in it select the container."""
        self.binary += bytes(-len(self.binary) % 4)
        binary = bytes(self.binary)
        buffer = {"byteLength": len(binary)}
        document = {**self.document, "buffers": [buffer]}
        if name.endswith(".glb"):
            text = json.dumps(document, separators=(",", ":")).encode()
            text += b" " * (-len(text) % 4)
            total = 12 + 8 + len(text) + 8 + len(binary)
            return {name: struct.pack("<4sII", b"glTF", 2, total)
                    + struct.pack("<I4s", len(text), b"JSON") + text
                    + struct.pack("<I4s", len(binary), b"BIN\0") + binary}
        files = {}
        if name.endswith("+.bin"):
            name = name.removesuffix("+.bin")
            beside = name.removesuffix(".gltf") + ".bin"
            buffer["uri"] = beside
            files[beside] = binary
        else:
            buffer["uri"] = ("data:application/octet-stream;base64,"
                             + base64.b64encode(binary).decode())
        files[name] = (json.dumps(document, indent=1) + "\n").encode()
        return files
