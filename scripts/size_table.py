#!/usr/bin/env python3
"""Prints the size, the error and the time of a clip in every cache format.

    size_table.py [--quick] [RIG…]    rigs of one mesh; default: a bending tube of 100 000 vertices x 240 frames, and
                                      CesiumMan of the shared assets (or of SKINBAKE_SHARED)

The output is the Markdown table of lib/caches/README.md. Bytes are those of all files of a bake except its
sidecar, per vertex and frame. The error is that of `bake --verify`, relative to the diagonal of the bounding box of
all frames. The time of evaluating and writing is the best of three; --quick measures once.

environment
  SKINBAKE   the program (default: build/release/cli/skinbake)
"""

import argparse
import array
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import cache_kinds

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = os.environ.get("SKINBAKE") or ROOT / "build/release/cli/skinbake"
SHARED = pathlib.Path(os.environ.get("SKINBAKE_SHARED") or ROOT.parent / "shared")


def diagonal(pc2):
    """The diagonal of the bounding box of all frames."""
    numbers = array.array("f")
    numbers.frombytes(pc2.read_bytes()[32:])
    if sys.byteorder == "big":
        numbers.byteswap()
    return math.dist(*([of(numbers[axis::3]) for axis in range(3)] for of in (min, max)))


class Bake:
    """The bake of one rig to one kind of cache."""

    def __init__(self, rig, timing, folder, kind, times):
        for path in folder.glob("a.*"):
            path.unlink()
        self.path = folder / f"a.{kind.extension}"
        report, took = folder / "r.json", folder / "t.json"
        command = [PROGRAM, "bake", rig, "--clip", "#0", *timing, "-q", "-o", self.path, *kind.arguments()]
        subprocess.run([*command, "--verify", "--report", report, "--metrics", "error"], check=True)
        self.error = json.loads(report.read_text())["verification"][0]["max_m"]
        self.seconds = math.inf
        for _ in range(times):
            subprocess.run([*command, "--timing", took], check=True)
            self.seconds = min(self.seconds, json.loads(took.read_text())["bake_s"])
        files = [path for path in folder.glob(self.path.name + "*") if path.suffix != ".json"]
        self.bytes = sum(path.stat().st_size for path in files)
        self.sidecar = json.loads((folder / (self.path.name + ".json")).read_text())

    def cells(self, diagonal_of_all):
        places = self.sidecar["frame_count"] * self.sidecar["mesh"]["vertex_count"]
        error = f"{self.error / diagonal_of_all:.1e}" if self.error else "0"
        return [f"{self.bytes / places:.2f}", error, f"{self.seconds * 1e3:.0f}"]


def print_row(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rigs", nargs="*", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    times = 1 if arguments.quick else 3
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rigs = [(rig, []) for rig in arguments.rigs]
        if not rigs:
            subprocess.run([sys.executable, ROOT / "tests/benchmarks/large_rig.py", folder / "tube.glb"], check=True)
            rigs = [(folder / "tube.glb", ["--frames", "0:239"]), (SHARED / "assets" / "CesiumMan.glb", [])]
        print_row(["`-o`, `--format`"] + [cell for rig, _ in rigs for cell in (f"{rig.stem}: bytes", "error", "ms")])
        print_row(["---"] + ["---:"] * 3 * len(rigs))
        diagonals = {}
        for kind in cache_kinds.KINDS:  # the first is a PC2
            cells = [f"`{kind.label}`"]
            for rig, timing in rigs:
                bake = Bake(rig, timing, folder, kind, times)
                if rig not in diagonals:
                    diagonals[rig] = diagonal(bake.path)
                cells += bake.cells(diagonals[rig])
            print_row(cells)
    return 0


if __name__ == "__main__":
    sys.exit(main())
