#!/usr/bin/env python3
"""Gates in a build:, and the Makefile of the manual."""

import os
import re
import shutil
import subprocess
import unittest

from support import PROGRAM, RIGS, SOURCE, CliTest, environment, main, write_rig

ARM = RIGS / "bent_arm.gltf"
FAILS = ("--method", "dqs", "--fail", "volume.max_loss=0.1%")
PASSES = ("--method", "dqs", "--fail", "volume.max_loss=5%")


class DiscardOnFail(CliTest):
    def test_an_older_cache_survives_and_the_report_tells_why(self):
        (self.folder / "a.pc2").write_bytes(b"older and good")
        done = self.run_program("bake", ARM, *FAILS, "-o", "a.pc2", "-o", "b.exr", "--verify", "--report", "r.json",
                                "--per-vertex", "npy", "--report", "r.html", "--report", "r.xml", "--depfile", "a.d",
                                "--error-matrix", "e.npy", "--timing", "t.json")
        self.assertEqual(done.code, 1, done)
        self.assertRegex(done.err, r"(?m)^skinbake: error: volume.max_loss at most 0.1 % exceeded: ")
        self.assertNotIn("a.pc2:", done.out)
        (per_vertex,) = [name for name in self.files() if name.endswith(".per_vertex.npy")]
        self.assertEqual(set(self.files()),
                         {"a.pc2", "r.json", "r.html", "r.xml", "a.d", "e.npy", "t.json", per_vertex})
        self.assertEqual(self.read("a.pc2"), b"older and good")
        report = self.json("r.json")
        self.assertEqual(report["verdict"]["status"], "fail")
        self.assertEqual(report.get("outputs", []), [])
        self.assertNotIn("verification", report)
        self.assertTrue(self.read("a.d").startswith(b"a.pc2 "))

    def test_a_run_that_passes_writes_everything(self):
        self.succeed("bake", ARM, *PASSES, "-o", "a.pc2", "--report", "r.json")
        self.succeed("bake", ARM, *PASSES, "-o", "b.pc2", "--report", "s.json")
        self.assertEqual(self.read("a.pc2"), self.read("b.pc2"))
        self.assertEqual([output["path"] for output in self.json("r.json")["outputs"]], ["a.pc2"])

    def test_every_reason_of_exit_code_1_discards(self):
        rig = write_rig(self.folder / "warned.gltf", ["a"])
        rig.write_text(rig.read_text().replace('"asset"', '"extensionsUsed": ["EXT_unheard_of"], "asset"', 1))
        for command in (("bake", ARM, "--method", "dqs", "--fail", "error.max=0"),
                        ("bake", ARM, "--method", "dqs", "--strict", "--warn", "error.max=0"),
                        ("bake", "warned.gltf", "--strict"),
                        ("compare", ARM, "--method", "dqs", "--recommend", "--fail", "volume.max_loss=0")):
            done = self.run_program(*command, "-o", "{method}.pc2")
            self.assertEqual((done.code, set(self.files())), (1, {"warned.gltf"}), command)
        with open("/dev/full", "wb") as full:
            done = self.run_program("bake", "warned.gltf", "--strict", "-o", "a.pc2", stdout=full)
        self.assertEqual((done.code, set(self.files())), (4, {"warned.gltf"}))
        self.succeed("bake", "warned.gltf", "-o", "a.pc2")
        self.assertIn("a.pc2", self.files())

    def test_a_run_without_caches_has_nothing_to_discard(self):
        self.succeed("bake", ARM, *PASSES, "--report", "r.json")
        done = self.run_program("bake", ARM, "--report", "r.json", "--fail", "volume.max_loss=0")
        self.assertEqual(done.code, 1)
        self.assertNotIn("no cache is written", done.err)


@unittest.skipUnless(shutil.which("make"), "make is not installed")
class Makefile(CliTest):
    def setUp(self):
        super().setUp()
        manual = (SOURCE / "cli/README.md").read_text()
        (self.text,) = re.findall(r"^```make\n(.*?)^```$", manual, flags=re.M | re.S)
        shutil.copy(ARM, self.folder / "arm.gltf")
        shutil.copy(ARM.with_suffix(".bin"), self.folder)
        self.succeed("bake", ARM, "-o", "golden.pc2")
        (self.folder / "bin").mkdir()
        (self.folder / "bin/skinbake").symlink_to(PROGRAM)

    def make(self, text, *arguments):
        (self.folder / "Makefile").write_text(text)
        path = f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(["make", *arguments], cwd=self.folder, env=environment({"PATH": path, "MAKEFLAGS": ""}),
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=300).returncode

    def change_the_rig(self):
        later = (self.folder / "arm.gltf").stat().st_mtime + 60
        os.utime(self.folder / "arm.gltf", (later, later))

    def test_the_manual_s_makefile_fails_twice_then_passes(self):
        for _ in range(2):
            self.assertEqual(self.make(self.text, "LIMIT=0.1%"), 2)
            self.assertNotIn("arm.pc2", self.files())
            self.assertEqual(self.json("arm.json")["verdict"]["status"], "fail")
        self.assertEqual(self.make(self.text), 0)
        self.assertEqual(self.make(self.text, "-q"), 0)

    def test_the_stamp_fails_twice(self):
        stricter = self.text.replace("--fail error.max=0.03", "--fail error.max=0.02")
        self.assertNotEqual(stricter, self.text)
        for _ in range(2):
            self.assertEqual(self.make(stricter), 2)
            self.assertNotIn("checked", self.files())
            self.assertEqual(self.json("difference.json")["verdict"]["status"], "fail")
        self.assertEqual(self.make(self.text), 0)

    def test_the_target_of_a_run_beyond_its_limit_is_not_written(self):
        for text in (self.text, self.text.replace(".DELETE_ON_ERROR:\n", "")):
            for _ in range(2):
                self.assertEqual(self.make(text, "LIMIT=0.1%", "arm.pc2"), 2)

    def test_an_older_cache_survives_without_delete_on_error(self):
        text = self.text.replace(".DELETE_ON_ERROR:\n", "")
        self.assertEqual(self.make(text), 0)
        good = self.read("arm.pc2")
        self.change_the_rig()
        for _ in range(2):
            self.assertEqual(self.make(text, "LIMIT=0.1%", "arm.pc2"), 2)
            self.assertEqual(self.read("arm.pc2"), good)


if __name__ == "__main__":
    main()
