#!/usr/bin/env python3
"""How fast whole bakes are, against the time in which one thread writes the same bytes.

    bake_speed.py SKINBAKE WRITE_REFERENCE FOLDER [--runs N] [--writers]

SKINBAKE is the release binary, WRITE_REFERENCE its neighbour in the benchmarks' build folder; the
rigs, caches and reports (some 4 GB) go to FOLDER and are removed. Bakes are timed as whole
processes, in turn with the reference (which times its write() calls alone, from memory to a fresh
file); figures are medians. Prints a table of figure, ratio and goal. --writers: one bake to each
format, against its own bytes.
"""
import argparse
import os
import statistics
import subprocess
import sys
import time

# What is asked of --format, and how many times the writing of its bytes a bake may take.
WRITERS = [("pc2", "", 1.5), ("mdd", "", 1.5), ("npy", "", 1.5), ("npy", "precision=half", 1.5),
           ("glb", "", 1.5), ("glb", "normals=1", None), ("glb", "quantize=1", 1.5),
           ("glb", "quantize=1,bits=14,meshopt=1", None), ("usda", "", 6), ("exr", "", 1.5),
           ("exr", "precision=half", 1.5), ("png", "", 1.5)]

HERE = os.path.dirname(os.path.abspath(__file__))


class Run:
    """A finished process: seconds and peak memory in MB."""

    def __init__(self, command):
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        self.seconds = time.perf_counter() - start
        self.peak_mb = usage.ru_maxrss / 1024
        if status != 0:
            sys.exit(f"bake_speed.py: {' '.join(command)} failed")


class Bench:
    def __init__(self, options):
        self.options = options
        self.cache = "out.pc2"
        self.rig = self.path("large.glb")
        subprocess.run([sys.executable, os.path.join(HERE, "large_rig.py"), self.rig], check=True)

    def path(self, name):
        return os.path.join(self.options.folder, name)

    def bake(self, frames, *arguments):
        """Bakes the clip's 8 seconds at as many frames a second as give `frames`."""
        for name in (self.cache, self.cache + ".json", "out.json"):
            if os.path.exists(self.path(name)):
                os.remove(self.path(name))
        timing = ("--fps", str(frames // 8), "--frames", f"0:{frames - 1}")
        return Run([self.options.skinbake, "bake", self.rig, "-q", *timing, *arguments])

    def write(self):
        """Seconds in which one thread writes the last bake's bytes to a fresh file."""
        target = self.path("reference.bytes")
        command = [self.options.write_reference, self.path(self.cache), target]
        seconds = float(subprocess.run(command, check=True, capture_output=True).stdout)
        os.remove(target)
        return seconds

    def against_writing(self, what, frames, goal, *arguments):
        self.bake(frames, *arguments)  # warm-up
        bakes, writes = [], []
        for _ in range(self.options.runs):
            bakes.append(self.bake(frames, *arguments).seconds)
            writes.append(self.write())
        bake, write = statistics.median(bakes), statistics.median(writes)
        self.row(what, f"{bake * 1e3:.0f} ms / {write * 1e3:.0f} ms", bake / write,
                 f"at most {goal}" if goal else "no goal")

    def writers(self):
        for extension, options, goal in WRITERS:
            self.cache = f"out.{extension}"
            format_id = "vat" if extension in ("exr", "png") else extension
            chosen = ("--format", f"{format_id}:{options}") if options else ()
            self.against_writing(f"{extension}{':' if options else ''}{options}", 240, goal,
                                 "-o", self.path(self.cache), "--threads", "2", *chosen)
            os.remove(self.path(self.cache))

    def remove_all(self):
        for name in os.listdir(self.options.folder):
            os.remove(self.path(name))

    def row(self, what, figures, ratio, goal):
        print(f"{what:<46} {figures:>24}  {ratio:6.2f}  ({goal})", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("skinbake")
    parser.add_argument("write_reference")
    parser.add_argument("folder")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--writers", action="store_true")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    bench = Bench(options)
    cache, two = ("-o", bench.path("out.pc2")), ("--threads", "2")
    report = ("--report", bench.path("out.json"))
    print("100 000 vertices, 64 joints, 4 influences, 2 threads; bake / write()")
    if options.writers:
        bench.writers()
        bench.remove_all()
        return
    bench.against_writing("lbs, 240 frames (288 MB)", 240, 1.4, *cache, *two)
    bench.against_writing("lbs, 960 frames (1.15 GB)", 960, 1.15, *cache, *two)
    bench.against_writing("dqs with report, 240 frames", 240, 3, *cache, *two, *report,
                          "--method", "dqs")
    few = bench.bake(240, *cache, *two).peak_mb
    many = bench.bake(2400, *cache, *two).peak_mb
    bench.row("peak memory, 2400 / 240 frames", f"{many:.0f} MB / {few:.0f} MB", many / few,
              "at most 1.05, 200 MB")
    measure = (*report, "--method", "dqs", "--per-vertex", "none")
    alone, both = [], []
    for _ in range(options.runs):  # many frames: loading is not what is measured
        alone.append(bench.bake(2400, *measure, "--threads", "1").seconds)
        both.append(bench.bake(2400, *measure, *two).seconds)
    alone, both = statistics.median(alone), statistics.median(both)
    bench.row("dqs report, 2400 frames, 1 / 2 threads",
              f"{alone * 1e3:.0f} ms / {both * 1e3:.0f} ms", alone / both, "at least 1.7")
    bench.remove_all()


main()
