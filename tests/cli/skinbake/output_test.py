#!/usr/bin/env python3
"""The text on standard output, on standard error, and on a terminal only."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios
import threading

from support import ALL_RIGS, CliTest, PROGRAM, RIGS, Done, environment, main, strict_json, write_rig

PRISM = RIGS / "two_joints.gltf"
WALKER = RIGS / "walker.glb"
RATES = (500, 2000, 8000, 32000, 128000, 512000)  # the speed of the machine and sanitizers decide which is long enough
COMMANDS = ("inspect", "bake", "list")


class TerminalTest(CliTest):
    def on_terminal(self, *arguments, env=None, columns=200):
        """A run whose standard error is a terminal."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = subprocess.Popen([str(PROGRAM), *map(str, arguments)], cwd=self.folder,
                                   env=environment({"TERM": "xterm-256color", **(env or {})}),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=slave)
        os.close(slave)
        seen = bytearray()

        def read():
            while True:
                try:
                    part = os.read(master, 65536)
                except OSError:  # the program closed the terminal
                    return
                if not part:
                    return
                seen.extend(part)

        reader = threading.Thread(target=read)
        reader.start()
        out = process.stdout.read()
        process.stdout.close()
        code = process.wait(timeout=300)
        reader.join(60)
        os.close(master)
        return Done(subprocess.CompletedProcess([], code, out, bytes(seen)))


class SurfaceProgress(TerminalTest):
    def test_a_comparison_of_surfaces_shows_its_pairs_and_the_frames_of_all_its_passes(self):
        # Two meshes are evaluated, and two directions are measured, in 31 frames each.
        missing = {"preparing the pairs of points", "/124 frames"}
        for sampling in ("0.004", "0.002", "0.001", "0.0005"):
            done = self.on_terminal("diff", PRISM, PRISM, "--match", "surface", "--sampling", sampling)
            self.assertEqual(done.code, 0, done)
            missing = {text for text in missing if text not in done.err}
            if not missing:
                return
        self.fail(f"not shown: {missing}")


