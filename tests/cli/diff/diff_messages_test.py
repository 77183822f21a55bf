#!/usr/bin/env python3
"""Names and causes in the results of `skinbake diff`: meshes of a GLB, files of reports, differences of two rigs."""

import base64
import json
import math
import shutil
import struct
import xml.etree.ElementTree

from support import CliTest, RIGS, main

WALKER, ARM = RIGS / "walker.glb", RIGS / "bent_arm.gltf"


class MeshNames(CliTest):
    def bake(self, rig, *arguments):
        for method in ("lbs", "dqs"):
            self.succeed("bake", rig, "-o", f"{method}.glb", "--method", method, "--frames", "0:4", "-q", *arguments)

    def test_an_exceeded_threshold_names_the_mesh_of_the_glb_and_its_vertex(self):
        self.bake(WALKER)
        done = self.run_program("diff", "lbs.glb", "dqs.glb", "--fail", "error.max=1e-4", "--fail", "error.rms=1e-6", "--report", "d.json")
        self.assertEqual(done.code, 1, done)
        self.assertRegex(done.out, r"vertex \d+ \((\d+) of 'Body'\)")
        vertex = self.json("d.json")["verdict"]["checks"][0]["at"]["vertex"]
        self.assertIn(f"({vertex} of 'Body')", done.out)
        self.assertRegex(done.err, rf"error.max at most [^\n]* in mesh 'Body',[^\n]*, vertex {vertex}\n")
        self.assertRegex(done.err, r"error.rms at most [^\n]* in mesh 'Body, Lantern, Mouth'")
        alone = self.run_program("diff", "lbs.glb", "dqs.glb", "--fail", "error.max=1e-4")
        self.assertIn("mesh 'Body'", alone.err)
        self.succeed("report", "d.json", "-o", "d.xml")
        failures = [f.get("message") for f in xml.etree.ElementTree.parse(self.folder / "d.xml").iter("failure")]
        self.assertIn(f"vertex {vertex}", failures[0])
        for text in (done.err, *failures):
            self.assertNotIn("mesh 'lbs'", text)

    def test_a_cache_of_one_mesh_has_the_name_of_its_sidecar_with_and_without_a_report(self):
        self.bake(ARM)
        for arguments in ((), ("--report", "d.json")):
            done = self.run_program("diff", "lbs.glb", "dqs.glb", "--fail", "error.max=1e-7", *arguments)
            self.assertEqual(done.code, 1, done)
            self.assertIn("mesh 'arm', clip 'bend_and_twist', dqs", done.err)


class Causes(CliTest):
    """Rigs of two triangles with one joint or two, skinned by one method."""

    def rig(self, name, points, weights, angle=1.0):
        """A skin of joints 'Root' and 'Tip'; Tip turns by a half turn times `angle` about x in a second."""
        count = len(points)
        half = math.pi / 2 * angle
        parts = [struct.pack(f"<{3 * count}f", *(c for p in points for c in p)),
                 b"".join(struct.pack("<4B", 0, 1, 0, 0) for _ in points),
                 b"".join(struct.pack("<4f", 1 - w, w, 0, 0) for w in weights),
                 struct.pack("<2f", 0, 1), struct.pack("<8f", 0, 0, 0, 1, math.sin(half), 0, 0, math.cos(half))]
        views, at = [], 0
        for part in parts:
            views.append({"buffer": 0, "byteOffset": at, "byteLength": len(part)})
            at += len(part)
        bounds = {"min": [min(c) for c in zip(*points)], "max": [max(c) for c in zip(*points)]}
        document = {
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
            "nodes": [{"name": "Body", "mesh": 0, "skin": 0}, {"name": "Root", "children": [2]}, {"name": "Tip"}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}}]}],
            "skins": [{"joints": [1, 2]}],
            "animations": [{"name": "turn", "samplers": [{"input": 3, "output": 4}],
                            "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}]}],
            "accessors": [{"bufferView": v, "componentType": c, "count": n, "type": t, **more} for v, c, n, t, more in
                          ((0, 5126, count, "VEC3", bounds), (1, 5121, count, "VEC4", {}), (2, 5126, count, "VEC4", {}),
                           (3, 5126, 2, "SCALAR", {"min": [0], "max": [1]}), (4, 5126, 2, "VEC4", {}))],
            "bufferViews": views,
            "buffers": [{"byteLength": at, "uri": "data:application/octet-stream;base64,"
                                                  + base64.b64encode(b"".join(parts)).decode()}]}
        (self.folder / name).write_text(json.dumps(document))
        return name

    def setUp(self):
        super().setUp()
        self.points = [(0, 0, 0), (1, 1, 0), (2, 1, 0.5), (3, 2, 0), (4, 1, 1), (5, 3, 0)]
        self.weights = [0, 0.5, 1, 0.5, 1, 1]
        self.a = self.rig("a.gltf", self.points, self.weights)

    def cause(self, b, a=None):
        self.run_program("diff", a or self.a, b, "--match", "index", "--explain", "1", "--report",
                         "d.json", "-q")
        return self.json("d.json")["explain"][0]["cause"]

    def test_other_weights_are_named(self):
        b = self.rig("b.gltf", self.points, [0, 0.5, 1, 0.25, 1, 1])
        cause = self.cause(b)
        self.assertIn("the weights of the two rigs differ", cause)
        self.assertRegex(cause, "joint '(Tip|Root)' has 50 % of the vertex in A and (25|75) % in B")

    def test_another_order_of_vertices_is_named(self):
        order = [0, 1, 2, 3, 5, 4]
        b = self.rig("b.gltf", [self.points[i] for i in order], [self.weights[i] for i in order])
        self.assertRegex(self.cause(b), "different orders: vertex (4 of A rests where vertex 5|5 of A rests where vertex 4) of B")

    def test_another_motion_is_named(self):
        b = self.rig("b.gltf", self.points, self.weights, angle=0.5)
        self.assertIn("joint 'Tip' moves differently in the two rigs", self.cause(b))

    def test_another_mesh_is_named(self):
        b = self.rig("b.gltf", [*self.points[:5], (5, 3.5, 0)], self.weights)
        self.assertIn("the meshes of the two rigs differ: the vertex rests 0.5 m apart", self.cause(b))

    def test_a_cache_of_the_same_method_is_not_explained_by_blending(self):
        b = self.rig("b.gltf", self.points, [0, 0.5, 1, 0.25, 1, 1])
        self.succeed("bake", b, "-q", "-o", "b.pc2")
        self.assertIn("both sides are skinned by lbs: the rig of the cache had other weights", self.cause("b.pc2"))
        self.succeed("bake", b, "-q", "-o", "b.pc2", "--method", "dqs")
        self.assertNotIn("both sides", self.cause("b.pc2"))


if __name__ == "__main__":
    main()
