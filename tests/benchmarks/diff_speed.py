#!/usr/bin/env python3
"""Measures `skinbake diff`, against the time in which `cat` reads the same two files.

    diff_speed.py SKINBAKE FOLDER [--runs N]

SKINBAKE is the release binary; two PC2 caches of 100 000 vertices and 240 frames (288 MB each) are
written to FOLDER and removed. Whole processes are timed, alternately; figures are medians. Prints a
table of figure, ratio and goal; exits with 1 if a goal is missed.
"""
import argparse
import array
import os
import shutil
import statistics
import struct
import subprocess
import sys
import time

from common import print_times

VERTICES, FRAMES = 100_000, 240
GOAL = 2.5  # x cat


def write_cache(path, moved_by=0.0):
    """Writes points on a wave that moves from frame to frame."""
    wave = array.array("f", (((i * 2654435761) % 65536) / 65536 for i in range(3 * (VERTICES + FRAMES))))
    if moved_by:
        wave = array.array("f", (x + moved_by * (i % 7) for i, x in enumerate(wave)))
    with open(path, "wb") as file:
        file.write(struct.pack("<12siiffi", b"POINTCACHE2\0", 1, VERTICES, 0, 1, FRAMES))
        for frame in range(FRAMES):
            wave[3 * frame:3 * (frame + VERTICES)].tofile(file)


def timed(command, codes, output=subprocess.DEVNULL):
    """(seconds, peak memory in MB) of a finished process."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=output, stderr=output)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if os.waitstatus_to_exitcode(status) not in codes:
        sys.exit(f"diff_speed.py: {' '.join(command)} failed")
    return seconds, usage.ru_maxrss / 1024


def measure(skinbake, a, b, runs):
    rows = [("identical", [a, a + ".copy.pc2"], (0,)), ("different", [a, b], (1,)),
            ("different, with a report", [a, b, "--report", a + ".json"], (1,)),
            ("different, with limits", [a, b, "--fail", "error.max=1e-6", "--fail", "error.rms=1"], (1,))]
    missed = False
    for what, arguments, codes in rows:
        command = [skinbake, "diff", *arguments]
        timed(command, codes)  # warm-up
        cats, diffs, peak = [], [], 0
        for _ in range(runs):
            cats.append(timed(["cat", a, b], (0,))[0])
            seconds, memory = timed(command, codes)
            diffs.append(seconds)
            peak = max(peak, memory)
        cat, diff = statistics.median(cats), statistics.median(diffs)
        missed |= diff > GOAL * cat
        print_times(f"diff of two 288 MB PC2, {what}", diff, cat, f"at most {GOAL} x cat; {peak:.0f} MB")
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("skinbake")
    parser.add_argument("folder")
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    a, b = (os.path.join(options.folder, name) for name in ("a.pc2", "b.pc2"))
    try:
        write_cache(a)
        write_cache(b, moved_by=1e-5)
        shutil.copy(a, a + ".copy.pc2")
        return measure(options.skinbake, a, b, options.runs)
    finally:
        for name in (a, b, a + ".copy.pc2", a + ".json"):
            if os.path.exists(name):
                os.remove(name)


if __name__ == "__main__":
    sys.exit(main())