class StandardOutput(CliTest):
    def test_the_summary_states_numbers_that_follow_given_ones(self):
        done = self.succeed("bake", PRISM, "-m", "ddm:kappa=5", "-o", "a.pc2")
        mesh = self.json("a.pc2.json")["mesh"]
        self.assertRegex(mesh["method_on_mesh"], r"\Addm:lambda=15,kappa=5,p=\d+\Z")
        self.assertIn(f"\n{mesh['id']}: ddm:kappa=5 is {mesh['method_on_mesh']}\n", done.out)
        self.assertNotIn(" is ddm:", self.succeed("bake", PRISM, "-m", "ddm", "-o", "a.pc2").out)
    def test_json_is_the_report_and_nothing_else(self):
        for rig in ALL_RIGS:
            self.succeed("bake", rig, "--report", "r.json")
            done = self.succeed("bake", rig, "--json")
            self.assertEqual(strict_json(done.out)["schema"], "skinbake.report")
            self.assertEqual(done.out.encode(), self.read("r.json"))
            self.assertEqual(self.succeed("bake", rig, "--report", "-").out, done.out)
            both = self.succeed("bake", rig, "--report", "s.json", "--json", "-v", "--progress", "always")
            self.assertEqual(both.out.encode(), self.read("s.json"))
            self.assertEqual(both.out, done.out)

    def test_json_has_the_table_on_standard_error(self):
        done = self.succeed("bake", PRISM, "--json")
        self.assertIn("volume loss", done.err)

    def test_json_is_complete_when_a_threshold_is_exceeded(self):
        done = self.run_program("bake", PRISM, "--json", "--reference", "dqs", "--fail", "error.max=0")
        self.assertEqual(done.code, 1)
        self.assertEqual(strict_json(done.out)["verdict"]["status"], "fail")

    def test_quiet_prints_nothing(self):
        for arguments in (("-q", "-o", "x.pc2"), ("--quiet", "--report", "x.json"), ("-q", "--fail", "error.max=1"),
                          ("-q", "-o", "x.pc2", "--progress", "always"), ("-q", "--reference", "dqs", "--warn", "error.max=0"),
                          ("-q", "-q", "-o", "x.pc2")):
            done = self.succeed("bake", PRISM, *arguments)
            self.assertEqual((done.out, done.err), ("", ""), arguments)

    def test_quiet_keeps_the_json_and_the_errors(self):
        self.assertEqual(self.succeed("bake", PRISM, "--json", "-q").err, "")
        self.assertEqual(self.succeed("bake", PRISM, "--json", "-q").out, self.succeed("bake", PRISM, "--json").out)
        self.fail_with(2, "bake", PRISM, "-q", "-o", "x.pc2", "--clip", "no", naming="'no'")
        done = self.run_program("bake", PRISM, "-q", "--reference", "dqs", "--fail", "error.max=0")
        self.assertEqual((done.code, done.out), (1, ""))
        self.assertIn("error.max", done.err)

    def test_a_warning_is_printed_unless_quiet(self):
        rig = write_rig(self.folder / "r.gltf", ["a"])
        text = rig.read_text().replace('"asset"', '"extensionsUsed": ["EXT_unheard_of"], "asset"', 1)
        rig.write_text(text)
        done = self.succeed("bake", rig, "-o", "x.pc2")
        self.assertRegex(done.err, r"\Askinbake: warning: [^\n]*r\.gltf[^\n]*EXT_unheard_of[^\n]*\n\Z")
        self.assertEqual(self.succeed("bake", rig, "-o", "x.pc2", "-q").err, "")

    def test_a_warning_names_the_file_as_on_the_command_line(self):
        (self.folder / "in").mkdir()
        rig = write_rig(self.folder / "in" / "r.gltf", ["joint_1"])  # a joint of PRISM, so that the clip moves it
        rig.write_text(rig.read_text().replace('"asset"', '"extensionsUsed": ["EXT_unheard_of"], "asset"', 1))
        for typed in ("in/r.gltf", "./in/../in/r.gltf", str(rig)):
            for command in (("bake", typed, "-o", "x.pc2"), ("bake", PRISM, "--clip", typed, "-o", "y.pc2"),
                            ("diff", "x.pc2", typed, "--json")):
                said = self.succeed(*command).err.splitlines()
                warnings = [line for line in said if "EXT_unheard_of" in line]
                self.assertEqual(len(warnings), 1, said)
                self.assertTrue(warnings[0].startswith(f"skinbake: warning: {typed} /extensionsUsed/0: "), warnings)

    def test_the_table_has_a_line_for_each_mesh_and_clip(self):
        done = self.succeed("bake", WALKER, "-o", "{mesh}.pc2", "--report", "r.json")
        lines = done.out.splitlines()
        self.assertEqual(re.split(r"  +", lines[0]),
                         ["mesh", "clip", "frames", "rms error m", "max error m", "volume loss", "MB/s"])
        self.assertEqual([line.split()[:3] for line in lines[1:4]],
                         [[mesh, "walk", "31"] for mesh in ("Body", "Mouth", "Lantern")])  # props last
        for line in lines[1:4]:
            self.assertRegex(line, r" % +\d+$")
        for line, mesh in zip(lines[4:], ("Body", "Lantern", "Mouth"), strict=True):
            self.assertRegex(line, rf"\A{mesh}\.pc2: \d+ bytes, 12\S* per vertex and frame\Z")
        self.assertEqual(done.err, "")

    def test_the_table_marks_values_that_were_not_measured(self):
        line = self.succeed("bake", PRISM, "-o", "x.pc2").out.splitlines()[1]
        self.assertEqual(line.split()[3:6], ["-", "-", "-"])
        line = self.succeed("bake", PRISM, "--report", "r.json", "--metrics", "volume").out.splitlines()[1]
        self.assertEqual(line.split()[3:], ["-", "-", "25.00", "%", "-"])

    def test_a_value_within_its_limit_is_printed(self):
        done = self.succeed("bake", PRISM, "--method", "dqs", "--fail", "error.max=1", "--warn", "volume.max_loss=90%")
        self.assertRegex(done.out, r"error\.max at most 1 m kept: 0\.0732")
        self.assertRegex(done.out, r"volume\.max_loss at most 90 % kept: 14\.64")


