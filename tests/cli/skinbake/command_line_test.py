#!/usr/bin/env python3
"""The words of the command line: kinds of files, options without an effect, messages of the parser, the manual."""

import os
import re
import shutil

from support import CliTest, RIGS, SOURCE, main, write_rig

TUBE = RIGS / "twisted_tube.gltf"


class KindsOfFiles(CliTest):
    def test_extensions_are_read_in_any_case_of_letters(self):
        self.succeed("bake", TUBE, "-q", "--report", "B.JSON", "-o", "A.PC2", "--error-matrix", "E.NPY")
        self.succeed("report", "B.JSON", "--against", "B.JSON")
        self.succeed("report", "B.JSON", "-o", "q.HTML", "-o", "q.Md", "-o", "q.XML")
        self.assertIn(b"<!doctype html>", self.read("q.HTML")[:100].lower())
        self.assertTrue(self.read("q.XML").startswith(b"<?xml"))
        self.fail_with(3, "diff", "B.JSON", "A.PC2", naming="is a report")
        self.succeed("bake", TUBE, "-q", "--reference", "A.PC2", "--json")
        rig = write_rig(self.folder / "R.GLTF", ["a"])
        self.succeed("bake", rig, "-q", "-o", "r.npy", "--clip", "R.GLTF#move")
        self.assertIn("identical", self.succeed("diff", "r.npy", rig, "--clip", "R.GLTF#move").out)


class DiffOfBakedGlbs(CliTest):
    def setUp(self):
        super().setUp()
        for name in ("a.glb", "a.pc2"):
            self.succeed("bake", TUBE, "-q", "-o", name, "--frames", "0:4")

    def test_a_baked_glb_does_not_explain_errors(self):
        for a, b in (("a.glb", "a.glb"), ("a.pc2", "a.glb"), ("a.glb", "a.pc2")):
            self.fail_with(2, "diff", a, b, "--explain", "3", naming="a cache does not contain joints")

    def test_options_of_a_rig_do_not_apply_to_baked_glbs(self):
        for option in (["--clip", "none"], ["--fps", "12"], ["--space", "mesh"], ["--frames", "0:3"], ["--loop"],
                       ["--method", "dqs"], ["--max-frames", "9"], ["--scene", "x"]):
            self.fail_with(2, "diff", "a.glb", "a.glb", *option, naming=(option[0], "a.glb is a baked cache"))
        self.succeed("diff", "a.glb", TUBE, "--frames", "0:4", "--fail", "error.max=1e-4")  # one side is a rig

    def test_a_scene_is_that_of_a_rig(self):
        self.fail_with(2, "diff", "a.pc2", "a.pc2", "--scene", "x", naming=("--scene", "neither A nor B is a rig"))
        self.succeed("diff", "a.pc2", "a.pc2", "--scene", "0", "--rig", TUBE)


