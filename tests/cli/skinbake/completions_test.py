#!/usr/bin/env python3
"""The completion of bash, in the real shell."""

import os
import pty
import re
import select
import subprocess
import time

from support import CliTest, PROGRAM, SOURCE, environment, main

BASH = SOURCE / "cli/completion.bash"
COMMANDS = ["inspect", "bake", "compare", "diff", "report", "convert", "fit", "retarget", "batch", "golden", "list"]
NESTED = ["batch merge"]


def with_program():
    """The environment in which bash finds the program."""
    return environment({"PATH": f"{PROGRAM.parent}:{os.environ['PATH']}"})


class Completion(CliTest):
    def setUp(self):
        super().setUp()
        (self.folder / "hero.glb").write_text("")

    def options_of(self, command):
        return set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", self.succeed(*command.split(), "--help").out, re.M))

    def complete(self, line):
        """The words that bash offers for the end of the line."""
        script = (f'source "{BASH}"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _skinbake; '
                  'if ((${#COMPREPLY[@]})); then printf "%s\\n" "${COMPREPLY[@]}"; else compgen -f -- "${!#}"; fi')
        done = subprocess.run(["bash", "--norc", "-uc", script, "bash", *line.split(" ")], cwd=self.folder,
                              env=with_program(), capture_output=True, text=True)
        self.assertEqual(done.stderr, "", line)
        return done.stdout.split()

    def test_commands_options_and_words_come_from_the_help(self):
        complete = self.complete
        self.assertEqual(sorted(complete("skinbake ")), sorted(COMMANDS))
        self.assertEqual(complete("skinbake com"), ["compare"])
        for command in COMMANDS + NESTED:
            self.assertEqual(self.options_of(command), set(complete(f"skinbake {command} --")), command)
        self.assertEqual(complete("skinbake batch mer"), ["merge"])
        self.assertEqual(complete("skinbake batch he"), ["hero.glb"])
        self.assertEqual(sorted(complete("skinbake list ")), ["formats", "methods", "metrics", "targets"])
        self.assertEqual(sorted(complete("skinbake bake hero.glb --color ")), ["always", "auto", "never"])
        self.assertEqual(complete("skinbake bake hero.glb --method sbs-e"), ["sbs-ellipse"])
        self.assertEqual(complete("skinbake bake hero.glb -m cor"), ["cor"])
        self.assertEqual(complete("skinbake bake he"), ["hero.glb"])
        self.assertEqual(complete("skinbake bake hero.glb --clip he"), ["hero.glb"])
        # Bash divides at '='.
        self.assertEqual(complete("skinbake bake hero.glb --color = al"), ["always"])
        self.assertEqual(sorted(complete("skinbake bake hero.glb --color =")), ["always", "auto", "never"])
        self.assertEqual(complete("skinbake bake hero.glb --metrics error,vol"), ["error,volume"])

    def test_at_a_terminal(self):
        shell = Terminal(["bash", "--norc", "--noprofile", "-i"], self.folder)
        shell.say(f'PS1="> "; bind "set enable-bracketed-paste off"; source "{BASH}"; echo rea""dy\r', "ready\r\n")
        for typed, seen in (("skinbake bake he\t", "skinbake bake hero.glb"),
                            ("skinbake bake hero.glb --color al\t", "--color always"),
                            ("skinbake bake hero.glb --color=al\t", "--color=always"),
                            ("skinbake bake hero.glb --report he\t", "--report hero.glb")):
            shell.say(typed, seen)
            shell.say("\x15", "")
        shell.end()


class Terminal:
    """A shell at a terminal, to which a test types."""

    def __init__(self, command, folder):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, {**with_program(), "TERM": "dumb", "HOME": str(folder), "COLUMNS": "400", "LC_ALL": "C.UTF-8"})

    def say(self, typed, awaited, seconds=30):
        """Types, and returns what the shell prints until the awaited text."""
        os.write(self.terminal, typed.encode())
        seen, end = "", time.monotonic() + seconds
        while awaited not in seen:
            if not select.select([self.terminal], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError(f"after {typed!r} the shell did not print {awaited!r} but {seen!r}")
            seen += os.read(self.terminal, 65536).decode(errors="replace")
        return seen

    def end(self):
        os.close(self.terminal)
        os.waitpid(self.process, 0)


if __name__ == "__main__":
    main()
