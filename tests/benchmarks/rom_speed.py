#!/usr/bin/env python3
"""Measures the test bench of a character: its range of motion by four methods, and retargeting a clip.

    rom_speed.py SKINBAKE LOAD_TIMES FOLDER [--runs N]

SKINBAKE is the release binary, LOAD_TIMES the program of that name in the benchmarks' build folder. The character,
the walker of data/rigs with 10 000 vertices, is written to FOLDER and removed. Each run is a separate process. The
first ratio is the median against 10 seconds; its processor time is shown because other programs may run beside it. The
second one is the time of loading the file of a small clip and matching the clip with the character as human bodies,
against loading the file alone; these times of a millisecond are minima.
"""
import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
from rigs.walker import walker  # noqa: E402
from common import print_row  # noqa: E402

DETAIL = 1.83  # times the rings and segments of the walker: 10 000 vertices
MOST_SECONDS = 10
THREADS = 2
RUNS_OF_LOADING = 10  # in each run, because loading takes a millisecond
CLIP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data", "rigs", "walker.glb")


def write_character(path):
    for data in walker(DETAIL).values():
        with open(path, "wb") as file:
            file.write(data)


def compared(skinbake, rig, report):
    """(elapsed seconds, processor seconds) of comparing four methods over the whole range of motion."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime, time.perf_counter()
    subprocess.run([skinbake, "compare", rig, "--mesh", "Body", "--clip", "rom", "--method", "lbs", "--method", "dqs", "--method", "cor", "--method", "ddm",
                    "--metrics", "volume", "--threads", str(THREADS), "-q", "--report", report], check=True)
    return time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("skinbake")
    parser.add_argument("load_times")
    parser.add_argument("folder")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    rig, report = (os.path.join(options.folder, name) for name in ("character.glb", "rom.json"))
    write_character(rig)

    def loading(what, *files):
        run = [options.load_times, what, CLIP, *files]
        return float(subprocess.run(run, check=True, capture_output=True, text=True).stdout)

    runs = [compared(options.skinbake, rig, report) for _ in range(options.runs)]
    with open(report, encoding="utf-8") as file:
        mesh = json.load(file)["meshes"][0]
    pairs = [(loading("clip"), loading("retarget", rig)) for _ in range(options.runs * RUNS_OF_LOADING)]
    for path in (rig, report):
        os.remove(path)
    elapsed, processor = (statistics.median(times) for times in zip(*runs))
    clip, retarget = (min(times) for times in zip(*pairs))
    print(f"{mesh['vertex_count']} vertices, {mesh['runs'][0]['frame_count']} frames of the range of motion, volume by "
          f"lbs, dqs, cor and ddm, {THREADS} threads")
    print_row("compare --clip rom", f"{elapsed:.2f} s ({processor:.2f} s of processor)", elapsed / MOST_SECONDS,
              f"at most 1: {MOST_SECONDS} s")
    print_row("load_clip_file and match_clip", f"{retarget * 1e3:.2f} ms / {clip * 1e3:.2f} ms", retarget / clip,
              "at most 1.2")


main()
