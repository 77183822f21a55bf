#!/usr/bin/env python3
"""Protection against hostile files: --max-memory (see memory_test.py), --max-frames, --allow-outside, --strict."""

import json
import os
import resource
import struct
import subprocess
import time

from support import AT_ONCE, CliTest, PROGRAM, RIGS, SIGNALS, environment, main, moving_rig, write_rig

PRISM = RIGS / "two_joints.gltf"


class Memory(CliTest):
    def zeros(self, count):
        """A point cloud of `count` vertices whose accessor does not have a buffer view."""
        (self.folder / "zeros.gltf").write_text(json.dumps({
            "asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "mode": 0}]}],
            "accessors": [{"componentType": 5126, "count": count, "type": "VEC3"}]}))

    def test_counts_that_no_mesh_has_are_refused(self):
        self.zeros(10 ** 9)
        start = time.monotonic()
        done = self.fail_with(3, "bake", "zeros.gltf", "--json", naming=("MESH_TOO_LARGE",))
        self.assertLess(time.monotonic() - start, AT_ONCE)
        self.assertIn("/meshes/0/primitives/0", done.err)
        self.zeros(2 ** 53)
        self.fail_with(3, "bake", "zeros.gltf", "--json", naming=("MESH_TOO_LARGE",))

    def test_a_million_vertices_without_bytes_are_refused_quickly(self):
        self.zeros(10 ** 6)
        document = json.loads((self.folder / "zeros.gltf").read_text())
        document["meshes"][0]["primitives"][0]["mode"] = 5
        (self.folder / "zeros.gltf").write_text(json.dumps(document))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.succeed("inspect", "zeros.gltf")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertLess(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, AT_ONCE)

    def test_sizes_are_bytes_or_have_a_unit(self):
        self.zeros(3)
        for size in ("20000000", "512M", "2G", "20480K", "2GB"):
            self.succeed("inspect", "zeros.gltf", "--max-memory", size)
        for size in ("", "-1", "much", "1X", "99999999999999999999G"):
            done = self.run_program("inspect", "zeros.gltf", f"--max-memory={size}")
            self.assertEqual(done.code, 2, done)


class Json(CliTest):
    def glb(self, text):
        text = text.encode() + b" " * (-len(text) % 4)
        (self.folder / "x.glb").write_bytes(
            struct.pack("<4sIII4s", b"glTF", 2, 32 + len(text), len(text), b"JSON") + text +
            struct.pack("<I4s4x", 4, b"BIN\0"))

    def test_a_deeply_nested_glb_is_refused_quickly(self):
        # As a cache, and as a rig if the generator is not skinbake.
        baked = '{"asset":{"generator":"skinbake 0.2.0","version":"2.0","extras":'
        self.succeed("bake", PRISM, "-o", "a.pc2", "-q")
        for start, end, code in ((baked, "}}", "CACHE_INVALID"), ('{"extras": ', "}", "JSON_TOO_DEEP")):
            self.glb(start + "[" * 1_000_000 + "]" * 1_000_000 + end)
            start = time.monotonic()
            self.fail_with(3, "diff", "a.pc2", "x.glb", naming=("x.glb", code, "deeper than 256 levels"))
            self.assertLess(time.monotonic() - start, AT_ONCE)


class Clips(CliTest):
    def test_many_clips_of_many_nodes_are_matched_quickly(self):
        count = 8000
        write_rig(self.folder / "r.gltf", ["a"], buffer="r.bin")
        rig = json.loads((self.folder / "r.gltf").read_text())
        names = [{"name": f"bone{n}"} for n in range(count)]
        (self.folder / "r.gltf").write_text(json.dumps({**rig, "nodes": rig["nodes"] + names}))
        animation = {**rig["animations"][0], "channels": rig["animations"][0]["channels"][:1]}
        (self.folder / "c.gltf").write_text(json.dumps({
            **rig, "nodes": rig["nodes"] + names, "animations": [{**animation, "name": f"a{c}"} for c in range(count)]}))
        start = time.monotonic()
        self.succeed("bake", "r.gltf", "--clip", "c.gltf#all", "-q", "--frames", "0", "--report", "r.json")
        self.assertLess(time.monotonic() - start, AT_ONCE)