class Help(CliTest):
    def test_every_command_has_an_example_and_a_text_for_each_option(self):
        for arguments in ((), *((command,) for command in COMMANDS)):
            for flag in ("--help", "-h"):
                done = self.succeed(*arguments, flag)
                self.assertEqual(done.err, "")
                self.assertIn("Example", done.out)
                options = self.options_of(done.out)
                self.assertIn("--help", options)
                for option, text in options.items():
                    self.assertGreater(len(text.strip()), 5, f"{arguments} {option}")

    def options_of(self, text):
        """{option: its help}, from lines that begin with two spaces and a dash."""
        found, option = {}, None
        for line in text.splitlines():
            match = re.match(r"  (?:-\w,)?(--[\w-]+)(.*)", line)
            if match:
                option = match[1]
                found[option] = re.sub(r"^ ?\S* ?(\.\.\.)?", "", match[2], count=1)
            elif option and line.startswith("      "):
                found[option] += line
            else:
                option = None
        return found

    def test_help_names_the_defaults_and_the_choices(self):
        text = self.succeed("bake", "--help").out
        for words in ("--fps F|N/D|clip=30", "scene|mesh=scene", "auto|always|never=auto", "bind|rest|first-frame=bind",
                      "NAME[:key=value,…]", "error,volume"):
            self.assertIn(words, text)

    def test_help_of_the_program_names_its_commands_and_exit_codes(self):
        text = self.succeed("--help").out
        for word in (*COMMANDS, "Exit codes", "130", "143"):
            self.assertIn(word, text)

    def test_the_version_equals_the_version_in_reports(self):
        done = self.succeed("--version")
        version = strict_json(self.succeed("bake", PRISM, "--json").out)["tool"]["version"]
        self.assertEqual((done.out, done.err), (f"skinbake {version}\n", ""))

    def test_the_verbose_version_identifies_the_build(self):
        for words in (("--version", "--verbose"), ("-v", "--version")):
            first, *lines = self.succeed(*words).out.splitlines()
            version = first.removeprefix("skinbake ")
            facts = dict(line.split(": ", 1) for line in lines)
            self.assertEqual(list(facts), ["build", "git", "compiler", "instruction sets", "libraries"])
            self.assertRegex(facts["build"], rf"\A{re.escape(version)}-[0-9a-f]{{16}}\Z")
            self.assertRegex(facts["compiler"], r"\A(GNU|Clang) \d+\.\d+\.\d+, \w+\Z")
            targets = [word.removesuffix(" (in use)") for word in facts["instruction sets"].split(", ")]
            listed = strict_json(self.succeed("list", "targets", "--json").out)["targets"]
            self.assertEqual(targets, [target if isinstance(target, str) else target["id"] for target in listed])
            for library in ("CLI11", "Draco", "Eigen", "Highway", "OpenEXR", "nlohmann/json", "oneTBB", "xxHash"):
                self.assertRegex(facts["libraries"], rf"{library} \d+\.\d+")
        self.fail_with(2, "--verbose", "list", "methods", naming="is for --version here")

    def test_the_build_id_is_that_of_batches(self):
        (self.folder / "jobs.json").write_text(json.dumps(
            {"schema": "skinbake.batch", "schema_version": "1.0",
             "jobs": [{"name": "a", "command": "bake", "rig": str(PRISM), "output": "a.pc2"}]}))
        self.succeed("batch", "jobs.json", "-q", "--report", "s.json")
        self.assertIn(f"build: {self.json('s.json')['tool']['build']}\n", self.succeed("--version", "--verbose").out)


