#!/usr/bin/env python3
"""One failing call of the system in every command: the run ends with an exit code of the table, and all outputs or
none appear. tests/support/fault_injector.cpp lets the call fail.

SKINBAKE_FAULTS is the preload library. SKINBAKE_FAULT_STEP=1 lets every allocation fail in turn; the default is a
sample, as a run has some ten thousand: some at equal distances, and the first from each place in the code.
"""

import collections
import concurrent.futures
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

from support import PROGRAM, RIGS, environment, main

LIBRARY = os.environ.get("SKINBAKE_FAULTS", "")
ALLOCATIONS_PER_COMMAND = 60
OLDER = b"older and good"

# The command, and its outputs, which exist before the run.
COMMANDS = {
    "bake": (["bake", "rig.gltf", "-m", "dqs", "-o", "x.pc2", "-o", "x.glb", "--report", "x.json", "--report", "x.html",
              "--sync"],
             ["x.pc2", "x.pc2.json", "x.glb", "x.glb.json", "x.json", "x.html"]),
    "textures": (["bake", "rig.gltf", "-o", "x.exr", "-o", "x.npy", "-o", "x.usda", "--verify"],
                 ["x.exr", "x.exr.json", "x.exr.glb", "x.npy", "x.npy.json", "x.usda", "x.usda.json"]),
    "compare": (["compare", "rig.gltf", "--method", "lbs", "--method", "dqs", "--method", "cor", "--report", "x.json", "--report", "x.md"],
                ["x.json", "x.md"]),
    "diff": (["diff", "a.pc2", "b.mdd", "--report", "x.json", "--report", "x.xml"], ["x.json", "x.xml"]),
    "diff of a rig": (["diff", "a.pc2", "rig.gltf", "--report", "x.json"], ["x.json"]),
    "convert": (["convert", "a.pc2", "x.npy"], ["x.npy", "x.npy.json"]),
    "fit": (["fit", "rig.gltf", "--correctives", "2", "-o", "x.glb", "--depfile", "x.d", "--sync"], ["x.glb", "x.d"]),
    "retarget": (["retarget", "rig.gltf##0", "rig.gltf", "-o", "x.glb", "--depfile", "x.d", "--sync"],
                 ["x.glb", "x.d"]),
    "report": (["report", "a.json", "-o", "x.html"], ["x.html"]),
    "batch": (["batch", "jobs.json", "-j", "1"], ["x.pc2", "x.pc2.json", "x.pc2.report.json"]),
    "pages of batch": (["batch", "done.json", "--state", "done.jsonl", "--report", "x.xml", "--report", "x.md", "--report",
                        "x.html"], ["x.xml", "x.md", "x.html", "x.done.pc2.report.html"]),
    "batch merge": (["batch", "merge", "done.json", "done.jsonl", "--report", "x.json", "--report", "x.xml"],
                    ["x.json", "x.xml"]),
    "inspect": (["inspect", "rig.gltf", "--json"], []),
}
# 0: the call was not needed, such as reserving disk space. 1: `diff` found a difference.
ALLOWED = (0, 1, 3, 4)
# Commands that do a task again if its files cannot be read; their pages then have its time.
REDONE = ("pages of batch",)
# Files that a run may have written although it failed. A later run reads them line by line, or by their hashes.
STATES = ("jobs.state.jsonl",)


