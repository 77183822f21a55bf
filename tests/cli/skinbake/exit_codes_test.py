#!/usr/bin/env python3
"""Exit codes of bad inputs, whose messages name the cause and which leave no file, and of runs that succeed."""

import json
import os
import re

from support import CliTest, RIGS, Pc2, main, moving_rig, write_rig

PRISM = RIGS / "two_joints.gltf"


class BadInput(CliTest):
    def bad(self, rig, *naming):
        for arguments in (("bake", rig, "-o", "x.pc2", "--report", "x.json"), ("inspect", rig)):
            self.fail_with(3, *arguments, naming=naming)

    def test_a_missing_file_exits_3(self):
        self.bad("nowhere.glb", "nowhere.glb", "check the path")

    def test_a_folder_as_input_exits_3(self):
        (self.folder / "rig.gltf").mkdir()
        self.bad("rig.gltf", "rig.gltf")

    def test_a_file_without_read_permission_exits_3(self):
        (self.folder / "secret.gltf").write_bytes(PRISM.read_bytes())
        (self.folder / "secret.gltf").chmod(0)
        self.folder.chmod(0o755)
        options = self.without_rights()
        self.fail_with(3, "inspect", "secret.gltf", naming="secret.gltf", **options)
        (self.folder / "secret.gltf").chmod(0o600)

    def test_an_empty_or_foreign_file_exits_3(self):
        for content in (b"", b"\0", b"{}", b"[]", b"null", b"hello", b"glTF", b"glTF\2\0\0\0\xff\xff\xff\xff",
                        b'{"asset":{"version":"1.0"}}', b"\xff\xfe{}", b"{" * 100000, b"\x89PNG\r\n\x1a\n"):
            (self.folder / "rig.glb").write_bytes(content)
            self.bad("rig.glb", "rig.glb")

    def test_every_truncated_file_exits_3(self):
        whole = (RIGS / "bent_tube.glb").read_bytes()
        for length in (1, 11, 12, 19, 20, 100, 1000, len(whole) // 2, len(whole) - 1):
            (self.folder / "rig.glb").write_bytes(whole[:length])
            self.bad("rig.glb", "rig.glb")

    def test_a_missing_or_short_buffer_exits_3(self):
        rig = write_rig(self.folder / "rig.gltf", ["a"], buffer="rig.bin")
        (self.folder / "rig.bin").write_bytes(b"1234")
        for words in (("/buffers/0", "4 bytes"), ("'rig.bin', which does not exist",)):
            self.fail_with(3, "bake", rig.name, "-o", "x.pc2", naming=(rig.name, *words))
            described = self.run_program("inspect", rig.name)
            self.assertEqual(described.code, 3)
            self.assertIn(words[-1], described.out)
            (self.folder / "rig.bin").unlink(missing_ok=True)

    def test_an_element_that_is_wrong_is_named(self):
        document = json.loads(PRISM.read_text())
        document["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = 999
        (self.folder / "rig.gltf").write_text(json.dumps(document))
        place = "/meshes/0/primitives/0/attributes/JOINTS_0"
        self.fail_with(3, "bake", "rig.gltf", "-o", "x.pc2", "--report", "x.json", naming=("rig.gltf", place))
        done = self.run_program("inspect", "rig.gltf")  # describes the rest
        self.assertEqual(done.code, 3, done)
        self.assertIn(place, done.err)

    def test_a_file_without_a_mesh_has_nothing_to_bake(self):
        (self.folder / "rig.gltf").write_text('{"asset":{"version":"2.0"},"scenes":[{}],"scene":0}')
        self.fail_with(3, "bake", "rig.gltf", "-o", "x.pc2", naming="rig.gltf")
        self.succeed("inspect", "rig.gltf")

    def test_an_impossible_file_name_exits_3(self):
        self.fail_with(3, "inspect", "n" * 5000 + ".glb")

    def test_a_position_that_is_not_finite_is_named_with_its_node(self):
        rig = write_rig(self.folder / "r.gltf", ["a"])
        document = json.loads(rig.read_text())
        document["nodes"][0]["scale"] = [1e300, 1, 1]
        rig.write_text(json.dumps(document))
        self.fail_with(3, "bake", rig, "-o", "x.pc2", naming=(f"{rig} /nodes/0: mesh 'a', frame", "NON_FINITE_POSITION"))
        self.fail_with(3, "diff", rig, rig, naming=(f"{rig} /nodes/0: mesh 'a', ", "NON_FINITE_POSITION"))

    def test_an_infinite_bind_pose_fails_instead_of_passing_every_relative_limit(self):
        # The clip moves the morph weight to 0 and 1, so that every frame is finite.
        document, _ = moving_rig(["a"])
        mesh, animation = document["meshes"][0], document["animations"][0]
        mesh["primitives"][0]["targets"], mesh["weights"] = [{"POSITION": 0}], [1e308]
        animation["samplers"].append({"input": 2, "output": 2})
        animation["channels"].append({"sampler": 1, "target": {"node": 0, "path": "weights"}})
        (self.folder / "r.gltf").write_text(json.dumps(document))
        self.succeed("bake", "r.gltf", "-o", "x.pc2")
        at_bind = ("r.gltf", "mesh 'a', vertex", "the position at bind", "NON_FINITE_POSITION")
        for arguments in (("bake", "r.gltf", "-m", "dqs", "--fail", "error.max=1e-07%"), ("inspect", "r.gltf"),
                          ("inspect", "r.gltf", "--json"), ("compare", "r.gltf", "--method", "lbs", "--method", "dqs"),
                          ("diff", "x.pc2", "x.pc2", "--rig", "r.gltf", "--fail", "error.max=1e-07%")):
            done = self.run_program(*arguments)
            self.assertEqual(done.code, 3, done)
            for words in at_bind:
                self.assertIn(words, done.err)


class Success(CliTest):
    def test_a_bake_exits_0_and_leaves_the_cache_and_its_sidecar_only(self):
        self.succeed("bake", PRISM, "-o", "x.pc2")
        self.assertEqual(sorted(self.files()), ["x.pc2", "x.pc2.json"])

    def test_an_exceeded_threshold_exits_1_and_writes_the_report_alone_unless_caches_are_kept(self):
        run = ("bake", PRISM, "--method", "dqs", "-o", "x.pc2", "--report", "x.json", "--fail", "error.max=0.01")
        for words, files in ((run, ["x.json"]), ((*run, "--keep"), ["x.json", "x.pc2", "x.pc2.json"])):
            done = self.run_program(*words)
            self.assertEqual(done.code, 1, done)
            self.assertEqual(sorted(self.files()), files)
            self.assertRegex(done.err, r"error.max at most 0\.01 m exceeded: 0\.0732\d* m in mesh 'prism', clip 'bend', dqs against lbs, frame 30")

    def test_existing_outputs_are_replaced(self):
        for name in ("x.pc2", "x.pc2.json", "x.json"):
            (self.folder / name).write_bytes(b"old " * 100000)
        self.succeed("bake", PRISM, "-o", "x.pc2", "--report", "x.json")
        self.assertEqual(Pc2(self.read("x.pc2")).samples, 31)
        self.assertEqual(self.json("x.json")["schema"], "skinbake.report")

    def test_an_output_has_the_permissions_of_a_new_file(self):
        self.succeed("bake", PRISM, "-o", "x.pc2", preexec_fn=lambda: os.umask(0o027))
        self.assertEqual((self.folder / "x.pc2").stat().st_mode & 0o777, 0o640)

    def test_sync_does_not_change_the_outputs(self):
        self.succeed("bake", PRISM, "-o", "x.pc2", "--report", "x.json")
        self.succeed("bake", PRISM, "-o", "y.pc2", "--report", "y.json", "--sync")
        self.assertEqual(self.read("x.pc2"), self.read("y.pc2"))
        self.assertEqual(re.sub("y.pc2", "x.pc2", self.read("y.json").decode()), self.read("x.json").decode())


if __name__ == "__main__":
    main()
