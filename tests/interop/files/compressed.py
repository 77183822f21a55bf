#!/usr/bin/env python3
"""Compares bakes of compressed models with bakes of their originals.

    compressed.py [PATTERN…]      only the pairs whose name contains a PATTERN

lossless  streams of the installed meshoptimizer library without filters, and a Draco file with its
          decoded copy: the caches are equal byte for byte.
lossy     output of gltfpack and glTF-Transform: vertices differ by at most the quantization, and differ at
          all. Models whose vertices a tool reorders are compared as point sets.

baked     GLBs that skinbake baked, packed by the same tools: they have morph targets instead of skins.

Exit status: 0 within the bounds, 1 not, 77 skipped because something is not installed (never if
CI=true).
"""

import concurrent.futures
import os
import pathlib
import shutil
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common
import models

np = common.numpy()

FPS = "5"  # rate of the compared frames
ASSETS = common.SHARED / "assets"
WORK = common.PROJECT / "build" / "interop" / "compressed"

# Skins, morph targets, several primitives, splines, two sets of influences, 84 skins.
LOSSLESS = ("CesiumMan.glb", "Fox.glb", "RiggedSimple.glb", "MorphStressTest.glb", "BoxAnimated.glb",
            "InterpolationTest/InterpolationTest.gltf", "pbrTest/pbrTest.gltf",
            "InfiniteSkinnedTentacle.glb")

# Bounds of the displacement by quantization, relative to the model's size. Positions have 14 bits: half a unit
# along each axis. Four weights of 8 bits, each wrong by at most half a unit, move a vertex by 2 / 255 of the
# distance between the positions that its joints give it. Joints that share vertices are near each other: that
# distance is at most a tenth of the size. Rotations of 12 bits are wrong by 2^-12, over half of the size.
POSITION = 3 ** 0.5 / 2 / (2 ** 14 - 1)
WEIGHTS = 2 / 255 / 10
ROTATION = 2 ** -12 / 2
SIGNED_TWICE = 2 * 2 * POSITION  # a base and a morph target, which has one bit less because of its sign
DRACO_WEIGHTS = 2 / 2 ** 12 / 10  # glTF-Transform stores other attributes than positions and normals in 12 bits
QUANTISED_SKIN = POSITION + WEIGHTS
PACKED_SKIN = POSITION + WEIGHTS + 3 * ROTATION  # the errors along a chain of joints add up


def gltf_transform(*arguments):
    program = common.ORACLE / "transform" / "node_modules" / ".bin" / "gltf-transform"
    if not program.is_file():
        common.skip(f"no {program}; scripts/setup --ci installs it")
    return lambda source, target: [program, arguments[0], source, target, *arguments[1:]]


def gltfpack(*arguments):
    if shutil.which("gltfpack") is None:
        common.skip("no gltfpack; scripts/setup --ci installs it")
    # The models have 24 keys per second: resampling at that rate keeps their times.
    return lambda source, target: ["gltfpack", "-i", source, "-o", target, "-af", "24", *arguments]


def lossy_pairs():
    """(name, source, command, keeps the vertices' order, bound of the size)."""
    quantise = gltf_transform("quantize")
    meshopt = gltf_transform("meshopt", "--level", "medium")
    draco = gltf_transform("draco", "--quantize-position", "14", "--quantize-generic", "12")
    # The tool renumbers the nodes, so that the meshes are in another order.
    yield "box quantize", "BoxAnimated.glb", quantise, False, POSITION
    yield "morph quantize", "AnimatedMorphCube.glb", quantise, True, 3 * POSITION  # and two displacements
    for model in ("Fox", "CesiumMan", "RiggedSimple"):
        source = f"{model}.glb"
        yield f"{model} quantize", source, quantise, True, QUANTISED_SKIN
        yield f"{model} meshopt", source, meshopt, False, PACKED_SKIN
        yield f"{model} draco", source, draco, False, POSITION + DRACO_WEIGHTS
        yield f"{model} gltfpack", source, gltfpack(), False, PACKED_SKIN
        yield f"{model} gltfpack -c", source, gltfpack("-c"), False, PACKED_SKIN
        yield f"{model} gltfpack -cc", source, gltfpack("-cc"), False, PACKED_SKIN


def of_a_bake(options, command):
    """The tool's command for a source that skinbake resampled: its keys are the compared frames."""
    def packing(source, target):
        baked = target.with_name("baked.glb")
        done = common.run([common.PROGRAM, "bake", source, "--clip", "#0", "--fps", FPS, "-q", "-o", baked,
                           *(("--format", "glb:" + options) if options else ())])
        if done.returncode != 0:
            raise ValueError(f"skinbake bake: exit {done.returncode}: {done.stdout.strip()}")
        return command(baked, target)
    return packing


def baked_pairs():
    """Pairs as of lossy_pairs, whose sources are baked GLBs; the tools keep their frames."""
    copy, meshopt = gltf_transform("copy"), gltf_transform("meshopt", "--level", "medium")
    pack = gltfpack("-c", "-af", FPS)
    quantised = {"": 0, "quantize=1": POSITION, "quantize=1,bits=14,meshopt=1": 2 * POSITION}
    for model in ("Fox", "CesiumMan"):
        for options, error in quantised.items():
            yield f"{model} {options or 'floats'} copy", f"{model}.glb", of_a_bake(options, copy), True, 1e-6 + error
        yield (f"{model} floats baked meshopt", f"{model}.glb", of_a_bake("", meshopt), False,
               SIGNED_TWICE)
        yield f"{model} floats gltfpack -c", f"{model}.glb", of_a_bake("", pack), False, SIGNED_TWICE


