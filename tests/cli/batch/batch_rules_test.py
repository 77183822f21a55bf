#!/usr/bin/env python3
"""`skinbake batch --ninja` and `--make`, with Ninja and GNU Make."""

import json
import os
import shutil
import subprocess
import time
import unittest
import urllib.parse

from support import CliTest, PROGRAM, RIGS, environment, main


class Rules(CliTest):
    def setUp(self):
        super().setUp()
        self.work = self.folder / "a work tree"
        (self.work / "models").mkdir(parents=True)
        for name in ("bent_arm", "twisted_tube"):
            for path in RIGS.glob(f"{name}.*"):
                shutil.copy(path, self.work / "models")
        self.arm = self.work / "models/bent_arm.gltf"

    def manifest(self, *jobs):
        jobs = jobs or [{"name": "arms", "rig": "models/*.gltf", "clip": "all", "method": "dqs",
                         "output": ["out put/{rig}.{mesh}.{clip}.pc2", "out put/{rig}$1.npy"],
                         "report": "reports/{rig}.json"}]
        (self.work / "jobs.json").write_text(
            json.dumps({"schema": "skinbake.batch", "schema_version": "1.0", "jobs": list(jobs)}))

    def run_in_tree(self, *words):
        return subprocess.run(list(map(str, words)), cwd=self.work, env=environment({"MAKEFLAGS": "", "NINJA_STATUS": "[%f/%t] "}), text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)

    def outputs(self):
        return {str(path.relative_to(self.work)): path.read_bytes() for path in self.work.rglob("*")
                if path.is_file() and path.parent.name in ("out put", "reports") and path.suffix != ".d"}

    def expected(self):
        """The outputs of the batch itself, which are removed again."""
        for folder in ("out put", "reports"):
            (self.work / folder).mkdir(exist_ok=True)
        self.assertEqual(self.run_in_tree(PROGRAM, "batch", "jobs.json").returncode, 0)
        outputs = self.outputs()
        for folder in ("out put", "reports"):
            shutil.rmtree(self.work / folder)
        return outputs

    @staticmethod
    def touch(path):
        time.sleep(0.02)  # the clock of files ticks every 4 to 10 ms, and Make wants a later time
        os.utime(path)

    def comparisons(self):
        """A manifest that compares two folders and two rigs, and the files that it reads by their jobs."""
        for folder in ("golden/x", "new/x"):
            (self.work / folder).mkdir(parents=True)
            self.assertEqual(self.run_in_tree(PROGRAM, "bake", "models/bent_arm.gltf", "-q", "-o", f"{folder}/a.pc2").returncode, 0)
        (self.work / "map.json").write_text("{}")
        self.manifest({"name": "folders", "command": "diff", "a": "golden", "b": "new", "report": "f.json", "map": "map.json"},
                      {"name": "rigs", "command": "diff", "a": "models/bent_arm.gltf", "b": "models/bent_arm.gltf",
                       "report": "r.json"})
        return [self.work / name for name in ("new/x/a.pc2", "golden/x/a.pc2.json", "map.json", "models/bent_arm.bin")]

    def rig_of_name(self, name):
        """A rig with a sign in its name and in that of its buffer, and a task whose output has the sign too."""
        for path in (self.work / "models").iterdir():
            path.unlink()
        shutil.rmtree(self.work / "out put", ignore_errors=True)  # most signs are '_' in the output
        buffer = f"models/{name}.bin"
        shutil.copy(RIGS / "bent_arm.bin", self.work / buffer)
        rig = json.loads((RIGS / "bent_arm.gltf").read_text())
        rig["buffers"][0]["uri"] = urllib.parse.quote(f"{name}.bin")
        (self.work / f"models/{name}.gltf").write_text(json.dumps(rig))
        # A pattern: a name with '[' would be one.
        self.manifest({"name": "a", "rig": "models/*.gltf", "output": ["out put/{rig}.pc2"], "report": "{rig}.json",
                       "parents": True})
        return self.work / buffer


