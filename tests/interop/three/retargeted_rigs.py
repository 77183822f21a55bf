#!/usr/bin/env python3
"""Plays the files of `skinbake retarget` with three.js, in double precision.

    retargeted_rigs.py [PATTERN…]      only the pairs of clip and rig whose names contain a PATTERN

Each written file must play as skinbake bakes the rig with the clip: in three.js and in skinbake itself, at the frames
of the clip, to 1e-6 of the larger of the bounding box's diagonal and the greatest coordinate. The Khronos validator
must find no error that the rig does not have.
Exit status: 0 every pair holds, 1 some do not, 77 skipped because something is not installed (never if CI=true).
"""

import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common
import lbs_oracle
import three_vrm

np = common.numpy()

FPS = 30  # of the written keys
BOUND = 1e-6
ASSETS = common.SHARED / "assets"
WORK = common.PROJECT / "build" / "interop" / "retargeted_rigs"
MOVES = "manny/Med_MovementBasic.glb#Rig_Medium|"
MANNY = "manny/manny_med_mod.gltf"
# (clip, rig): a humanoid of other proportions, by names, files with several buffers, compressed ones, expressions
PAIRS = [(MOVES + "Walking_A", "CesiumMan.glb"), (MOVES + "Running_B", MANNY), (MOVES + "Jump_Full_Long", "KayKit_Knight.glb"),
         (MOVES + "Walking_C", "Godette_vrm0.vrm"), ("CesiumMan.glb", "debug_robot_vrm1.vrm"),
         ("test.vrma", "Godette_vrm0.vrm"), ("test.vrma", "debug_robot_vrm1.vrm"), ("test.vrma", "KayKit_Knight.glb"),
         ("CesiumMan.glb", "derived/CesiumMan_gltfpack_cc.glb"), ("rom", "CesiumMan.glb"), ("rom", MANNY),
         ("rom", "Godette_vrm0.vrm")]


def new_errors(output, rig):
    """The codes and texts of the validator's errors in `output` that `rig` does not have."""
    found = [{(m["code"], m["message"]) for m in report.get("messages", []) if m["severity"] == 0}
             for report in common.validated(output, rig)]
    return found[0] - found[1]


def retargeted(clip, rig, output):
    """The name of the clip in the written file."""
    done = common.run([common.PROGRAM, "retarget", clip, rig, "--fps", FPS, "-o", output])
    if done.returncode != 0:
        raise ValueError(f"skinbake retarget: exit {done.returncode}: {done.stdout.strip()}")
    return done.stdout.split("animation '")[1].split("': ")[0]


def played_fps(clip):
    """The range of motion has some 1 100 keys; every third one is played."""
    return FPS / 3 if str(clip).startswith("rom") else FPS


def baked(rig, clip, fps, folder):
    error = common.bake(rig, folder, "--clip", clip, "--fps", fps, "--method", "lbs")
    if error:
        raise ValueError(error)
    return folder


def difference(expected, actual):
    """The greatest difference of two bakes, relative to the size of the first."""
    worst, low, high = 0.0, np.full(3, np.inf), np.full(3, -np.inf)
    for path in sorted(expected.glob("*.pc2")):
        a, b = (np.fromfile(folder / path.name, "<f4", offset=32).reshape(-1, 3).astype(float)
                for folder in (expected, actual))
        low, high = np.minimum(low, a.min(axis=0)), np.maximum(high, a.max(axis=0))
        worst = max(worst, float(np.linalg.norm(a - b, axis=1).max()))
    return worst / max(float(np.linalg.norm(high - low)), float(np.abs([low, high]).max()))


def check(clip, rig, folder):
    """(error of three.js, error of skinbake), both relative."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    output = folder / "retargeted.glb"
    name = retargeted(clip, rig, output)
    found = new_errors(output, rig)
    if found:
        raise ValueError(f"the validator finds {sorted(found)[:3]}")
    fps = played_fps(clip)
    expected = baked(rig, clip, fps, folder / "expected")
    ours = difference(expected, baked(output, name, fps, folder / "written"))
    common.evaluate(output, "--clip", name, "--fps", fps, "--out", folder / "three")
    _, theirs, _, where = lbs_oracle.compare(folder / "three", expected)
    if not max(ours, theirs) <= BOUND:
        raise ValueError(f"{theirs:.2e} (three.js) and {ours:.2e} (skinbake), more than {BOUND:g}: {where}")
    return theirs, ours


def pairs(folder):
    for clip, rig in PAIRS:
        yield (clip if clip.startswith("rom") else ASSETS / clip), ASSETS / rig
    folder.mkdir(parents=True)
    clips = list(three_vrm.face_clips(folder))
    for model in three_vrm.face_models(folder):
        yield from ((clip, model) for clip in clips)


def main():
    patterns = common.patterns(__doc__)
    common.need_shared()
    common.need_program()
    common.need_oracle("three_lbs.mjs")
    shutil.rmtree(WORK, ignore_errors=True)
    failures = count = 0
    for clip, rig in pairs(WORK / "models"):
        name = f"{str(clip).rsplit('/')[-1]} on {rig.name}"
        if not common.is_chosen(name, patterns):
            continue
        count += 1
        try:
            theirs, ours = check(clip, rig, WORK / "pair")
            print(f"{name:60} three.js {theirs:8.1e} skinbake {ours:8.1e}")
        except (ValueError, KeyError, OSError, IndexError) as problem:
            failures += 1
            print(f"{name:60} FAIL {type(problem).__name__}: {problem}")
    shutil.rmtree(WORK, ignore_errors=True)
    print(f"{count} pairs, {failures} failures; bound {BOUND:g}")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