class WrongOptions(CliTest):
    def wrong(self, command, message):
        name = command.split()[0] if command else ""
        done = self.fail_with(2, *command.split())
        self.assertEqual(done.err, f"skinbake: error: {message}; see skinbake{name and ' '}{name} --help\n")

    def test_an_unknown_option_is_named_with_the_nearest_one(self):
        for command, typed, nearest in (
                ("bake a.glb --metod dqs", "--metod", "--method"), ("bake --metod dqs", "--metod", "--method"),
                ("compare a.glb --methods lbs", "--methods", "--method"), ("inspect a.glb --jsno", "--jsno", "--json"),
                ("diff a b --fial=1", "--fial", "--fail"), ("convert a b --verfy", "--verfy", "--verify"),
                ("report a.json -o b.md --strit", "--strit", "--strict"), ("list methods --jason", "--jason", "--json")):
            self.wrong(command, f"no option '{typed}'; did you mean '{nearest}'?")
        self.wrong("bake a.glb --frobnicate", "no option '--frobnicate'")
        self.fail_with(2, "--fps", "3", "bake", "a.glb", naming="write --fps after the command")
        self.wrong("bake a.glb -x", "no option '-x'")
        self.fail_with(2, "--verison", naming="no option '--verison'; did you mean '--version'?")

    def test_an_unknown_command_is_named_with_the_nearest_one(self):
        for typed, nearest in (("bkae", "bake"), ("comapre", "compare"), ("inspct", "inspect"), ("dif", "diff")):
            self.fail_with(2, typed, "a.glb", naming=f"no command '{typed}'; did you mean '{nearest}'?; see skinbake --help")
        self.fail_with(2, "frobnicate", naming="there are: inspect, bake, compare")

    def test_a_wrong_limit_is_explained(self):
        for text in ("x", "", "m"):
            for command in (("bake", "a.glb", "--report", "r.json"), ("diff", "a.pc2", "b.pc2")):
                self.fail_with(2, *command, "--fail", f"error.max={text}", naming=f"--fail: 'error.max={text}': write KEY=LIMIT")
        self.fail_with(2, "bake", "a.glb", "-o", "a.pc2", "--fps", "", naming="--fps: the value is empty; write a number, N/D or clip")
        for rate in ("0", "1e-300", "1e300", "inf", "nan"):
            self.fail_with(2, "bake", RIGS / "bent_arm.gltf", "-o", "a.pc2", "--fps", rate,
                           naming="must be a number from 1e-15 to 1e15")
            self.fail_with(2, "inspect", RIGS / "bent_arm.gltf", "--fps", rate,
                           naming="must be a number from 1e-15 to 1e15")

    def test_a_surplus_or_missing_argument_is_named(self):
        self.wrong("inspect a.glb b.glb c.glb", "unexpected argument 'b.glb'; inspect takes only FILE; quote a value that "
                                                "contains spaces")
        self.wrong("diff a.pc2", "B is missing; write skinbake diff A B")
        self.wrong("report a.json", "--output: no page is named; add -o PAGE.html, --against or --recommend")
        self.wrong("", "no command is given; there are: inspect, bake, compare, diff, report, convert, fit, retarget, batch, golden, list")

    def test_a_wrong_number_of_values_is_explained(self):
        self.wrong("bake a.glb -m lbs --method dqs", "--method: given 2 times; give it once")
        self.wrong("bake a.glb --method", "--method: the value is missing; write --method NAME[:key=value,…]")
        for value in ("x", "3", "false", "0"):
            self.wrong(f"bake a.glb --json={value}", "--json: does not take a value; write --json alone")
            self.wrong(f"convert a b --verify={value}", "--verify: does not take a value; write --verify alone")

    def test_a_wrong_value_is_explained(self):
        self.wrong("list method", "TOPIC: 'method' is not one of methods, formats, metrics, targets; did you mean 'methods'?")
        self.wrong("bake a.glb --scale x", "--scale: 'x' is not a number; write --scale X")
        self.wrong("bake a.glb --threads 5000", "--threads: '5000' is not a whole number from 0 to 1024")
        for size in ("1X", "-1", "many", "9" * 20, f"{2 ** 64}", f"{2 ** 64}G", "1.5"):
            self.wrong(f"bake a.glb --max-memory={size}",
                       f"--max-memory: '{size}' is not a size; write bytes, or a number and K, M or G: 2G")
        self.fail_with(2, "bake", "a.glb", "--metrics", "erorr", naming="did you mean 'error'?")


class Suggestions(CliTest):
    """A mistyped word is named with the nearest known one. The exit code is that of any wrong word: 2."""

    def test_words_of_options(self):
        for words, meant in ((["--method", "dsq"], "dqs"), (["--method", "dqs:sgin=temporal"], "sign"),
                             (["--method", "ddm:kapa=3"], "kappa"), (["--metrics", "volum"], "volume"),
                             (["--profile", "unrael-4"], "unreal-4"), (["--color", "alway"], "always"),
                             (["-o", "a.pc"], ".pc2"), (["-o", "a.glb", "--format", "glbb:split=1"], "glb"),
                             (["-o", "a.glb", "--format", "glb:splt=1"], "split"), (["-o", "{mehs}.pc2"], "mesh"),
                             (["--reference", "lsb"], "lbs")):
            self.fail_with(2, "bake", TUBE, "--report", "r.json", *words, naming=f"did you mean '{meant}'?")
        self.fail_with(2, "compare", TUBE, "--method", "lbs", "--method", "dqs", "--method", "corr", naming="did you mean 'cor'?")

    def test_an_instruction_set_of_the_environment(self):
        self.fail_with(2, "bake", TUBE, "-o", "a.pc2", env={"SKINBAKE_TARGET": "SCALER"},
                       naming=("SKINBAKE_TARGET", "did you mean 'SCALAR'?" if "SCALAR" in self.targets() else "there are"))

    def targets(self):
        return self.succeed("list", "targets").out

    def test_clips_and_meshes_of_a_rig(self):
        rig = write_rig(self.folder / "r.gltf", ["Body", "Sword"], clips=("Walk", "Armature|Run", "Idle"))
        for typed, meant in (("walk", "Walk"), ("Wlak", "Walk"), ("IDLE", "Idle"), ("run", "Armature|Run")):
            done = self.fail_with(2, "bake", rig, "--clip", typed, "-o", "{mesh}.pc2", naming=f"did you mean '{meant}'?")
            self.assertIn("there are: 'Walk', 'Armature|Run', 'Idle'", done.err)
        for typed, meant in (("body", "Body"), ("Swrod", "Sword")):
            self.fail_with(2, "bake", rig, "--clip", "Walk", "--mesh", typed, "-o", "{mesh}.pc2",
                           naming=f"did you mean '{meant}'?")
        far = self.fail_with(2, "bake", rig, "--clip", "Dance", "-o", "{mesh}.pc2", naming="no clip 'Dance'")
        self.assertNotIn("did you mean", far.err)
        self.succeed("bake", rig, "--clip", "Walk", "-q", "-o", "both.glb")
        self.fail_with(2, "convert", "both.glb", "a.pc2", "--mesh", "Bdoy", naming="did you mean 'Body'?")


