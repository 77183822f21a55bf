#!/usr/bin/env python3
"""Checks that Blender reads exactly the numbers of our PC2 and MDD caches.

    blender_caches.py [RIG…]         default: every rig of data/rigs, and CesiumMan

Each mesh of each rig is baked. Blender's Mesh Cache modifier plays every sample on a mesh of the same
vertex count. Blender also imports two rigs whose triangles use every vertex: the modifier plays on the
imported mesh, and Blender's armature puts every vertex at its position in the first sample.
Exit status: 0 every number is equal, 1 some are not, 77 skipped because something is not installed (never if CI=true).

environment
  BLENDER    the program (default: blender)
"""

import argparse
import array
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common

IMPORTED = ["CesiumMan", "bent_arm"]
IMPORT_BOUND = 1e-6
POSITIONS = pathlib.Path(__file__).resolve().parent / "blender_glb_positions.py"


def positions_of(cache):
    """(points, samples, bytes of the positions, their order) of a PC2 or MDD file."""
    data = cache.read_bytes()
    if cache.suffix == ".pc2":
        magic, version, points, _, _, samples = struct.unpack_from("<12siiffi", data)
        if magic != b"POINTCACHE2\0" or version != 1:
            raise ValueError("not a PC2 file")
        head, order = 32, "little"
    else:
        samples, points = struct.unpack_from(">ii", data)
        head, order = 8 + 4 * samples, "big"
    if len(data) != head + 12 * points * samples:
        raise ValueError(f"not a whole file: {len(data)} bytes, {points} points, {samples} samples")
    return points, samples, data[head:], order


def as_doubles(cache, raw):
    """Writes the positions of a cache as raw float64; returns (points, samples)."""
    points, samples, data, order = positions_of(cache)
    values = array.array("f")
    values.frombytes(data)
    if sys.byteorder != order:
        values.byteswap()
    doubles = array.array("d", values)
    if sys.byteorder == "big":
        doubles.byteswap()
    raw.write_bytes(doubles.tobytes())
    return points, samples


def play(program, reader, cache, raw, samples, *options):
    """(the message of Blender's modifier, whether every sample is equal)."""
    done = common.run_blender(program, reader, cache, "--interp", "none", "--frames", ",".join(map(str, range(samples))),
                              "--expect", raw, "--tolerance", "0", *options)
    said = [line for line in done.stdout.splitlines() if line.startswith("CACHE")]
    verdict = [line for line in said if "largest difference" in line]
    if done.returncode == 0 and verdict and verdict[0].endswith("(ok)"):
        return verdict[0].removeprefix("CACHE "), True
    return f"Blender, exit {done.returncode}:\n" + "\n".join(said or done.stdout.splitlines()[-20:]), False


def posed_by_blender(program, rig, points, raw, posed):
    """The largest distance of an imported vertex from its position in the first sample."""
    done = common.run_blender(program, POSITIONS, rig, 30, 1, posed)
    if done.returncode != 0 or posed.stat().st_size != 24 * points:
        return f"Blender's import, exit {done.returncode}: {done.stdout.strip()[-300:]}", False
    expected = array.array("d", raw.read_bytes()[:24 * points])
    off = max(abs(a - b) for a, b in zip(array.array("d", posed.read_bytes()), expected))
    size = max(map(abs, expected))
    return f"its own import is {off / size:.1e} of the size off", off <= IMPORT_BOUND * size


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rigs", nargs="*", type=pathlib.Path)
    parser.add_argument("--method", action="append", help="default: lbs and dqs")
    arguments = parser.parse_args()

    program = common.need_blender()
    common.need_program()
    common.need_shared()
    reader = common.SHARED / "oracle" / "blender_read_cache.py"
    if not reader.is_file():
        common.skip(f"no {reader}")
    rigs = arguments.rigs or sorted(
        f for f in common.RIGS.iterdir() if f.suffix in (".gltf", ".glb")
    ) + [common.SHARED / "assets" / "CesiumMan.glb"]

    work = common.PROJECT / "build" / "interop" / "blender"
    failures, read = 0, 0
    for rig in rigs:
        # The file format does not depend on the method, so one bake per rig is enough.
        for method in arguments.method or ["dqs" if rig.stem == "twisted_tube" else "lbs"]:
            folder = work / f"{rig.stem}.{method}"
            error = common.bake(rig.resolve(), folder, "--method", method, "--fps", "30",
                                formats=("pc2", "mdd"))
            if error:
                print(f"FAIL {rig.name} {method}: {error}")
                failures += 1
                continue
            caches = sorted(folder.glob("*.pc2")) + sorted(folder.glob("*.mdd"))
            if not caches or len(caches) % 2:
                print(f"FAIL {rig.name} {method}: {len(caches)} caches were written")
                failures += 1
            for cache in caches:
                raw = folder / f"{cache.name}.f64"
                try:
                    points, samples = as_doubles(cache, raw)
                except (ValueError, struct.error) as problem:
                    print(f"FAIL {rig.name} {method} {cache.name}: {problem}")
                    failures += 1
                    continue
                results = [play(program, reader, cache, raw, samples)]
                if rig.stem in IMPORTED:
                    results.append(play(program, reader, cache, raw, samples, "--model", rig.resolve()))
                    if cache.suffix == ".pc2":  # the other folder has the same content
                        results.append(posed_by_blender(program, rig.resolve(), points, raw, folder / "posed.f64"))
                good = all(right for _, right in results)
                failures, read = failures + (not good), read + good
                print(f"{'ok  ' if good else 'FAIL'} {rig.name} {method} {cache.name}: {samples} samples of {points} "
                      "points, " + "; ".join(said for said, _ in results))
                raw.unlink()
    print(f"{read} caches read back equal, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