class ProgressShown(TerminalTest):
    # The first run that is long enough for a bar, and its frame rate; determined once.
    shown = None
    rate = None

    @staticmethod
    def long_bake(rate):
        return ("bake", RIGS / "bent_arm.gltf", "--method", "dqs", "--fps", str(rate), "--threads", "1",
                "--per-vertex", "none", "--report", "r.json")

    def first_with_a_bar(self, **terminal):
        """(run, rate)"""
        for rate in RATES:
            done = self.on_terminal(*self.long_bake(rate), **terminal)
            self.assertEqual(done.code, 0)
            if done.err:
                return done, rate
        self.fail("no run was long enough for a bar")

    def run_with_a_bar(self):
        kind = type(self)
        if not kind.shown:
            kind.shown, kind.rate = self.first_with_a_bar()
        return kind.shown

    def test_a_terminal_has_a_bar_with_speed_and_time_left(self):
        done = self.run_with_a_bar()
        self.assertRegex(done.err, rf"\[=* *\] arm bend_and_twist  \d+/{2 * self.rate + 1} frames  \d+ frames/s"
                                   r"  \d+:\d\d left")

    def test_the_bar_is_cleared_before_the_table(self):
        done = self.run_with_a_bar()
        self.assertTrue(done.err.endswith("\r\x1b[K"), done.err[-200:])
        self.assertTrue(done.out.startswith("mesh "))

    def test_the_bar_never_goes_back(self):
        numbers = [int(n) for n in re.findall(r"(\d+)/\d+ frames", self.run_with_a_bar().err)]
        self.assertTrue(numbers)
        self.assertEqual(numbers, sorted(numbers))

    def test_the_bar_stays_on_its_line(self):
        done, _ = self.first_with_a_bar(columns=80)  # this run may be faster than the previous one
        lines = [line for line in done.err.split("\r\x1b[K") if line]
        self.assertTrue(lines)
        self.assertLess(max(map(len, lines)), 80)

    def test_progress_never_and_quiet_have_no_bar(self):
        self.run_with_a_bar()
        for option in (("--progress", "never"), ("-q",)):
            done = self.on_terminal(*self.long_bake(self.rate), *option)
            self.assertEqual((done.code, done.err), (0, ""))

    def test_without_a_terminal_a_short_run_has_no_progress(self):
        self.run_with_a_bar()
        self.assertEqual(self.succeed(*self.long_bake(self.rate)).err, "")

    def test_progress_always_prints_lines_without_a_terminal(self):
        for rate in RATES:  # until the run takes longer than a second
            done = self.succeed(*self.long_bake(rate), "--progress", "always")
            if done.err:
                break
        self.assertRegex(done.err, r"\A(skinbake: arm bend_and_twist  \d+/\d+ frames  \d+ frames/s  "
                                   r"\d+:\d\d left\n)+\Z")

    def test_progress_always_prints_nothing_in_less_than_a_second(self):
        self.assertEqual(self.succeed("bake", PRISM, "-o", "x.pc2", "--progress", "always").err, "")


class Colour(TerminalTest):
    COLOUR = re.compile(r"\x1b\[[0-9;]*m")
    WRONG = (("bake", PRISM, "-o", "x.pc2", "--clip", "no"), ("bake", "--frobnicate"), ("inspect", "no.glb"),
             ("frobnicate",), ("list", "colours"))

    def test_errors_are_coloured_on_a_terminal(self):
        for arguments in self.WRONG:
            self.assertRegex(self.on_terminal(*arguments).err, self.COLOUR)

    def test_every_command_respects_no_color(self):
        for arguments in self.WRONG:
            self.assertNotRegex(self.on_terminal(*arguments, env={"NO_COLOR": "1"}).err, self.COLOUR)
            self.assertRegex(self.on_terminal(*arguments, env={"NO_COLOR": ""}).err, self.COLOUR)

    def test_no_colour_without_a_terminal(self):
        for arguments in self.WRONG:
            self.assertNotRegex(self.run_program(*arguments).err, self.COLOUR)

    def test_the_option_overrides_the_environment(self):
        wrong = self.WRONG[0]
        self.assertRegex(self.run_program(*wrong, "--color", "always", env={"NO_COLOR": "1"}).err, self.COLOUR)
        self.assertRegex(self.on_terminal(*wrong, "--color", "always").err, self.COLOUR)
        self.assertNotRegex(self.on_terminal(*wrong, "--color", "never").err, self.COLOUR)

    def test_standard_output_is_never_coloured(self):
        self.assertNotIn("\x1b", self.succeed("bake", PRISM, "--report", "r.json", "--color", "always").out)


if __name__ == "__main__":
    main()