class Frames(CliTest):
    def long_clip(self, seconds):
        document, data = moving_rig(["a"], clips=("long",), buffer="b.bin")
        view = document["bufferViews"][2]
        data = bytearray(data)
        struct.pack_into("<2f", data, view["byteOffset"], 0, seconds)
        (self.folder / "b.bin").write_bytes(data)
        (self.folder / "long.gltf").write_text(json.dumps(document))

    def test_more_mesh_nodes_than_a_bake_can_prepare_are_refused(self):
        names = [None] * 60000
        rig = write_rig(self.folder / "crowd.gltf", names, clips=())
        done = self.fail_with(3, "bake", rig, "-o", "x.glb", naming="60000 mesh nodes in a scene of 60000 nodes")
        self.assertRegex(done.err, r"at most 50000; choose fewer [^\n]*\[TOO_MANY_MESHES\]")
        self.assertEqual(sorted(self.files()), ["crowd.gltf"])
        self.succeed("bake", rig, "--mesh", "#7", "-o", "x.glb")
        inspected = self.succeed("inspect", rig).out
        self.assertRegex(inspected, r"MESHES_OVER_LIMIT[^$]*60000 mesh nodes in a scene of 60000 nodes, of which a bake")

    def test_a_clip_of_a_billion_frames_needs_max_frames(self):
        self.long_clip(1e8)  # also more than any format can store
        self.fail_with(2, "bake", "long.gltf", "--json", naming=("long.gltf", "2147483647", "TOO_MANY_FRAMES"))
        self.long_clip(4e7)
        for arguments in ((), ("--fps", "24")):
            self.fail_with(2, "bake", "long.gltf", "--json", *arguments,
                           naming=("long.gltf", "'long'", "--max-frames", "1000000", "TOO_MANY_FRAMES"))
        self.succeed("bake", "long.gltf", "--json", "--frames", "1000:1010")
        self.succeed("bake", "long.gltf", "--json", "--fps", "1e-6")

    def test_an_absurd_key_time_is_an_input_error(self):
        for seconds in (3e38, 1.1e10):
            self.long_clip(seconds)
            self.fail_with(3, "bake", "long.gltf", "--json", naming=("TIMES_INVALID", "'long'", "input"))
        self.long_clip(9e9)
        self.fail_with(2, "bake", "long.gltf", "--json", naming="TOO_MANY_FRAMES")

    def test_the_limit_itself_is_allowed(self):
        self.succeed("bake", PRISM, "--json", "--max-frames", "31")
        self.fail_with(2, "bake", PRISM, "--json", "--max-frames", "30", naming=("31 frames", "the limit of 30"))
        self.succeed("bake", PRISM, "--json", "--max-frames", "30", "--loop")
        for number in ("0", "-1", "many", "1.5"):
            self.fail_with(2, "bake", PRISM, "--json", "--max-frames", number, naming="--max-frames")


class Outside(CliTest):
    def test_buffers_outside_the_folder_need_allow_outside(self):
        inner = self.folder / "in"
        inner.mkdir()
        document, data = moving_rig(["a"], buffer="x")
        (self.folder / "secret.bin").write_bytes(data)
        (inner / "link.bin").symlink_to("../secret.bin")
        for uri in ("../secret.bin", "%2E./secret.bin", str(self.folder / "secret.bin"), "link.bin"):
            document["buffers"][0]["uri"] = uri
            (inner / "r.gltf").write_text(json.dumps(document))
            self.fail_with(3, "bake", "in/r.gltf", "--json", naming=("URI_REFUSED", "--allow-outside"))
            self.succeed("inspect", "in/r.gltf", "--allow-outside")
            self.succeed("bake", "in/r.gltf", "--json", "--allow-outside")
        for uri in ("file://" + str(self.folder / "secret.bin"), "http://localhost/secret.bin"):
            document["buffers"][0]["uri"] = uri
            (inner / "r.gltf").write_text(json.dumps(document))
            self.fail_with(3, "bake", "in/r.gltf", "--json", "--allow-outside", naming="URI_INVALID")

    def test_allow_outside_is_named_only_if_it_helps(self):
        document, data = moving_rig(["a"], buffer="x")
        for uri, helps in (("../secret.bin", True), ("file:///secret.bin", False), ("%zz", False), ("a%00b", False)):
            document["buffers"][0]["uri"] = uri
            (self.folder / "r.gltf").write_text(json.dumps(document))
            said = self.fail_with(3, "bake", "r.gltf", "--json", naming="URI_REFUSED" if helps else "URI_INVALID").err
            self.assertEqual("--allow-outside" in said, helps, said)
            if not helps:
                self.assertNotIn("--allow-outside", self.fail_with(3, "bake", "r.gltf", "--json", "--allow-outside").err)

    def test_a_pipe_is_refused_without_waiting(self):
        document, data = moving_rig(["a"], buffer="pipe.bin")
        os.mkfifo(self.folder / "pipe.bin")
        (self.folder / "r.gltf").write_text(json.dumps(document))
        self.fail_with(3, "bake", "r.gltf", "--json", naming="not a regular file", timeout=30)