@unittest.skipUnless(shutil.which("ninja"), "ninja is not installed")
class Ninja(Rules):
    def ninja(self, *options):
        return self.run_in_tree("ninja", *options)

    def write(self, *options):
        done = self.run_in_tree(PROGRAM, "batch", "jobs.json", "--ninja", "build.ninja", *options)
        self.assertEqual(done.returncode, 0, done)
        return done

    def idle(self):
        done = self.ninja()
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("no work to do", done.stdout)

    def test_ninja_gives_the_bytes_of_the_batch_and_then_has_nothing_to_do(self):
        self.manifest()
        expected = self.expected()
        self.assertIn("2 tasks; run ninja -f build.ninja", self.write().stdout)
        done = self.ninja()
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(self.outputs(), expected)
        self.idle()

    def test_a_changed_buffer_does_its_rig_again(self):
        self.manifest()
        self.write()
        self.assertEqual(self.ninja().returncode, 0)
        buffer = self.arm.with_suffix(".bin")  # known by the depfile alone
        data = bytearray(buffer.read_bytes())
        data[5] ^= 1
        buffer.write_bytes(data)
        self.touch(buffer)
        done = self.ninja("-v")
        self.assertIn("[1/1]", done.stdout)
        self.assertIn("bent_arm", done.stdout)
        self.idle()

    def test_outputs_with_equal_bytes_spare_what_depends_on_them(self):
        self.manifest()
        self.write()
        (self.work / "all.ninja").write_text("include build.ninja\n"
                                             "rule copy\n  command = cp $in copy && echo copied\n"
                                             "build copy: copy out$ put/bent_arm.arm.bend_and_twist.pc2\n")
        self.assertEqual(self.ninja("-f", "all.ninja", "-v", "copy").returncode, 0)
        self.assertEqual(self.ninja("-f", "all.ninja", "copy").stdout, "ninja: no work to do.\n")
        before = self.outputs(), {path: path.stat().st_mtime_ns for path in (self.work / "out put").iterdir()}
        self.touch(self.arm)
        done = self.ninja("-f", "all.ninja", "-v", "copy")
        self.assertIn(" bake models/bent_arm.gltf", done.stdout)
        self.assertNotIn("copied", done.stdout)
        after = self.outputs(), {path: path.stat().st_mtime_ns for path in (self.work / "out put").iterdir()}
        self.assertEqual(after, before)

    def test_every_name_is_built_once_and_again_after_a_change(self):
        for sign in " '&[]\"%=;*?#$:()!^`~<>@,+ü\\":
            with self.subTest(sign=sign):
                buffer = self.rig_of_name(f"a{sign}b")
                self.write()
                self.assertIn("[1/1]", self.ninja().stdout)
                self.idle()
                later = buffer.stat().st_mtime + 5
                os.utime(buffer, (later, later))
                self.assertIn("[1/1]", self.ninja().stdout)
                buffer.unlink()
                done = self.ninja()
                self.assertEqual(done.returncode, 1, done)
                # A name that no depfile can have is in the rule itself.
                self.assertIn("no known rule" if sign in "'&\"=;*?^`<>" else "BUFFER_MISSING", done.stdout)
        self.rig_of_name("a|b")
        done = self.run_in_tree(PROGRAM, "batch", "jobs.json", "--ninja", "build.ninja")
        self.assertEqual(done.returncode, 4, done)
        self.assertIn("a|b", done.stdout)

    def test_a_depfile_that_the_manifest_keeps_does_not_build_for_ever(self):
        for name in ("arm", "it's", "5%"):
            with self.subTest(name=name):
                self.rig_of_name(name)
                self.manifest({"name": "a", "rig": "models/*.gltf", "output": "{rig}.pc2", "depfile": "{rig}.d"})
                self.write()
                self.assertEqual(self.ninja().returncode, 0)
                self.idle()
                self.touch(self.work / f"models/{name}.gltf")
                self.assertIn("[1/1]", self.ninja().stdout)

    def test_times_in_the_future_end(self):
        self.manifest()
        later = self.arm.stat().st_mtime + 3600
        os.utime(self.arm, (later, later))
        self.write()
        done = self.ninja()
        self.assertEqual(done.returncode, 0, done)

    def test_a_limit_that_is_exceeded_fails_every_time(self):
        self.manifest({"name": "a", "rig": "models/bent_arm.gltf", "method": "dqs", "output": "a.pc2",
                       "fail-max": "0.001", "depfile": "kept.d"})
        self.write()
        for _ in range(2):
            self.assertEqual(self.ninja().returncode, 1)
        self.manifest({"name": "a", "rig": "models/bent_arm.gltf", "method": "dqs", "output": "a.pc2",
                       "fail-max": "0.1", "depfile": "kept.d"})
        self.touch(self.work / "jobs.json")
        self.assertEqual(self.ninja().returncode, 0)  # build.ninja writes itself again
        self.assertTrue((self.work / "kept.d").is_file())
        self.idle()
        self.manifest({"name": "a", "rig": "models/bent_arm.gltf", "method": "dqs", "output": "a.pc2",
                       "fail-max": "0.001", "depfile": "kept.d"})
        self.touch(self.work / "jobs.json")
        for _ in range(2):
            self.assertEqual(self.ninja().returncode, 1)

    def test_diffs_and_pages_are_rules_too(self):
        self.manifest({"name": "a", "rig": "models/bent_arm.gltf", "output": "a.pc2"})
        self.assertEqual(self.run_in_tree(PROGRAM, "batch", "jobs.json").returncode, 0)
        self.manifest({"name": "d", "command": "diff", "a": "a.pc2", "b": "models/bent_arm.gltf", "report": "d.json",
                       "fail-max": "1e-6"})
        self.write()
        self.assertEqual(self.ninja().returncode, 0)
        self.idle()
        self.touch(self.work / "a.pc2")
        self.assertIn("[1/1]", self.ninja().stdout)


    def test_a_comparison_is_done_again_if_a_file_that_it_reads_changes(self):
        inputs = self.comparisons()
        self.write()
        self.assertEqual(self.ninja().returncode, 0)
        self.idle()
        for path in inputs:
            with self.subTest(path=path):
                self.touch(path)
                self.assertIn("[1/1]", self.ninja().stdout)
                self.idle()
        extra = [self.work / folder / "x/b.pc2" for folder in ("golden", "new")]
        for path in extra:
            shutil.copy(inputs[0], path)
        self.assertIn("[1/1] folders", self.ninja().stdout)
        extra[0].unlink()
        self.assertIn("[1/1] folders", self.ninja().stdout)
        data = bytearray(inputs[0].read_bytes())
        data[-3] ^= 0x40
        inputs[0].write_bytes(data)
        self.assertEqual(self.ninja().returncode, 1)


