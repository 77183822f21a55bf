#!/usr/bin/env python3
"""Compares the bytes that `skinbake fit` adds to a rig with those of the smallest vertex cache of the same error.

    fit_table.py [--bound PERCENT] [RIG…]    default: five characters, 0.1 % of the diagonal

The target is dual quaternion skinning of every mesh and clip of the file. Both sides keep the bound in every vertex and
frame: the fit by its own measurement, the caches by `bake --verify`. The caches are baked GLBs of 8 to 16 bits with
meshopt streams, one file with all clips, without the bytes that a file of one frame has: the smallest that keeps the
bound counts. The output is the Markdown table of lib/fit/README.md.

environment
  SKINBAKE          the program (default: build/release/cli/skinbake)
  SKINBAKE_SHARED   the shared folder (default: ../shared)
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = os.environ.get("SKINBAKE") or ROOT / "build/release/cli/skinbake"
ASSETS = pathlib.Path(os.environ.get("SKINBAKE_SHARED") or ROOT.parent / "shared") / "assets"
SMALL = "glb:quantize=1,meshopt=1"
CHARACTERS = (ASSETS / "Bunny.gltf", ASSETS / "RiggedSimple.glb", ROOT / "data/rigs/walker.glb",
              ASSETS / "derived/CesiumMan_gltfpack_cc.glb", ASSETS / "robot.glb")


def skinbake(*words, codes=(0,)):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True)
    if done.returncode not in codes:
        raise SystemExit(f"skinbake {' '.join(map(str, words))}: exit {done.returncode}: {done.stderr.strip()}")
    return done


def fit(rig, bound, folder):
    """The report of a fit of all meshes and clips."""
    skinbake("fit", rig, "--clip", "all", "--max-error", f"{bound}%", "--max-correctives", 256, "-q", "-o",
             folder / "fit.glb", "--format", SMALL, "--report", folder / "fit.json")
    return json.loads((folder / "fit.json").read_text())


def cache(rig, limits, folder):
    """(bits, bytes) of the smallest cache whose meshes keep their limits in metres, without what a GLB of one frame has.

    The errors halve with each bit, so that the least count of bits is found by bisection.
    """
    words = ("bake", rig, "--clip", "all", "-m", "dqs", "-q")
    best = None
    low, high = 8, 16
    while low <= high:
        bits = (low + high) // 2
        form = ("--format", f"{SMALL},bits={bits}")
        done = skinbake(*words, "--verify", "-o", folder / "cache.glb", *form, "--json")
        if all(one["max_m"] <= limits.get(one["mesh"], 0) for one in json.loads(done.stdout)["verification"]
               if one["mesh"] in limits):
            best = bits, (folder / "cache.glb").stat().st_size
            high = bits - 1
        else:
            low = bits + 1
    if best is None:
        return "over 16", float("nan")
    bits, size = best
    skinbake(*words, "-o", folder / "still.glb", "--format", f"{SMALL},bits={bits}", "--frames", "0:0")
    return bits, size - (folder / "still.glb").stat().st_size


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bound", type=float, default=0.1)
    parser.add_argument("rigs", nargs="*", default=CHARACTERS)
    options = parser.parse_args()
    print(f"| character | vertices | frames | correctives | largest error | fit adds | cache | bits |\n|{'---|' * 8}")
    for name in options.rigs:
        with tempfile.TemporaryDirectory() as work:
            report = fit(name, options.bound, pathlib.Path(work))
            meshes = report["meshes"]
            bits, size = cache(name, {mesh["id"]: mesh["limit"] for mesh in meshes}, pathlib.Path(work))
        error = max(clip["after"]["max_relative"] for mesh in meshes for clip in mesh["clips"])
        print(f"| {pathlib.Path(name).stem} | {sum(mesh['vertex_count'] for mesh in meshes)} | "
              f"{sum(clip['frame_count'] for clip in meshes[0]['clips'])} | "
              f"{sum(mesh['correctives'] for mesh in meshes)} | {100 * error:.3f} % | "
              f"{report['output']['added_bytes'] / 1000:.0f} kB | {size / 1000:.0f} kB | {bits} |", flush=True)


if __name__ == "__main__":
    main()