def bake_all(model, folder):
    error = common.bake(model.resolve(), folder, "--clip", "#0", "--fps", FPS)
    if error:
        raise ValueError(error)
    return sorted(folder.glob("*.pc2"))


def check_lossless(name, source, packed):
    """An error text or None."""
    folder = WORK / name.replace("/", "_")
    plain, unpacked = bake_all(source, folder / "plain"), bake_all(packed, folder / "packed")
    if [p.name for p in plain] != [p.name for p in unpacked] or not plain:
        return "other meshes were baked"
    for a, b in zip(plain, unpacked):
        if a.read_bytes() != b.read_bytes():
            return f"{a.name} differs"
    return None


def positions(caches):
    """All meshes of a bake, [frame][vertex][3]."""
    meshes = []
    for cache in caches:
        points, _, _, frames = struct.unpack("<iffi", cache.open("rb").read(32)[16:])
        meshes.append(np.fromfile(cache, "<f4", offset=32).reshape(frames, points, 3))
    return np.concatenate(meshes, axis=1).astype(np.float64)


def nearest(a, b):
    """The distance of each point of `a` from the nearest point of `b`."""
    parts = [((part[:, None, :] - b[None]) ** 2).sum(axis=2).min(axis=1)
             for part in np.array_split(a, max(1, len(a) // 256))]
    return np.sqrt(np.concatenate(parts))


def check_lossy(name, source, command, in_order):
    """(largest error, rms error), relative to the size of the model."""
    folder = WORK / name.replace(" ", "_")
    packed = folder / "packed.glb"
    folder.mkdir(parents=True, exist_ok=True)
    done = common.run(command(source, packed))
    if done.returncode != 0:
        raise ValueError(f"exit {done.returncode}: {done.stdout.strip()[-300:]}")
    ours = positions(bake_all(packed, folder / "packed"))
    theirs = positions(bake_all(source, folder / "plain"))
    if len(ours) != len(theirs) or (in_order and ours.shape != theirs.shape):
        raise ValueError(f"{ours.shape} frames and vertices instead of {theirs.shape}")
    size = float(np.linalg.norm(theirs.max(axis=(0, 1)) - theirs.min(axis=(0, 1))))
    if in_order:
        errors = np.linalg.norm(ours - theirs, axis=2)
    else:
        frames = sorted({0, len(ours) // 2, len(ours) - 1})
        errors = np.concatenate([np.concatenate([nearest(ours[f], theirs[f]),
                                                 nearest(theirs[f], ours[f])]) for f in frames])
    return float(errors.max()) / size, float(np.sqrt((errors ** 2).mean())) / size


def lossless_jobs():
    WORK.mkdir(parents=True, exist_ok=True)
    for name in LOSSLESS:
        source = ASSETS / name
        packed = WORK / (source.stem + ".meshopt.glb")
        yield f"{name} meshopt", source, lambda s=source, p=packed: models.packed_losslessly(s, p), packed
    folder = ASSETS / "two_triangles"
    yield ("two_triangles draco", folder / "two_triangles_draco_decoded.glb", lambda: None,
           folder / "two_triangles_draco.glb")


def run_lossless(job):
    name, source, make, packed = job
    try:
        modes = make()
        error = check_lossless(name, source, packed)
    except (ValueError, OSError, KeyError) as problem:
        modes, error = None, f"{type(problem).__name__}: {problem}"
    text = ", ".join(f"{count} {mode}" for mode, count in (modes or {}).items() if count)
    return not error, f"{name:44} {'equal' if not error else 'FAIL ' + error}  {text}".rstrip()


def run_lossy(job):
    name, source, command, in_order, bound = job
    try:
        largest, rms = check_lossy(name, ASSETS / source, command, in_order)
    except (ValueError, OSError, KeyError) as problem:
        return False, f"{name:44} FAIL {type(problem).__name__}: {problem}"
    good = 0 < largest <= bound
    return good, (f"{name:44} {rms:9.2e} {largest:9.2e} {bound:9.2e}"
                  f"{'' if good else ' FAIL'}")


def main():
    patterns = common.patterns(__doc__)
    common.need_program()
    common.need_shared()
    try:
        models.Meshoptimizer()
    except OSError as problem:
        common.skip(str(problem))

    def wanted(jobs):
        return [job for job in jobs if common.is_chosen(job[0], patterns)]

    failures, pairs = 0, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for title, run, jobs in (
                ("lossless: caches compared byte for byte", run_lossless, wanted(lossless_jobs())),
                (f"{'lossy: errors of the size':44} {'rms':>9} {'max':>9} {'bound':>9}", run_lossy,
                 wanted(lossy_pairs())),
                ("baked: errors of the size", run_lossy, wanted(baked_pairs()))):
            print(title)
            for good, line in pool.map(run, jobs):
                failures += not good
                pairs += 1
                print(line, flush=True)
    print(f"{pairs} pairs, {failures} failures")
    return 1 if failures or not pairs else 0


if __name__ == "__main__":
    sys.exit(main())