@unittest.skipUnless(LIBRARY, "SKINBAKE_FAULTS names no preload library")
class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="skinbake-faults-")
        cls.addClassCleanup(folder.cleanup)
        cls.inputs = pathlib.Path(folder.name) / "inputs"
        cls.inputs.mkdir()
        shutil.copy(RIGS / "two_joints.gltf", cls.inputs / "rig.gltf")
        for jobs, output in (("jobs.json", "x.pc2"), ("done.json", "done.pc2")):
            (cls.inputs / jobs).write_text('{"schema": "skinbake.batch", "schema_version": "1.0", "jobs": '
                                           f'[{{"rig": "rig.gltf", "output": "{output}", "report": "{output}.report.json"}}]}}')
        subprocess.run([PROGRAM, "batch", "done.json", "-q", "--shard", "1/1", "--state", "done.jsonl"], cwd=cls.inputs, check=True)
        for bake in (["-o", "a.pc2", "--report", "a.json"], ["-o", "b.mdd", "-m", "dqs"]):
            subprocess.run([PROGRAM, "bake", "rig.gltf", "-q", *bake], cwd=cls.inputs, check=True)

    def run_with(self, arguments, outputs, function, call, counts=None, number=0):
        """The exit code, the messages, and the files after a run in which one call fails, or brings a signal."""
        with tempfile.TemporaryDirectory(prefix="skinbake-fault-") as name:
            folder = pathlib.Path(name)
            for path in self.inputs.iterdir():
                shutil.copy(path, folder)
            for output in outputs:
                (folder / output).write_bytes(OLDER)
            faults = {"LD_PRELOAD": LIBRARY, "SKINBAKE_FAULT": function, "SKINBAKE_FAULT_AT": str(call),
                      "SKINBAKE_FAULT_SIGNAL": str(int(number)), "TMPDIR": name}
            if counts:
                faults["SKINBAKE_FAULT_COUNTS"] = str(counts)
            done = subprocess.run([str(PROGRAM), *arguments], cwd=folder, env=environment(faults), timeout=120,
                                  capture_output=True)
            files = {path.name: path.read_bytes() for path in folder.iterdir()
                     if path.is_file() and path.name not in STATES}
            return done.returncode, done.stderr.decode(errors="replace"), files

    def counts_of(self, arguments, outputs):
        """The files of a run without a fault, how often it calls each function, and the first allocation from each
        place in the code."""
        with tempfile.NamedTemporaryFile(prefix="skinbake-counts-") as counts:
            code, err, files = self.run_with(arguments, outputs, "malloc", 0, counts.name)
            self.assertIn(code, (0, 1), err)
            lines = [line.split() for line in pathlib.Path(counts.name).read_text().splitlines()]
            counts = {name: int(count) for name, count in lines if name != "site"}
            return files, counts, [int(call) for name, call in lines if name == "site"]

    def calls(self, function, count, sites):
        if function != "malloc":
            return range(1, count + 1)
        step = int(os.environ.get("SKINBAKE_FAULT_STEP", "0")) or max(1, count // ALLOCATIONS_PER_COMMAND)
        return sorted({*range(1, count + 1, step), *sites})

    def check(self, name, function, call, whole, done, outputs):
        code, err, files = done
        what = f"{name}: {function} {call} fails: exit {code}\n{err}"
        self.assertIn(code, ALLOWED, what)
        left = [name for name in files if name not in whole]
        # The program retries nothing: a temporary file that it cannot remove stays, and the message names it.
        self.assertLessEqual(len(left), 1 if function == "unlink" else 0, what)
        self.assertEqual([name for name in left if f"{name} is a temporary file that could not be removed" not in err], [], what)
        self.assertEqual([name for name in whole if name not in files], [], what)
        older = [output for output in outputs if files[output] == OLDER]
        new = [output for output in outputs if files[output] == whole[output] or
               (name in REDONE and files[output] != OLDER)]
        if code in (0, 1):
            self.assertEqual(new, outputs, what)
        else:
            self.assertRegex(err, "(?m)^skinbake: error: ", what)
            # A call that fails after the commit, such as an allocation for a message, leaves all outputs.
            self.assertIn(outputs, (older, new), what)

    def test_every_failing_call_ends_the_run_with_all_outputs_or_none(self):
        table = collections.Counter()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for name, (arguments, outputs) in COMMANDS.items():
                whole, counts, sites = self.counts_of(arguments, outputs)
                for function, count in counts.items():
                    calls = list(self.calls(function, count, sites))
                    runs = pool.map(lambda call, f=function: self.run_with(arguments, outputs, f, call), calls)
                    for call, done in zip(calls, runs):
                        with self.subTest(command=name, function=function, call=call):
                            self.check(name, function, call, whole, done, outputs)
                        table[name, function, done[0]] += 1
        self.print_table(table)

    def check_signal(self, name, function, call, whole, done, outputs):
        code, err, files = done
        what = f"{name}: a signal at {function} {call}: exit {code}\n{err}"
        self.assertIn(code, (0, 1, 143), what)
        self.assertEqual([file for file in files if file not in whole], [], what)  # no temporary file
        older = [output for output in outputs if files[output] == OLDER]
        self.assertIn(older, ([], outputs), what)
        if "batch" in name:  # whose state is synchronised, too, and whose finished tasks remain
            return
        if code == 143:
            remains = "nothing was written" if older else "the outputs are complete"
            self.assertIn(f"terminated; {remains}", err, what)
        if function == "fsync":  # the disk may need seconds, for which the signal does not wait
            self.assertEqual((code, older), (143, outputs), what)

    def test_a_signal_at_every_call_of_the_commit_leaves_all_outputs_or_none(self):
        table = collections.Counter()
        with concurrent.futures.ThreadPoolExecutor(4 * os.cpu_count()) as pool:  # the runs mostly wait
            for name, (arguments, outputs) in COMMANDS.items():
                whole, counts, _ = self.counts_of(arguments, outputs)
                calls = [(function, call) for function in ("fsync", "close", "link", "rename", "unlink")
                         for call in range(1, counts[function] + 1)]
                runs = pool.map(lambda at: self.run_with(arguments, outputs, *at, number=signal.SIGTERM), calls)
                for (function, call), done in zip(calls, runs):
                    with self.subTest(command=name, function=function, call=call):
                        self.check_signal(name, function, call, whole, done, outputs)
                    table[name, function, done[0]] += 1
        self.print_table(table)

    @staticmethod
    def print_table(table):
        """How many calls failed, and how the runs ended: command, function, {exit code: runs}."""
        ends = collections.defaultdict(dict)
        for (name, function, code), runs in sorted(table.items()):
            ends[name, function][code] = runs
        for (name, function), codes in ends.items():
            text = ", ".join(f"exit {code}: {runs}" for code, runs in codes.items())
            print(f"{name:14} {function:15} {sum(codes.values()):5}  {text}", file=sys.stderr)


if __name__ == "__main__":
    main()
