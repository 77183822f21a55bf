#!/usr/bin/env python3
"""Checks that Blender imports baked GLBs of one mesh with the vertex positions of the PC2.

    blender_glb.py

The bound is 1e-6 of the mesh's size for float positions, because Blender computes in float. Quantized
positions may be off by another half step of the node's scale. Blender does not decompress meshopt. Its
importer drops vertices that no triangle uses, and the rigs do not have any.

Exit status: 0 every position is within the bound, 1 some are not, 77 skipped because something is not installed (never if CI=true).

environment
  BLENDER    the program (default: blender)
"""

import json
import pathlib
import shutil
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common

np = common.numpy()

FPS = 6
BOUND = 1e-6
READER = pathlib.Path(__file__).resolve().parent / "blender_glb_positions.py"
WORK = common.PROJECT / "build" / "interop" / "blender_glb"


def half_step(glb):
    """The quantization step of the mesh along an axis; 0 for float positions."""
    length = struct.unpack_from("<I", glb, 12)[0]
    scale = json.loads(glb[20:20 + length])["nodes"][0].get("scale", [0])
    return scale[0] / 32767 / 2


def check(program, rig, options):
    """(the error relative to the size, an error text or '')."""
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    glb, pc2, raw = WORK / "a.glb", WORK / "a.pc2", WORK / "a.f64"
    done = common.run([common.PROGRAM, "bake", rig, "--clip", "#0", "--fps", FPS, "-q", "-o", glb, "-o", pc2,
                       *(("--format", "glb:" + options) if options else ())])
    if done.returncode != 0:
        return 0, f"skinbake bake: exit {done.returncode}: {done.stdout.strip()}"
    points, _, _, frames = struct.unpack("<iffi", pc2.read_bytes()[16:32])
    baked = np.fromfile(pc2, "<f4", offset=32).reshape(frames, points, 3).astype(np.float64)
    done = common.run_blender(program, READER, glb, FPS, frames, raw)
    if done.returncode != 0 or not raw.is_file():
        return 0, f"Blender, exit {done.returncode}: " + "\n".join(done.stdout.splitlines()[-12:])
    seen = np.fromfile(raw, "<f8")
    if seen.size != baked.size:
        return 0, f"Blender has {seen.size // 3 // frames} vertices for {points}"
    size = np.linalg.norm(baked.max(axis=(0, 1)) - baked.min(axis=(0, 1)))
    error = np.abs(seen.reshape(baked.shape) - baked).max() / size
    bound = BOUND + half_step(glb.read_bytes()) / size
    if np.abs(baked - baked[0]).max() < 100 * bound * size:
        return error, "it hardly moves, so that nothing is shown"
    return error, "" if error <= bound else f"more than {bound:g}"


def main():
    program = common.need_blender()
    common.need_program()
    common.need_shared()
    failures = 0
    cases = [(rig, options) for rig in (common.SHARED / "assets" / "CesiumMan.glb", common.RIGS / "bent_arm.gltf")
             for options in ("", "quantize=1")]
    for rig, options in cases:
        error, wrong = check(program, rig.resolve(), options)
        failures += bool(wrong)
        print(f"{rig.name:20} {options or 'floats':10} {error:9.2e} of the size {wrong and 'FAIL ' + wrong}".rstrip())
    shutil.rmtree(WORK, ignore_errors=True)
    print(f"{len(cases)} baked GLBs, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
