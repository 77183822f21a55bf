#!/usr/bin/env python3
"""Compares linear blend skinning with an independent evaluation by three.js in double precision.

    lbs_oracle.py [PATTERN…]      only the files whose path contains a PATTERN

The check covers every animated file of the shared assets that has a mesh (plain, quantized or compressed)
and a model of twelve influences made from one of them: every clip at 10 frames per second, every vertex of
every primitive. Errors are Euclidean distances over all meshes and frames of a clip, relative to the larger
of the bounding box's diagonal and the greatest coordinate.

build/interop/three keeps the independent results until a model or the independent program changes.
Exit status: 0 within the bounds, 1 not, 77 skipped because something is not installed (never if
CI=true).
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import shutil
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common
import models

np = common.numpy()

FPS = 10
RMS_BOUND = 5e-8
MAX_BOUND = 1e-6

# "file" or "file#clip index": (rms bound, max bound, the accessor or rule at fault). At most three.
EXCEPTIONS = {
    "derived/CesiumMan_gltfpack_cc.glb": (
        5e-6, 3e-5, "animation quaternions: the QUATERNION filter is specified to one unit of "
                    "their 16 bits only, and the decoders round differently"),
}


def document(path):
    """The JSON of a glTF file of either container, or None."""
    try:
        return models.document(path.read_bytes())
    except (ValueError, struct.error):
        return None


def made(assets, folder):
    """Models with properties that exporters do not produce."""
    folder.mkdir(parents=True, exist_ok=True)
    for sets in (2, 3):
        path = folder / f"Fox_{4 * sets}_influences.glb"
        models.with_influence_sets(assets / "Fox.glb", path, sets)
        yield path


def candidates(assets, folder):
    """(path, number of clips) of every file to check."""
    for path in [*sorted(assets.rglob("*")), *made(assets, folder)]:
        if path.suffix not in (".gltf", ".glb", ".vrm") or "invalid" in path.parts:
            continue
        gltf = document(path)
        if not gltf or not gltf.get("animations"):
            continue
        if any("mesh" in node for node in gltf.get("nodes", [])):
            yield path, len(gltf["animations"])


def fingerprint(path, evaluator):
    """A key that changes with the model, its buffers and the independent program."""
    digest = hashlib.sha256(evaluator.read_bytes())
    digest.update(path.read_bytes())
    for buffer in document(path).get("buffers", []):
        beside = path.parent / buffer.get("uri", "")
        if not buffer.get("uri", "data:").startswith("data:") and beside.is_file():
            digest.update(beside.read_bytes())
    digest.update(str(FPS).encode())
    return digest.hexdigest()


def evaluate(path, clip, folder, stamp, evaluator):
    """Runs three.js unless its results exist; returns an error text or None."""
    if (folder / "stamp").is_file() and (folder / "stamp").read_text() == stamp:
        return None
    shutil.rmtree(folder, ignore_errors=True)
    common.evaluate(path, "--clip", clip, "--fps", FPS, "--out", folder)
    (folder / "stamp").write_text(stamp)
    return None


def compare(expected_folder, baked_folder):
    """(rms, max, size, place of the max) over all meshes and frames of one clip."""
    oracle = json.loads((expected_folder / "oracle.json").read_text())
    baked = {}
    for sidecar in baked_folder.glob("*.pc2.json"):
        about = json.loads(sidecar.read_text())
        baked[about["mesh"]["node"]] = (about, sidecar.with_suffix(""))
    parts = {}
    for part in oracle["parts"]:
        parts.setdefault(part["node"], []).append(part)

    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    squares, count, worst, where = 0.0, 0, 0.0, "nowhere"
    frames = oracle["frames"]
    for node, of_node in parts.items():
        if node not in baked:
            raise ValueError(f"node {node} was not baked")
        about, cache = baked[node]
        vertices = sum(part["vertexCount"] for part in of_node)
        points, _, _, samples = struct.unpack("<iffi", cache.open("rb").read(32)[16:])
        if points != vertices or samples != frames:
            raise ValueError(f"node {node}: {samples} frames of {points} vertices were baked, "
                             f"{frames} of {vertices} expected")
        ours = np.memmap(cache, "<f4", "r", 32, (frames, vertices, 3))
        first = 0
        for part in sorted(of_node, key=lambda part: part["primitive"]):
            n = part["vertexCount"]
            theirs = np.fromfile(expected_folder / part["file"], "<f8").reshape(frames, n, 3)
            low = np.minimum(low, theirs.min(axis=(0, 1)))
            high = np.maximum(high, theirs.max(axis=(0, 1)))
            error = np.square(ours[:, first:first + n] - theirs).sum(axis=2)
            squares += float(error.sum())
            count += error.size
            at = int(error.argmax())
            # The negated comparison makes a NaN the worst value.
            if not error.flat[at] <= worst * worst:
                worst = float(np.sqrt(error.flat[at]))
                where = (f"node {node} primitive {part['primitive']} vertex {at % n} "
                         f"frame {at // n}")
            first += n
    size = max(float(np.linalg.norm(high - low)), float(np.abs([low, high]).max()))
    size = size or 1.0
    return (squares / count) ** 0.5 / size, worst / size, size, where


def main():
    patterns = common.patterns(__doc__)
    assert len(EXCEPTIONS) <= 3, "at most three exceptions"

    common.need_shared()
    common.need_program()
    evaluator = common.need_oracle("three_lbs.mjs")
    assets = common.SHARED / "assets"
    work = common.PROJECT / "build" / "interop"

    jobs = []
    for path, clips in candidates(assets, work / "made"):
        name = path.relative_to(assets if path.is_relative_to(assets) else work).as_posix()
        if not common.is_chosen(name, patterns):
            continue
        stamp = fingerprint(path, evaluator)
        jobs += [(path, name, clip, stamp) for clip in range(clips)]
    if not jobs:
        print(f"failed: no file of {assets} is animated and named like that")
        return 1

    def work_on(job):
        path, name, clip, stamp = job
        label = name.replace("/", "_")
        expected = work / "three" / label / str(clip)
        baked = work / "skinbake" / label / str(clip)
        try:
            error = (evaluate(path.resolve(), clip, expected, stamp, evaluator)
                     or common.bake(path.resolve(), baked, "--clip", f"#{clip}", "--fps", str(FPS),
                                    "--method", "lbs", "--threads", "1"))
            return error or compare(expected, baked)
        except (ValueError, KeyError, OSError) as problem:
            return f"{type(problem).__name__}: {problem}"
        finally:
            shutil.rmtree(baked, ignore_errors=True)

    failures, used = 0, set()
    print(f"{'file':44} clip {'rms':>9} {'max':>9} {'size':>9}")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for (_, name, clip, _), result in zip(jobs, pool.map(work_on, jobs)):
            if isinstance(result, str):
                failures += 1
                print(f"{name:44} {clip:4} FAIL {result}")
                continue
            rms, largest, size, where = result
            key = next((k for k in (f"{name}#{clip}", name) if k in EXCEPTIONS), None)
            rms_bound, max_bound, _ = EXCEPTIONS.get(key, (RMS_BOUND, MAX_BOUND, None))
            verdict = f"(exception: {EXCEPTIONS[key][2]})" if key else ""
            used.add(key)
            if not (rms <= rms_bound and largest <= max_bound):
                failures += 1
                verdict = f"FAIL {where} {verdict}"
            print(f"{name:44} {clip:4} {rms:9.2e} {largest:9.2e} {size:9.3g} {verdict}".rstrip())
    if not patterns:
        for key in EXCEPTIONS.keys() - used:
            failures += 1
            print(f"FAIL exception {key} is not needed: no such file or clip")
    print(f"{len(jobs)} clips of {len({name for _, name, _, _ in jobs})} files, {failures} failures; "
          f"bounds: rms {RMS_BOUND:g}, max {MAX_BOUND:g} of the size")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
