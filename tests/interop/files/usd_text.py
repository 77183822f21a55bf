#!/usr/bin/env python3
"""Checks baked USD text with TinyUSDZ, a parser that is neither ours nor Pixar's.

    usd_text.py [RIG…]        default: every rig of data/rigs, and CesiumMan

Each rig is baked to one .usda with normals, to one GLB with normals, and each mesh to PC2. TinyUSDZ must find
a time sample of the points for each frame, at the frame's number and with the numbers of the PC2; the normals
of the GLB; an extent with each sample; the first frame as the default; range and rate of the frames, units and
axis; and, in the scene to be rendered, every mesh with its triangles and without subdivision.
Exit status: 0 every check holds, 1 some do not, 77 skipped because something is not installed (never if CI=true).
"""

import json
import pathlib
import re
import shutil
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common

np = common.numpy()

READER = pathlib.Path(__file__).resolve().parent / "usd_text.mjs"
MODULES = common.ORACLE / "usd"
FPS = 24


def read(path):
    done = common.run(["node", READER, MODULES, path])
    if done.returncode != 0:
        raise ValueError(f"TinyUSDZ: {done.stdout.strip()[-300:]}")
    return json.loads(done.stdout)


def numbers(text):
    return np.array(re.findall(r"[-+.\deE]+", text), dtype=np.float32).reshape(-1, 3)


def prims(layer):
    """{name: (text of attributes, {attribute: {time code: text}})} of the layer as TinyUSDZ writes it."""
    found = {}
    for name, body in re.findall(r'^    def Mesh "(\w+)"[^{]*\{\n(.*?)^    \}$', layer, flags=re.M | re.S):
        samples = {attribute: {float(code): text for code, text in re.findall(r"^\s+(-?[\d.]+): (\[.*?\]),?$", block, flags=re.M)}
                   for attribute, block in re.findall(r"(\w+)\.timeSamples = \{\n(.*?)^\s+\}$", body, flags=re.M | re.S)}
        found[name] = body, samples
    return found


def vectors(gltf, data, number):
    """The rows of an accessor of three floats, dense or sparse."""
    accessor = gltf["accessors"][number]

    def read(kind, view, offset, count):
        return np.frombuffer(data, kind, count, gltf["bufferViews"][view]["byteOffset"] + offset)

    if "sparse" not in accessor:
        return read("<f4", accessor["bufferView"], accessor.get("byteOffset", 0), 3 * accessor["count"]).reshape(-1, 3)
    rows = np.zeros((accessor["count"], 3), "<f4")
    count, indices, values = (accessor["sparse"][key] for key in ("count", "indices", "values"))
    places = read("<u2" if indices["componentType"] == 5123 else "<u4", indices["bufferView"], indices["byteOffset"], count)
    rows[places] = read("<f4", values["bufferView"], values["byteOffset"], 3 * count).reshape(-1, 3)
    return rows


def normals_of(glb):
    """[frame][vertex][axis] of each mesh, or None."""
    length, = struct.unpack_from("<I", glb, 12)
    gltf, data = json.loads(glb[20:20 + length]), glb[28 + length:]
    for mesh in gltf["meshes"]:
        primitives = mesh["primitives"]
        if "NORMAL" not in primitives[0]["attributes"]:
            yield None
            continue
        base = [vectors(gltf, data, p["attributes"]["NORMAL"]) for p in primitives]
        ways = [[0 * b] + [vectors(gltf, data, target["NORMAL"]) for target in p.get("targets", [])]
                for p, b in zip(primitives, base)]
        yield np.concatenate([b + np.array(w) for b, w in zip(base, ways)], axis=1)


def frames_of(pc2):
    _, _, points, _, _, samples = struct.unpack("<12siiffi", pc2.read_bytes()[:32])
    return np.fromfile(pc2, "<f4", offset=32).reshape(samples, points, 3)


def check_normals(name, prim, normals, codes):
    """Error texts. The GLB rounds a number of at most 2 twice."""
    body, samples = prim
    if normals is None:
        if "normal" in body:
            yield f"{name}: normals of a mesh that has none"
        return
    if list(samples.get("normals", {})) != codes:
        yield f"{name}: time codes of normals: {list(samples.get('normals', {}))[:5]} …"
        return
    for code, frame in zip(codes, normals):
        found = numbers(samples["normals"][code])
        if found.shape != frame.shape or not np.abs(found - frame).max() <= 3e-7:
            yield f"{name}: other normals at {code}"
    default = re.search(r'normal3f\[\] normals = (\[.*\]) \(\n\s*interpolation = "vertex"\n\s*\)', body)
    if default is None or not np.array_equal(numbers(default[1]), numbers(samples["normals"][codes[0]])):
        yield f"{name}: the default normals are not those of the first frame, or not one for each vertex"


