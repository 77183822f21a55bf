#!/usr/bin/env python3
"""Normals of meshes of which some primitives do not have normals: these alone are baked without them."""

import json
import math
import os
import struct
import unittest

from glb_files import glb, vectors
from support import CliTest, RIGS, SHARED_MODELS, main
from usda_test import meshes, points

ARM = RIGS / "bent_arm.gltf"
CASE = SHARED_MODELS.parent / "cases" / "22-mixed-primitives" / "mix.glb"
CORNERS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]
# The file's normal of each primitive. The squares themselves face (0, 0, 1).
NORMALS = [(0.6, 0, 0.8), (0, 0.6, 0.8), (-0.6, 0, 0.8)]
SQUARE = [0, 1, 2, 2, 1, 3]


class Plates:
    """A node with a mesh of squares side by side, which turns about z by a quarter in 0.2 s.

    attributes: the attributes of each square beside POSITION. deltas: the displacement of the normals of each square
    by a morph target, whose weight grows from 0 to 1; None: its target does not have NORMAL.
    """

    def __init__(self, *attributes, deltas=()):
        self.data, self.views, self.accessors = b"", [], []
        indices = self.add("<6H", SQUARE, 5123, "SCALAR", 6)
        primitives = []
        for p, names in enumerate(attributes):
            corners = [(x + 2 * p, y, z) for x, y, z in CORNERS]
            values = {"POSITION": self.vec3(corners)}
            if "NORMAL" in names:
                values["NORMAL"] = self.vec3([NORMALS[p]] * 4)
            if "TANGENT" in names:
                values["TANGENT"] = self.add("<16f", (0, 1, 0, 1) * 4, 5126, "VEC4", 4)
            primitives.append({"attributes": values, "indices": indices})
        for primitive, delta in zip(primitives, deltas):
            target = {"POSITION": self.vec3([(0, 0, 0)] * 4)}
            primitive["targets"] = [target if delta is None else {**target, "NORMAL": self.vec3([delta] * 4)}]
        turns = [(0, 0, math.sin(a), math.cos(a)) for a in (0, math.pi / 8, math.pi / 4)]
        times = self.add("<3f", (0, 0.1, 0.2), 5126, "SCALAR", 3)
        samplers = [{"input": times, "output": self.add("<12f", sum(turns, ()), 5126, "VEC4", 3)}]
        channels = [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}]
        if deltas:
            samplers.append({"input": times, "output": self.add("<3f", (0, 0.5, 1), 5126, "SCALAR", 3)})
            channels.append({"sampler": 1, "target": {"node": 0, "path": "weights"}})
        self.json = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
                     "nodes": [{"name": "Plates", "mesh": 0}], "meshes": [{"name": "plates", "primitives": primitives}],
                     "animations": [{"name": "turn", "samplers": samplers, "channels": channels}],
                     "accessors": self.accessors, "bufferViews": self.views,
                     "buffers": [{"byteLength": len(self.data)}]}

    def vec3(self, rows):
        bounds = {"min": list(map(min, zip(*rows))), "max": list(map(max, zip(*rows)))}
        return self.add(f"<{3 * len(rows)}f", sum(rows, ()), 5126, "VEC3", len(rows), **bounds)

    def add(self, layout, numbers, component, kind, count, **more):
        data = struct.pack(layout, *numbers)
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)})
        self.accessors.append({"bufferView": len(self.views) - 1, "componentType": component, "count": count,
                               "type": kind, **more})
        self.data += data + b"\0" * (-len(data) % 4)
        return len(self.accessors) - 1

    def write(self, folder):
        self.json["buffers"][0]["uri"] = "rig.bin"
        (folder / "rig.bin").write_bytes(self.data)
        (folder / "rig.gltf").write_text(json.dumps(self.json))


def turned(normal, frame):
    """The unit normal in a frame at 10 fps, which is an eighth of a turn after the one before."""
    (x, y, z), length, angle = normal, math.hypot(*normal), frame * math.pi / 4
    s, c = math.sin(angle), math.cos(angle)
    return (c * x - s * y) / length, (s * x + c * y) / length, z / length


