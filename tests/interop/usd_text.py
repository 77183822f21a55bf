#!/usr/bin/env python3
"""USD text that skinbake bakes, as TinyUSDZ reads it, a parser that is not ours and not Pixar's.

    usd_text.py [RIG…]        default: every rig of data/rigs, and CesiumMan

Each rig is baked to one .usda and, mesh by mesh, to PC2. TinyUSDZ must find a time sample of the points
for each frame, at its number, with the PC2's numbers; an extent beside each; the first frame as the
default; the frames' range and rate, units and axis; and in the scene that it would show every mesh with
its triangles, without subdivision.
Exit status: 0 all is so, 1 not, 77 skipped because something is not installed (never if CI=true).
"""

import json
import pathlib
import re
import shutil
import struct
import sys

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


def frames_of(pc2):
    _, _, points, _, _, samples = struct.unpack("<12siiffi", pc2.read_bytes()[:32])
    return np.fromfile(pc2, "<f4", offset=32).reshape(samples, points, 3)


def check_mesh(name, prim, shown, frames, codes):
    """Error texts; the codes are of the frames."""
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
    """(number of samples, error texts)"""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    done = common.run([common.PROGRAM, "bake", rig, "--fps", FPS, "-q", *options, "-o", folder / "all.usda", "-o", folder / "{mesh}.pc2"])
    if done.returncode != 0:
        return 0, [f"skinbake bake: exit {done.returncode}: {done.stdout.strip()}"]
    seen = read(folder / "all.usda")
    head = seen["layer"].split("def ")[0]
    found = prims(seen["layer"])
    said = json.loads((folder / "all.usda.json").read_text())
    ids = [mesh["id"] for mesh in said.get("meshes") or [said["mesh"]]]
    codes = [said["first_frame"] + said["frame_step"] * f for f in range(said["frame_count"])]
    problems, samples = [], 0
    if len(ids) != len(found) or sorted(mesh["name"] for mesh in seen["meshes"]) != sorted(found):
        return 0, [f"{len(ids)} meshes were baked, {list(found)} read, {len(seen['meshes'])} shown"]
    shown = {mesh["name"]: mesh for mesh in seen["meshes"]}
    for identity, (name, prim) in zip(ids, found.items()):
        frames = frames_of(folder / f"{identity}.pc2")
        problems += check_mesh(name, prim, shown[name], frames, codes)
        samples += len(frames)
    for line in (f"startTimeCode = {codes[0]}", f"endTimeCode = {codes[-1]}", f"timeCodesPerSecond = {FPS}",
                 f"framesPerSecond = {FPS}", "metersPerUnit = 1", 'upAxis = "Y"', 'defaultPrim = "Baked"'):
        if f"    {line}\n" not in head:
            problems.append(f"no '{line}' in its head")
    return samples, problems


def main():
    common.need_program()
    common.need_shared()
    if shutil.which("node") is None or not (MODULES / "node_modules" / "tinyusdz").is_dir():
        common.skip(f"no TinyUSDZ in {MODULES}; scripts/setup --ci installs it")
    cases = [(pathlib.Path(rig).resolve(), ()) for rig in sys.argv[1:]] or [
        (rig, ()) for rig in sorted(common.RIGS.iterdir()) if rig.suffix in (".gltf", ".glb")] + [
            ((common.SHARED / "assets" / "CesiumMan.glb").resolve(), ("--frames", "2:40:3"))]
    work = common.PROJECT / "build" / "interop" / "usd"
    failures, read_samples = 0, 0
    for rig, options in cases:
        samples, problems = check(rig, work / rig.stem, options)
        read_samples += samples
        for problem in problems:
            print(f"FAIL {rig.name}: {problem}")
        failures += len(problems)
    if read_samples == 0:
        print("FAIL: nothing was read")
        failures += 1
    shutil.rmtree(work, ignore_errors=True)
    print(f"TinyUSDZ: {len(cases)} rigs, {read_samples} time samples read, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
