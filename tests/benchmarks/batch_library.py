#!/usr/bin/env python3
"""Measures `skinbake batch` over a library: every character of a folder, all clips, two methods.

    batch_library.py SKINBAKE FOLDER ASSETS [--runs N]

SKINBAKE is the release binary. The characters of ASSETS are copied to FOLDER, which is removed at the end. GNU parallel
does the same bakes with a process for each; both run two tasks at a time. The last row is the peaks of memory: of the whole library, and of the largest character alone.
"""
import argparse
import json
import os
import pathlib
import resource
import shlex
import shutil
import subprocess
import sys
import time

from common import print_row

JOBS = 2
METHODS = ("lbs", "dqs")
KINDS = (".glb", ".gltf", ".vrm")
FILES = 1024  # that a process may open


class Library:
    """A folder with rigs, a manifest and the outputs."""

    def __init__(self, skinbake, folder, assets):
        self.skinbake = str(pathlib.Path(skinbake).resolve())
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(assets, folder / "models", ignore=shutil.ignore_patterns("invalid", "licenses"))
        self.rigs = [path for path in sorted((folder / "models").rglob("*")) if path.suffix in KINDS and self.is_rig(path)]
        self.clear()

    def is_rig(self, path):
        done = subprocess.run([self.skinbake, "inspect", path, "--json"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False)
        content = json.loads(done.stdout or b"{}")
        return done.returncode == 0 and content.get("meshes") and content.get("clips")

    def write(self, dqs=None, name="jobs.json"):
        jobs = [{"name": f"{method}-{i}", "rig": str(rig.relative_to(self.folder)), "clip": "all", "method": method,
                 "output": f"out/{i}.{method}.{{mesh}}.{{clip}}.pc2", "report": f"out/{i}.{method}.{{clip}}.json",
                 **((dqs or {}) if method == "dqs" else {})}
                for i, rig in enumerate(self.rigs) for method in METHODS]
        (self.folder / name).write_text(json.dumps({"schema": "skinbake.batch", "schema_version": "1.0", "jobs": jobs}))

    def clear(self):
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        (self.folder / "out").mkdir()
        (self.folder / "jobs.state.jsonl").unlink(missing_ok=True)

    def run(self, *words, code=0, **options):
        """(elapsed seconds, processor seconds, MiB of the largest process)"""
        start = time.perf_counter()
        process = subprocess.Popen([str(word) for word in words], cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, **options)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != code:
            sys.exit(f"{' '.join(map(str, words))}: exit code {process.returncode}, not {code}")
        return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024

    def batch(self, *options, code=0, **more):
        return self.run(self.skinbake, "batch", "jobs.json", "-j", JOBS, "-q", *options, code=code, **more)

    def tasks(self):
        text = subprocess.run([self.skinbake, "batch", "jobs.json", "--dry-run", "--json"], cwd=self.folder,
                              check=True, capture_output=True, text=True).stdout
        return json.loads(text)["tasks"]

    def done_again(self):
        """The number of tasks that are not up to date."""
        return sum(not task["up_to_date"] for task in self.tasks())


def row(what, tasks, figures, reference):
    elapsed, processor, _ = figures
    print_row(what, f"{tasks:4} tasks {elapsed:6.2f} s {processor:6.2f} s CPU", elapsed / reference, "elapsed / whole")


def measure_changes(library, whole, tasks):
    """Runs after changes: nothing, a model, an option, a task that fails."""
    row("second run", 0, library.batch(), whole)
    row("second run --trust-mtime", 0, library.batch("--trust-mtime"), whole)
    rig = library.rigs[0]
    data = rig.read_bytes()
    rig.write_bytes(data + b"\n\n\n\n")
    row(f"one model touched ({rig.name})", library.done_again(), library.batch(), whole)
    library.write({"fps": 24})
    row("one option changed (fps of dqs)", library.done_again(), library.batch(), whole)
    rig.write_bytes(data[:len(data) // 2])
    row("one model cut off: its tasks fail", library.done_again(), library.batch(code=3), whole)
    rig.write_bytes(data)
    library.write()


def measure_others(library, whole, tasks):
    library.clear()
    if shutil.which("parallel"):
        lines = "".join(shlex.join([library.skinbake, *task["command"], "-q", "--threads", "1"]) + "\n"
                        for task in library.tasks())
        (library.folder / "lines").write_text(lines)
        row("GNU parallel, a process for each", tasks,
            library.run("parallel", "--will-cite", "-j", JOBS, "-a", "lines"), whole)


def measure_memory(library):
    def alone(rig):
        return library.run(library.skinbake, "bake", rig, "--clip", "all", "-o", "out/{mesh}.{clip}.pc2", "--report",
                           "out/alone.json", "-q", "--threads", "1")[2]
    library.clear()
    largest, name = max((alone(rig), rig.name) for rig in library.rigs)
    library.clear()
    peak = library.batch()[2]
    print_row(f"peak, {len(library.rigs)} characters / {name} alone", f"{peak:.0f} MiB / {largest:.0f} MiB", peak / largest,
              f"{JOBS} tasks at a time")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("skinbake")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("assets", type=pathlib.Path)
    options = parser.parse_args()
    library = Library(options.skinbake, options.folder.resolve(), options.assets)
    library.write()
    tasks = len(library.tasks())
    whole = library.batch(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES)))
    files = sum(1 for _ in (library.folder / "out").iterdir())
    size = sum(path.stat().st_size for path in (library.folder / "out").iterdir())
    print(f"{len(library.rigs)} characters, {tasks} bakes, {files} files, {size / 1e9:.2f} GB, with at most {FILES} open files")
    row("whole run", tasks, whole, whole[0])
    measure_changes(library, whole[0], tasks)
    measure_others(library, whole[0], tasks)
    measure_memory(library)
    shutil.rmtree(library.folder)


if __name__ == "__main__":
    main()