class Normals(CliTest):
    def bake(self, *options):
        self.succeed("bake", "rig.gltf", "--fps", "10", "--report", "r.json", "--verify", "--strict",
                     "--metrics", "error", *options)
        return {code: [issue for issue in self.json("r.json")["issues"] if issue["code"] == code]
                for code in ("NORMALS_MISSING", "NORMALS_RECOMPUTED", "NORMALS_UNAVAILABLE")}

    def frames(self, name):
        """[primitive][frame][vertex] The stored normals; None of a primitive without NORMAL in the base and targets."""
        gltf, data = glb(self.read(name))
        found = []
        for primitive in gltf["meshes"][0]["primitives"]:
            parts = [primitive["attributes"], *primitive.get("targets", [])]
            stored = [vectors(gltf, data, part["NORMAL"]) for part in parts if "NORMAL" in part]
            self.assertIn(len(stored), (0, len(parts)))
            sums = [[tuple(map(sum, zip(a, b))) for a, b in zip(stored[0], delta)] for delta in stored[1:]]
            found.append([stored[0], *sums] if stored else None)
        return found

    def check(self, frames, expected):
        """expected: a function from a frame to its normal."""
        self.assertEqual(len(frames), 3)
        for f, rows in enumerate(frames):
            for row in rows:
                self.assertLess(math.dist(row, turned(expected(f), f)), 1e-4)

    def check_missing(self, issues, *primitives):
        self.assertEqual([issue["pointer"] for issue in issues["NORMALS_MISSING"]],
                         [f"/meshes/0/primitives/{p}" for p in primitives])
        for issue, p in zip(issues["NORMALS_MISSING"], primitives):
            self.assertIn(f"mesh 'plates' primitive {p} does not have NORMAL", issue["message"])
        self.assertEqual(issues["NORMALS_UNAVAILABLE"], [])

    def test_two_of_three_primitives_keep_their_normals(self):
        Plates(["NORMAL"], [], ["NORMAL"]).write(self.folder)
        for options in ("normals=1", "normals=1,quantize=1"):
            self.check_missing(self.bake("-o", "a.glb", "--format", "glb:" + options), 1)
            first, second, third = self.frames("a.glb")
            self.assertIsNone(second)
            self.check(first, lambda f: NORMALS[0])
            self.check(third, lambda f: NORMALS[2])
        self.bake("-o", "a.glb", "--format", "glb:normals=1,quantize=1,meshopt=1")
        attributes = [p["attributes"] for p in glb(self.read("a.glb"))[0]["meshes"][0]["primitives"]]
        self.assertEqual(["NORMAL" in names for names in attributes], [True, False, True])
        self.bake("-o", "a.glb", "--format", "glb:normals=1", "--normals", "geometric")
        for frames in self.frames("a.glb"):
            self.check(frames, lambda f: (0, 0, 1))

    def test_formats_of_all_vertices_get_the_normals_of_the_triangles(self):
        Plates(["NORMAL"], [], ["NORMAL"]).write(self.folder)
        issues = self.bake("-o", "a.usda", "-o", "a.exr", "--format", "usda:normals=1", "--format", "vat:normals=1")
        self.check_missing(issues, 1)
        recomputed, = issues["NORMALS_RECOMPUTED"]
        self.assertIn("mesh 'Plates' has primitives without normals (1)", recomputed["message"])
        (_, mesh), = meshes(self.read("a.usda").decode()).items()
        rows = [points(sample) for sample in mesh["normals.timeSamples"].values()]
        for p, normal in enumerate([NORMALS[0], (0, 0, 1), NORMALS[2]]):
            self.check([row[4 * p:4 * p + 4] for row in rows], lambda f: normal)
        static = glb(self.read("a.exr.glb"))[0]["meshes"][0]["primitives"]
        self.assertEqual(["NORMAL" in primitive["attributes"] for primitive in static], [True] * 3)
        self.assertEqual(self.bake("-o", "a.usda", "-o", "a.glb", "--format", "glb:normals=1")["NORMALS_RECOMPUTED"], [])

    def test_only_the_last_primitive_has_normals(self):
        """Tangents of a primitive without normals do not count."""
        Plates(["TANGENT"], [], ["NORMAL", "TANGENT"]).write(self.folder)
        self.check_missing(self.bake("-o", "a.glb", "--format", "glb:tangents=1"), 0, 1)
        first, second, third = self.frames("a.glb")
        self.assertEqual((first, second), (None, None))
        self.check(third, lambda f: NORMALS[2])
        attributes = [p["attributes"] for p in glb(self.read("a.glb"))[0]["meshes"][0]["primitives"]]
        self.assertEqual(["TANGENT" in names for names in attributes], [False, False, True])

    def test_morph_targets_turn_the_normals_of_the_primitive_that_has_them(self):
        delta = (0, -0.5, 0)
        Plates([], ["NORMAL"], deltas=(delta, delta)).write(self.folder)
        self.check_missing(self.bake("-o", "a.glb", "--format", "glb:normals=1"), 0)
        first, second = self.frames("a.glb")
        self.assertIsNone(first)
        self.check(second, lambda f: (0, NORMALS[1][1] - 0.25 * f, NORMALS[1][2]))

    def test_no_primitive_has_normals(self):
        Plates([], []).write(self.folder)
        done = self.run_program("bake", "rig.gltf", "-o", "a.glb", "--format", "glb:normals=1", "--strict")
        self.assertEqual(done.code, 1, done)
        self.assertIn("NORMALS_UNAVAILABLE", done.err)
        self.succeed("bake", "rig.gltf", "-o", "a.glb", "--format", "glb:normals=1", "--verify")
        self.assertEqual(self.frames("a.glb"), [None, None])

    def arm(self):
        """The arm, and a copy of its primitive without normals."""
        rig = json.loads(ARM.read_text())
        (self.folder / "bent_arm.bin").write_bytes((RIGS / "bent_arm.bin").read_bytes())
        primitive, = rig["meshes"][0]["primitives"]
        attributes = {name: value for name, value in primitive["attributes"].items() if name != "NORMAL"}
        rig["meshes"][0]["primitives"] = [{**primitive, "attributes": attributes}, primitive]
        (self.folder / "arm.gltf").write_text(json.dumps(rig))
        return "arm.gltf"

    def test_a_fit_turns_the_normals_of_the_primitive_that_has_them(self):
        self.succeed("fit", self.arm(), "--correctives", "2", "--normals", "-o", "fit.glb")
        without, with_normals = glb(self.read("fit.glb"))[0]["meshes"][0]["primitives"]
        for primitive, has_normals in ((without, False), (with_normals, True)):
            for part in (primitive["attributes"], *primitive["targets"]):
                self.assertEqual("NORMAL" in part, has_normals)

    def test_the_deviation_is_of_the_normals_that_exist(self):
        sections = []
        for rig in (ARM, self.arm()):
            self.succeed("bake", rig, "--fps", "5", "--metrics", "normal_deviation", "--json", "--report", "r.json")
            sections.append(self.json("r.json")["meshes"][0]["runs"][0]["normal_deviation"])
        one, two = sections
        for key in ("mean", "p95", "max"):
            self.assertAlmostEqual(one["bind"][key], two["bind"][key], places=6)
            for a, b in zip(one["per_frame"][key], two["per_frame"][key], strict=True):
                self.assertAlmostEqual(a, b, places=6)
        self.assertEqual((two["without_normal"], two["bind"]["without_normal"]),
                         (one["without_normal"], one["bind"]["without_normal"]))

    @unittest.skipUnless(CASE.is_file() or os.environ.get("CI") == "true",
                         f"no file {CASE}; name the folder above cases in SKINBAKE_SHARED")
    def test_the_shared_case(self):
        self.succeed("bake", CASE, "-o", "a.glb", "--format", "glb:normals=1", "--verify", "--report", "r.json")
        has_normals = [frames is not None for frames in self.frames("a.glb")]
        self.assertEqual(has_normals, [True, False, False, True])  # the first primitive does not have vertices
        missing = [issue["pointer"] for issue in self.json("r.json")["issues"] if issue["code"] == "NORMALS_MISSING"]
        self.assertEqual(missing, ["/meshes/0/primitives/2", "/meshes/0/primitives/3"])
        self.assertNotIn("NORMALS_UNAVAILABLE", {issue["code"] for issue in self.json("r.json")["issues"]})


if __name__ == "__main__":
    main()
