#!/usr/bin/env python3
"""Plays vertex animation textures with three.js in Chromium, by the shader lines of lib/caches/README.md.

    vat_three.py

CesiumMan is baked to EXR and PNG, in both layouts, and to PC2; Fox with all clips in one texture. The positions that the graphics card computes must be
those of the PC2: to the bound that `list formats` states for EXR and for PNG with split=8, and for other PNGs to one
step of 8 bits along each axis, because browsers decode 16-bit images to 8 bits. A lookup from the wrong end of the image would be off by half a metre.
Exit status: 0 every check holds, 1 some do not, 77 skipped because something is not installed (never if CI=true).
"""

import json
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common

np = common.numpy()

PLAYER = pathlib.Path(__file__).with_name("vat_three.mjs")
FLOAT_ROUNDINGS = 6.2e-7  # of the largest coordinate
# (extension, options, the largest error along an axis in parts of the bounds, the smallest that is not suspicious)
KINDS = [("exr", "layout=unreal", 2 ** -25, 0), ("exr", "layout=openvat", 2 ** -25, 0),
         ("png", "layout=unreal", 1 / 255, 1 / 2550), ("png", "layout=openvat", 1 / 255, 1 / 2550),
         ("png", "layout=unreal,split=8", 1 / 131070, 0), ("png", "layout=openvat,split=8", 1 / 131070, 0)]


def positions(path, points):
    return np.fromfile(path, "<f4", offset=32).reshape(-1, points, 3).astype(np.float64)


def check(rig, work, kind, chromium):
    """(the largest error in metres, the same in parts of the diagonal of the bounds, an error text or '')."""
    extension, options, bound, least = kind
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    name = f"a.{extension}"
    done = common.run([common.PROGRAM, "bake", rig, "--clip", "all", "-q", "-o", work / name, "-o", work / "{clip}.pc2",
                       "--format", f"vat:{options}"])
    if done.returncode != 0:
        return 0, 0, f"skinbake bake: exit {done.returncode}: {done.stdout.strip()}"
    sidecar = json.loads((work / f"{name}.json").read_text())
    clips = sidecar.get("clips") or [sidecar]
    baked = np.concatenate([positions(work / f"{clip['clip']}.pc2", sidecar["mesh"]["vertex_count"]) for clip in clips])
    out = work / "played.f32"
    done = common.run(["node", PLAYER, common.ORACLE, chromium, work, name, len(baked), out])
    if done.returncode != 0:
        return 0, 0, f"vat_three.mjs: exit {done.returncode}: {done.stdout.strip()[-300:]}"
    played = np.fromfile(out, "<f4").reshape(baked.shape)
    size = np.subtract(sidecar["vat"]["max"], sidecar["vat"]["min"])
    error = np.linalg.norm(played - baked, axis=2).max()
    diagonal, largest = np.linalg.norm(size), np.abs(baked).max() + size.max()
    if not error <= bound * diagonal + FLOAT_ROUNDINGS * np.sqrt(3) * largest:
        return error, error / diagonal, f"more than {bound:g} of the bounds"
    return error, error / diagonal, "" if error >= least * diagonal else "smaller than 8 bits allow: the manual is out of date"


def main():
    common.need_program()
    common.need_shared()
    common.need_oracle("validate.mjs")
    chromium = common.need_chromium(playwright=True)
    work = common.PROJECT / "build" / "interop" / "vat_three"
    failures = 0
    runs = [("CesiumMan.glb", kind) for kind in KINDS] + [("Fox.glb", KINDS[0]), ("Fox.glb", KINDS[1]), ("Fox.glb", KINDS[4])]
    for rig, kind in runs:
        error, part, wrong = check(common.SHARED / "assets" / rig, work, kind, chromium)
        failures += bool(wrong)
        print(f"{rig:14} {kind[0]} {kind[1]:22} {error:9.2e} m {part:9.2e} {wrong and 'FAIL ' + wrong}".rstrip())
    shutil.rmtree(work, ignore_errors=True)
    print(f"{len(runs)} textures played by three.js, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
