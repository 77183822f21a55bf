#!/usr/bin/env python3
"""Measures `skinbake diff --match surface`, against `diff` by index of two rigs.

    surface_speed.py SKINBAKE FOLDER [--runs N]

SKINBAKE is the release binary; tubes of 50 000 to 1 000 000 vertices with a clip are written to FOLDER and removed.
Whole processes are timed by their processor time, alternately; figures are medians. The match is the time for one frame;
the time of each further frame is compared with that of a comparison by index. Prints a table of figure, ratio and goal;
exits with 1 if a goal is missed.
"""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys

from common import print_row

FRAMES = 60
MOST_SECONDS, MOST_RATIO, MOST_MEGABYTES = 2, 4, 1024


def used(command):
    """(seconds of processor time, peak memory in MB) of a finished process."""
    process = subprocess.Popen([str(a) for a in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"surface_speed.py: {' '.join(map(str, command))} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def write_rig(path, rings):
    script = pathlib.Path(__file__).with_name("large_rig.py")
    subprocess.run([sys.executable, script, path, str(rings)], check=True)


def measure(skinbake, folder, runs):
    a, b, copy = folder / "a.glb", folder / "b.glb", folder / "c.glb"
    write_rig(a, 1000)
    write_rig(b, 500)
    shutil.copy(a, copy)

    def times(other, *options):
        few, many, peak = [], [], 0
        for _ in range(runs):
            few.append(used([skinbake, "diff", a, other, "--frames", "0:0", *options])[0])
            seconds, memory = used([skinbake, "diff", a, other, "--frames", f"0:{FRAMES}", *options])
            many.append(seconds)
            peak = max(peak, memory)
        first = statistics.median(few)
        return first, (statistics.median(many) - first) / FRAMES, peak

    index_first, index_frame, _ = times(copy, "--match", "index")
    first, frame, peak = times(b, "--match", "surface")
    match = first - index_first
    print_row("match of 100 000 against 50 000 vertices", f"{match:.2f} s", match, f"at most {MOST_SECONDS} s")
    ratio = frame / index_frame
    print_row("each frame, against diff by index", f"{frame * 1e3:.1f} ms / {index_frame * 1e3:.1f} ms", ratio,
              f"at most {MOST_RATIO} x; {peak:.0f} MB")
    return match > MOST_SECONDS or ratio > MOST_RATIO or peak > MOST_MEGABYTES


def measure_memory(skinbake, folder):
    a, b = folder / "large.glb", folder / "quarter.glb"
    write_rig(a, 10_000)
    write_rig(b, 2_500)
    failed = False
    for options in ((), ("--hausdorff",)):
        seconds, peak = used([skinbake, "diff", a, b, "--match", "surface", "--frames", "0:3", *options])
        print_row(f"1 000 000 against 250 000 vertices, 4 frames {' '.join(options)}", f"{seconds:.1f} s, {peak:.0f} MB",
                  peak / MOST_MEGABYTES, f"at most {MOST_MEGABYTES} MB")
        failed |= peak > MOST_MEGABYTES
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("skinbake")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    try:
        slow = measure(options.skinbake, options.folder, options.runs)
        return 1 if measure_memory(options.skinbake, options.folder) or slow else 0
    finally:
        shutil.rmtree(options.folder)


if __name__ == "__main__":
    sys.exit(main())
