#!/usr/bin/env python3
"""Checks baked GLBs with the Khronos validator and by playing them with three.js.

    glb_cache.py

Each rig is baked to GLB and to PC2 in one run: with floats, with steps, quantized, and quantized and
compressed, with the normals and tangents of the rig. The validator must find neither an error nor a warning
in the GLB, except those about images of the rig itself. three.js must put every vertex, at the times of the
frames and half-way between them, at the positions of the PC2, to 1e-6 of the bounding box's diagonal. With
interpolation=step, half-way between two frames is the frame before. A quantized position may be off by half a
step of its node's scale along each axis.

If the rig has normals, three.js must have the normals that skinned_normals.py computes independently, and
between frames their mean, to the bound that `list formats` states.

Exit status: 0 every check holds, 1 some do not, 77 skipped because something is not installed (never if
CI=true).
"""

import json
import pathlib
import shutil
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common
import skinned_normals

np = common.numpy()

FPS = 20
BOUND = 1e-6
NORMALS_FROM_FLOATS = 1e-6

# The options of --format glb:…
KINDS = {"linear": "", "tangents": "tangents=1", "step": "interpolation=step",
         "quantised": "quantize=1,tangents=1", "compressed": "quantize=1,bits=14,meshopt=1,tangents=1"}

# Bounds of the length of the difference of unit vectors: the stated one, and the rounding of float32 joints.
NORMAL_BOUNDS = {"tangents": 2.1e-7 + NORMALS_FROM_FLOATS, "quantised": 2.7e-5 + NORMALS_FROM_FLOATS,
                 "compressed": 2.7e-5 + NORMALS_FROM_FLOATS}
WITH_NORMALS = ["CesiumMan.glb", "KayKit_Knight.glb", "bent_arm.gltf"]
PLAYER = pathlib.Path(__file__).resolve().parent / "three_normals.mjs"

# Rigs with textures, several primitives, several nodes, morph targets, resting vertices and tangents.
ASSETS = ["CesiumMan.glb", "Fox.glb", "KayKit_Knight.glb", "MorphStressTest.glb", "SimpleSkin.gltf",
          "AnimatedMorphCube.glb", "pbrTest/pbrTest.gltf"]
WITH_TANGENTS = {"AnimatedMorphCube.glb", "pbrTest.gltf"}


def counted(report):
    """{message code: count} of errors and warnings."""
    found = {}
    if "rejected" in report:
        return {f"rejected: {report['rejected']}": 1}
    for message in report["messages"]:
        if message["severity"] <= 1:
            found[message["code"]] = found.get(message["code"], 0) + 1
    return found


def positions(caches, parts):
    """Frames of the PC2s of one run, as one array of the order of three.js's parts."""
    frames = []
    for cache in caches:
        _, _, points, _, _, samples = struct.unpack("<12siiffi", cache.read_bytes()[:32])
        frames.append(np.fromfile(cache, "<f4", offset=32).reshape(samples, points, 3))
    joined = np.concatenate(frames, axis=1).astype(np.float64)
    if joined.shape[1] != sum(part["vertexCount"] for part in parts):
        raise ValueError("the GLB has another number of vertices than the caches")
    return joined


def play(glb, folder):
    """(positions [frame][vertex][axis] at twice the frame rate, parts)."""
    common.evaluate(glb, "--clip", 0, "--fps", 2 * FPS, "--out", folder, engine="three")
    oracle = json.loads((folder / "oracle.json").read_text())
    parts = sorted(oracle["parts"], key=lambda part: (part["node"], part["primitive"]))
    return np.concatenate([np.fromfile(folder / part["file"], "<f8")
                           .reshape(oracle["frames"], part["vertexCount"], 3) for part in parts],
                          axis=1), parts


def json_of(glb):
    length = struct.unpack_from("<I", glb, 12)[0]
    return json.loads(glb[20:20 + length])


def has_tangents(glb):
    """Whether all primitives have the attribute, in the base and in every target."""
    primitives = [primitive for mesh in json_of(glb)["meshes"] for primitive in mesh["primitives"]]
    return all("TANGENT" in attributes for primitive in primitives
               for attributes in [primitive["attributes"], *primitive["targets"]])


def half_step(glb):
    """The quantization step of the coarsest mesh along an axis; 0 if no mesh is quantized."""
    gltf = json_of(glb)
    if "KHR_mesh_quantization" not in gltf.get("extensionsRequired", []):
        return 0
    return max(max(node["scale"]) for node in gltf["nodes"]) / 32767 / 2


