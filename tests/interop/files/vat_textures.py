#!/usr/bin/env python3
"""Checks vertex animation textures with the tools of OpenEXR and PNG, and the mesh beside them.

    vat_textures.py [RIG…]        default: every rig of data/rigs

Each mesh of each rig is baked in both layouts, to PNG and to EXR in both precisions, with and without a
texture of normals, which must have the same form. exrheader must name the size of the sidecar, three channels
of the precision, and no compression. exrmaketiled must read every pixel. pngcheck must find no error in a
16-bit image with alpha, or an 8-bit image without alpha (split=8). The Khronos validator must find neither an error nor a warning in the static GLB.
Exit status: 0 every check holds, 1 some do not, 77 skipped because something is not installed (never if CI=true).
"""

import json
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common

KINDS = [("png", "layout=unreal,normals=1"), ("png", "layout=openvat"), ("exr", "layout=unreal"),
         ("exr", "layout=openvat,precision=half,normals=1"), ("png", "layout=unreal,normals=1,split=8")]


def check_exr(path, vat, half):
    """Error texts."""
    done = common.run(["exrheader", path])
    lines = [line.strip() for line in done.stdout.splitlines()]
    number = "16-bit floating-point" if half else "32-bit floating-point"
    for wanted in [f"{c}, {number}, sampling 1 1" for c in "BGR"] + [
            "compression (type compression): none", "lineOrder (type lineOrder): increasing y",
            f"dataWindow (type box2i): (0 0) - ({vat['width'] - 1} {vat['height'] - 1})"]:
        if wanted not in lines:
            yield f"exrheader, exit {done.returncode}, does not say '{wanted}'"
    done = common.run(["exrmaketiled", path, path.with_suffix(".tiled")])
    if done.returncode != 0:
        yield f"exrmaketiled, exit {done.returncode}: {done.stdout.strip()}"


def check_png(path, vat):
    pixel = "24-bit RGB" if "low" in vat else "64-bit RGB+alpha"
    done = common.run(["pngcheck", "-v", path])
    for wanted in (f"{vat['width']} x {vat['height']} image, {pixel}, non-interlaced", "No errors detected"):
        if wanted not in done.stdout:
            yield f"pngcheck, exit {done.returncode}, does not say '{wanted}'"


def check_mesh(path):
    done = common.run(["node", common.ORACLE / "validate.mjs", "--json", path], cwd=common.ORACLE)
    for message in json.loads(done.stdout)["messages"]:
        if message["severity"] <= 1:
            yield f"its mesh: {message['code']} at {message.get('pointer')}"


def check(rig, folder):
    """(number of textures, error texts)"""
    textures, problems = 0, []
    for extension, options in KINDS:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        done = common.run([common.PROGRAM, "bake", rig, "--fps", "12", "-q", "-o", folder / f"{{mesh}}.{extension}",
                           "--format", f"vat:{options}"])
        if done.returncode != 0:
            return textures, [*problems, f"skinbake bake: exit {done.returncode}: {done.stdout.strip()}"]
        for sidecar in sorted(folder.glob("*.json")):
            path = sidecar.with_suffix("")
            vat = json.loads(sidecar.read_text())["vat"]
            found = list(check_mesh(path.with_name(path.name + ".glb")))
            said = [vat] + ([vat["normals"]] if "normals" in vat else [])
            names = [path.name] + [normals["file"] for normals in said[1:]]
            names += [images["low"]["file"] for images in said if "low" in images]
            for texture in map(path.with_name, names):
                found += check_png(texture, vat) if extension == "png" else check_exr(texture, vat, "half" in options)
                textures += 1
            problems += [f"{path.name}, {options}: {problem}" for problem in found]
    return textures, problems


def main():
    common.need_program()
    common.need_oracle("validate.mjs")
    for tool, package in (("exrheader", "openexr"), ("exrmaketiled", "openexr"), ("pngcheck", "pngcheck")):
        if shutil.which(tool) is None:
            common.skip(f"no {tool}; scripts/setup --ci installs it ({package})")
    rigs = [pathlib.Path(rig).resolve() for rig in sys.argv[1:]] or sorted(
        f for f in common.RIGS.iterdir() if f.suffix in (".gltf", ".glb"))
    work = common.PROJECT / "build" / "interop" / "vat"
    failures, seen = 0, 0
    for rig in rigs:
        textures, problems = check(rig, work)
        seen += textures
        failures += len(problems) + (textures == 0)
        for problem in problems or ([] if textures else ["no texture was written"]):
            print(f"FAIL {rig.name}: {problem}")
    shutil.rmtree(work, ignore_errors=True)
    print(f"OpenEXR, pngcheck, Khronos validator: {len(rigs)} rigs, {seen} textures, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
