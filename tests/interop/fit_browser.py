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

import common

WORK = common.PROJECT / "build" / "interop" / "fit_browser"
PLAYER = pathlib.Path(__file__).with_name("fit_browser.mjs")
# rig, correctives, seconds: near the largest error of linear blending
CASES = [(common.RIGS / "bent_arm.gltf", 8, 1.5), (common.SHARED / "assets" / "CesiumMan.glb", 16, 26 / 30)]


def check(rig, correctives, time, chromium, picture):
    """(pixels of the target, differing pixels of the rig, of the fitted file)."""
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    for arguments in (["fit", rig, "--correctives", 0, "-o", WORK / "linear.glb"],
                      ["fit", rig, "--correctives", correctives, "-o", WORK / "fit.glb"],
                      ["bake", rig, "--method", "dqs", "-q", "-o", WORK / "target.glb"]):
        done = common.run([common.PROGRAM, *arguments])
        if done.returncode != 0:
            raise ValueError(f"skinbake {arguments[0]}: exit {done.returncode}: {done.stdout.strip()}")
    done = common.run(["node", PLAYER, common.ORACLE, chromium, WORK, time, picture, "linear.glb", "fit.glb", "target.glb"])
    if done.returncode != 0:
        raise ValueError(f"fit_browser.mjs: exit {done.returncode}: {done.stdout.strip()[-400:]}")
    found = json.loads(done.stdout.splitlines()[-1])
    return found["drawn"], *found["differing"]


def main():
    common.need_program()
    common.need_shared()
    common.need_oracle("validate.mjs")
    chromium = shutil.which("chromium")
    if chromium is None:
        common.skip("no chromium; scripts/setup --ci installs it")
    kept = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None
    failures = 0
    for rig, correctives, time in CASES:
        picture = (kept or common.PROJECT / "build" / "interop") / f"fit_{rig.stem}.png"
        picture.parent.mkdir(parents=True, exist_ok=True)
        try:
            drawn, linear, fitted = check(rig, correctives, time, chromium, picture)
            good = drawn > 1000 and linear > 50 and fitted * 10 < linear
            print(f"{rig.name:16} {drawn:6} pixels; differ from the target: linear blending {linear:6}, fitted {fitted:6} "
                  f"{'' if good else 'FAIL'}".rstrip())
            failures += not good
        except (ValueError, KeyError, IndexError) as problem:
            failures += 1
            print(f"{rig.name:16} FAIL {problem}")
    shutil.rmtree(WORK, ignore_errors=True)
    print(f"{len(CASES)} files, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