def check_mesh(name, prim, shown, frames, codes):
    """Error texts; the time codes are frame numbers."""
    body, samples = prim
    for attribute in ("points", "extent"):
        if list(samples.get(attribute, {})) != codes:
            yield f"{name}: time codes of {attribute}: {list(samples.get(attribute, {}))[:5]} …"
            return
    for code, frame in zip(codes, frames):
        if not np.array_equal(numbers(samples["points"][code]), frame):
            yield f"{name}: other points at {code}"
        if not np.array_equal(numbers(samples["extent"][code]), [frame.min(axis=0), frame.max(axis=0)]):
            yield f"{name}: another extent at {code}"
    default = re.search(r"point3f\[\] points = (\[.*\])", body)
    if default is None or not np.array_equal(numbers(default[1]), frames[0]):
        yield f"{name}: the default is not the first frame"
    if not re.search(r'uniform token subdivisionScheme = "none"', body):
        yield f"{name}: would be subdivided"
    if set(shown["counts"]) - {3} or 3 * len(shown["counts"]) != len(shown["indices"]):
        yield f"{name}: not triangles"
    if shown["indices"] and max(shown["indices"]) >= len(frames[0]):
        yield f"{name}: an index of no vertex"


def check(rig, folder, options=()):
    """(number of samples, meshes with normals, error texts)"""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    done = common.run([common.PROGRAM, "bake", rig, "--fps", FPS, "-q", *options, "-o", folder / "all.usda", "-o", folder / "{mesh}.pc2",
                       "-o", folder / "all.glb", "--format", "usda:normals=1", "--format", "glb:normals=1"])
    if done.returncode != 0:
        return 0, 0, [f"skinbake bake: exit {done.returncode}: {done.stdout.strip()}"]
    seen = read(folder / "all.usda")
    head = seen["layer"].split("def ")[0]
    found = prims(seen["layer"])
    said = json.loads((folder / "all.usda.json").read_text())
    ids = [mesh["id"] for mesh in said.get("meshes") or [said["mesh"]]]
    codes = [said["first_frame"] + said["frame_step"] * f for f in range(said["frame_count"])]
    problems, samples, turned = [], 0, 0
    if len(ids) != len(found) or sorted(mesh["name"] for mesh in seen["meshes"]) != sorted(found):
        return 0, 0, [f"{len(ids)} meshes were baked, {list(found)} read, {len(seen['meshes'])} shown"]
    shown = {mesh["name"]: mesh for mesh in seen["meshes"]}
    normals = list(normals_of((folder / "all.glb").read_bytes()))
    for identity, (name, prim), of_mesh in zip(ids, found.items(), normals, strict=True):
        frames = frames_of(folder / f"{identity}.pc2")
        problems += check_mesh(name, prim, shown[name], frames, codes)
        problems += check_normals(name, prim, of_mesh, codes)
        turned += of_mesh is not None
        samples += len(frames)
    for line in (f"startTimeCode = {codes[0]}", f"endTimeCode = {codes[-1]}", f"timeCodesPerSecond = {FPS}",
                 f"framesPerSecond = {FPS}", "metersPerUnit = 1", 'upAxis = "Y"', 'defaultPrim = "Baked"'):
        if f"    {line}\n" not in head:
            problems.append(f"no '{line}' in its head")
    return samples, turned, problems


def main():
    common.need_program()
    common.need_shared()
    if shutil.which("node") is None or not (MODULES / "node_modules" / "tinyusdz").is_dir():
        common.skip(f"no TinyUSDZ in {MODULES}; scripts/setup --ci installs it")
    cases = [(pathlib.Path(rig).resolve(), ()) for rig in sys.argv[1:]] or [
        (rig, ()) for rig in sorted(common.RIGS.iterdir()) if rig.suffix in (".gltf", ".glb")] + [
            ((common.SHARED / "assets" / "CesiumMan.glb").resolve(), ("--frames", "2:40:3"))]
    work = common.PROJECT / "build" / "interop" / "usd"
    failures, read_samples, read_normals = 0, 0, 0
    for rig, options in cases:
        samples, turned, problems = check(rig, work / rig.stem, options)
        read_samples += samples
        read_normals += turned
        for problem in problems:
            print(f"FAIL {rig.name}: {problem}")
        failures += len(problems)
    if read_samples == 0 or read_normals == 0:
        print("FAIL: nothing was read, or no normals")
        failures += 1
    shutil.rmtree(work, ignore_errors=True)
    print(f"TinyUSDZ: {len(cases)} rigs, {read_samples} time samples read, {read_normals} meshes with normals, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
