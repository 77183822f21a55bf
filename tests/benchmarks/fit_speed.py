#!/usr/bin/env python3
"""Measures `skinbake fit`: time and memory of a large mesh, and the time of usual ones.

    fit_speed.py SKINBAKE FOLDER [--runs N]

SKINBAKE is the release binary. The large rig of large_rig.py is written to FOLDER and removed. Each run is a separate
process; figures are medians. The ratios are against the limits; processor time is shown because other programs may run
beside it.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import time

from common import print_row

HERE = pathlib.Path(__file__).resolve().parent
SHARED = pathlib.Path(os.environ.get("SKINBAKE_SHARED") or HERE.parent.parent.parent / "shared")
CESIUM_MAN = SHARED / "assets" / "CesiumMan.glb"
WALKER = HERE.parent.parent / "data" / "rigs" / "walker.glb"
THREADS = 2
LARGE_SECONDS, LARGE_BYTES = 20, 2e9


def fitted(skinbake, rig, output, *options):
    """(elapsed seconds, processor seconds, bytes of memory)."""
    start = time.perf_counter()
    process = subprocess.Popen([skinbake, "fit", rig, "--threads", str(THREADS), "-q", "-o", output, *options])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, "skinbake fit")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def medians(runs):
    return [statistics.median(values) for values in zip(*runs)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("skinbake")
    parser.add_argument("folder")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    large, output = (os.path.join(options.folder, name) for name in ("large.glb", "fit.glb"))
    subprocess.run([sys.executable, HERE / "large_rig.py", large], check=True)
    print(f"100 000 vertices, 241 frames, dqs, 16 correctives, {THREADS} threads")
    elapsed, processor, memory = medians([fitted(options.skinbake, large, output, "--correctives", "16")
                                          for _ in range(options.runs)])
    print_row("fit", f"{elapsed:.2f} s ({processor:.2f} s of processor)", elapsed / LARGE_SECONDS,
              f"at most 1: {LARGE_SECONDS} s")
    print_row("memory", f"{memory / 1e6:.0f} MB", memory / LARGE_BYTES, "at most 1: 2 GB")
    usual = [("the walker, 31 frames", WALKER)]
    if CESIUM_MAN.is_file():
        usual.append(("CesiumMan, 3273 vertices, 61 frames", CESIUM_MAN))
    for name, rig in usual:
        print(f"{name}, dqs")
        for title, limit, *words in (("bound 0.05 %", 1, "--max-error", "0.05%"),
                                     ("16 correctives", 1, "--correctives", "16"),
                                     ("16 helper joints", 10, "--correctives", "0", "--helpers", "16")):
            elapsed, processor, _ = medians([fitted(options.skinbake, rig, output, *words)
                                             for _ in range(options.runs)])
            print_row(title, f"{elapsed:.2f} s ({processor:.2f} s of processor)", elapsed / limit,
                      f"at most 1: {limit} s")
    for path in (large, output):
        os.remove(path)


main()
