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
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common

np = common.numpy()

FPS = 24
SLACK = 1e-5
READER = pathlib.Path(__file__).resolve().parent / "blender_glb_positions.py"
WORK = common.PROJECT / "build" / "interop" / "fit_blender"


def check(program, rig, options):
    """(error, bound, error of linear blending of the rig), relative to the size. Raises ValueError."""
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    fitted, raw = WORK / "fit.glb", WORK / "a.f64"
    common.skinbake("fit", rig, *options, "--fps", FPS, "-o", fitted)

    def baked(source, method):
        common.skinbake("bake", source, "--method", method, "--fps", FPS, "-q", "-o", WORK / "baked.pc2")
        return common.pc2_positions(WORK / "baked.pc2", np)

    def largest(positions):
        return np.linalg.norm(positions - wanted, axis=2).max() / size

    wanted = baked(rig, "dqs")
    size = np.linalg.norm(wanted.max(axis=(0, 1)) - wanted.min(axis=(0, 1)))
    bound, before = largest(baked(fitted, "lbs")) + SLACK, largest(baked(rig, "lbs"))
    done = common.run_blender(program, READER, fitted, FPS, len(wanted), raw)
    if done.returncode != 0 or not raw.is_file():
        raise ValueError(f"Blender, exit {done.returncode}: " + "\n".join(done.stdout.splitlines()[-12:]))
    seen = np.fromfile(raw, "<f8")
    if seen.size != wanted.size:
        raise ValueError(f"Blender has {seen.size // 3 // len(wanted)} vertices for {wanted.shape[1]}")
    if before < 2 * bound:
        raise ValueError("linear blending is as near, so that nothing is shown")
    return largest(seen.reshape(wanted.shape)), bound, before


def main():
    program = common.need_blender()
    common.need_program()
    common.need_shared()
    failures = 0
    # Blender turns joints between keys by other rotations than glTF: these models have keys at every frame.
    cases = [("CesiumMan.glb", ["--correctives", 8]), ("CesiumMan.glb", ["--correctives", 16]),
             ("RiggedSimple.glb", ["--correctives", 4]), ("CesiumMan.glb", ["--helpers", 4, "--correctives", 0]),
             ("CesiumMan.glb", ["--correctives", 8, "--format", "glb:quantize=1"])]
    for name, options in cases:
        title = f"{name} {' '.join(map(str, options))}"
        try:
            error, bound, before = check(program, (common.SHARED / "assets" / name).resolve(), options)
            failures += not error <= bound
            print(f"{title:58} {error:9.2e} of the size, bound {bound:9.2e}, linear blending {before:9.2e}"
                  f"{'' if error <= bound else ' FAIL'}")
        except ValueError as problem:
            failures += 1
            print(f"{title:58} FAIL {problem}")
    shutil.rmtree(WORK, ignore_errors=True)
    print(f"{len(cases)} files, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
