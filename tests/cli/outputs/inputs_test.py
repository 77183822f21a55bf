#!/usr/bin/env python3
"""No output replaces a file that the run reads, or that one of its inputs names."""

import json
import os
import shutil
import subprocess
import unittest

from support import CliTest, NOBODY, PROGRAM, RIGS, main


class Inputs(CliTest):
    def setUp(self):
        super().setUp()
        for name in ("bent_arm.gltf", "bent_arm.bin"):
            shutil.copy(RIGS / name, self.folder)
        self.succeed("bake", "bent_arm.gltf", "-q", "-o", "a.pc2", "-m", "dqs")

    def refused(self, *arguments):
        done = self.fail_with(2, *arguments, naming=("OUTPUT_IS_INPUT", "would replace an input file"))
        self.assertIn(f"output '{arguments[-1].split(':')[-1]}'", done.err)
        return done

    def test_bake_keeps_what_the_rig_and_the_clip_name(self):
        document = json.loads((self.folder / "bent_arm.gltf").read_text())
        document["images"] = [{"uri": "skin%20one.png"}]
        (self.folder / "painted.gltf").write_text(json.dumps(document))
        (self.folder / "skin one.png").write_bytes(b"a texture that a bake to PC2 does not read")
        for image in ("skin one.png", "./skin one.png"):
            self.refused("bake", "painted.gltf", "-o", "x.pc2", "--report", f"json:{image}")
        self.refused("bake", "bent_arm.gltf", "--clip", "painted.gltf", "-o", "x.pc2", "--report", "json:skin one.png")
        (self.folder / "soft").symlink_to("bent_arm.bin")
        for output, the_input in (("bent_arm.gltf", "the rig 'bent_arm.gltf'"), ("bent_arm.bin", "the buffer 'bent_arm.bin'"),
                                  ("soft", "the buffer 'bent_arm.bin'"), ("a.pc2", "'a.pc2'")):
            done = self.refused("bake", "bent_arm.gltf", "--reference", "a.pc2", "-o", "x.pc2", "--report", f"json:{output}")
            self.assertIn(f"would replace an input file, {the_input}; choose another name", done.err)

    def test_outputs_that_are_one_file_through_a_link_are_refused(self):
        (self.folder / "1.pc2").write_bytes(b"older")
        os.link(self.folder / "1.pc2", self.folder / "hard.mdd")
        (self.folder / "soft.mdd").symlink_to("1.pc2")
        (self.folder / "later.mdd").symlink_to("2.pc2")  # which does not exist
        for cache, link in (("1.pc2", "hard.mdd"), ("1.pc2", "soft.mdd"), ("2.pc2", "later.mdd")):
            self.fail_with(2, "bake", "bent_arm.gltf", "-o", cache, "-o", link,
                           naming=f"the outputs '{cache}' and '{link}' are one file; name them differently [OUTPUT_TWICE]")
        self.refused("bake", "bent_arm.gltf", "--reference", "a.pc2", "-o", "x.pc2", "--report", "a.pc2.json")

    def test_diff_of_two_rigs_or_folders_keeps_what_they_name(self):
        for side in ("A", "B"):
            (self.folder / side).mkdir()
            for name in ("bent_arm.gltf", "bent_arm.bin"):
                shutil.copy(RIGS / name, self.folder / side)
        (self.folder / "names.json").write_text("{}")
        before = self.read("B/bent_arm.bin")
        self.refused("diff", "A/bent_arm.gltf", "B/bent_arm.gltf", "--top", "5", "--report", "json:B/bent_arm.bin")
        self.refused("diff", "A", "B", "--report", "json:B/bent_arm.bin")
        self.refused("diff", "A", "B", "--map", "names.json", "--report", "names.json")
        self.assertEqual(self.read("B/bent_arm.bin"), before)
        self.assertEqual((self.folder / "names.json").read_text(), "{}")

    def test_diff_keeps_buffers_sidecars_and_arrays(self):
        self.refused("diff", "a.pc2", "bent_arm.gltf", "--report", "json:bent_arm.bin")
        self.refused("diff", "a.pc2", "a.pc2", "--rig", "bent_arm.gltf", "--report", "json:bent_arm.bin")
        self.refused("diff", "a.pc2", "a.pc2", "--report", "a.pc2.json")
        self.refused("diff", "a.pc2", "a.pc2", "--report", "a.pc2.json")

    def test_golden_keeps_the_rig_and_the_caches(self):
        shutil.copy(self.folder / "bent_arm.gltf", self.folder / "a.pc2.golden")
        for target, rig in (("a.pc2.golden", "a.pc2.golden"), ("a.pc2", None), ("a.pc2.json", None),
                            ("bent_arm.bin", "bent_arm.gltf")):
            golden = self.folder / "a.pc2.golden"
            if target != "a.pc2.golden":
                golden.unlink()
                golden.symlink_to(target)
            before = self.read(target)
            self.fail_with(2, "golden", "a.pc2", "-o", ".", *(["--rig", rig] if rig else []), naming="OUTPUT_IS_INPUT")
            self.assertEqual(self.read(target), before)

    def test_convert_keeps_the_files_beside_an_input(self):
        shutil.copy(self.folder / "a.pc2.json", self.folder / "b.npy")
        os.link(self.folder / "a.pc2", self.folder / "a.npy")
        self.succeed("convert", "a.pc2", "a.npy")  # replaces the second name, not the file

    def test_a_name_that_leaves_no_room_for_a_suffix_is_no_bug(self):
        longest = "a" * 251 + ".pc2"  # its sidecar would exceed the 255 bytes of a name
        shutil.copy(self.folder / "a.pc2", self.folder / longest)
        self.succeed("bake", "bent_arm.gltf", "-m", "dqs", "--reference", longest, "--fail", "error.max=0")

    @unittest.skipUnless(os.geteuid() == 0, "only root can make another user's link")
    def test_a_link_of_another_user_in_a_shared_folder_is_not_followed(self):
        shared = self.folder / "shared"
        shared.mkdir()
        shared.chmod(0o1777)
        (self.folder / "precious").write_bytes(b"keep")
        for name, owner in (("x.pc2", NOBODY), ("own.pc2", 0)):
            (shared / name).symlink_to(self.folder / "precious")
            os.lchown(shared / name, owner, owner)
        done = self.fail_with(4, "bake", "bent_arm.gltf", "-o", "shared/x.pc2", naming="belongs to another user")
        self.assertIn("'shared/x.pc2'", done.err)
        self.assertEqual(self.read("precious"), b"keep")
        self.succeed("bake", "bent_arm.gltf", "-o", "shared/own.pc2")
        self.assertEqual(self.read("precious"), self.read("shared/own.pc2"))

    @unittest.skipUnless(os.geteuid() == 0, "only root can make another user's link")
    def test_states_and_caches_do_not_follow_a_link_of_another_user(self):
        shared = self.folder / "shared"
        shared.mkdir()
        shared.chmod(0o1777)
        (self.folder / "secret").mkdir()
        for name, target in (("jobs.state.jsonl", "../secret/state"), ("d", "../secret")):
            (shared / name).symlink_to(target)
            os.lchown(shared / name, NOBODY, NOBODY)
        (shared / "jobs.json").write_text(json.dumps({
            "schema": "skinbake.batch", "schema_version": "1.0",
            "jobs": [{"rig": "../bent_arm.gltf", "report": "../o.json"}]}))
        self.fail_with(4, "batch", "shared/jobs.json", naming="belongs to another user")
        self.fail_with(4, "batch", "shared/jobs.json", "--state", "shared/d/s", naming="belongs to another user")
        self.fail_with(3, "bake", "bent_arm.gltf", "-m", "cor", "-o", "y.pc2", "--bind-cache", "shared/d/binds",
                       naming=("BIND_CACHE_UNTRUSTED", "'shared/d' of another user"))
        self.assertEqual(list((self.folder / "secret").iterdir()), [])

    def test_a_file_behind_a_descriptor_is_appended_to(self):
        for option, stream in (("--report", "stdout"), ("--report", "stderr"), ("--report", "fd/1")):
            with self.subTest(stream):
                log = self.folder / "log"
                log.write_text("before\n")
                with open(log, "a") as to:
                    code = subprocess.run([PROGRAM, "bake", "bent_arm.gltf", "-q", option, f"json:/dev/{stream}"],
                                          cwd=self.folder, stdout=to, stderr=to).returncode
                self.assertEqual(code, 0)
                text = log.read_text()
                self.assertTrue(text.startswith("before\n") and len(text) > 100, text[:100])


if __name__ == "__main__":
    main()
