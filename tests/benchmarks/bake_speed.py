#!/usr/bin/env python3
"""Measures whole bakes, against the time in which one thread writes the same bytes.

    bake_speed.py SKINBAKE BENCHMARKS FOLDER [--runs N] [--writers | --report]

SKINBAKE is the release binary, BENCHMARKS the folder of write_reference and evaluate_times, which are
built with the benchmarks; the rigs, caches and reports (some 4 GB) are written to FOLDER and removed.
Bakes are timed as whole processes, alternately with the reference, which times its write() calls alone,
from memory to a fresh file. Figures are medians. Prints a table of figure, ratio and goal.

--writers: prints a Markdown table of a bake to each format. The time of a writer is that of the bake
minus that of evaluating, which is the same process without a cache, with as many passes as the format
needs. Its ratios are medians of runs in which bake, evaluating and raw writing follow one another,
because the speed of writing changes from minute to minute. Memory is the peak of the bake minus that of
loading the rig, in blocks of 16 frames, with normals if the cache has them. Normals are skinned; the
memory with geometric normals follows in the same column.

--report: prints the processor time in user mode, of all threads, that the parts of a report add to a bake
without one, and that of loading: the least of all runs, which alternate. It depends less on other processes
than the time on the clock does.
"""
import argparse
import os
import statistics
import struct
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "scripts"))
import cache_kinds  # noqa: E402
from common import print_row, print_times, write_glb  # noqa: E402

BLOCK_MB = 16 * 100_000 * 12 / 1e6
BLOCKS = 4  # limit for a writer


class Run:
    """A finished process: seconds and peak memory in MB."""

    def __init__(self, command):
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        self.seconds = time.perf_counter() - start
        self.user_seconds = usage.ru_utime
        self.peak_mb = usage.ru_maxrss * 1024 / 1e6
        if status != 0:
            sys.exit(f"bake_speed.py: {' '.join(command)} failed")


def write_small_meshes(path, count):
    """A scene of skinned meshes, each a triangle with two joints. One joint turns."""
    blob, views, accessors = b"", [], []

    def add(component_type, kind, code, *values):
        nonlocal blob
        data = struct.pack(f"<{len(values)}{code}", *values)
        elements = len(values) // {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[kind]
        accessors.append({"bufferView": len(views), "componentType": component_type, "type": kind, "count": elements})
        views.append({"buffer": 0, "byteOffset": len(blob), "byteLength": len(data)})
        blob += data

    add(5126, "VEC3", "f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
    accessors[0].update(min=[0, 0, 0], max=[1, 1, 0])
    add(5121, "VEC4", "B", *(0, 1, 0, 0) * 3)
    add(5126, "VEC4", "f", *(0.5, 0.5, 0, 0) * 3)
    add(5126, "SCALAR", "f", 0, 1)
    accessors[3].update(min=[0], max=[1])
    add(5126, "VEC4", "f", 0, 0, 0, 1, 0, 0, 0.5 ** 0.5, 0.5 ** 0.5)
    write_glb(path, {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, *range(2, count + 2)]}],
        "nodes": [{"children": [1]}, {}] + [{"mesh": 0, "skin": 0, "name": f"mesh {i}"} for i in range(count)],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}}]}],
        "skins": [{"joints": [0, 1]}],
        "animations": [{"samplers": [{"input": 3, "output": 4}],
                        "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}]}],
        "accessors": accessors, "bufferViews": views, "buffers": [{"byteLength": len(blob)}]}, blob)


