#!/usr/bin/env python3
"""Checks that NumPy loads our NPY caches, and that skinbake reads the arrays that NumPy saves.

    numpy_arrays.py [RIG…]        default: every rig of data/rigs

Each mesh of each rig is baked to NPY and PC2, which must hold the same numbers. NumPy then saves them in
every header version and precision that skinbake reads; `skinbake convert` must make the same PC2 of them
and refuse other arrays. Half-precision numbers must be those to which NumPy rounds.
Exit status: 0 every number is equal, 1 some are not, 77 skipped because something is not installed (never if CI=true).
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common

numpy = common.numpy()


def loaded(cache):
    """The array of an NPY cache as NumPy loads it; checks the order and padding of the file."""
    array = numpy.load(cache, allow_pickle=False)
    if array.dtype != numpy.dtype("<f4") or array.ndim != 3 or array.shape[2] != 3 or not array.flags.c_contiguous:
        raise ValueError(f"{array.dtype}, shape {array.shape}")
    mapped = numpy.load(cache, mmap_mode="r")
    if mapped.offset % 64 or not numpy.array_equal(mapped, array):
        raise ValueError(f"positions begin at {mapped.offset}")
    return array


def positions_of(pc2):
    points, samples = numpy.fromfile(pc2, "<i4", 1, offset=16)[0], numpy.fromfile(pc2, "<i4", 1, offset=28)[0]
    return numpy.fromfile(pc2, "<f4", offset=32).reshape(samples, points, 3)


def save(path, array, version):
    with open(path, "wb") as file:
        numpy.lib.format.write_array(file, array, version=version)


def converted(array, version, folder):
    """The positions that skinbake reads from the array, or an error text."""
    save(folder / "saved.npy", array, version)
    done = common.run([common.PROGRAM, "convert", folder / "saved.npy", folder / "converted.pc2", "-q"])
    if done.returncode != 0:
        return f"exit {done.returncode}: {done.stdout.strip()}"
    return positions_of(folder / "converted.pc2")


def check(cache, folder):
    """Error texts."""
    array = loaded(cache)
    if not numpy.array_equal(array, positions_of(cache.with_suffix(".pc2"))):
        yield "is not what the PC2 cache has"
    half = folder / "half.npy"
    done = common.run([common.PROGRAM, "convert", cache, half, "--precision", "half", "-q"])
    if done.returncode != 0 or not numpy.array_equal(numpy.load(half), array.astype("<f2")):
        yield "is not rounded to half precision as NumPy rounds it"
    for version in ((1, 0), (2, 0)):
        for dtype in ("<f2", "<f4", "<f8"):
            read = converted(array.astype(dtype), version, folder)
            if isinstance(read, str) or not numpy.array_equal(read, array.astype(dtype)):
                yield f"saved as {dtype}, version {version}: {read if isinstance(read, str) else 'differs'}"
    for what, other in (("big-endian", array.astype(">f4")), ("integers", array.astype("<i4")),
                        ("Fortran order", numpy.asfortranarray(array)),
                        ("flat", array.reshape(-1, 3))):
        if what == "Fortran order" and other.flags.c_contiguous:
            continue  # an array of one frame or vertex is in both orders
        read = converted(other, (1, 0), folder)
        if not isinstance(read, str) or not read.startswith("exit 3: "):
            yield f"{what}: not refused: {read}"


def main():
    common.need_program()
    rigs = [pathlib.Path(rig).resolve() for rig in sys.argv[1:]] or sorted(
        f for f in common.RIGS.iterdir() if f.suffix in (".gltf", ".glb"))
    work = common.PROJECT / "build" / "interop" / "numpy"
    failures, read = 0, 0
    for rig in rigs:
        folder = work / rig.stem
        error = common.bake(rig, folder, "--fps", "30", formats=("npy", "pc2"))
        caches = [] if error else sorted(folder.glob("*.npy"))
        problems = [error] if error else [] if caches else ["no cache was written"]
        for cache in caches:
            found = list(check(cache, folder))
            problems += [f"{cache.name}: {problem}" for problem in found]
            read += not found
        for problem in problems:
            print(f"FAIL {rig.name}: {problem}")
        failures += len(problems)
    print(f"NumPy {numpy.__version__}: {read} caches read both ways, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
