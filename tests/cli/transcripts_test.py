#!/usr/bin/env python3
"""Runs the commands of <command>/ref/*.txt and compares their output, exit codes and files.

usage: transcripts_test.py [--renew]

A transcript begins with a comment. All of its `$ skinbake ...` lines run in one temporary folder, where `rigs` is
data/rigs. Each line is followed by standard output, `[stderr]` with standard error, `[exit N]` unless the exit
code is 0, and `[files]` with every new or changed file, its size and, for a cache, its XXH128. `#` replaces
speeds and versions. --renew replaces the transcripts by the present output of the program; review the difference.
With CI=true in the environment --renew fails: a build server must not change the files that it compares with.
"""

import os
import pathlib
import re
import shlex
import shutil
import sys

from support import CliTest, RIGS, main, strict_json

HERE = pathlib.Path(__file__).parent
RENEW = "--renew" in sys.argv


def without_varying_text(text):
    text = re.sub(r'("version": )"[^"]*"', r'\1"#"', text)
    lines, in_table = [], False
    for line in text.split("\n"):
        is_head = line.startswith("mesh ") and line.endswith("MB/s")
        if is_head or (in_table and not line.startswith("--") and re.search(r" (\d+|-)$", line)):
            line = re.sub(r" +(\S+)$", lambda m: "  MB/s" if is_head else "  #", line)
            in_table = True
        else:
            in_table = False
        lines.append(line)
    return "\n".join(lines)


class Transcripts(CliTest):
    def described(self, name, data):
        is_cache = name.endswith((".pc2", ".mdd", ".npy"))
        text = f"{name} {len(data)}" if is_cache else name
        if is_cache:
            text += " " + strict_json(self.read(name + ".json").decode())["xxh128"]
        return text

    def transcript(self, expected):
        """Runs the commands of a transcript and returns their output in its format."""
        (self.folder / "rigs").symlink_to(RIGS)
        text = "".join(line + "\n" for line in expected.splitlines() if line.startswith("# "))
        for command in re.findall(r"^\$ skinbake(.*)$", expected, flags=re.M):
            before = self.files()
            done = self.run_program(*shlex.split(command))
            text += f"\n$ skinbake{command}\n{without_varying_text(done.out)}"
            text += f"[stderr]\n{without_varying_text(done.err)}" if done.err else ""
            text += f"[exit {done.code}]\n" if done.code else ""
            new = [self.described(name, data) for name, data in self.files().items() if before.get(name) != data]
            text += "[files]\n" + "".join(f"{line}\n" for line in new) if new else ""
        (self.folder / "rigs").unlink()
        return text

    def test_every_transcript(self):
        transcripts = sorted(HERE.glob("*/ref/*.txt"))
        self.assertTrue(transcripts)
        for path in transcripts:
            with self.subTest(str(path.relative_to(HERE))):
                for left in self.folder.iterdir():
                    shutil.rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink()
                expected = path.read_text()
                actual = self.transcript(expected)
                if RENEW:
                    path.write_text(actual)
                self.assertEqual(path.read_text(), actual)


if __name__ == "__main__":
    if RENEW and os.environ.get("CI") == "true":
        sys.exit("transcripts_test.py: --renew is not allowed with CI=true")
    sys.argv = [argument for argument in sys.argv if argument != "--renew"]
    main()
