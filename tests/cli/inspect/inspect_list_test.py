#!/usr/bin/env python3
"""`inspect` and `list`: the text agrees with the JSON, and the JSON with the generator of the rigs."""

import json

from glb_files import glb, packed
from support import ALL_RIGS, CliTest, RIGS, SHARED_MODELS, SOURCE, main, moving_rig, require_shared, strict_json, write_rig

# data/README.md
EXPECTED = {
    "two_joints.gltf": {"prism": (1, 12, 20)},
    "twisted_tube.gltf": {"tube": (1, 1378, 2624)},
    "bent_tube.glb": {"tube": (1, 1378, 2624)},
    "core_line.gltf": {"core": (1, 237, 79)},
    "bent_arm.gltf": {"arm": (1, 1178, 2352)},
    "walker.glb": {"Body": (2, 3492, 6952), "Lantern": (1, 24, 12), "Mouth": (1, 172, 340)},
}
CLIPS = {"two_joints.gltf": ("bend", 1), "twisted_tube.gltf": ("twist", 1), "bent_tube.glb": ("bend", 1),
         "core_line.gltf": ("bend", 1), "bent_arm.gltf": ("bend_and_twist", 2), "walker.glb": ("walk", 1)}

# The walker's knees and elbows are straight, and it does not have fingers.
ISSUES = {"walker.glb": ["HUMANOID_ROLL_UNKNOWN"]}


class Inspect(CliTest):
    def test_every_rig_is_tested_here(self):
        self.assertEqual(sorted(rig.name for rig in ALL_RIGS), sorted(EXPECTED))

    def test_json_has_meshes_and_clips(self):
        for rig in ALL_RIGS:
            done = self.succeed("inspect", rig, "--json")
            self.assertEqual(done.err, "")
            found = strict_json(done.out)
            meshes = {m["id"]: (len(m["primitives"]) if isinstance(m["primitives"], list) else m["primitives"],
                                m["vertex_count"], m["triangle_count"]) for m in found["meshes"]}
            self.assertEqual(meshes, EXPECTED[rig.name])
            self.assertEqual([(c["id"], c["duration_s"]) for c in found["clips"]], [CLIPS[rig.name]])
            self.assertEqual([i["code"] for i in found["issues"]], ISSUES.get(rig.name, []))

    def test_text_names_meshes_and_clips(self):
        for rig in ALL_RIGS:
            done = self.succeed("inspect", rig)
            self.assertEqual(done.err, "")
            for mesh, (_, vertices, triangles) in EXPECTED[rig.name].items():
                line = next(line for line in done.out.splitlines() if line.split()[:1] == [mesh])
                self.assertIn(str(vertices), line.split())
                self.assertIn(str(triangles), line.split())
            self.assertIn(CLIPS[rig.name][0], done.out)
            self.assertEqual("no issues" in done.out, rig.name not in ISSUES)
            for line in done.out.splitlines():
                self.assertEqual(line, line.rstrip())

    def test_a_humanoid_map_by_hand_replaces_the_one_that_is_found(self):
        bones = self.folder / "bones.json"
        bones.write_text(json.dumps({"hips": "spine", "head": "#5"}))
        done = self.succeed("inspect", RIGS / "walker.glb", "--humanoid", bones, "--json")
        humanoid = strict_json(done.out)["humanoid"]
        self.assertEqual(humanoid["source"], "file")
        self.assertEqual([b["bone"] for b in humanoid["bones"]], ["hips", "head"])
        self.assertEqual(len(humanoid["missing"]), 13)
        bones.write_text(json.dumps({"hips": "gone"}))
        done = self.run_program("inspect", RIGS / "walker.glb", "--humanoid", bones)
        self.assertEqual((done.code, done.out), (3, ""))
        self.assertRegex(done.err, r"bones.json.*/hips: bone .hips. has the node .gone.,.*HUMANOID_FILE_INVALID")

    def test_a_body_whose_limbs_coincide_does_not_have_a_height_or_a_facing(self):
        gltf, data = glb((RIGS / "walker.glb").read_bytes())
        coincide = {"spine", "chest"} | {side + bone for side in ("left", "right")
                                         for bone in ("UpperLeg", "Shoulder", "UpperArm")}
        for node in gltf["nodes"]:
            if node["name"] in coincide:
                node["translation"] = [0, 0, 0]
        (self.folder / "coin.glb").write_bytes(packed(gltf, data))
        text = self.succeed("inspect", "coin.glb").out
        self.assertIn("without a T-pose, because its bones coincide", text)
        self.assertNotIn("nan", text)
        self.assertNotIn("HUMANOID_SIDES_SWAPPED", text)
        humanoid = json.loads(self.succeed("inspect", "coin.glb", "--json").out)["humanoid"]
        self.assertEqual((humanoid["hips_height_m"], humanoid["facing"]), (None, None))
        self.assertEqual({bone["degrees_off"] for bone in humanoid["bones"]}, {None})

    def test_frames_are_those_of_a_bake(self):
        for rig in ALL_RIGS:
            for rate in ((), ("--fps", "24"), ("--fps", "59.94")):
                (clip,) = strict_json(self.succeed("inspect", rig, "--json", *rate).out)["clips"]
                report = strict_json(self.succeed("bake", rig, "--json", "--per-vertex", "none", *rate).out)
                self.assertEqual([(c["fps"], c["frame_count"]) for c in report["clips"]],
                                 [(clip["fps"], clip["frame_count"])])
                lines = self.succeed("inspect", rig, *rate).out.splitlines()
                (head,) = [number for number, line in enumerate(lines) if line.split()[:2] == ["clip", "duration"]]
                self.assertIn(f"frames at {rate[1] if rate else '30'} fps", lines[head])
                self.assertIn(str(clip["frame_count"]), lines[head + 1].split())
        for rate in ("0", "-1", "nan", "inf", "auto:1", "x"):
            self.fail_with(2, "inspect", ALL_RIGS[0], "--fps", rate, naming="--fps")

    def test_the_same_bytes_from_run_to_run(self):
        for rig in ALL_RIGS:
            self.assertEqual(self.succeed("inspect", rig, "--json").out, self.succeed("inspect", rig, "--json").out)

    def test_no_absolute_path_in_the_json(self):
        for rig in ALL_RIGS:
            self.assertNotIn(str(SOURCE), self.succeed("inspect", rig.resolve(), "--json").out)

    def test_names_of_the_file_cannot_control_the_terminal(self):
        document, _ = moving_rig(["a\x1b[31m\u0085b"])
        document["animations"][0]["name"] = "run\u009b2J\u202efig"
        (self.folder / "r.gltf").write_text(json.dumps(document))
        out = self.succeed("inspect", "r.gltf").out
        self.assertIn("a\ufffd[31m\ufffdb", out)
        self.assertIn("run\ufffd2J\ufffdfig", out)
        for control in ("\x1b", "\u009b", "\u202e", "\u0085"):
            self.assertNotIn(control, out)

    def test_a_problem_is_printed_as_an_issue(self):
        rig = write_rig(self.folder / "r.gltf", ["a"])
        document = json.loads(rig.read_text())
        document["extensionsUsed"] = ["EXT_unheard_of"]
        rig.write_text(json.dumps(document))
        found = strict_json(self.succeed("inspect", rig, "--json").out)
        issue = next(i for i in found["issues"] if i["severity"] == "warning")
        self.assertIn("EXT_unheard_of", issue["message"] + issue["pointer"])
        self.assertIn(issue["code"], self.succeed("inspect", rig).out)

    def test_names_cannot_break_the_json(self):
        names = ['quote " and \\', "line\nend", "\u2028", "骨\x01", "</script>"]
        rig = write_rig(self.folder / "r.gltf", names)
        found = strict_json(self.succeed("inspect", rig, "--json").out)
        self.assertEqual([m["node_name"] if "node_name" in m else m["id"] for m in found["meshes"]], names)
        strict_json(self.succeed("bake", rig, "--json").out)

    def test_a_file_without_anything_to_bake(self):
        (self.folder / "r.gltf").write_text('{"asset":{"version":"2.0"}}')
        self.assertEqual(strict_json(self.succeed("inspect", "r.gltf", "--json").out)["meshes"], [])
        self.assertIn("0 mesh nodes", self.succeed("inspect", "r.gltf").out)

    def test_every_shared_asset_gives_a_documented_exit_code(self):
        require_shared(self, "assets")
        for asset in sorted(SHARED_MODELS.rglob("*")):
            if asset.suffix.lower() not in (".gltf", ".glb", ".vrm", ".vrma"):
                continue
            with self.subTest(asset.name):
                done = self.run_program("inspect", asset, "--json")
                self.assertIn(done.code, (0, 3), done)
                found = strict_json(done.out)
                is_broken = "refused" in found or any(i["severity"] == "error" for i in found["issues"])
                self.assertEqual(is_broken, done.code == 3)
                if done.code == 3:
                    self.assertRegex(done.err, r"\Askinbake: error: [^\n]+\n\Z")


