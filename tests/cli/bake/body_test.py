#!/usr/bin/env python3
"""Bodies: several meshes of one skeleton, measured as one; props, which follow one joint, are left out."""

import json
import math
import re

from glb_files import glb, packed
from report_schema import schema_errors
from support import RIGS, SHARED_MODELS, CliTest, main, npy, require_shared

WALKER = RIGS / "walker.glb"
KNIGHT = SHARED_MODELS / "KayKit_Knight.glb"


class Bodies(CliTest):
    def report(self, rig, *options, command="bake"):
        self.succeed(command, rig, "-q", "--report", "r.json", *options)
        report = json.loads((self.folder / "r.json").read_text())
        errors = schema_errors()
        if errors is not None:
            self.assertEqual(errors(report), [])
        else:
            self.assertNotEqual(os.environ.get("CI"), "true", "python3-jsonschema is missing")
        return report

    def twins(self):
        """The walker with a second body of the same mesh and skin."""
        document, data = glb(WALKER.read_bytes())
        nodes = document["nodes"]
        body = next(i for i, node in enumerate(nodes) if node.get("name") == "Body")
        nodes.append({**nodes[body], "name": "Twin"})
        nodes[-1].pop("children", None)
        siblings = next((n["children"] for n in nodes if body in n.get("children", [])), document["scenes"][0]["nodes"])
        siblings.append(len(nodes) - 1)
        (self.folder / "twins.glb").write_bytes(packed(document, data))
        return self.report("twins.glb", "--method", "dqs")

    def test_two_equal_meshes_have_the_errors_of_one_and_twice_its_volume(self):
        report = self.twins()
        body, = report["bodies"]
        self.assertEqual(body["meshes"], ["Body", "Twin"])
        single = next(mesh for mesh in report["meshes"] if mesh["id"] == "Body")
        self.assertEqual(body["vertex_count"], 2 * single["vertex_count"])
        self.assertEqual(body["bbox_diagonal_m"], single["bbox_diagonal_m"])
        one, run = single["runs"][0], body["runs"][0]
        for key in ("rms", "mean", "max", "rms_relative", "max_relative"):
            self.assertAlmostEqual(run["error"][key], one["error"][key])
        self.assertEqual(run["error"]["max_at"], one["error"]["max_at"])
        self.assertEqual(run["error"]["max_mesh"], "Body")
        self.assertAlmostEqual(run["volume"]["baseline"], 2 * one["volume"]["baseline"])
        self.assertAlmostEqual(run["volume"]["max_loss"], one["volume"]["max_loss"])
        self.assertEqual(run["volume"]["max_loss_at"], one["volume"]["max_loss_at"])
        for joint, alone in zip(run["volume"]["joints"], one["volume"]["joints"], strict=True):
            self.assertEqual(joint["joint"], alone["joint"])
            self.assertEqual(joint["triangle_count"], 2 * alone["triangle_count"])
            self.assertAlmostEqual(joint["max_loss"], alone["max_loss"])

    def test_one_skinned_mesh_is_no_body_and_what_follows_a_joint_is_named(self):
        report = self.report(WALKER)
        self.assertNotIn("bodies", report)
        self.assertNotIn("follows_joint", next(m for m in report["meshes"] if m["id"] == "Body"))

    def test_no_body_leaves_bodies_out(self):
        self.twins()
        self.assertNotIn("bodies", self.report("twins.glb", "--no-body"))

    def test_the_terminal_has_the_body_first(self):
        self.twins()
        out = self.succeed("bake", "twins.glb", "--method", "dqs", "--report", "r.json").out
        self.assertRegex(out.splitlines()[1], r"^body \S+ +walk +dqs ")
        out = self.succeed("compare", "twins.glb", "--method", "lbs", "--method", "dqs").out
        self.assertRegex(out, r"(?m)^body \S+ +walk +lbs ")

    def headlines(self, page):
        """The rows of the first table, with the folded ones: [mesh, clip, method, …]."""
        text = self.read(page).decode()
        rows = "".join(re.findall(r'<table class="headline">.*?<tbody>(.*?)</tbody>', text, re.S))
        return [[re.sub("<[^>]*>", "", cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row)]
                for row in re.findall(r"<tr>(.*?)</tr>", rows)]

    def test_the_page_has_the_body_first(self):
        self.twins()
        self.succeed("bake", "twins.glb", "-q", "--method", "dqs", "--report", "r.json", "--report", "r.html")
        rows = self.headlines("r.html")
        body, = self.json("r.json")["bodies"]
        self.assertEqual(rows[0][:3], ["body " + body["id"], "walk", "dqs"])
        self.assertEqual(sum(row[0].startswith("body ") for row in rows), 1)
        self.assertLessEqual({"Body", "Twin"}, {row[0] for row in rows})
        self.assertIn(f"{body['runs'][0]['error']['max'] * 1000:.3g} mm", rows[0])
        self.succeed("report", "r.json", "-o", "again.html")
        self.assertEqual(self.read("again.html"), self.read("r.html"))

    def test_the_page_has_props_last(self):
        report = self.twins()
        prop = next(mesh for mesh in report["meshes"] if "follows_joint" in mesh and "volume" in mesh["runs"][0])
        prop["runs"][0]["volume"]["max_loss"] = 0.9  # more than any other mesh
        (self.folder / "r.json").write_text(json.dumps(report))
        self.succeed("report", "r.json", "-o", "r.html")
        rows = self.headlines("r.html")
        self.assertIn("90 %", rows[-1])
        self.assertEqual([row[0] for row in rows].index(prop["id"]), len(rows) - 1)

    def test_the_sums_are_those_of_the_concatenated_vertices(self):
        """Measured again from the caches of all meshes."""
        require_shared(self, "assets/KayKit_Knight.glb")
        report = self.report(KNIGHT, "--clip", "Walking_A", "--method", "dqs", "-o", "{mesh}.npy")
        self.succeed("bake", KNIGHT, "-q", "--clip", "Walking_A", "-o", "lbs_{mesh}.npy")
        body, = report["bodies"]
        props = {mesh["id"]: mesh.get("follows_joint") for mesh in report["meshes"]}
        self.assertIn("Knight_Body", body["meshes"])
        self.assertIn("Knight_ArmLeft", body["meshes"])
        self.assertEqual(props["1H_Sword"], "handslot.r")
        self.assertTrue(all(props[mesh] is None for mesh in body["meshes"]))
        squares, largest, count, frames = None, 0, 0, 0
        for mesh in body["meshes"]:
            (frames, vertices, _), a = npy((self.folder / f"{mesh}.npy").read_bytes())
            _, b = npy((self.folder / f"lbs_{mesh}.npy").read_bytes())
            squares = squares or [0.0] * frames
            for f in range(frames):
                for v in range(vertices):
                    at = (f * vertices + v) * 3
                    square = sum((a[at + i] - b[at + i]) ** 2 for i in range(3))
                    squares[f] += square
                    largest = max(largest, square)
            count += vertices
        error = body["runs"][0]["error"]
        self.assertEqual(body["vertex_count"], count)
        for f in range(frames):
            self.assertAlmostEqual(error["per_frame"]["rms"][f], math.sqrt(squares[f] / count), 6)
        self.assertAlmostEqual(error["max"], math.sqrt(largest), 6)
        self.assertAlmostEqual(error["rms"], math.sqrt(sum(squares) / count / frames), 6)
        volume = body["runs"][0]["volume"]
        runs = [m["runs"][0]["volume"] for m in report["meshes"] if m["id"] in body["meshes"]]
        for f in range(frames):
            total = sum(run["per_frame"]["volume"][f] for run in runs if run["baseline"] is not None)
            self.assertAlmostEqual(volume["per_frame"]["volume"][f] / total, 1)


if __name__ == "__main__":
    main()