class Strict(CliTest):
    def warned(self):
        document, _ = moving_rig(["a"])
        document["extensionsUsed"] = ["EXT_unheard_of"]
        (self.folder / "r.gltf").write_text(json.dumps(document))

    def test_warnings_exit_1_and_the_outputs_are_written(self):
        self.warned()
        self.succeed("inspect", "r.gltf")
        done = self.run_program("inspect", "r.gltf", "--strict")
        self.assertEqual((done.code, done.out), (1, self.succeed("inspect", "r.gltf").out))
        self.assertIn("EXTENSION_IGNORED", done.err)
        self.succeed("bake", "r.gltf", "-o", "x.pc2")
        done = self.run_program("bake", "r.gltf", "-o", "y.pc2", "--strict", "--keep")
        self.assertEqual(done.code, 1)
        self.assertEqual(self.read("x.pc2"), self.read("y.pc2"))

    def test_an_exceeded_warn_limit_counts_as_a_warning(self):
        arguments = ("bake", RIGS / "bent_tube.glb", "--json", "--warn", "volume.max_loss=1e-9")
        self.succeed(*arguments)
        done = self.run_program(*arguments, "--strict")
        self.assertEqual(done.code, 1)
        self.assertIn("--warn", f"volume.max_loss={done.err}")

    def test_informational_issues_and_clean_files_pass(self):
        for command in (("inspect", PRISM), ("bake", PRISM, "--json")):
            self.succeed(*command, "--strict")


class Messages(CliTest):
    def test_long_text_of_the_user_is_shortened(self):
        for arguments in (("bake", PRISM, "--json", "--frames", "9" * 5000),
                          ("bake", PRISM, "--json", "--clip", "x" * 5000),
                          ("bake", PRISM, "--json", "--fps", "1" * 5000 + "x"),
                          ("inspect", "y " * 5000)):
            done = self.run_program(*arguments)
            self.assertIn(done.code, (2, 3))
            self.assertLess(len(done.err), 4500)
            self.assertGreater(len(done.err), 20)

    def test_many_issues_of_a_code_are_one_line_with_three_places_and_a_count(self):
        document, _ = moving_rig(["a"])
        primitives = document["meshes"][0]["primitives"]
        primitives[0]["attributes"]["_OWN"] = 0
        primitives *= 10
        (self.folder / "r.gltf").write_text(json.dumps(document))
        done = self.succeed("bake", "r.gltf", "--json")
        lines = [line for line in done.err.splitlines() if "ATTRIBUTE_IGNORED" in line]
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], r"r\.gltf /meshes/0/primitives/0.*: .*; also at r\.gltf /meshes/0/primitives/1\S*, "
                                   r"r\.gltf /meshes/0/primitives/2\S* and 7 more places \(--verbose lists them\)$")
        verbose = self.succeed("bake", "r.gltf", "--json", "--verbose")
        self.assertEqual(sum("ATTRIBUTE_IGNORED" in line for line in verbose.err.splitlines()), 10)
        self.assertEqual(sum(i["code"] == "ATTRIBUTE_IGNORED" for i in json.loads(done.out)["issues"]), 10)

    def test_a_file_without_a_mesh_names_a_remedy(self):
        document, _ = moving_rig(["a"])
        document["scenes"] = [{}, {"name": "other", "nodes": [0]}]
        (self.folder / "r.gltf").write_text(json.dumps(document))
        self.fail_with(3, "bake", "r.gltf", "--json", naming=("NOTHING_TO_BAKE", "--scene 1"))
        document["scenes"] = [{}]
        (self.folder / "r.gltf").write_text(json.dumps(document))
        self.fail_with(3, "bake", "r.gltf", "--json", naming=("NOTHING_TO_BAKE", "into the scene"))
        del document["meshes"], document["nodes"][0]["mesh"]
        (self.folder / "r.gltf").write_text(json.dumps(document))
        self.fail_with(3, "bake", "r.gltf", "--json", naming=("NOTHING_TO_BAKE", "--clip FILE"))

    def test_a_folder_that_accepts_no_files_exits_4(self):
        self.fail_with(4, "bake", PRISM, "-o", "/proc/x.pc2", naming=("OUTPUT_NOT_WRITTEN", "write elsewhere"))

    def test_an_error_ends_with_its_code(self):
        self.assertTrue(self.fail_with(3, "inspect", "gone.glb").err.endswith("[FILE_UNREADABLE]\n"))


class Signals(CliTest):
    def test_a_signal_while_loading_ends_at_once(self):
        # Seconds of loading: an array of many small arrays.
        (self.folder / "slow.gltf").write_text('{"asset":{"version":"2.0"},"extras":[' + "[{}]," * 3000000 + "0]}")
        for number, code, word in SIGNALS:
            # A fast machine may finish before the signal, and a slow one may not have begun.
            for delay in (0.25, 0.1, 0.05, 0.5, 1, 2):
                ended, err = self.end_after(delay, number)
                if ended == code:
                    break
                self.assertIn(ended, (3, -number))
            self.assertEqual(ended, code)
            self.assertRegex(err, rf"\Askinbake: error: {word}[^\n]*\n\Z")
            self.assertNotIn("x.pc2", self.files())

    def end_after(self, delay, number):
        """The exit code and the message of a bake that receives a signal."""
        process = subprocess.Popen([str(PROGRAM), "bake", "slow.gltf", "-o", "x.pc2"], cwd=self.folder,
                                   env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(delay)
        asked = time.monotonic()
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        self.assertLess(time.monotonic() - asked, AT_ONCE)
        self.assertEqual(out, b"")
        return process.returncode, err.decode()


if __name__ == "__main__":
    main()
