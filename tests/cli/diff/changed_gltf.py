"""Copies of a glTF file as optimisers make them: the same character with other vertices."""

import base64
import copy
import json
import random
import struct

SIZES = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}
BYTES = {5121: 1, 5123: 2, 5125: 4, 5126: 4}


class ChangedGltf:
    """A glTF file with an embedded buffer, one mesh and tightly packed accessors."""

    def __init__(self, path):
        self.json = json.loads(path.read_text())
        self.data = base64.b64decode(self.json["buffers"][0]["uri"].split(",")[1])

    def copy(self):
        return copy.deepcopy(self)

    @property
    def primitive(self):
        return self.json["meshes"][0]["primitives"][0]

    def rows(self, number):
        """The elements of an accessor, as bytes."""
        accessor = self.json["accessors"][number]
        view = self.json["bufferViews"][accessor["bufferView"]]
        size = SIZES[accessor["type"]] * BYTES[accessor["componentType"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        return [self.data[start + i * size:start + (i + 1) * size] for i in range(accessor["count"])]

    def replace(self, number, rows, component=None):
        """Gives an accessor other elements."""
        accessor = self.json["accessors"][number]
        self.data += b"\0" * (-len(self.data) % 4)
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.data), "byteLength": sum(map(len, rows))})
        self.data += b"".join(rows)
        accessor.update(bufferView=len(self.json["bufferViews"]) - 1, byteOffset=0, count=len(rows))
        if component is not None:
            accessor["componentType"] = component

    def triangles(self):
        number = self.primitive["indices"]
        kind = {5123: "<H", 5125: "<I"}[self.json["accessors"][number]["componentType"]]
        indices = [struct.unpack(kind, row)[0] for row in self.rows(number)]
        return [indices[i:i + 3] for i in range(0, len(indices), 3)]

    def with_vertices(self, kept, triangles):
        """The vertices `kept` of the old ones, and these triangles between the new ones."""
        changed = self.copy()
        for number in self.primitive["attributes"].values():
            rows = self.rows(number)
            changed.replace(number, [rows[v] for v in kept])
        changed.replace(self.primitive["indices"], [struct.pack("<I", v) for t in triangles for v in t], 5125)
        return changed

    def permuted(self, seed=1):
        shuffled = random.Random(seed)
        kept = list(range(self.json["accessors"][self.primitive["attributes"]["POSITION"]]["count"]))
        shuffled.shuffle(kept)
        new_of = {old: new for new, old in enumerate(kept)}
        triangles = [[new_of[v] for v in t] for t in self.triangles()]
        shuffled.shuffle(triangles)
        return self.with_vertices(kept, triangles)

    def split(self):
        """Every triangle has vertices of its own."""
        triangles = self.triangles()
        return self.with_vertices([v for t in triangles for v in t],
                                  [[3 * i, 3 * i + 1, 3 * i + 2] for i in range(len(triangles))])

    def save(self, path):
        self.json["buffers"][0] = {
            "byteLength": len(self.data),
            "uri": "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()}
        path.write_text(json.dumps(self.json))
        return path.name
