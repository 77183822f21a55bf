#!/usr/bin/env python3
"""The manual pages: groff, man and mandoc find nothing wrong, and every option is described."""

import os
import pathlib
import re
import shutil
import subprocess
import unittest

from support import CliTest, PROGRAM, environment, main

PAGES = pathlib.Path(os.environ.get("SKINBAKE_DOCUMENTS") or PROGRAM.parent / "share").resolve() / "man/man1"
COMMANDS = ["inspect", "bake", "compare", "diff", "report", "convert", "fit", "retarget", "batch", "batch merge", "golden", "list"]


def needs(program):
    """Without the program, a test is skipped; with CI=true it fails."""
    return unittest.skipIf(shutil.which(program) is None and os.environ.get("CI") != "true", f"{program} is not installed")


def page_of(command):
    return "skinbake-" + command.replace(" ", "-")


class ManPages(CliTest):
    def text_of(self, *command):
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True,
                              env=environment({"LC_ALL": "C.UTF-8", "MANWIDTH": "100", "MAN_KEEP_FORMATTING": "0"}))
        self.assertEqual((done.returncode, done.stderr), (0, ""), command)
        return re.sub("\x1b\\[[0-9;]*m|.\b", "", done.stdout)

    def pages(self):
        return sorted(PAGES.iterdir())

    def test_there_is_a_page_for_the_program_and_for_each_command(self):
        self.assertEqual({page.name for page in self.pages()},
                         {"skinbake.1", *(f"{page_of(command)}.1" for command in COMMANDS)})
        for page in self.pages():
            page.read_text(encoding="ascii")

    @needs("groff")
    def test_groff_has_no_warnings(self):
        for page in self.pages():
            self.text_of("groff", "-ww", "-man", "-Tutf8", page)

    @needs("mandoc")
    def test_mandoc_has_no_warnings(self):
        for page in self.pages():
            done = subprocess.run(["mandoc", "-Tlint", "-Wwarning", str(page)], capture_output=True, text=True)
            found = [row for row in done.stdout.splitlines() if "missing date" not in row]  # pages are reproducible
            self.assertEqual(found, [])

    @needs("man")
    def test_man_shows_every_option_and_example(self):
        for command in COMMANDS:
            page = self.text_of("man", "--warnings", "-l", PAGES / f"{page_of(command)}.1")
            words = " ".join(page.split())
            text = self.succeed(*command.split(), "--help").out
            headings = re.findall(r"^[A-Z].*$", page, re.M)[1:-1]
            self.assertEqual(len(headings), len(set(headings)), headings)
            self.assertIn("70 a bug in skinbake", words)
            # What the help says below its options stands there as one text.
            whole = words.replace("\u2010 ", "")  # hyphens at the ends of lines
            for paragraph in text.partition("--config FILE")[2].split("\n\n")[1:]:
                if not paragraph.strip().partition("\n")[0].endswith(":"):
                    self.assertIn(" ".join(paragraph.split()), whole, command)
            for option in re.findall(r"^  (?:-\w,)?(--[\w-]+)", text, re.M):
                self.assertIn(option, words, command)
            for example in re.findall(r"^  (skinbake .*)$", text, re.M):
                self.assertIn(" ".join(example.split()), words, command)
        program = " ".join(self.text_of("man", "--warnings", "-l", PAGES / "skinbake.1").split())
        for word in (*(f"{page_of(command)}(1)" for command in COMMANDS), "--version", "EXIT STATUS", "70 a bug in skinbake"):
            self.assertIn(word, program)


if __name__ == "__main__":
    main()
