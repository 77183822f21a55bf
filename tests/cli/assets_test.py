#!/usr/bin/env python3
"""Bakes every shared model, valid or not, and compares the exit code and the codes with assets/table.json.

    assets_test.py             checks every model, and prints the table
    assets_test.py --renew     writes exit codes and codes into the table, and keeps its sentences

The first frames of the first clip of each model are baked, with a report. Each bake must end at once, and need less
than 200 MB, also with sanitizers.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from support import AT_ONCE, PROGRAM, SHARED_MODELS, environment, require_shared, strict_json

TABLE = pathlib.Path(__file__).parent / "assets" / "table.json"
SUFFIXES = {".gltf", ".glb", ".vrm", ".vrma"}
MOST_MB = 200
# The address sanitizer keeps freed memory, which does not count as the program's.
SANITIZER = {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=2:malloc_context_size=4"}
RENEW = "--renew" in sys.argv


def models():
    """The rigs. The folder `caches` has caches of other programs."""
    paths = [path.relative_to(SHARED_MODELS) for path in SHARED_MODELS.rglob("*") if path.suffix in SUFFIXES]
    return sorted(str(path) for path in paths if path.parts[0] != "caches")


class Run:
    """One bake: exit code, codes of errors and issues, processor seconds, peak memory."""

    def __init__(self, model, arguments):
        command = [str(PROGRAM), "bake", str(SHARED_MODELS / model), "--json", "--per-vertex", "none",
                   "--threads", "1", "--verbose", *arguments]
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                       env=environment(SANITIZER))
            _, status, usage = os.wait4(process.pid, 0)
            out.seek(0), err.seek(0)
            self.out, self.err = out.read().decode(), err.read().decode()
        process.returncode = self.exit = os.waitstatus_to_exitcode(status)
        self.seconds, self.mb = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
        self.codes = self.codes_of()

    def codes_of(self):
        if self.exit in (0, 1):
            return sorted({issue["code"] for issue in strict_json(self.out)["issues"]})
        return sorted(set(re.findall(r" \[([A-Z_]+)\](?: \([^()]*\))?$", self.err, flags=re.M)))


def arguments_of(entry):
    """Two frames of the first clip, unless the table entry marks a model without a clip or a second frame."""
    return entry.get("arguments", ["--clip", "#0", "--frames", "0:1"])


class Assets(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        require_shared(self, "assets")
        self.table = json.loads(TABLE.read_text())

    def test_the_table_names_every_model_and_gives_a_reason(self):
        self.assertEqual(sorted(self.table), models())
        for name, entry in self.table.items():
            self.assertRegex(entry["why"], r"\A\S.{20,}\.\Z", name)
            if not name.startswith("invalid/") and entry["exit"] != 0:
                self.assertIn("because", entry["why"], name)

    def test_every_model_gives_the_exit_code_and_the_codes_of_the_table(self):
        rows = []
        for name, entry in self.table.items():
            with self.subTest(name):
                run = Run(name, arguments_of(entry))
                rows.append((name, str(run.exit), f"{run.seconds:.2f}", f"{run.mb:.0f}", ", ".join(run.codes)))
                self.assertEqual((run.exit, run.codes), (entry["exit"], entry["codes"]), run.err[:2000])
                self.assertLess(run.seconds, AT_ONCE)
                self.assertLess(run.mb, MOST_MB)
                if run.exit == 3:
                    self.assertEqual(run.out, "")
                    self.assertRegex(run.err.splitlines()[-1], r"\Askinbake: error: .+[;:] .+ \[[A-Z_]+\](?: \([^()]+\))?\Z")
        print_table(rows, self.table)


def print_table(rows, table):
    head = ("model", "exit", "s", "MB", "codes")
    widths = [max(len(row[c]) for row in [head, *rows]) for c in range(len(head) - 1)]
    for row in [head, *rows]:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)) + "  " + row[-1])
        if row is not head:
            print("    " + table[row[0]]["why"])


def renew():
    table = json.loads(TABLE.read_text()) if TABLE.exists() else {}
    renewed = {}
    for name in models():
        entry = {"why": "", **table.get(name, {})}
        run = Run(name, arguments_of(entry))
        for arguments in (["--clip", "#0", "--frames", "0"], ["--frames", "0"]):
            if run.exit == 2:
                entry["arguments"] = arguments
                run = Run(name, arguments)
        entry.update(exit=run.exit, codes=run.codes)
        renewed[name] = {key: entry[key] for key in ("arguments", "exit", "codes", "why") if key in entry}
        print(name, run.exit, run.codes, f"{run.seconds:.2f} s", f"{run.mb:.0f} MB", run.err.strip()[-300:] if run.exit else "")
    TABLE.parent.mkdir(exist_ok=True)
    lines = [f"  {json.dumps(name)}: {json.dumps(entry, ensure_ascii=False)}" for name, entry in renewed.items()]
    TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    renew() if RENEW else unittest.main(verbosity=1)
