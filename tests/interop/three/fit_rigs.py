#!/usr/bin/env python3
"""Plays the files of `skinbake fit` with three.js, in double precision.

    fit_rigs.py [PATTERN…]      only the files whose names contain a PATTERN

Linear blending of each written file must be the target, which skinbake bakes from the rig by its method, within the
printed error + 1e-6 of the larger of the bounding box's diagonal and the greatest coordinate: in three.js and in
skinbake itself. The numbers of correctives and errors must be those that README states. The Khronos validator must
find no error, no warning and no unused object that the rig does not have.
Exit status: 0 every file holds, 1 some do not, 77 skipped because something is not installed (never if CI=true).
"""

import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common
import lbs_oracle

np = common.numpy()

FPS = 30
SLACK = 1e-6
ASSETS = common.SHARED / "assets"
WORK = common.PROJECT / "build" / "interop" / "fit_rigs"
DDM = "ddm:lambda=3,p=20,kappa=1,alpha=0.8"
# rig, method, correctives: the largest error allowed, in % of the diagonal; files with several clips, meshes,
# primitives, morph targets and compressed buffers
CASES = [("CesiumMan.glb", "dqs", 8, 0.063), ("CesiumMan.glb", "dqs", 16, 0.013), ("CesiumMan.glb", DDM, 16, 0.026),
         ("Fox.glb", "dqs", 16, 0.09), (common.RIGS / "bent_arm.gltf", "dqs", 8, 0.001),
         (common.RIGS / "walker.glb", "dqs", 8, None), ("KayKit_Knight.glb", "dqs", 8, None),
         ("derived/CesiumMan_gltfpack_cc.glb", "dqs", 8, None), ("derived/Fox_draco.glb", "dqs", 8, None),
         ("Godette_vrm0.vrm", "dqs", 8, None)]
# The same with other joints and weights.
JOINTS = [("CesiumMan.glb", "lbs", ["--influences", "2:fit", "--correctives", 0], 1.55),
          ("CesiumMan.glb", "lbs", ["--influences", "3:fit", "--correctives", 0], 0.5),
          ("CesiumMan.glb", "dqs", ["--helpers", 4, "--correctives", 0], 0.74),
          (common.RIGS / "twisted_tube.gltf", "dqs", ["--helpers", 3, "--correctives", 0], 1.3),
          (common.RIGS / "bent_arm.gltf", "dqs", ["--helpers", 6, "--correctives", 0], 0.47),
          ("Fox.glb", "dqs", ["--helpers", 2, "--correctives", 4], None)]
# Integers and compressed streams, of which the errors are measured too.
SMALL = ["--format", "glb:quantize=1,meshopt=1"]
QUANTISED = [("CesiumMan.glb", "dqs", ["--correctives", 8, *SMALL], 0.063),
             ("CesiumMan.glb", "dqs", ["--max-error", "0.05%", *SMALL], 0.05),
             ("Fox.glb", "dqs", ["--correctives", 16, "--format", "glb:quantize=1"], 0.09),
             (common.RIGS / "walker.glb", "dqs", ["--correctives", 8, "--normals", *SMALL], None),
             ("derived/CesiumMan_gltfpack_cc.glb", "dqs", ["--max-error", "0.1%"], 0.1),
             ("CesiumMan.glb", "lbs", ["--influences", "2:fit", "--correctives", 0, *SMALL], 1.55),
             (common.RIGS / "twisted_tube.gltf", "dqs", ["--helpers", 3, "--correctives", 0, *SMALL], 1.3)]
# The clips of a file that are played by three.js, evenly spaced; the table of `fit` measures all of them.
MOST_PLAYED = 6
# Models without a clip get that of another character.
CLIP_OF = {"Godette_vrm0.vrm": "CesiumMan.glb"}


def new_findings(output, rig):
    """The codes and texts of the validator's errors and warnings, and of objects without use, that `rig` does not have."""
    found = [{(m["code"], m["message"]) for m in report.get("messages", [])
              if m["severity"] <= 1 or m["code"] == "UNUSED_OBJECT"} for report in common.validated(output, rig)]
    return found[0] - found[1]


