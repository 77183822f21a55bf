#!/usr/bin/env python3
"""Baked USD text: all meshes of a clip in one file, the numbers of a PC2, refusals."""

import json
import math
import re
import struct

from glb_files import PNG, frames_of, glb, two_meshes
from support import CliTest, Pc2, RIGS, main

ARM = RIGS / "bent_arm.gltf"
WALKER = RIGS / "walker.glb"


def meshes(text):
    """{name: {attribute: lines}} of the text that the program writes; time samples are {time code: text}."""
    found = {}
    for name, body in re.findall(r'^    def Mesh "(\w+)"\n    \{\n(.*?)^    \}\n', text, flags=re.M | re.S):
        found[name] = dict(re.findall(r"^        (?:uniform )?\S+ ([\w:]+) = (.*?)(?: \()?$", body, flags=re.M))
        for attribute, samples in re.findall(r"^        \S+ (\w+)\.timeSamples = \{\n(.*?)^        \}\n", body,
                                             flags=re.M | re.S):
            found[name][attribute + ".timeSamples"] = {
                int(code): value for code, value in re.findall(r"^ {12}(-?\d+): (.*),$", samples, flags=re.M)}
    return found


def points(text):
    return [tuple(struct.unpack("f", struct.pack("f", float(n)))[0] for n in point.split(", "))
            for point in re.findall(r"\(([^()]*)\)", text)]


class Usda(CliTest):
    def write_rig(self):
        (self.folder / "rig.gltf").write_text(json.dumps(two_meshes()))
        (self.folder / "paint.png").write_bytes(PNG)

    def test_the_samples_are_the_frames(self):
        self.succeed("bake", ARM, "-o", "a.usda", "-o", "a.pc2", "--frames", "3:40:2", "--fps", "24",
                     "--method", "dqs")
        text = self.read("a.usda").decode()
        for line in ("startTimeCode = 3", "endTimeCode = 39", "timeCodesPerSecond = 24", "framesPerSecond = 24",
                     'upAxis = "Y"', "metersPerUnit = 1", 'defaultPrim = "Baked"'):
            self.assertIn(f"\n    {line}\n", text)
        (_, mesh), = meshes(text).items()
        self.assertEqual(mesh["subdivisionScheme"], '"none"')
        cache = Pc2(self.read("a.pc2"))
        samples, extents = mesh["points.timeSamples"], mesh["extent.timeSamples"]
        self.assertEqual(list(samples), list(range(3, 41, 2)))
        self.assertEqual(list(extents), list(samples))
        for i, code in enumerate(samples):
            frame = cache.positions(i)
            self.assertEqual(points(samples[code]), frame)
            self.assertEqual(points(extents[code]), [tuple(map(min, zip(*frame))), tuple(map(max, zip(*frame)))])
        self.assertEqual(mesh["points"], samples[3])
        self.assertEqual(mesh["extent"], extents[3])

    def test_all_meshes_of_a_clip_are_in_one_file(self):
        self.succeed("bake", WALKER, "-o", "all.usda", "-o", "{mesh}.usda", "--report", "r.json")
        together = meshes(self.read("all.usda").decode())
        self.assertEqual([mesh["id"] for mesh in self.json("all.usda.json")["meshes"]], list(together))
        for name, mesh in together.items():
            self.assertEqual(meshes(self.read(name + ".usda").decode()), {name: mesh})
            self.assertEqual(self.json(name + ".usda.json")["mesh"]["id"], name)
        self.assertEqual({o["format"] for o in self.json("r.json")["outputs"]}, {"usda"})

    def test_faces_and_texture_coordinates_are_kept(self):
        self.write_rig()
        self.succeed("bake", "rig.gltf", "-o", "all.usda")
        for mesh in meshes(self.read("all.usda").decode()).values():
            self.assertEqual(mesh["faceVertexCounts"], "[3]")
            self.assertEqual(mesh["faceVertexIndices"], "[2, 1, 0]")
            self.assertEqual(mesh["primvars:st"], "[(0, 1), (1, 1), (0, 0)]")

    def test_normals_are_kept_where_they_are_asked_for(self):
        self.succeed("bake", ARM, "-o", "bare.usda", "--report", "r.json", "--fps", "5")
        self.assertIn("NORMALS_LEFT_OUT", {issue["code"] for issue in self.json("r.json")["issues"]})
        self.assertNotIn("normal", self.read("bare.usda").decode())
        for kind in ("skinned", "geometric"):
            self.succeed("bake", ARM, "-o", "a.usda", "-o", "a.glb", "--fps", "5", "--normals", kind, "--format",
                         "usda:normals=1", "--format", "glb:normals=1", "--report", "r.json", "--verify")
            record = next(r for r in self.json("r.json")["verification"] if r["format"] == "usda")
            self.assertEqual((record["max_m"], record["normals"]["max"]), (0, 0))
            self.assertNotIn("NORMALS_LEFT_OUT", {issue["code"] for issue in self.json("r.json")["issues"]})
            text = self.read("a.usda").decode()
            self.assertIn('] (\n            interpolation = "vertex"\n        )\n        normal3f[] normals.timeSamples',
                          text)
            (_, mesh), = meshes(text).items()
            samples = mesh["normals.timeSamples"]
            self.assertEqual(list(samples), list(mesh["points.timeSamples"]))
            self.assertEqual(mesh["normals"], samples[0])
            for sample, expected in zip(samples.values(), frames_of(*glb(self.read("a.glb")), "NORMAL"), strict=True):
                for n, m in zip(points(sample), expected, strict=True):
                    self.assertLess(math.dist(n, m), 3e-7)
            without = text[:text.index("        normal3f[] normals")] + "    }\n}\n"
            self.assertEqual(without, self.read("bare.usda").decode())

    def test_unsupported_requests_are_refused(self):
        self.fail_with(2, "bake", ARM, "-o", "a.usda", "--up", "z", naming=("a.usda", "y up", "CACHE_UNSUITABLE"))
        self.fail_with(2, "bake", ARM, "-o", "a.usda", "--format", "usda:x=1", naming=("x=1", "normals=0|1"))
        self.fail_with(2, "bake", ARM, "-o", "a.usda", "--format", "usda:normals=yes", naming="'normals' must be 0 or 1, not 'yes'")
        self.succeed("bake", ARM, "-o", "a.pc2", "-q")
        self.fail_with(2, "convert", "a.pc2", "b.usda", naming=("b.usda", "triangles"))
        self.succeed("bake", ARM, "-o", "b.usda", "-q")
        self.fail_with(3, "convert", "b.usda", "c.pc2", naming=("b.usda", ".pc2"))

    def test_the_bytes_do_not_depend_on_threads(self):
        self.succeed("bake", WALKER, "-o", "a.usda", "--threads", "1", "--verify")
        self.succeed("bake", WALKER, "-o", "b.usda", "--threads", "4")
        self.assertEqual(self.read("a.usda"), self.read("b.usda"))


if __name__ == "__main__":
    main()
