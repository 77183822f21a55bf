#!/usr/bin/env python3
"""Plays vertex animation textures with three.js in Chromium, by the shader lines of lib/caches/README.md.

    vat_three.py

CesiumMan is baked to EXR and PNG, in both layouts, and to PC2; Fox with all clips in one texture. The positions that
the graphics card computes, in every fifth frame, must be those of the PC2: to the bound that `list formats` states for
EXR and for PNG with split=8, and for other PNGs to one step of 8 bits along each axis, because browsers decode 16-bit
images to 8 bits. A lookup from the wrong end of the image would be off by half a metre.
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
STRIDE = 5  # of the frames that are played; the last frame is played too
FLOAT_ROUNDINGS = 6.2e-7  # of the largest coordinate
# (extension, options, the largest error along an axis in parts of the bounds, the smallest that is not suspicious)
KINDS = [("exr", "layout=unreal", 2 ** -25, 0), ("exr", "layout=openvat", 2 ** -25, 0),
         ("png", "layout=unreal", 1 / 255, 1 / 2550), ("png", "layout=openvat", 1 / 255, 1 / 2550),
         ("png", "layout=unreal,split=8", 1 / 131070, 0), ("png", "layout=openvat,split=8", 1 / 131070, 0)]


def positions(path, points):
    return np.fromfile(path, "<f4", offset=32).reshape(-1, points, 3).astype(np.float64)


def baked(rig, folder, kind):
    """Bakes a texture and PC2s to `folder`; returns the job of the player, and its expected positions."""
    extension, options, _, _ = kind
    folder.mkdir(parents=True)
    texture = f"a.{extension}"
    common.skinbake("bake", rig, "--clip", "all", "-q", "-o", folder / texture, "-o", folder / "{clip}.pc2",
                    "--format", f"vat:{options}")
    sidecar = json.loads((folder / f"{texture}.json").read_text())
    clips = [clip["clip"] for clip in sidecar.get("clips") or [sidecar]]
    points = sidecar["mesh"]["vertex_count"]
    expected = np.concatenate([positions(folder / f"{clip}.pc2", points) for clip in clips])
    frames = sorted({*range(0, len(expected), STRIDE), len(expected) - 1})
    job = {"folder": str(folder), "texture": texture, "frames": frames, "out": str(folder / "played.f32")}
    return job, expected[frames], np.subtract(sidecar["vat"]["max"], sidecar["vat"]["min"])


def judged(expected, size, played, kind):
    """(the largest error in metres, the same in parts of the diagonal of the bounds, an error text or '')."""
    _, _, bound, least = kind
    error = np.linalg.norm(played - expected, axis=2).max()
    diagonal, largest = np.linalg.norm(size), np.abs(expected).max() + size.max()
    wrong = ""
    if not error <= bound * diagonal + FLOAT_ROUNDINGS * np.sqrt(3) * largest:
        wrong = f"more than {bound:g} of the bounds"
    elif error < least * diagonal:
        wrong = "smaller than 8 bits allow: the manual is out of date"
    return error, error / diagonal, wrong


def main():
    common.need_program()
    common.need_shared()
    common.need_oracle("validate.mjs")
    chromium = common.need_chromium(playwright=True)
    work = common.PROJECT / "build" / "interop" / "vat_three"
    shutil.rmtree(work, ignore_errors=True)
    runs = [("CesiumMan.glb", kind) for kind in KINDS] + [("Fox.glb", KINDS[0]), ("Fox.glb", KINDS[1]), ("Fox.glb", KINDS[4])]
    bakes = [baked(common.SHARED / "assets" / rig, work / str(i), kind) for i, (rig, kind) in enumerate(runs)]
    (work / "jobs.json").write_text(json.dumps([job for job, _, _ in bakes]))
    done = common.run(["node", PLAYER, common.ORACLE, chromium, work / "jobs.json"])
    if done.returncode != 0:
        print(f"FAIL vat_three.mjs: exit {done.returncode}: {done.stdout.strip()[-300:]}")
        return 1
    failures = 0
    for (rig, kind), (job, expected, size) in zip(runs, bakes):
        error, part, wrong = judged(expected, size, np.fromfile(job["out"], "<f4").reshape(expected.shape), kind)
        failures += bool(wrong)
        print(f"{rig:14} {kind[0]} {kind[1]:22} {error:9.2e} m {part:9.2e} {wrong and 'FAIL ' + wrong}".rstrip())
    shutil.rmtree(work, ignore_errors=True)
    print(f"{len(runs)} textures played by three.js, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