class Bench:
    def __init__(self, options):
        self.options = options
        self.rig = self.path("large.glb")
        subprocess.run([sys.executable, os.path.join(HERE, "large_rig.py"), self.rig], check=True)

    def path(self, name):
        return os.path.join(self.options.folder, name)

    def outputs(self):
        """The files of the last bake."""
        return [self.path(name) for name in os.listdir(self.options.folder) if name.startswith("out.")]

    def remove_outputs(self):
        for path in self.outputs():
            os.remove(path)

    def bake(self, frames, *arguments):
        """Bakes the clip's 8 seconds at the rate that gives `frames` frames."""
        self.remove_outputs()
        timing = ("--fps", str(max(1, frames // 8)), "--frames", f"0:{frames - 1}")
        return Run([self.options.skinbake, "bake", self.rig, "-q", *timing, *arguments])

    def write(self):
        """Seconds in which one thread writes the last bake's bytes to fresh files."""
        target, seconds = self.path("reference.bytes"), 0.0
        for path in self.outputs():
            if path.endswith(".json"):
                continue
            command = [os.path.join(self.options.benchmarks, "write_reference"), path, target]
            seconds += float(subprocess.run(command, check=True, capture_output=True).stdout)
            os.remove(target)
        return seconds

    def evaluate(self, frames, times, kind):
        """Evaluates the frames 0, 1 or 2 times, and loads the materials if the kind stores them."""
        words = [word for word, has in (("normals", kind.has_normals), ("materials", kind.has_materials)) if has]
        return Run([os.path.join(self.options.benchmarks, "evaluate_times"), self.rig, str(frames // 8),
                    str(frames), str(times), *words])

    def against_writing(self, what, frames, goal, *arguments):
        self.bake(frames, *arguments)  # warm-up
        bakes, writes = [], []
        for _ in range(self.options.runs):
            bakes.append(self.bake(frames, *arguments).seconds)
            writes.append(self.write())
        bake, write = statistics.median(bakes), statistics.median(writes)
        print_times(what, bake, write, f"at most {goal}")

    def small_meshes(self, count):
        """Prints the time of a scene of small meshes by two threads, beside that by one."""
        scene = self.path("meshes.glb")
        write_small_meshes(scene, count)
        seconds = {"1": [], "2": []}
        for _ in range(self.options.runs):
            for threads, times in seconds.items():
                self.remove_outputs()
                times.append(Run([self.options.skinbake, "bake", scene, "-q", "--fps", "2", "--threads", threads,
                                  "-o", self.path("out.glb")]).seconds)
        alone, both = (statistics.median(times) for times in seconds.values())
        print_times(f"{count} meshes of 3 vertices, 2 / 1 threads", both, alone, "at most 1.2")

    def report(self):
        """Prints the user time of a bake by dual quaternions, and what the parts of its report add."""
        file = ("--report", self.path("out.json"))
        kinds = {"one frame: loading and starting": (1, ("-o", self.path("out.pc2"))),
                 "240 frames (288 MB)": (240, ("-o", self.path("out.pc2")))}
        for name, metrics in (("error", "error"), ("volume", "volume"), ("error and volume", "error,volume")):
            kinds[f"with {name}"] = (240, (*kinds["240 frames (288 MB)"][1], *file, "--metrics", metrics,
                                           "--per-vertex", "none"))
        kinds["with error, volume and vertices"] = (240, (*kinds["240 frames (288 MB)"][1], *file))
        least = dict.fromkeys(kinds, float("inf"))
        for _ in range(self.options.runs):
            for name, (frames, arguments) in kinds.items():
                run = self.bake(frames, *arguments, "--method", "dqs", "--threads", "2")
                least[name] = min(least[name], run.user_seconds)
        print("dqs, 100 000 vertices, 64 joints, 2 threads; user time, and what the report adds")
        alone = least["240 frames (288 MB)"]
        for name, seconds in least.items():
            added = f"  + {(seconds - alone) * 1e3:.0f} ms" if name.startswith("with") else ""
            print(f"{name:<46} {seconds * 1e3:>8.0f} ms{added}", flush=True)

    def writers(self):
        print(f"| `-o`, `--format` | MB | evaluating, ms | bake, ms | raw write, ms | writer / raw | goal "
              f"| bake / raw | blocks (at most {BLOCKS}) |\n|---|---:|---|---:|---:|---:|---|---:|---:|")
        for kind in cache_kinds.KINDS:
            self.writer(kind, 240, "-o", self.path(f"out.{kind.extension}"), "--threads", "2",
                        *kind.arguments())

    def writer(self, kind, frames, *arguments):
        loading = self.evaluate(frames, 0, kind)
        self.bake(frames, *arguments)  # warm-up
        runs = []
        for _ in range(self.options.runs):
            runs.append((self.evaluate(frames, kind.passes, kind),
                         self.bake(frames, *arguments), self.write()))
        megabytes = sum(os.path.getsize(path) for path in self.outputs()) / 1e6
        median = lambda of: statistics.median(of(*run) for run in runs)  # noqa: E731
        evaluating, bake, raw = (median(lambda *run, i=i: getattr(run[i], "seconds", run[i])) * 1e3
                                 for i in range(3))
        alone = median(lambda evaluated, baked, raw: (baked.seconds - evaluated.seconds) / raw)
        whole = median(lambda evaluated, baked, raw: baked.seconds / raw)
        block_mb = BLOCK_MB * (2 if kind.has_normals else 1)
        blocks = median(lambda evaluated, baked, raw: baked.peak_mb - loading.peak_mb) / block_mb
        memory = f"{blocks:.1f}"
        if kind.has_normals:
            geometric = self.bake(frames, *arguments, "--normals", "geometric")
            memory += f", geometric {(geometric.peak_mb - loading.peak_mb) / block_mb:.1f}"
        print(f"| `{kind.label}` | {megabytes:.0f} | {evaluating:.0f}{', twice' if kind.passes == 2 else ''} "
              f"| {bake:.0f} | {raw:.0f} | {alone:.2f} | {kind.goal or 'none'} | {whole:.2f} "
              f"| {memory} |", flush=True)

    def remove_all(self):
        for name in os.listdir(self.options.folder):
            os.remove(self.path(name))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("skinbake")
    parser.add_argument("benchmarks")
    parser.add_argument("folder")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--writers", action="store_true")
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    bench = Bench(options)
    cache, two = ("-o", bench.path("out.pc2")), ("--threads", "2")
    report = ("--report", bench.path("out.json"))
    if options.writers or options.report:
        bench.writers() if options.writers else bench.report()
        bench.remove_all()
        return
    print("100 000 vertices, 64 joints, 4 influences, 2 threads; bake / write()")
    bench.against_writing("lbs, 240 frames (288 MB)", 240, 1.4, *cache, *two)
    bench.against_writing("lbs, 960 frames (1.15 GB)", 960, 1.15, *cache, *two)
    bench.against_writing("dqs with report, 240 frames", 240, 3, *cache, *two, *report,
                          "--method", "dqs")
    few = bench.bake(240, *cache, *two).peak_mb
    many = bench.bake(2400, *cache, *two).peak_mb
    print_row("peak memory, 2400 / 240 frames", f"{many:.0f} MB / {few:.0f} MB", many / few,
              "at most 1.05, 200 MB")
    measure = (*report, "--method", "dqs", "--per-vertex", "none")
    alone, both = [], []
    for _ in range(options.runs):  # with many frames the time of loading is negligible
        alone.append(bench.bake(2400, *measure, "--threads", "1").seconds)
        both.append(bench.bake(2400, *measure, *two).seconds)
    alone, both = statistics.median(alone), statistics.median(both)
    print_times("dqs report, 2400 frames, 1 / 2 threads", alone, both, "at least 1.7")
    bench.small_meshes(8000)
    bench.remove_all()


main()
