#!/usr/bin/env python3
"""Exit codes and error messages; a failed run leaves no file."""

import json
import os
import pathlib
import re
import resource
import signal
import struct
import subprocess
import time

from support import (AT_ONCE, CliTest, NO_COVERAGE, PROGRAM, RIGS, SIGNALS, Pc2, environment, main, moving_rig,
                     strict_json, write_rig)

PRISM = RIGS / "two_joints.gltf"
WALKER = RIGS / "walker.glb"
# Takes seconds on one thread and little memory.
LONG = (RIGS / "bent_arm.gltf", "--fps", "200000", "--threads", "1", "--method", "dqs")


class WrongCommandLine(CliTest):
    def wrong(self, *arguments, naming=()):
        return self.fail_with(2, *arguments, naming=naming)

    def test_no_command_is_an_error_that_names_the_help(self):
        self.wrong(naming=("command", "skinbake --help"))

    def test_an_unknown_command_is_named_with_the_known_commands(self):
        self.wrong("frobnicate", naming=("'frobnicate'", "inspect", "bake", "list", "--help"))

    def test_an_unknown_option_is_named(self):
        self.wrong("--frobnicate", naming="--help")
        for command in ("bake", "inspect"):
            self.wrong(command, PRISM, "--frobnicate", naming=("--frobnicate", f"{command} --help"))
        self.wrong("list", "methods", "--frobnicate", naming="--frobnicate")

    def test_a_rig_or_a_topic_is_required(self):
        self.wrong("bake", naming="FILE is missing; write skinbake bake FILE")
        self.wrong("inspect", naming="FILE")
        self.wrong("list", naming="TOPIC")
        self.wrong("list", "colours", naming=("methods", "formats", "metrics", "targets"))

    def test_a_second_rig_is_refused(self):
        self.wrong("bake", PRISM, WALKER, "-o", "x.pc2", naming="walker.glb")
        self.wrong("inspect", PRISM, WALKER, naming="walker.glb")

    def test_a_bake_without_an_output_is_an_error(self):
        self.wrong("bake", PRISM, naming=("-o", "--report"))

    def test_ids_that_give_one_file_name_are_named(self):
        rig = write_rig(self.folder / "r.gltf", ["a/b", "other", "a:b"], clips=("x?", "x*"))
        outputs = ("-o", "{mesh}.{clip}.pc2")
        self.wrong("bake", rig, *outputs, "--clip", "x?",
                   naming=("r.gltf", "'a/b'", "'a:b'", "'a_b'", "{mesh}", "--mesh", "OUTPUT_TWICE"))
        self.wrong("bake", rig, *outputs, "--mesh", "other", "--clip", "all",
                   naming=("'x?'", "'x*'", "'x_'", "{clip}", "--clip", "OUTPUT_TWICE"))
        self.succeed("bake", rig, *outputs, "--clip", "x?", "--mesh", "a/b", "--mesh", "other")
        self.succeed("bake", rig, "-o", "{clip}.glb", "--clip", "x?")  # one file contains all meshes

    def test_names_that_do_not_print_give_printable_file_names_and_json(self):
        names = ["up\u009b31m", "gpj\u202eexe", "ar\u200bm"]
        rig = write_rig(self.folder / "r.gltf", names)
        done = self.succeed("bake", rig, "-o", "{mesh}.pc2", "--json", "-q")
        self.assertEqual(sorted(self.files()), sorted(["r.gltf"] + [f"{name}.pc2{sidecar}" for sidecar in ("", ".json")
                                                                    for name in ("up_31m", "gpj_exe", "ar_m")]))
        self.assertEqual([mesh["id"] for mesh in strict_json(done.out)["meshes"]], names)
        self.assertEqual(strict_json(self.succeed("inspect", rig, "--json").out)["meshes"][0]["id"], names[0])
        for text in (done.out, self.succeed("inspect", rig, "--json").out, self.read("up_31m.pc2.json").decode()):
            self.assertNotRegex(text, "[\x80-\x9f\u200b\u202e]")

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
        for arguments in (("bake", "r.gltf", "-m", "dqs", "--fail-max-relative", "1e-9"), ("inspect", "r.gltf"),
                          ("inspect", "r.gltf", "--json"), ("compare", "r.gltf", "--methods", "lbs,dqs"),
                          ("diff", "x.pc2", "x.pc2", "--rig", "r.gltf", "--fail-max-relative", "1e-9")):
            done = self.run_program(*arguments)
            self.assertEqual(done.code, 3, done)
            for words in at_bind:
                self.assertIn(words, done.err)

    def test_an_unknown_clip_is_named_with_the_clips_of_the_file(self):
        self.wrong("bake", PRISM, "-o", "x.pc2", "--clip", "run", naming=("two_joints.gltf", "'run'", "'bend'"))
        self.wrong("bake", PRISM, "-o", "x.pc2", "--clip", "#1", naming=("'#1'", "'bend'"))
        self.wrong("bake", PRISM, "-o", "x.pc2", "--clip", "#-1", naming="'bend'")
        self.wrong("bake", PRISM, "-o", "x.pc2", "--clip", "#", naming="'bend'")
        self.wrong("bake", PRISM, "-o", "x.pc2", "--clip", "#99999999999999999999", naming="'bend'")

    def test_several_clips_need_a_selection(self):
        rig = write_rig(self.folder / "two.gltf", ["a"], clips=("walk", "run"))
        self.wrong("bake", rig, "-o", "x.pc2", naming=("--clip", "'walk'", "'run'", "'all'"))
        self.wrong("bake", rig, "-o", "x.pc2", "--clip", "all", naming="{clip}")

    def test_an_unknown_mesh_is_named_with_the_meshes_of_the_file(self):
        self.wrong("bake", WALKER, "-o", "{mesh}.pc2", "--mesh", "Hat",
                   naming=("walker.glb", "'Hat'", "'Body'", "'Lantern'", "'Mouth'"))
        self.wrong("bake", WALKER, "-o", "{mesh}.pc2", "--mesh", "Body", "--mesh", "#9999", naming="'#9999'")

    def test_several_meshes_need_a_placeholder(self):
        self.wrong("bake", WALKER, "-o", "x.pc2", naming=("'x.pc2'", "{mesh}", "--mesh"))

    def test_an_unknown_method_is_named_with_the_known_methods(self):
        self.wrong("bake", PRISM, "-o", "x.pc2", "--method", "cor2", naming=("'cor2'", *self.method_ids()))
        self.wrong("bake", PRISM, "-o", "x.pc2", "--method", "dqs:bulge=1", naming="dqs")
        self.wrong("bake", PRISM, "-o", "x.pc2", "--method", "", naming="lbs")
        self.wrong("bake", PRISM, "--json", "--reference", "cor2", naming=("'cor2'", *self.method_ids()))

    def test_an_unknown_format_is_named_with_the_known_formats(self):
        for output in ("x.abc", "x", "-", ".", "pc2", "x.pc2.gz"):
            self.wrong("bake", PRISM, "-o", output, naming=(f"'{output}'", ".pc2"))

    def test_an_unknown_metric_is_named_with_the_known_metrics(self):
        self.wrong("bake", PRISM, "--json", "--metrics", "error,beauty", naming=("beauty", "error", "volume"))

    def test_an_unknown_word_is_named_with_the_choices(self):
        for option, words in (("--space", "scene|mesh"), ("--baseline", "bind|rest|first-frame"),
                              ("--per-vertex", "json"), ("--progress", "auto|always|never"),
                              ("--color", "auto|always|never")):
            self.wrong("bake", PRISM, "-o", "x.pc2", option, "odd", naming=(option, "'odd'", words))

    def test_frames_outside_the_clip_are_named_with_its_frames(self):
        for frames in ("0:31", "31", "0:999999999999", "31:31", "0:99:50"):
            self.wrong("bake", PRISM, "-o", "x.pc2", "--frames", frames, naming=(frames, "0:30"))
        self.wrong("bake", PRISM, "-o", "x.pc2", "--frames", "0:30", "--loop", naming="0:29")

    def test_an_invalid_frame_range_is_refused(self):
        for frames in ("", "a", "5:2", "-1:2", "0:5:0", "0:5:-1", "1:2:3:4", ":5", "1.5:3", "0x1:3",
                       "0:99999999999999999999", " 0:5", "0-5"):
            self.wrong("bake", PRISM, "-o", "x.pc2", f"--frames={frames}", naming="--frames")

    def test_an_invalid_frame_rate_is_refused(self):
        for fps in ("0", "-1", "nan", "inf", "-inf", "1e300", "fast", "", "3000000000"):
            self.wrong("bake", PRISM, "-o", "x.pc2", f"--fps={fps}", naming="fps")

    def test_a_number_of_threads_out_of_range_is_refused(self):
        for threads in ("-1", "1025", "many", "1.5", "", "99999999999999999999"):
            self.wrong("bake", PRISM, "-o", "x.pc2", f"--threads={threads}", naming="--threads")

    def test_a_limit_that_is_not_a_number_is_refused(self):
        for limit in ("", "%", "nan", "inf", "1e999", "5x", "5 %", "0x10", "5%%", "1,5"):
            self.wrong("bake", PRISM, f"--fail-max={limit}", naming="--fail-max")
        self.wrong("bake", PRISM, "--fail-max=-1", naming=("--fail-max", "below 0"))
        # "5" is a mistake for "5%".
        self.wrong("bake", PRISM, "--fail-volume-loss", "5", naming=("--fail-volume-loss", "write 5%"))

    def test_an_option_given_twice_is_refused(self):
        for option, value in (("-o", "x.pc2"), ("--fps", "30"), ("--frames", "0:1"), ("--clip", "bend"),
                              ("--report", "x.json"), ("--fail-max", "1"), ("--method", "lbs"),
                              ("--space", "mesh"), ("--threads", "1")):
            self.wrong("bake", PRISM, option, value, option, value, naming=option.lstrip("-")[:1])

    def test_an_empty_value_is_refused(self):
        self.wrong("bake", PRISM, "-o", "", naming="--output")
        for option in ("-o", "--report", "--depfile", "--timing", "--clip", "--reference", "--mesh"):
            self.wrong("bake", PRISM, "--fail-max", "1", option, "")
        self.wrong("bake", "", "-o", "x.pc2", naming="FILE: must not be empty")

    def test_an_unknown_placeholder_is_named(self):
        self.wrong("bake", PRISM, "-o", "{fps}.pc2", naming=("{fps}", "{mesh}", "{clip}", "{method}"))
        self.wrong("bake", PRISM, "-o", "{}.pc2", naming="{mesh}")
        self.wrong("bake", PRISM, "-o", "{Mesh}.pc2", naming="{mesh}")

    def test_two_equal_output_paths_are_refused(self):
        self.wrong("bake", PRISM, "-o", "x.pc2", "--report", "x.pc2.json", naming="x.pc2.json")
        self.wrong("bake", PRISM, "-o", "x.pc2", "--report", "x.pc2", naming="x.pc2")
        self.wrong("bake", PRISM, "--report", "r.json", "--depfile", "./r.json", naming="r.json")
        self.wrong("bake", PRISM, "--report", "r.json", "--timing", self.folder / "r.json", naming="r.json")

    def test_two_paths_of_one_file_are_equal(self):
        (self.folder / "a.json").write_text("old")
        (self.folder / "b.json").symlink_to("a.json")
        (self.folder / "here").symlink_to(".")
        self.wrong("bake", PRISM, "--report", "a.json", "--timing", "b.json", naming=".json")
        self.wrong("bake", PRISM, "--report", "new.json", "--timing", "here/new.json", naming="new.json")

    def test_an_output_does_not_replace_the_rig(self):
        write_rig(self.folder / "r.gltf", ["a"], buffer="r.bin")
        for output in ("r.gltf", "./r.gltf", "r.bin"):
            for option in ("--report", "--depfile", "--timing"):
                self.wrong("bake", "r.gltf", "--fail-max", "1", option, output, naming=output)

    def test_side_files_do_not_go_to_standard_output(self):
        for option in ("--depfile", "--timing"):
            self.wrong("bake", PRISM, "--json", option, "-", naming=option)

    def test_an_unknown_target_is_named_with_the_known_targets(self):
        self.fail_with(2, "bake", PRISM, "-o", "x.pc2", env={"SKINBAKE_TARGET": "Z80"},
                       naming=("'Z80'", "SKINBAKE_TARGET"))

    def test_a_message_is_one_line_for_every_name(self):
        self.wrong("bake", PRISM, "-o", "x.pc2", "--clip", "a\nb\x1b[31m\rc", naming="a b\ufffd[31m c")
        self.wrong("fo\no")
        self.wrong("bake", PRISM, "-o", "x.pc2", "--sp\nace")
        self.fail_with(3, "inspect", "no\nsuch.gltf", naming="no such.gltf")
        turned = "a\u202eb\u2066c\u200fd\u061ce\u0085f\u2028g\u00e9\u2014\u2603"  # the last three are letters and signs
        self.wrong("bake", PRISM, "-o", "x.pc2", "--clip", turned, naming="a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf g\u00e9\u2014\u2603")
        self.wrong("bake", PRISM, "-o", "x.pc2", "--clip", os.fsdecode(b"caf\xe9"), naming="caf\ufffd")
        self.wrong("bake", PRISM, "-o", "x.pc2", "--reference", "{foo}.pc2", naming="reference '{foo}.pc2': no {foo}")


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
        self.bad(rig.name, rig.name, "/buffers/0", "4 bytes")
        (self.folder / "rig.bin").unlink()
        self.bad(rig.name, "rig.bin")

    def test_an_element_that_is_wrong_is_named(self):
        document = json.loads(PRISM.read_text())
        document["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = 999
        (self.folder / "rig.gltf").write_text(json.dumps(document))
        self.bad("rig.gltf", "rig.gltf", "/meshes/0/primitives/0/attributes/JOINTS_0")

    def test_a_file_without_a_mesh_has_nothing_to_bake(self):
        (self.folder / "rig.gltf").write_text('{"asset":{"version":"2.0"},"scenes":[{}],"scene":0}')
        self.fail_with(3, "bake", "rig.gltf", "-o", "x.pc2", naming="rig.gltf")
        self.succeed("inspect", "rig.gltf")

    def test_an_impossible_file_name_exits_3(self):
        self.fail_with(3, "inspect", "n" * 5000 + ".glb")


class BadOutput(CliTest):
    def test_a_missing_output_folder_exits_4(self):
        for option in ("--report", "--depfile", "--timing", "-o"):
            self.fail_with(4, "bake", PRISM, "--fail-max", "1", option, "no/x.pc2",
                           naming=("no/x.pc2", "No such file", "create the folder"))

    def test_a_file_in_place_of_the_output_folder_exits_4(self):
        (self.folder / "no").write_text("a file")
        for option in ("--report", "-o"):
            self.fail_with(4, "bake", PRISM, "--fail-max", "1", option, "no/x.pc2", naming="no/x.pc2")

    def test_a_folder_in_place_of_the_output_exits_4(self):
        (self.folder / "x.pc2").mkdir()
        for option in ("--report", "--timing", "-o"):
            self.fail_with(4, "bake", PRISM, "--fail-max", "1", option, "x.pc2", naming=("x.pc2", "directory"))

    def test_a_pipe_without_a_reader_in_place_of_the_output_exits_4(self):
        os.mkfifo(self.folder / "x.pc2")
        self.fail_with(4, "bake", PRISM, "-o", "x.pc2", naming="x.pc2")

    def test_a_folder_in_place_of_the_sidecar_exits_4(self):
        (self.folder / "x.pc2.json").mkdir()
        self.fail_with(4, "bake", PRISM, "-o", "x.pc2", naming="x.pc2.json")

    def test_a_folder_without_write_permission_exits_4(self):
        options = self.without_rights()
        closed = self.folder / "closed"
        closed.mkdir()
        (closed / "x.pc2").write_bytes(b"good")
        closed.chmod(0o555)
        self.folder.chmod(0o755)
        rig = self.folder / PRISM.name
        rig.write_bytes(PRISM.read_bytes())
        rig.chmod(0o644)
        for option in ("-o", "--report", "--depfile", "--timing"):
            self.fail_with(4, "bake", rig, "--fail-max", "1", option, "closed/x.pc2",
                           naming=("closed/x.pc2", "Permission denied"), **options)
        self.assertEqual(self.read("closed/x.pc2"), b"good")
        closed.chmod(0o755)

    def test_a_full_device_exits_4(self):
        (self.folder / "full.pc2").symlink_to("/dev/full")
        for option, path in (("-o", "full.pc2"), ("--report", "/dev/full"), ("--timing", "/dev/full"),
                             ("--depfile", "full.pc2")):
            self.fail_with(4, "bake", PRISM, "--fail-max", "1", option, path, naming=(path, "No space left"))

    def test_a_full_device_prevents_all_outputs(self):
        self.fail_with(4, "bake", PRISM, "-o", "x.pc2", "--report", "/dev/full", naming="/dev/full")
        self.fail_with(4, "bake", PRISM, "--report", "x.json", "--timing", "/dev/full", naming="/dev/full")

    PRINTING = (("--help",), ("--version",), ("bake", "--help"), ("inspect", PRISM), ("list", "methods"),
                ("list", "methods", "--json"), ("bake", PRISM, "-o", "x.pc2"), ("bake", PRISM, "-o", "x.pc2", "--json", "-q"),
                ("bake", PRISM, "-o", "x.pc2", "--strict", "--discard-on-fail"),
                ("report", "good.json", "-o", "-", "-o", "x.md", "--format", "markdown"),
                ("compare", PRISM, "-o", "x.{method}.pc2", "--methods", "lbs,dqs"), ("convert", "good.pc2", "x.mdd"),
                ("diff", "good.pc2", "good.pc2", "--report", "x.json"), ("diff", "good.pc2", "good.pc2", "--json", "-q"))

    def written_by(self, arguments, code, err, stdout):
        """The new files x.* of a run whose standard output is `stdout`."""
        done = self.run_program(*arguments, stdout=stdout)
        self.assertEqual(done.code, code, (arguments, done))
        self.assertRegex(done.err, err, arguments)
        new = {name: data for name, data in self.files().items() if name.startswith("x")}
        for name in new:
            (self.folder / name).unlink()
        return new

    def test_a_full_standard_output_is_an_error_after_all_outputs(self):
        self.succeed("bake", PRISM, "-o", "good.pc2", "--report", "good.json")
        for arguments in self.PRINTING:
            with open("/dev/full", "wb") as full:
                written = self.written_by(arguments, 4, r"\Askinbake: error: standard output: [^\n]*No space left[^\n]*; redirect "
                                          r"[^\n]* \[OUTPUT_NOT_WRITTEN\]\n\Z", full)
            self.assertEqual(written, self.written_by(arguments, 0, r"\A\Z", subprocess.DEVNULL), arguments)

    def test_a_closed_pipe_is_no_error(self):
        self.succeed("bake", PRISM, "-o", "good.pc2", "--report", "good.json")
        for arguments in self.PRINTING:
            reading, writing = os.pipe()
            os.close(reading)
            with os.fdopen(writing, "wb", closefd=True) as pipe:
                written = self.written_by(arguments, 0, r"\A\Z", pipe)
            self.assertEqual(written, self.written_by(arguments, 0, r"\A\Z", subprocess.DEVNULL), arguments)

    def test_a_failed_run_keeps_its_exit_code_if_standard_output_is_closed(self):
        self.succeed("bake", PRISM, "-o", "good.pc2")
        reading, writing = os.pipe()
        os.close(reading)
        with os.fdopen(writing, "wb", closefd=True) as pipe:
            self.written_by(("diff", "good.pc2", PRISM, "-m", "dqs"), 1, r"\A\Z", pipe)
            self.written_by(("bake", "missing.glb", "-o", "x.pc2"), 3, r"\Askinbake: error: missing.glb", pipe)

    def test_a_limit_on_file_sizes_keeps_the_older_output(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (40000, 40000))

        limited = {"preexec_fn": limit, "env": NO_COVERAGE}
        rig = RIGS / "bent_arm.gltf"
        for name in ("x.pc2", "x.pc2.json"):
            (self.folder / name).write_bytes(b"older and good")
        self.fail_with(4, "bake", rig, "-o", "x.pc2", **limited, naming=("x.pc2", "too large", "ulimit"))
        self.fail_with(4, "bake", rig, "--report", "x.pc2", **limited, naming=("x.pc2", "ulimit"))
        self.fail_with(4, "bake", rig, "-o", "x.pc2", "--threads", "7", "--fps", "960", **limited)
        self.fail_with(4, "bake", rig, "-o", "x.usda", "--format", "usda:normals=1", **limited,
                       naming=("temporary file", "ulimit", "TMPDIR"))

    def test_an_older_output_survives_a_failed_run(self):
        for name in ("x.pc2", "x.pc2.json", "x.json", "x.d"):
            (self.folder / name).write_bytes(b"older and good")
        outputs = ("-o", "x.pc2", "--report", "x.json", "--depfile", "x.d")
        (self.folder / "bad.glb").write_bytes((RIGS / "bent_tube.glb").read_bytes()[:-100])
        self.fail_with(3, "bake", "bad.glb", *outputs)
        self.fail_with(2, "bake", PRISM, *outputs, "--frames", "0:99")
        self.fail_with(4, "bake", PRISM, *outputs, "--timing", "no/t.json")
        self.fail_with(4, "bake", PRISM, *outputs, "--timing", "/dev/full")

    def test_a_position_that_is_not_finite_writes_nothing(self):
        document = json.loads(write_rig(self.folder / "r.gltf", ["a"]).read_text())
        document["nodes"][0]["scale"] = [1e38, 1e38, 1e38]
        document["nodes"].append({"children": [0], "scale": [1e38, 1e38, 1e38]})
        document["scenes"][0]["nodes"] = [1]
        (self.folder / "r.gltf").write_text(json.dumps(document))
        self.fail_with(3, "bake", "r.gltf", "-o", "x.pc2", "--report", "x.json", naming="r.gltf")

    def test_messages_do_not_enter_the_cache_if_standard_streams_are_closed(self):
        self.succeed("bake", PRISM, "-q", "-o", "good.pc2")
        for redirection in (">&-", "2>&-", "<&-", "<&- >&- 2>&-"):
            command = f'exec "$0" bake "$1" -o x.pc2 --reference dqs --fail-max 0 --progress always {redirection}'
            subprocess.run(["sh", "-c", command, str(PROGRAM), str(PRISM)], cwd=self.folder,
                           env=environment(), stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
            self.assertEqual(self.read("x.pc2"), self.read("good.pc2"), redirection)
            (self.folder / "x.pc2").unlink()

    def test_progress_does_not_enter_the_cache_if_standard_error_is_closed(self):
        command = ('exec "$0" bake "$1" --fps 1000000 --max-frames 2000000 --threads 1 --progress always '
                   '--fail-max 9 -o x.pc2 2>&-')
        done = subprocess.run(["sh", "-c", command, str(PROGRAM), str(PRISM)], cwd=self.folder, env=environment(),
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=300)
        self.assertEqual(done.returncode, 0)
        with open(self.folder / "x.pc2", "rb") as cache:
            self.assertEqual(cache.read(32), b"POINTCACHE2\0" + struct.pack("<iiffi", 1, 12, 0, 1, 1000001))


class Interrupted(CliTest):
    def start(self, *arguments, **options):
        process = subprocess.Popen([str(PROGRAM), "bake", *map(str, LONG), *arguments], cwd=self.folder,
                                   env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, **options)
        self.addCleanup(process.kill)
        return process

    def wait_until_it_writes(self, process):
        """Waits until an open file of the process, named or not, contains a first block."""
        folder = pathlib.Path(f"/proc/{process.pid}/fd")
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and process.poll() is None:
            for link in folder.iterdir():
                try:
                    if str(self.folder) in os.readlink(link) and link.stat().st_size > 100000:
                        return
                except OSError:
                    pass
            time.sleep(0.005)
        self.fail(f"nothing was being written; exit {process.poll()}")

    def test_a_signal_leaves_no_file(self):
        for number, code, word in SIGNALS:
            process = self.start("-o", "x.pc2", "--report", "x.json", "--depfile", "x.d")
            self.wait_until_it_writes(process)
            asked = time.monotonic()
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
            self.assertLess(time.monotonic() - asked, AT_ONCE)
            self.assertEqual(process.returncode, code)
            self.assertEqual(out, b"")
            self.assertRegex(err.decode(), rf"\Askinbake: error: {word}[^\n]*\n\Z")
            self.assertEqual(self.files(), {})

    def test_a_signal_keeps_the_older_output(self):
        (self.folder / "x.pc2").write_bytes(b"older and good")
        process = self.start("-o", "x.pc2")
        self.wait_until_it_writes(process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(self.files(), {"x.pc2": b"older and good"})

    def test_a_signal_ends_a_run_without_outputs(self):
        process = self.start("--json", "--per-vertex", "none")
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (130, b""))

    def test_a_killed_run_leaves_nothing(self):
        for _ in range(3):
            process = self.start("-o", "x.pc2", "--report", "x.json")
            self.wait_until_it_writes(process)
            process.kill()
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, -signal.SIGKILL)
            self.assertEqual(self.files(), {})

    def test_a_run_killed_at_any_time_leaves_only_complete_files(self):
        whole = 32 + 12 * 12 * 20001
        for delay in [0.002 * i for i in range(25)]:
            process = subprocess.Popen([str(PROGRAM), "bake", str(PRISM), "--fps", "20000", "-q", "-o", "x.pc2"],
                                       cwd=self.folder, env=environment(), stdin=subprocess.DEVNULL)
            time.sleep(delay)
            process.kill()
            process.wait(timeout=60)
            found = self.files()
            if "x.pc2" in found:
                self.assertEqual(len(found["x.pc2"]), whole)
            if "x.pc2.json" in found:
                self.assertIn("x.pc2", found)
                self.assertEqual(json.loads(found["x.pc2.json"])["bytes"], whole)
            for name in found:
                (self.folder / name).unlink()


class Success(CliTest):
    def test_a_bake_exits_0_and_leaves_the_cache_and_its_sidecar_only(self):
        self.succeed("bake", PRISM, "-o", "x.pc2")
        self.assertEqual(sorted(self.files()), ["x.pc2", "x.pc2.json"])

    def test_an_exceeded_threshold_exits_1_and_writes_every_output(self):
        done = self.run_program("bake", PRISM, "--method", "dqs", "-o", "x.pc2", "--report", "x.json",
                                "--fail-max", "0.01")
        self.assertEqual(done.code, 1, done)
        self.assertEqual(sorted(self.files()), ["x.json", "x.pc2", "x.pc2.json"])
        self.assertRegex(done.err, r"--fail-max 0.01 m exceeded: 0\.0732\d* m in mesh 'prism', clip 'bend', dqs, frame 30")

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
