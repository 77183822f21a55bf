#!/usr/bin/env python3
"""Checks that Blender plays the files of `skinbake fit`: the armature, and the correctives as shape keys.

    fit_blender.py

Blender must show the target, a bake by the method, within the printed error + 1e-5 of the mesh's size, because it
computes in float and keys shape keys by frame.

Exit status: 0 every position is within the bound, 1 some are not, 77 skipped because something is not installed (never if CI=true).

environment
  BLENDER    the program (default: blender)
"""

import pathlib
import shutil
import struct
import sys

import common

np = common.numpy()

FPS = 24
SLACK = 1e-5
READER = pathlib.Path(__file__).resolve().parent / "blender_glb_positions.py"
WORK = common.PROJECT / "build" / "interop" / "fit_blender"


def check(program, rig, correctives):
    """(error, bound, error without correctives), relative to the size; an error text or ''."""
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    fitted, target, plain, raw = WORK / "fit.glb", WORK / "target.pc2", WORK / "plain.pc2", WORK / "a.f64"
    done = common.run([common.PROGRAM, "fit", rig, "--correctives", correctives, "--fps", FPS, "-o", fitted])
    if done.returncode != 0:
        return 0, 0, 0, f"skinbake fit: exit {done.returncode}: {done.stdout.strip()}"
    for output, method in ((target, "dqs"), (plain, "lbs")):
        done = common.run([common.PROGRAM, "bake", rig, "--method", method, "--fps", FPS, "-q", "-o", output])
        if done.returncode != 0:
            return 0, 0, 0, f"skinbake bake: exit {done.returncode}: {done.stdout.strip()}"
    points, _, _, frames = struct.unpack("<iffi", target.read_bytes()[16:32])

    def positions(path):
        return np.fromfile(path, "<f4", offset=32).reshape(frames, points, 3).astype(np.float64)

    wanted, linear = positions(target), positions(plain)
    done = common.run([common.PROGRAM, "bake", fitted, "--method", "lbs", "--fps", FPS, "-q", "-o", WORK / "ours.pc2"])
    if done.returncode != 0:
        return 0, 0, 0, f"skinbake bake: exit {done.returncode}: {done.stdout.strip()}"
    ours = np.linalg.norm(positions(WORK / "ours.pc2") - wanted, axis=2).max()
    done = common.run_blender(program, READER, fitted, FPS, frames, raw)
    if done.returncode != 0 or not raw.is_file():
        return 0, 0, 0, f"Blender, exit {done.returncode}: " + "\n".join(done.stdout.splitlines()[-12:])
    seen = np.fromfile(raw, "<f8")
    if seen.size != wanted.size:
        return 0, 0, 0, f"Blender has {seen.size // 3 // frames} vertices for {points}"
    size = np.linalg.norm(wanted.max(axis=(0, 1)) - wanted.min(axis=(0, 1)))
    error = np.linalg.norm(seen.reshape(wanted.shape) - wanted, axis=2).max() / size
    bound = ours / size + SLACK
    before = np.linalg.norm(linear - wanted, axis=2).max() / size
    if before < 10 * bound:
        return error, bound, before, "linear blending is as near, so that nothing is shown"
    return error, bound, before, "" if error <= bound else "more than the bound"


def main():
    program = common.need_blender()
    common.need_program()
    common.need_shared()
    failures = 0
    # Blender turns joints between keys by other rotations than glTF: these models have keys at every frame.
    cases = [(common.SHARED / "assets" / name, correctives)
             for name, correctives in (("CesiumMan.glb", 8), ("CesiumMan.glb", 16), ("RiggedSimple.glb", 4))]
    for rig, correctives in cases:
        error, bound, before, wrong = check(program, rig.resolve(), correctives)
        failures += bool(wrong)
        print(f"{rig.name:20} {correctives:3} correctives {error:9.2e} of the size, bound {bound:9.2e}, linear blending "
              f"{before:9.2e} {wrong and 'FAIL ' + wrong}".rstrip())
    shutil.rmtree(WORK, ignore_errors=True)
    print(f"{len(cases)} files, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