@unittest.skipUnless(shutil.which("make"), "make is not installed")
class Make(Rules):
    def make(self, *options):
        return self.run_in_tree("make", "-f", "jobs.mk", *options)

    def write(self):
        self.assertEqual(self.run_in_tree(PROGRAM, "batch", "jobs.json", "--make", "jobs.mk").returncode, 0)

    def test_a_comparison_is_done_again_if_a_file_that_it_reads_changes(self):
        inputs = self.comparisons()
        self.write()
        self.assertEqual(self.make().returncode, 0)
        self.assertIn("Nothing to be done", self.make().stdout)
        for path in inputs:
            with self.subTest(path=path):
                self.touch(path)
                self.assertEqual(self.make().stdout.count(" diff "), 1)
        inputs[0].write_bytes(inputs[0].read_bytes()[:-4] + b"\0\0\0\x40")
        self.assertNotEqual(self.make().returncode, 0)

    def test_make_gives_the_bytes_of_the_batch_and_then_has_nothing_to_do(self):
        self.manifest()
        expected = self.expected()
        self.write()
        done = self.make("-j2")
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(self.outputs(), expected)
        self.assertIn("Nothing to be done", self.make().stdout)
        self.touch(self.arm.with_suffix(".bin"))
        done = self.make()
        self.assertEqual(sum(" bake " in line for line in done.stdout.splitlines()), 1, done)
        self.assertIn("Nothing to be done", self.make().stdout)

    def test_every_name_is_built_once_and_again_after_a_change(self):
        for sign in " '&[]\"%*?#$:()!^`~<>@,+ü\\":
            with self.subTest(sign=sign):
                buffer = self.rig_of_name(f"a{sign}b")
                self.write()
                self.assertIn(" bake ", self.make().stdout)
                self.assertIn("Nothing to be done", self.make().stdout)
                os.utime(buffer, (3e9, 3e9))
                self.assertIn(" bake ", self.make().stdout)
                buffer.unlink()
                done = self.make()
                self.assertEqual(done.returncode, 2, done)
                self.assertIn("No rule to make target" if sign in "'&\"%*?^`<>" else "BUFFER_MISSING", done.stdout)
        for sign in "=;|":
            self.rig_of_name(f"a{sign}b")
            done = self.run_in_tree(PROGRAM, "batch", "jobs.json", "--make", "jobs.mk")
            self.assertEqual(done.returncode, 4, done)
            self.assertIn(f"with '{sign}'; rename the file", done.stdout)

    def test_a_missing_rig_is_reported_by_skinbake_until_it_is_back(self):
        away = self.folder / "away"
        for output in ("out put/{rig}.pc2", "out put/{rig}.{clip}.pc2"):  # the clips of a missing rig are not known
            self.manifest({"name": "arms", "rig": ["models/bent_arm.gltf", "models/twisted_tube.gltf"], "output": output})
            expected = self.expected()
            self.write()
            self.assertEqual(self.make().returncode, 0)
            self.arm.rename(away)
            for _ in range(2):
                done = self.make("-k")
                self.assertEqual(done.returncode, 2, done)
                self.assertIn("models/bent_arm.gltf", done.stdout)
                self.assertIn("FILE_UNREADABLE", done.stdout)
                self.assertNotIn("No rule to make target", done.stdout)
            away.rename(self.arm)
            self.assertEqual(self.make().returncode, 0)
            self.assertEqual(self.outputs(), expected)
            shutil.rmtree(self.work / "out put")

    def test_a_limit_that_is_exceeded_leaves_no_output_and_fails_every_time(self):
        self.manifest({"name": "a", "rig": "models/bent_arm.gltf", "method": "dqs", "output": "a.pc2",
                       "fail-max": "0.001"})
        self.write()
        for _ in range(2):
            self.assertEqual(self.make().returncode, 2)
            self.assertFalse((self.work / "a.pc2").exists())

    def test_a_changed_manifest_writes_the_file_again(self):
        self.manifest({"name": "a", "rig": "models/bent_arm.gltf", "output": "a.pc2"})
        self.write()
        self.assertEqual(self.make().returncode, 0)
        self.manifest({"name": "a", "rig": "models/bent_arm.gltf", "output": "b.pc2"})
        self.touch(self.work / "jobs.json")
        self.assertEqual(self.make().returncode, 0)
        self.assertTrue((self.work / "b.pc2").exists())


class Refused(Rules):
    def test_names_that_a_rule_cannot_contain_are_refused(self):
        self.manifest({"name": "a", "rig": "models/bent_arm.gltf", "output": "a\n.pc2"})
        for option in ("--ninja", "--make"):
            done = self.run_in_tree(PROGRAM, "batch", "jobs.json", option, "rules")
            self.assertEqual(done.returncode, 4, done)
            self.assertIn("DEPFILE_NAME", done.stdout)
            self.assertFalse((self.work / "rules").exists())

    def test_rules_are_instead_of_lists(self):
        self.manifest()
        for options in (("--ninja", "a", "--list"), ("--make", "a", "--dry-run"), ("--make", "a", "--ninja", "b")):
            self.assertEqual(self.run_in_tree(PROGRAM, "batch", "jobs.json", *options).returncode, 2)


if __name__ == "__main__":
    main()