class List(CliTest):
    TOPICS = ("methods", "formats", "metrics", "targets")

    def test_the_text_names_the_same_elements_as_the_json(self):
        for topic in self.TOPICS:
            done = self.succeed("list", topic, "--json")
            self.assertEqual(done.err, "")
            found = strict_json(done.out)
            self.assertEqual(list(found), ["schema", "schema_version", topic])
            self.assertGreater(len(found[topic]), 0)
            text = self.succeed("list", topic).out
            for entry in found[topic]:
                self.assertIn(entry["id"], text.splitlines())
                for value in self.words(entry):
                    self.assertIn(value, text)

    def words(self, value):
        """Every word and number of an entry, recursively."""
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, list):
            return [word for part in value for word in self.words(part)]
        return [str(value)]

    def test_methods_list_their_properties_and_sources(self):
        methods = strict_json(self.succeed("list", "methods", "--json").out)["methods"]
        self.assertEqual([m["id"] for m in methods][:2], ["lbs", "dqs"])
        for method in methods:
            self.assertTrue(method["keeps"] and method["source"])

    def test_every_listed_method_bakes(self):
        for method in self.method_ids():
            self.succeed("bake", RIGS / "two_joints.gltf", "-q", "-o", "{method}.pc2", "--method", method)
            self.assertIn(f"{method}.pc2", self.files())

    def test_every_listed_format_can_be_written(self):
        for cache in strict_json(self.succeed("list", "formats", "--json").out)["formats"]:
            self.assertTrue(cache["opened_by"])
            self.succeed("bake", RIGS / "two_joints.gltf", "-q", "-o", "x" + cache["extension"])
            self.assertIn("x" + cache["extension"], self.files())

    def test_every_listed_metric_can_be_measured(self):
        for metric in strict_json(self.succeed("list", "metrics", "--json").out)["metrics"]:
            done = self.succeed("bake", RIGS / "two_joints.gltf", "--json", "--metrics", metric["id"])
            self.assertIn(metric["id"], strict_json(done.out)["meshes"][0]["runs"][0])


if __name__ == "__main__":
    main()
