#!/usr/bin/env python3
"""Compares the Hausdorff distances of `diff --hausdorff` with those of CGAL and three-mesh-bvh.

    hausdorff.py

Ten rigs are compared with copies that gltfpack simplified, in a frame of a clip. CGAL's distance, which is wrong by at
most a known error, must lie within skinbake's two bounds and that error. The largest distance of a grid of points, by
the tree of three-mesh-bvh, must lie within the two bounds and the error of the grid.
Exit status: 0 within the bounds, 1 not, 77 skipped because something is not installed (never if CI=true).
"""

import json
import pathlib
import shutil
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common
import models

np = common.numpy()

WORK = common.PROJECT / "build" / "interop" / "hausdorff"
BVH = common.ORACLE / "bvh"
CGAL = pathlib.Path("/usr/include/CGAL/Polygon_mesh_processing/distance.h")
ERROR, SPACING = 1e-4, 8e-3  # of the diagonal: of CGAL, and of the points for three-mesh-bvh
# Models of one primitive, the simplifications by gltfpack, and the compared frame.
PAIRS = (("CesiumMan.glb", "0.75", 40), ("CesiumMan.glb", "0.5", 20), ("CesiumMan.glb", "0.25", 0),
         ("Fox.glb", "0.5", 15), ("Fox.glb", "0.25", 0), ("RiggedSimple.glb", "0.5", 10),
         ("bent_arm.gltf", "0.5", 10), ("bent_arm.gltf", "0.2", 30), ("twisted_tube.gltf", "0.3", 5),
         ("twisted_tube.gltf", "0.3", 30))


def built():
    """The path of the program that calls CGAL."""
    if not CGAL.is_file():
        common.skip("no CGAL; scripts/setup --ci installs it (libcgal-dev)")
    source, program = pathlib.Path(__file__).with_name("hausdorff_cgal.cpp"), WORK / "hausdorff_cgal"
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        subprocess.run(["c++", "-std=c++17", "-O1", "-frounding-math", source, "-o", program, "-lgmp", "-lmpfr"], check=True)
    return program


def triangles_of(path):
    gltf, buffers = models.read(path)
    primitive, = gltf["meshes"][0]["primitives"]
    if "indices" not in primitive:
        count = gltf["accessors"][primitive["attributes"]["POSITION"]]["count"]
        return np.arange(count).reshape(-1, 3)
    accessor = gltf["accessors"][primitive["indices"]]
    view = gltf["bufferViews"][accessor["bufferView"]]
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    kind = {5121: "u1", 5123: "<u2", 5125: "<u4"}[accessor["componentType"]]
    return np.frombuffer(buffers[view["buffer"]], kind, accessor["count"], start).reshape(-1, 3)


def run(*arguments, codes=(0,)):
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, check=False)
    if done.returncode not in codes:
        sys.exit(f"failed: {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def write_off(rig, frame, target):
    cache = target.with_suffix(".npy")
    run(common.PROGRAM, "bake", rig, "--clip", "#0", "--frames", frame, "-o", cache, "-q")
    points, triangles = np.load(cache)[0], triangles_of(rig)
    with open(target, "w", encoding="ascii") as file:
        file.write(f"OFF\n{len(points)} {len(triangles)} 0\n")
        for x, y, z in points:
            file.write(f"{x:.9g} {y:.9g} {z:.9g}\n")
        for a, b, c in triangles:
            file.write(f"3 {a} {b} {c}\n")


def by_points(spacing):
    """The largest distance of a grid of points, and the error of the grid."""
    script = pathlib.Path(__file__).with_name("hausdorff_bvh.mjs")
    return float(run("node", script, BVH, spacing, WORK / "a.off", WORK / "b.off")), spacing / 3 ** 0.5


def compared(program, name, ratio, frame):
    """A text, and whether the distances of both programs are within skinbake's bounds."""
    source = (common.SHARED / "assets" if name.endswith(".glb") else common.RIGS) / name
    simple = WORK / f"{source.stem}.{ratio}.glb"
    run("gltfpack", "-i", source, "-o", simple, "-si", ratio, "-noq", "-kn")
    report = json.loads(run(common.PROGRAM, "diff", source, simple, "--match", "surface", "--hausdorff", "--clip", "#0",
                            "--frames", frame, "--json", "-q", codes=(0, 1)))
    mesh = report["meshes"][0]
    series = mesh["runs"][0]["hausdorff"]["per_frame"]
    lower, upper = series["lower"][0], series["upper"][0]
    write_off(source, frame, WORK / "a.off")
    write_off(simple, frame, WORK / "b.off")
    error = ERROR * mesh["bbox_diagonal_m"]
    exact = float(run(program, error, WORK / "a.off", WORK / "b.off"))
    points, grid = by_points(SPACING * mesh["bbox_diagonal_m"])
    rounding = 1e-7 * mesh["bbox_diagonal_m"]  # of the float32 coordinates in three-mesh-bvh
    good = lower - error <= exact <= upper + error and lower - grid <= points <= upper + rounding
    return f"CGAL {exact:.6g} m, three-mesh-bvh {points:.6g} m, {lower:.6g} to {upper:.6g} m", good


def main():
    common.need_program()
    common.need_shared()
    if shutil.which("gltfpack") is None:
        common.skip("no gltfpack; scripts/setup --ci installs it")
    if shutil.which("node") is None or not (BVH / "installed").is_file():
        common.skip(f"no installed {BVH}; scripts/setup --ci installs it")
    WORK.mkdir(parents=True, exist_ok=True)
    program = built()
    wrong = 0
    for name, ratio, frame in PAIRS:
        text, good = compared(program, name, ratio, frame)
        wrong += not good
        print(f"{'ok    ' if good else 'WRONG '} {name} {ratio}, frame {frame}: {text}", flush=True)
    print(f"{len(PAIRS)} pairs, {wrong} outside the bounds")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