def rows(text):
    """(mesh, clip, largest error in metres, in % of the diagonal) of each row of the table."""
    lines = text.splitlines()
    heads = [(m.group(), m.start(), m.end()) for m in re.finditer(r"\S+( \S+)*", lines[0])]
    for line in lines[1:]:
        if " of them added;" in line:
            return
        cells = [cell.strip() for cell in re.split(r"\s{2,}", line)]
        if len(cells) < len(heads) or cells[-1] != "trained":  # lines about joints, clips outside the fit
            continue
        yield cells[0], cells[1], float(cells[7]), float(cells[8].split()[0])


def fitted(rig, method, options, output):
    printed = common.skinbake("fit", rig, "--clip", "all", "--method", method, *options, "-o", output, "--fps", FPS)
    return list(rows(printed[printed.find("mesh  "):]))


def size_of(cache):
    low, high = cache.min(axis=(0, 1)), cache.max(axis=(0, 1))
    return max(float(np.linalg.norm(high - low)), float(np.abs([low, high]).max()))


def check_clip(rig, method, output, clip, bounds, folder):
    """The errors of three.js and of skinbake in a clip beyond those that `fit` printed, relative."""
    for name, source, of in (("target", rig, method), ("ours", output, "lbs")):
        error = common.bake(source, folder / name, "--clip", clip, "--fps", FPS, "--method", of)
        if error:
            raise ValueError(error)
    common.evaluate(output, "--clip", clip.lstrip("#"), "--fps", FPS, "--out", folder / "three")
    _, three, _, where = lbs_oracle.compare(folder / "three", folder / "ours")
    excess = 0.0
    for mesh, bound in bounds.items():
        target, ours = (common.pc2_positions(folder / name / f"{mesh}.pc2", np) for name in ("target", "ours"))
        far = float(np.linalg.norm(target - ours, axis=2).max())
        # three digits are printed
        excess = max(excess, (far - bound * 1.005) / size_of(target))
    _, inexact = lbs_oracle.EXCEPTIONS.get(f"derived/{rig.name}", (0, 0))[:2]
    if not (three <= max(SLACK, inexact) and excess <= SLACK):
        raise ValueError(f"clip {clip}: {three:.2e} between three.js and skinbake, {excess:.2e} beyond the printed "
                         f"error: {where}")
    return three, excess


def check(rig, method, options, most, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if rig.name in CLIP_OF:
        moved = folder / rig.name
        common.skinbake("retarget", ASSETS / CLIP_OF[rig.name], rig, "-q", "-o", moved)
        rig = moved
    output = folder / "fit.glb"
    table = fitted(rig, method, options, output)
    found = new_findings(output, rig)
    if found:
        raise ValueError(f"the validator finds {sorted(found)[:3]}")
    worst = max(row[3] for row in table)
    if most is not None and worst > most:
        raise ValueError(f"{worst} % of the diagonal, more than {most} %")
    clips = list(dict.fromkeys(row[1] for row in table))
    played = clips[::max(1, -(-len(clips) // MOST_PLAYED))]
    three = max(check_clip(rig, method, output, clip, {row[0]: row[2] for row in table if row[1] == clip}, folder)[0]
                for clip in played)
    return worst, three, f"{len(played)} of {len(clips)} clips"


def main():
    patterns = common.patterns(__doc__)
    common.need_shared()
    common.need_program()
    common.need_oracle("three_lbs.mjs")
    failures = count = 0
    cases = [(rig, method, ["--correctives", count], most) for rig, method, count, most in CASES]
    for rig, method, options, most in cases + JOINTS + QUANTISED:
        path = ASSETS / rig
        name = f"{path.name} {method.split(':')[0]} {' '.join(map(str, options))}"
        if not common.is_chosen(name, patterns):
            continue
        count += 1
        try:
            worst, three, played = check(path, method, options, most, WORK)
            bound = "" if most is None else f", at most {most:g} %"
            print(f"{name:56} largest error {worst:7.4f} % of the diagonal{bound}, three.js {three:8.1e} in {played}")
        except (ValueError, KeyError, OSError, IndexError) as problem:
            failures += 1
            print(f"{name:56} FAIL {type(problem).__name__}: {problem}")
    shutil.rmtree(WORK, ignore_errors=True)
    print(f"{count} files, {failures} failures; bound {SLACK:g}")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
