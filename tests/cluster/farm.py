"""A library of characters, and what every engine must make of it: the summary and the outputs of one run."""

import json
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "interop"))
import common

SCRIPTS = common.PROJECT / "scripts" / "cluster"
MANIFEST = "jobs.json"
SUMMARY = "jobs.summary.json"
SHARDS = (1, 3, 7)
LOST = 2  # the shard of 3 that is submitted again

JOBS = [{"name": method, "rig": "models/*.gl*", "clip": "all", "method": method, "report": "out/{rig}.{clip}.%s.json" % method,
         "output": "out/{rig}.%s.{mesh}.{clip}.pc2" % method, "per-vertex": "none"} for method in ("lbs", "dqs", "cor")]


def make_library(folder, broken=False):
    """A folder with a manifest of three methods for four rigs, one of them cut off if `broken`."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "models").mkdir(parents=True)
    (folder / "out").mkdir()
    for name in ("walker.glb", "bent_arm.gltf", "bent_arm.bin", "two_joints.gltf", "bent_tube.glb"):
        shutil.copy(common.RIGS / name, folder / "models")
    if broken:
        (folder / "models" / "cut.glb").write_bytes((common.RIGS / "walker.glb").read_bytes()[:1000])
    (folder / MANIFEST).write_text(json.dumps({"schema": "skinbake.batch", "schema_version": "1.0", "jobs": JOBS}))
    return folder


def results(folder):
    """The bytes of the summary and of every output."""
    files = {f"out/{path.name}": path.read_bytes() for path in sorted((folder / "out").iterdir())}
    summary = folder / SUMMARY
    files[SUMMARY] = summary.read_bytes() if summary.exists() else b""
    return files


def of_one_run(folder, broken=False):
    """The results of one run, and its exit code."""
    make_library(folder, broken)
    done = common.run([common.PROGRAM, "batch", MANIFEST, "--report", SUMMARY, "-q"], cwd=folder)
    return results(folder), done.returncode


class Farm:
    """Compares what an engine makes with the results of one run, and counts the differences."""

    def __init__(self, engine):
        common.need_program()
        self.engine = engine
        self.work = common.PROJECT / "build" / "cluster" / engine
        self.whole, code = of_one_run(self.work / "whole")
        self.broken, self.broken_code = of_one_run(self.work / "broken", broken=True)
        self.failures = self.checks = 0
        tasks = json.loads(self.whole[SUMMARY])["tasks"]
        self.expect(code == 0 and tasks == 12, f"one run exits {code} with {tasks} tasks")
        self.expect(self.broken_code == 3, f"one run of the broken library exits {self.broken_code}, not 3")

    def expect(self, holds, problem):
        self.checks += 1
        if not holds:
            print(f"FAIL {self.engine}: {problem}")
            self.failures += 1

    def expect_results(self, folder, expected, what):
        found = results(folder)
        for name in sorted(expected | found):
            self.expect(found.get(name) == expected.get(name), f"{what}: {name} differs from one run's")

    def expect_all(self, run):
        """`run(folder, n, again)` returns an exit code; again: the shard that is done once more, else None."""
        for n in SHARDS:
            folder = make_library(self.work / f"of-{n}")
            code = run(folder, n, None)
            self.expect(code == 0, f"{n} shards exit {code}")
            self.expect_results(folder, self.whole, f"{n} shards")
        folder = self.work / "of-3"
        self.lose(folder)
        code = run(folder, 3, LOST)
        self.expect(code == 0, f"a shard submitted again exits {code}")
        self.expect_results(folder, self.whole, "after a shard was lost")

    def lose(self, folder):
        """Removes everything that shard LOST of 3 made."""
        listed = common.run([common.PROGRAM, "batch", MANIFEST, "--shard", f"{LOST}/3", "--dry-run", "--json"], cwd=folder)
        tasks = json.loads(listed.stdout)["tasks"]
        self.expect(len(tasks) > 0, "the lost shard has no task")
        for task in tasks:
            for output in task["outputs"]:
                for path in (folder / output, folder / f"{output}.json"):
                    path.unlink(missing_ok=True)
        for state in folder.glob(f"jobs.s*/{LOST}-of-3.jsonl"):
            state.unlink()
        (folder / f"jobs.state.{LOST}-of-3.jsonl").unlink()
        (folder / SUMMARY).unlink()

    def finish(self):
        if self.failures == 0:
            shutil.rmtree(self.work, ignore_errors=True)
        print(f"{self.engine}: {self.checks} checks, {self.failures} failures")
        return 1 if self.failures else 0


def environment(more=None):
    return {**(more or os.environ), "SKINBAKE": str(common.PROGRAM)}
