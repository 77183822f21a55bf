#!/usr/bin/env python3
"""Checks that Chromium shows the files of `skinbake fit` as the target: three.js draws linear blending of the rig, of
the fitted file, and a baked GLB of the method.

    fit_browser.py [FOLDER]      keeps the pictures in FOLDER

Exit status: 0 the fitted file looks like the target and the rig does not, 1 it does not, 77 skipped because something is
not installed (never if CI=true).
"""

import json
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common

WORK = common.PROJECT / "build" / "interop" / "fit_browser"
PLAYER = pathlib.Path(__file__).with_name("fit_browser.mjs")
MAN = common.SHARED / "assets" / "CesiumMan.glb"
SMALL = ["--format", "glb:quantize=1,meshopt=1"]
# picture, rig, options of the fit, seconds: near the largest error of linear blending
CASES = [("bent_arm", common.RIGS / "bent_arm.gltf", ["--correctives", 8], 1.5),
         ("CesiumMan", MAN, ["--correctives", 16], 26 / 30),
         ("CesiumMan_quantised", MAN, ["--correctives", 16, *SMALL], 26 / 30),
         ("twisted_tube_helpers", common.RIGS / "twisted_tube.gltf", ["--helpers", 3, "--correctives", 16], 0.9)]


def check(rig, options, time, chromium, picture):
    """(pixels of the target, differing pixels of the rig, of the fitted file)."""
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    common.skinbake("fit", rig, "--correctives", 0, "-o", WORK / "linear.glb")
    common.skinbake("fit", rig, *options, "-o", WORK / "fit.glb")
    common.skinbake("bake", rig, "--method", "dqs", "-q", "-o", WORK / "target.glb")
    done = common.run(["node", PLAYER, common.ORACLE, chromium, WORK, time, picture, "linear.glb", "fit.glb", "target.glb"])
    if done.returncode != 0:
        raise ValueError(f"fit_browser.mjs: exit {done.returncode}: {done.stdout.strip()[-400:]}")
    found = json.loads(done.stdout.splitlines()[-1])
    return found["drawn"], *found["differing"]


def main():
    common.need_program()
    common.need_shared()
    common.need_oracle("validate.mjs")
    chromium = common.need_chromium()
    kept = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None
    failures = 0
    for name, rig, options, time in CASES:
        picture = (kept or common.PROJECT / "build" / "interop") / f"fit_{name}.png"
        picture.parent.mkdir(parents=True, exist_ok=True)
        try:
            drawn, linear, fitted = check(rig, options, time, chromium, picture)
            good = drawn > 1000 and linear > 50 and fitted * 10 < linear
            print(f"{name:24} {drawn:6} pixels; differ from the target: linear blending {linear:6}, fitted {fitted:6} "
                  f"{'' if good else 'FAIL'}".rstrip())
            failures += not good
        except (ValueError, KeyError, IndexError) as problem:
            failures += 1
            print(f"{name:24} FAIL {problem}")
    shutil.rmtree(WORK, ignore_errors=True)
    print(f"{len(CASES)} files, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
