#!/usr/bin/env python3
"""A wrong command line exits 2 with one line that names the mistake, and leaves no file."""

import os

from support import CliTest, RIGS, main, strict_json, write_rig

PRISM = RIGS / "two_joints.gltf"
WALKER = RIGS / "walker.glb"


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
        self.wrong("bake", rig, *outputs, "--clip", "#0",
                   naming=("r.gltf", "'a/b'", "'a:b'", "'a_b'", "{mesh}", "--mesh", "OUTPUT_TWICE"))
        self.wrong("bake", rig, *outputs, "--mesh", "other", "--clip", "all",
                   naming=("'x?'", "'x*'", "'x_'", "{clip}", "--clip", "OUTPUT_TWICE"))
        reference = ("--report", "r.json", "--reference", "{mesh}.{clip}.pc2")
        self.wrong("bake", rig, *reference, "--clip", "#0",
                   naming=("r.gltf", "'a/b'", "'a:b'", "'a_b'", "{mesh}", "--mesh", "REFERENCE_AMBIGUOUS"))
        self.wrong("bake", rig, *reference, "--mesh", "other", "--clip", "all",
                   naming=("'x?'", "'x*'", "'x_'", "{clip}", "--clip", "REFERENCE_AMBIGUOUS"))
        self.succeed("bake", rig, *outputs, "--clip", "#0", "--mesh", "a/b", "--mesh", "other")
        self.succeed("bake", rig, "-o", "{clip}.glb", "--clip", "#0")  # one file contains all meshes

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
            self.wrong("bake", PRISM, f"--fail=volume.max_loss={limit}", naming="--fail")
        self.wrong("bake", PRISM, "--fail=error.max=-1", naming=("--fail", "below 0"))
        # "5" is a mistake for "5%".
        self.wrong("bake", PRISM, "--fail", "volume.max_loss=5", naming=("--fail", "write 5%"))

    def test_an_option_given_twice_is_refused(self):
        for option, value in (("-o", "x.pc2"), ("--fps", "30"), ("--frames", "0:1"), ("--clip", "bend"),
                              ("--report", "x.json"), ("--method", "lbs"),
                              ("--space", "mesh"), ("--threads", "1")):
            self.wrong("bake", PRISM, option, value, option, value, naming=option.lstrip("-")[:1])

    def test_an_empty_value_is_refused(self):
        self.wrong("bake", PRISM, "-o", "", naming="--output")
        for option in ("-o", "--report", "--depfile", "--timing", "--clip", "--reference", "--mesh"):
            self.wrong("bake", PRISM, "--fail", "error.max=1", option, "")
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
                self.wrong("bake", "r.gltf", "--fail", "error.max=1", option, output, naming=output)

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


if __name__ == "__main__":
    main()
