#!/usr/bin/env python3
"""--bind-cache: stores the bind-time results of methods for later runs and verifies them before use."""

import concurrent.futures
import json
import os
import resource
import struct
import unittest

from support import CliTest, NOBODY, RIGS, main

RIG = RIGS / "bent_arm.gltf"
METHODS = ("cor", "ddm")


class BindCacheTest(CliTest):
    def bake(self, method, *more, out="out.pc2", rig=RIG):
        return self.succeed("bake", rig, "-m", method, "-o", out, "--report", out + ".report.json",
                            "--bind-cache", "binds", *more)

    def binds(self):
        return sorted((self.folder / "binds").glob("*")) if (self.folder / "binds").exists() else []

    def issues(self, out="out.pc2"):
        return [issue["code"] for issue in self.json(out + ".report.json")["issues"]
                if issue["code"].startswith("BIND_")]

    def test_the_bind_cache_does_not_change_the_bytes(self):
        for method in METHODS:
            with self.subTest(method):
                self.succeed("bake", RIG, "-m", method, "-o", "plain.pc2")
                self.bake(method)
                self.bake(method, out="again.pc2")
                self.assertEqual(self.read("out.pc2"), self.read("plain.pc2"))
                self.assertEqual(self.read("again.pc2"), self.read("plain.pc2"))
                self.assertEqual(self.issues("again.pc2"), [])
        self.assertEqual(len(self.binds()), len(METHODS))

    def test_a_stored_bind_is_reused(self):
        self.bake("ddm")
        bind, = self.binds()
        os.utime(bind, (1, 1))
        self.bake("ddm")
        self.assertEqual(bind.stat().st_mtime, 1)

    def test_another_mesh_or_parameter_has_another_bind(self):
        self.bake("ddm")
        self.bake("ddm:p=9")
        self.bake("ddm", rig=RIGS / "bent_tube.glb")
        moved = json.loads(RIG.read_text())
        nodes = [node for node in moved["nodes"] if "mesh" not in node]
        nodes[-1]["rotation"] = [0, 0, 0.6, 0.8]  # changes the rest pose only, on which a bind does not depend
        (self.folder / "bent_arm.bin").write_bytes((RIGS / "bent_arm.bin").read_bytes())
        (self.folder / "moved.gltf").write_text(json.dumps(moved))
        self.bake("ddm", rig="moved.gltf")
        self.assertEqual(len(self.binds()), 3)

    def test_the_numbers_that_follow_the_mesh_are_part_of_the_key(self):
        self.bake("ddm")
        run, = self.json("out.pc2.report.json")["meshes"][0]["runs"]
        self.bake(run["method_on_mesh"])
        self.assertEqual(len(self.binds()), 1)
        self.assertEqual(run["method"], "ddm")

    def test_methods_without_a_long_bind_store_nothing(self):
        for method in ("lbs", "sbs", "dm", "jst"):  # lbs has no bind, the others have one that takes one pass
            self.bake(method)
            self.assertEqual(self.binds(), [])

    def test_a_damaged_bind_is_detected_and_replaced(self):
        self.bake("ddm")
        expected = self.read("out.pc2")
        bind, = self.binds()
        good = bind.read_bytes()
        self.bake("ddm:p=9", out="other.pc2")
        other, = (path.read_bytes() for path in self.binds() if path != bind)
        middle = len(good) // 2
        damages = {
            "empty": b"",
            "short": good[:-1],
            "headless": good[:60],
            "long": good + b"\0",
            "flipped": good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1:],
            "huge": good[:44] + b"\xff" * 4 + good[48:],
            "version": good[:7] + bytes([good[7] + 1]) + good[8:],
            "foreign": other,
            "noise": os.urandom(len(good)),
        }
        for name, damaged in damages.items():
            with self.subTest(name):
                bind.write_bytes(damaged)
                done = self.bake("ddm")
                self.assertIn("BIND_CACHE_DAMAGED", done.err)
                self.assertEqual(self.issues(), ["BIND_CACHE_DAMAGED"])
                self.assertEqual(self.read("out.pc2"), expected)
                self.assertEqual(bind.read_bytes(), good)

    def test_a_folder_in_the_place_of_a_bind_does_not_stop_the_run(self):
        self.bake("cor")
        expected = self.read("out.pc2")
        bind, = self.binds()
        bind.unlink()
        bind.mkdir()
        self.assertIn("BIND_CACHE_NOT_WRITTEN", self.bake("cor").err)
        self.assertEqual(self.read("out.pc2"), expected)

    def test_a_folder_that_cannot_be_written_is_an_issue(self):
        (self.folder / "binds").write_text("a file")
        done = self.bake("cor")
        for words in ("BIND_CACHE_NOT_WRITTEN", "folder 'binds'", "choose a folder"):
            self.assertIn(words, done.err)
        self.assertEqual(self.issues(), ["BIND_CACHE_NOT_WRITTEN"])
        self.assertIn("warning: binds: bind cache", done.err)
        issue, = self.json("out.pc2.report.json")["issues"]
        self.assertEqual(issue["file"], "binds")
        (self.folder / "absolute").write_text("a file")
        done = self.succeed("bake", RIG, "-m", "cor", "-o", "out.pc2", "--bind-cache", self.folder / "absolute")
        self.assertIn(f"warning: {self.folder / 'absolute'}: bind cache", done.err)

    def test_a_link_is_replaced_and_its_target_stays(self):
        self.bake("cor")
        bind, = self.binds()
        good = bind.read_bytes()
        bind.unlink()
        bind.symlink_to(self.folder / "elsewhere")
        self.assertIn("it is a symbolic link; it is made again [BIND_CACHE_DAMAGED]", self.bake("cor").err)
        self.assertFalse((self.folder / "elsewhere").exists())
        self.assertFalse(bind.is_symlink())
        self.assertEqual(bind.read_bytes(), good)

    def test_a_pipe_in_the_place_of_a_bind_is_replaced(self):
        self.bake("cor")
        bind, = self.binds()
        good = bind.read_bytes()
        bind.unlink()
        os.mkfifo(bind)
        self.assertIn("it is not a file; it is made again [BIND_CACHE_DAMAGED]", self.bake("cor").err)
        self.assertEqual(bind.read_bytes(), good)

    def test_a_file_that_is_larger_than_the_mesh_allows_takes_no_memory(self):
        self.bake("ddm")
        bind, = self.binds()
        good = bind.read_bytes()
        entries = 2**32 - 1
        vertices_end = len(good) - 32 - 108 * struct.unpack_from("<I", good, 44)[0]  # after first_entry
        sizes = {"its header": (good[44:48], 16 * 10**9),
                 "at most": (struct.pack("<I", entries), vertices_end + 108 * entries + 32)}
        for cause, (count, size) in sizes.items():
            with self.subTest(cause):
                with open(bind, "wb") as file:
                    file.write(good[:44] + count + good[48:])
                    file.truncate(size)  # a sparse file
                self.assertIn(cause, self.bake("ddm", "--max-memory", "100M").err)
                self.assertEqual(bind.read_bytes(), good)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 2**20, "KiB")

    # --- owners and rights

    def expect_distrust(self, reason):
        (self.folder / "out.pc2").unlink(missing_ok=True)
        done = self.fail_with(3, "bake", RIG, "-m", "cor", "-o", "out.pc2", "--bind-cache", "binds",
                              naming=("binds: ", reason, "BIND_CACHE_UNTRUSTED"))
        self.assertNotIn("out.pc2", self.files(), done)

    def expect_trust(self):
        bind, = self.binds()
        os.utime(bind, (1, 1))
        self.assertNotIn("BIND_", self.bake("cor").err)
        self.assertEqual(bind.stat().st_mtime, 1)

    def test_a_folder_that_others_can_write_is_refused(self):
        folder = self.folder / "binds"
        folder.mkdir()
        folder.chmod(0o777)
        self.expect_distrust("may be written by every user; choose a folder that only you can write to")
        self.assertEqual(self.binds(), [])
        folder.chmod(0o755)
        self.bake("cor")
        self.expect_trust()

    def test_a_file_that_others_can_write_is_made_again(self):
        self.bake("cor")
        bind, = self.binds()
        bind.chmod(0o666)
        self.assertIn(f"bind cache '{bind.name}': it may be written by every user; it is made again", self.bake("cor").err)
        self.assertEqual(self.issues(), ["BIND_CACHE_DAMAGED"])
        self.assertEqual(bind.stat().st_mode & 0o002, 0)
        self.expect_trust()

    def test_the_group_of_the_user_may_write(self):
        self.bake("cor")
        bind, = self.binds()
        for path in (bind, bind.parent):
            os.chown(path, -1, os.getegid())
            path.chmod(0o775)
        self.expect_trust()

    @unittest.skipIf(os.geteuid() != 0, "only root can give files away")
    def test_another_user_or_group_is_not_trusted(self):
        self.bake("cor")
        bind, = self.binds()
        folder = bind.parent
        os.chown(folder, NOBODY, -1)
        self.expect_distrust(f"belongs to user {NOBODY}")
        os.chown(folder, 0, NOBODY)
        folder.chmod(0o775)
        self.expect_distrust(f"may be written by group {NOBODY}")
        folder.chmod(0o755)
        os.chown(folder, 0, 0)
        os.chown(bind, NOBODY, -1)
        self.assertIn(f"it belongs to user {NOBODY}; it is made again", self.bake("cor").err)
        self.assertEqual(bind.stat().st_uid, 0)

    # --- outputs

    def test_no_output_replaces_a_file_of_the_bind_cache(self):
        self.bake("ddm")
        bind, = self.binds()
        (self.folder / "link").symlink_to("binds")
        for output in (f"binds/{bind.name}", "binds/new.skbind", f"link/{bind.name}", "binds"):
            for option, form in (("--report", "json:"), ("--report", "html:"), ("--timing", ""), ("--depfile", "")):
                with self.subTest(f"{option} {form}{output}"):
                    self.fail_with(2, "bake", RIG, "-m", "ddm", "-o", "x.pc2", "--bind-cache", "binds",
                                   option, form + output, naming=("bind cache 'binds'", f"output '{output}'"))
        for option, form in (("--report", "json:"), ("--report", "html:"), ("--report", "junit:"), ("--depfile", "")):
            with self.subTest(f"fit {option} {form}"):
                self.fail_with(2, "fit", RIG, "-m", "ddm", "--correctives", "1", "-o", "fit.glb", "--bind-cache", "binds",
                               option, f"{form}binds/{bind.name}", naming=("bind cache 'binds'", f"output 'binds/{bind.name}'"))
        self.bake("ddm", out="binds/out.pc2")  # other files may be there

    # --- several programs

    def test_several_programs_share_a_folder(self):
        names = [f"out{i}.pc2" for i in range(8)]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            for done in pool.map(lambda name: self.bake("ddm", "--threads", 1, out=name), names):
                self.assertNotIn("BIND_", done.err)
        self.assertEqual(len({self.read(name) for name in names}), 1)
        self.assertEqual(len(self.binds()), 1)  # and no incomplete file


if __name__ == "__main__":
    main()