class Manual(CliTest):
    def test_the_exit_codes_are_described_alike_in_the_help_and_the_manual(self):
        help_text = self.succeed("--help").out.split("Exit codes:\n")[1]
        described = {code: " ".join(text.split()) for code, text in
                     re.findall(r"^  (\d+) +(.*(?:\n {7}.*)*)", help_text, re.M)}
        self.assertEqual(sorted(described), ["0", "1", "129", "130", "143", "2", "3", "4", "5", "70"])
        signals = ("129", "130", "143")  # one row of the table
        described[", ".join(signals)] = ", ".join(described.pop(code) for code in signals)
        rows = dict(re.findall(r"^\| ([\d, ]+) \| (.*) \|$", (SOURCE / "cli/README.md").read_text(), re.M))
        self.assertEqual({code: text.replace("`", "").split(":")[0] for code, text in rows.items()}, described)

    def test_the_help_names_a_positional_argument_once(self):
        for command, usage, line in (("diff", "A B", "  A REQUIRED "), ("bake", "FILE", "  FILE REQUIRED "),
                                     ("list", "TOPIC", "  TOPIC REQUIRED ")):
            text = self.succeed(command, "--help").out
            self.assertIn(f"[OPTIONS] {usage}\n", text)
            self.assertIn(line, text)

    def test_diff_explains_errors_of_one_method(self):
        self.assertNotIn("each method", self.succeed("diff", "--help").out)


class Launcher(CliTest):
    def launch(self, *build_lines):
        """Runs a copy of scripts/skinbake whose build prints the lines."""
        root = self.folder / "checkout"
        for name, lines in (("scripts/setup", ["exit 0"]), ("bin/cmake", [f"echo '{line}'" for line in build_lines]),
                            ("build/release/cli/skinbake", ["echo the program"])):
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
            path.chmod(0o755)
        (root / "build/release/build.ninja").touch()
        shutil.copy(SOURCE / "scripts/skinbake", root / "scripts/skinbake")
        done = self.succeed(program=root / "scripts/skinbake", env={"PATH": f"{root / 'bin'}:{os.environ['PATH']}"})
        self.assertEqual(done.out, "the program\n")
        return done.err

    def test_a_build_without_changes_prints_nothing(self):
        self.assertEqual(self.launch("[0/2] Re-checking globbed directories...", "ninja: no work to do."), "")

    def test_a_build_of_changed_files_is_printed(self):
        self.assertEqual(self.launch("[0/2] Re-checking globbed directories...", "[1/1] Building a.cpp"),
                         "[1/1] Building a.cpp\n")


class Remedies(CliTest):
    def test_a_file_that_is_not_a_report_refers_to_the_help_of_report(self):
        self.succeed("bake", TUBE, "-q", "-o", "a.glb")
        self.fail_with(3, "report", "a.glb", "-o", "a.html", naming="REPORT_INVALID] (see skinbake report --help)")

    def test_two_outputs_of_one_path_are_explained_by_their_form(self):
        plain = self.fail_with(2, "bake", TUBE, "-o", "x.pc2", "-o", "x.pc2", naming="OUTPUT_TWICE").err
        for words in ("{mesh}", "sidecar"):
            self.assertNotIn(words, plain)
        sidecar = self.fail_with(2, "bake", TUBE, "-o", "x.pc2", "--report", "x.pc2.json", naming="sidecar").err
        self.assertNotIn("{mesh}", sidecar)
        both = self.fail_with(2, "bake", TUBE, "-o", "{mesh}.pc2", "-o", "tube.pc2", naming="{mesh}").err
        self.assertNotIn("sidecar", both)


if __name__ == "__main__":
    main()
