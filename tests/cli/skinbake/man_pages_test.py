#!/usr/bin/env python3
"""The manual pages that help2man makes: man and mandoc find nothing wrong, and every option is described."""

import os
import re
import shutil
import subprocess
import unittest

from support import CliTest, PROGRAM, SOURCE, environment, main

COMMANDS = ["inspect", "bake", "compare", "diff", "report", "convert", "fit", "retarget", "batch", "batch merge", "golden", "list"]


def needs(program):
    """Without the program, a test is skipped; with CI=true it fails."""
    return unittest.skipIf(shutil.which(program) is None and os.environ.get("CI") != "true", f"{program} is not installed")


def page_of(command):
    return "skinbake-" + command.replace(" ", "-") + ".1"


@needs("help2man")
@needs("man")
@needs("mandoc")
class ManPages(CliTest):
    def text_of(self, page):
        done = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True,
                              env=environment({"LC_ALL": "C.UTF-8", "MANWIDTH": "100"}))
        self.assertEqual((done.returncode, done.stderr), (0, ""), page)
        text = re.sub("\x1b\\[[0-9;]*m|.\b", "", done.stdout)
        return " ".join(text.replace("\u2010\n", "").split())

    def test_pages_describe_every_option_and_example(self):
        subprocess.run(["cmake", "-D", f"PROGRAM={PROGRAM}", "-D", f"HELP2MAN={shutil.which('help2man')}", "-D",
                        f"FOLDER={self.folder}", "-P", SOURCE / "cmake/man_pages.cmake"], check=True, env=environment())
        self.assertEqual(set(self.files()), {"skinbake.1", *map(page_of, COMMANDS)})
        for name in self.files():
            done = subprocess.run(["mandoc", "-Tlint", "-Wwarning", self.folder / name], capture_output=True, text=True)
            found = [row for row in done.stdout.splitlines() if "missing date" not in row]  # pages are reproducible
            self.assertEqual(found, [])
        for command in COMMANDS:
            words, text = self.text_of(self.folder / page_of(command)), self.succeed(*command.split(), "--help").out
            self.assertTrue(words.startswith(page_of(command)[:-2].upper() + "(1)"), words[:80])
            for option in re.findall(r"^  (?:-\w,)?(--[\w-]+)", text, re.M):
                self.assertIn(option, words, command)
            for example in re.findall(r"^  (skinbake .*)$", text, re.M):
                self.assertIn(" ".join(example.split()), words, command)
        program = self.text_of(self.folder / "skinbake.1")
        for word in ("--version", "Exit codes", "70 a bug in skinbake"):
            self.assertIn(word, program)


if __name__ == "__main__":
    main()
