#!/usr/bin/env python3
"""Completions of bash, zsh and fish, in the real shells."""

import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import time
import unittest

from support import CliTest, PROGRAM, environment, main

SHARE = pathlib.Path(os.environ.get("SKINBAKE_DOCUMENTS") or PROGRAM.parent / "share").resolve()
BASH = SHARE / "bash-completion/completions/skinbake"
ZSH = SHARE / "zsh/site-functions"
FISH = SHARE / "fish/vendor_completions.d/skinbake.fish"
COMMANDS = ["inspect", "bake", "compare", "diff", "report", "convert", "fit", "retarget", "batch", "golden", "list"]
NESTED = ["batch merge"]
METRICS = ["error", "volume"]


def needs(shell):
    """Without the shell, a test is skipped; with CI=true it fails."""
    return unittest.skipIf(shutil.which(shell) is None and os.environ.get("CI") != "true", f"{shell} is not installed")


class Completion(CliTest):
    def setUp(self):
        super().setUp()
        (self.folder / "hero.glb").write_text("")

    def options_of(self, command):
        return set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", self.succeed(*command.split(), "--help").out, re.M))

    def check(self, complete):
        """complete(line) returns the words that the shell offers for the end of the line."""
        self.assertEqual(sorted(complete("skinbake ")), sorted(COMMANDS))
        self.assertEqual(complete("skinbake com"), ["compare"])
        for command in COMMANDS + NESTED:
            self.assertLessEqual(self.options_of(command), set(complete(f"skinbake {command} --")), command)
        self.assertEqual(complete("skinbake bake --fail-vol"), ["--fail-volume-loss"])
        self.assertEqual(complete("skinbake batch mer"), ["merge"])
        self.assertEqual(complete("skinbake batch he"), ["hero.glb"])
        self.assertEqual(complete("skinbake batch merge hero.glb --sum"), ["--summary"])
        self.assertNotIn("--shard", complete("skinbake batch merge --"))
        self.assertIn("--shard", complete("skinbake batch --"))
        self.assertEqual(sorted(complete("skinbake list ")), ["formats", "methods", "metrics", "targets"])
        self.assertEqual(sorted(complete("skinbake bake hero.glb --color ")), ["always", "auto", "never"])
        self.assertEqual(complete("skinbake bake hero.glb --method sbs-e"), ["sbs-ellipse"])
        self.assertEqual(complete("skinbake bake hero.glb -m cor"), ["cor"])
        self.assertEqual(complete("skinbake bake he"), ["hero.glb"])
        self.assertEqual(complete("skinbake bake hero.glb --clip he"), ["hero.glb"])

    @needs("bash")
    def test_bash(self):
        def complete(line):
            words = line.split(" ")
            script = (f'source "{BASH}"; COMP_LINE="$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() {{ :; }}; _skinbake; '
                      'if ((${#COMPREPLY[@]})); then printf "%s\\n" "${COMPREPLY[@]}"; else compgen -f -- "${!#}"; fi')
            done = subprocess.run(["bash", "--norc", "-euc", script, "bash", line, *words], cwd=self.folder,
                                  env=environment(), capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), line)
            return done.stdout.split()

        self.check(complete)
        # Bash divides at '='.
        self.assertEqual(complete("skinbake bake hero.glb --color = al"), ["always"])
        self.assertEqual(sorted(complete("skinbake bake hero.glb --color =")), ["always", "auto", "never"])
        self.assertEqual(complete("skinbake bake hero.glb --metrics error,vol"), ["error,volume"])

    @needs("bash")
    def test_bash_at_a_terminal(self):
        shell = Terminal(["bash", "--norc", "--noprofile", "-i"], self.folder)
        shell.say(f'PS1="> "; bind "set enable-bracketed-paste off"; source "{BASH}"; echo ready\r', "ready\r\n")
        for typed, seen in (("skinbake ba\tfoo", "skinbake bat?"), ("skinbake bake he\t", "skinbake bake hero.glb"),
                            ("skinbake bake hero.glb --color al\t", "--color always"),
                            ("skinbake bake hero.glb --color=al\t", "--color=always"),
                            ("skinbake bake hero.glb --fps he\t#", "--fps he\x07#"),  # a number is no file: a bell
                            ("skinbake bake hero.glb --report he\t", "--report hero.glb")):
            if "?" not in seen:
                shell.say(typed, seen)
                shell.say("\x15", "")
        shell.end()

    @needs("fish")
    def test_fish(self):
        def complete(line):
            done = subprocess.run(["fish", "--no-config", "-c", f"source {FISH}; complete -C {fish_quoted(line)}"],
                                  cwd=self.folder, env=environment({"HOME": str(self.folder), "LC_ALL": "C.UTF-8"}),
                                  capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), line)
            return [row.split("\t")[0] for row in done.stdout.splitlines()]

        self.check(complete)

    @needs("zsh")
    def test_zsh(self):
        shell = Terminal(["zsh", "-f", "-i"], self.folder)
        shell.say("PS1='> '; unsetopt zle_bracketed_paste; LISTMAX=9999; echo rea''dy\r", "ready\r\n")
        shell.say(f"fpath=({ZSH} $fpath); autoload -U compinit; compinit -u -D; zstyle ':completion:*' menu no; echo load''ed\r", "loaded\r\n")
        # The widget prints what the completion has left on the line.
        shell.say("show() { print -r; print -r -- \"<$BUFFER>\"; BUFFER=; zle redisplay }; zle -N show; bindkey '^T' show; echo bou''nd\r", "bound\r\n")

        def line_after(typed):
            return re.findall(r"<(.*?)>\r", shell.say(f"{typed}\t\x14", ">\r\n"))[-1]

        for typed, expected in (("skinbake com", "skinbake compare "), ("skinbake bake --fail-vol", "skinbake bake --fail-volume-loss="),
                                ("skinbake list form", "skinbake list formats "),
                                ("skinbake batch mer", "skinbake batch merge "), ("skinbake batch he", "skinbake batch hero.glb "),
                                ("skinbake batch merge he", "skinbake batch merge hero.glb "),
                                ("skinbake batch merge --jun", "skinbake batch merge --junit="),
                                ("skinbake bake hero.glb --color al", "skinbake bake hero.glb --color always "),
                                ("skinbake bake hero.glb --color=al", "skinbake bake hero.glb --color=always "),
                                ("skinbake bake hero.glb --method sbs-e", "skinbake bake hero.glb --method sbs-ellipse "),
                                ("skinbake bake hero.glb -m co", "skinbake bake hero.glb -m cor "),
                                ("skinbake bake he", "skinbake bake hero.glb "), ("skinbake bake --report he", "skinbake bake --report hero.glb "),
                                ("skinbake bake hero.glb --metrics error,vol", "skinbake bake hero.glb --metrics error,volume"),
                                ("skinbake diff hero.glb he", "skinbake diff hero.glb hero.glb ")):
            self.assertEqual(line_after(typed).rstrip(" ,"), expected.rstrip(), typed)
        for command in COMMANDS + NESTED:
            for option in sorted(self.options_of(command)):
                after = line_after(f"skinbake {command} {option}")
                self.assertTrue(after.startswith(f"skinbake {command} {option}"), after)
        shell.end()


def fish_quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


class Terminal:
    """A shell at a terminal, to which a test types."""

    def __init__(self, command, folder):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, environment({"TERM": "dumb", "HOME": str(folder), "COLUMNS": "400", "LC_ALL": "C.UTF-8"}))

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