def play_normals(glb, samples, out):
    """[sample][vertex][axis] at twice the frame rate."""
    done = common.run(["node", PLAYER, common.ORACLE, glb, 2 * FPS, samples, out])
    if done.returncode != 0:
        raise ValueError(f"three_normals.mjs: exit {done.returncode}: {done.stdout.strip()[-300:]}")
    return np.fromfile(out, "<f8").reshape(samples, -1, 3)


def normal_error(expected, glb, work):
    """The normals of all frames, and their means between frames where the mean has a direction."""
    played = play_normals(glb, 2 * len(expected) - 1, work / "normals.f64")
    between = (expected[:-1] + expected[1:]) / 2
    length = np.linalg.norm(between, axis=2)
    return max(np.linalg.norm(played[::2] - expected, axis=2).max(),
               (np.linalg.norm(played[1::2] - between / length[..., None], axis=2) * length).max())


class NormalCheck:
    """The checks of one rig, baked in several ways."""

    def __init__(self, rig, work):
        self.rig, self.work, self.expected = rig, work, None

    def __call__(self, kind):
        """(a summary, an error text or '')."""
        if self.rig.name not in WITH_NORMALS or kind not in NORMAL_BOUNDS:
            return "", ""
        if self.expected is None:
            self.expected = skinned_normals.evaluate(self.rig, FPS, self.work / "rig")
        error = normal_error(self.expected, self.work / "all.glb", self.work)
        bound = NORMAL_BOUNDS[kind]
        return f", normals {error:9.2e}", "" if error <= bound else f"normals: more than {bound:g}"


def check(rig, work, kind):
    """(the error relative to the diagonal, an error text or '')."""
    step = kind == "step"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    glb = work / "all.glb"
    options = ["--format", "glb:" + KINDS[kind]] if KINDS[kind] else []
    done = common.run([common.PROGRAM, "bake", rig, "--clip", "#0", "--fps", FPS, "-q", "-o", glb,
                       "-o", work / "{mesh}.pc2", *options])
    if done.returncode != 0:
        return 0, f"skinbake bake: exit {done.returncode}: {done.stdout.strip()}"
    of_rig, of_glb = map(counted, common.validated(rig, glb))
    excused = {code for code in of_rig if code.startswith("IMAGE_")}
    found = {code: n for code, n in of_glb.items() if code not in excused}
    if found:
        return 0, f"the validator found {found}"
    played, parts = play(glb, work / "three")
    origins = json.loads((work / "all.glb.json").read_text())
    meshes = origins.get("meshes") or [origins["mesh"]]
    by_node = {json.loads(p.read_text())["mesh"]["node"]: p.with_suffix("")
               for p in work.glob("*.pc2.json")}
    baked = positions([by_node[mesh["node"]] for mesh in meshes], parts)
    if played.shape[0] != 2 * baked.shape[0] - 1:
        return 0, f"{played.shape[0]} samples were played of {baked.shape[0]} frames"
    between = baked[:-1] if step else (baked[:-1] + baked[1:]) / 2
    diagonal = np.linalg.norm(baked.max(axis=(0, 1)) - baked.min(axis=(0, 1)))
    error = np.abs(played[1::2] - between).max()
    if not step:  # a key's float32 time may be just after the frame's time, so that the step is late
        error = max(error, np.abs(played[::2] - baked).max())
    error /= diagonal
    if has_tangents(glb.read_bytes()) != ("tangents" in KINDS[kind] and rig.name in WITH_TANGENTS):
        return error, "its tangents are not those of the rig"
    quantised = half_step(glb.read_bytes())
    if (quantised > 0) != ("quantize" in KINDS[kind]) or (quantised and not error > BOUND / 100):
        return error, "it is not quantised as it should be"
    bound = BOUND + quantised / diagonal
    # The negated comparison makes a NaN an error.
    return error, "" if error <= bound else f"more than {bound:g}"


def main():
    common.need_program()
    common.need_shared()
    common.need_oracle("validate.mjs")
    rigs = [common.SHARED / "assets" / name for name in ASSETS] + [common.RIGS / "bent_arm.gltf"]
    work = common.PROJECT / "build" / "interop" / "glb"
    failures = 0
    for rig in rigs:
        check_normals = NormalCheck(rig.resolve(), work)
        for kind in KINDS:
            said = ""
            try:
                error, wrong = check(rig.resolve(), work, kind)
                if not wrong:
                    said, wrong = check_normals(kind)
            except (ValueError, KeyError, OSError) as problem:
                error, wrong = 0, f"{type(problem).__name__}: {problem}"
            failures += bool(wrong)
            print(f"{rig.name:24} {kind:10} {error:9.2e} of the diagonal{said} {wrong and 'FAIL ' + wrong}".rstrip())
    shutil.rmtree(work, ignore_errors=True)
    print(f"{len(KINDS) * len(rigs)} baked GLBs, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
