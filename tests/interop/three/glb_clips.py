#!/usr/bin/env python3
"""Plays GLBs of several clips, and split GLBs, with three.js in Chromium.

    glb_clips.py

Fox is baked with all clips to one GLB, as one mesh and split into meshes of 48 targets, and to a PC2 for each clip.
The Khronos validator must find neither an error nor a warning. The positions that the graphics card computes at
frames of each clip, and half-way between them, must be those of the PC2s, to 1e-6 of the largest coordinate. two_joints
is baked at a frame rate that needs 2 100 targets: with split=1 it must move as its PC2 does. Without split=1 the
warning must be true: WebGL refuses the texture, and the mesh stands still.
Exit status: 0 every check holds, 1 some do not, 77 skipped because something is not installed (never if CI=true).
"""

import json
import pathlib
import shutil
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common

np = common.numpy()

PLAYER = pathlib.Path(__file__).with_name("three_positions.mjs")
BOUND = 1e-6
FOX_CLIPS = ["Survey", "Walk", "Run"]
FOX_STRIDE = 3  # of the frames that are played
MANY_RATE, MANY_STRIDE = 2100, 100


def read_pc2(path):
    points, = struct.unpack("<i", path.read_bytes()[16:20])
    return np.fromfile(path, "<f4", offset=32).reshape(-1, points, 3).astype(np.float64)


def validate(path):
    report, = common.validated(path)
    if report["errors"] + report["warnings"]:
        raise ValueError(f"the validator found {report['messages'][:3]}")


def played(jobs, points, folder):
    """(positions [sample][vertex][axis], what the player saw) of each job: (file, animation, rate, samples)."""
    outs = [folder / f"{i}.f32" for i in range(len(jobs))]
    (folder / "jobs.json").write_text(json.dumps(
        [{"file": str(file), "animation": animation, "rate": rate, "samples": samples, "out": str(out)}
         for (file, animation, rate, samples), out in zip(jobs, outs)]))
    done = common.run(["node", PLAYER, common.ORACLE, shutil.which("chromium"), folder / "jobs.json"])
    if done.returncode != 0:
        raise ValueError(f"three_positions.mjs: exit {done.returncode}: {done.stdout.strip()[-300:]}")
    positions = [np.fromfile(out, "<f4").reshape(len(job[3]), points, 3) for job, out in zip(jobs, outs)]
    return list(zip(positions, json.loads(done.stdout)))


def require_close(played, expected, name):
    error = np.abs(played - expected).max() / np.abs(expected).max()
    print(f"{name:40} {error:9.2e} of the largest coordinate")
    if not error <= BOUND:
        raise ValueError(f"{name}: more than {BOUND:g}")


def check_fox(work, name, options, meshes):
    """Plays all clips of one file, and requires that `meshes` are shown in turn."""
    glb = work / name
    common.skinbake("bake", common.SHARED / "assets" / "Fox.glb", "--clip", "all", "-o", glb, "-o", work / "{clip}.pc2",
                    *options)
    validate(glb)
    caches = [read_pc2(work / f"{clip}.pc2") for clip in FOX_CLIPS]
    # At the frames and half-way between them.
    starts = [range(0, len(frames) - 1, FOX_STRIDE) for frames in caches]
    jobs = [(glb, c, 60, [sample for frame in of for sample in (2 * frame, 2 * frame + 1)]) for c, of in enumerate(starts)]
    for clip, frames, of, shown, (positions, said) in zip(FOX_CLIPS, caches, starts, meshes,
                                                          played(jobs, caches[0].shape[1], work)):
        require_close(positions[::2], frames[of], f"{name} {clip}")
        require_close(positions[1::2], (frames[of] + frames[np.add(of, 1)]) / 2, f"{name} {clip}, between frames")
        if said["visible"] != shown or said["complaints"]:
            raise ValueError(f"{name} {clip}: {said}")


def check_many(work):
    rig = common.RIGS / "two_joints.gltf"
    options = ["--clip", "#0", "--fps", MANY_RATE]
    said = common.skinbake("bake", rig, *options, "-o", work / "many.glb", "-o", work / "many.pc2")
    common.skinbake("bake", rig, *options, "-o", work / "split.glb", "--format", "glb:split=1")
    frames = read_pc2(work / "many.pc2")[::MANY_STRIDE]
    jobs = [(work / name, 0, MANY_RATE / MANY_STRIDE, list(range(len(frames)))) for name in ("split.glb", "many.glb")]
    (moving, _), (still, told) = played(jobs, frames.shape[1], work)
    require_close(moving, frames, "split=1, 2100 targets")
    if "GLB_MANY_TARGETS" not in said or np.ptp(still, axis=0).max() > 0 or not told["complaints"]:
        raise ValueError("a mesh of 2100 targets moves, or the bake did not warn: GLB_MANY_TARGETS is out of date")


def main():
    common.need_program()
    common.need_shared()
    common.need_oracle("validate.mjs")
    common.need_chromium(playwright=True)
    work = common.PROJECT / "build" / "interop" / "glb_clips"
    failures = 0
    for check in (lambda: check_fox(work, "all.glb", [], [["0"]] * 3),
                  lambda: check_fox(work, "parts.glb", ["--format", "glb:split=1,targets=48"],
                                    [["0", "1", "2"], ["3"], ["4"]]),
                  lambda: check_many(work)):
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        try:
            check()
        except (ValueError, KeyError, OSError) as problem:
            failures += 1
            print(f"FAIL {type(problem).__name__}: {problem}")
    shutil.rmtree(work, ignore_errors=True)
    print(f"three.js: 3 checks of clips and parts, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
