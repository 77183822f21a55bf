#!/usr/bin/env python3
"""Checks the pages of a report in their viewers: HTML in Chromium without a network, Markdown rendered by
markdown-it, JUnit XML read by a parser from npm.

    report_pages.py [FOLDER]      FOLDER: for pages and screenshots (default: build/report-pages)

Exit status: 0 every check holds, 1 some do not, 77 skipped because something is not installed (never if CI=true).
"""

import argparse
import base64
import json
import pathlib
import shutil
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common

HOSTILE = '"></title></script><script>window.broken = 1</script><img src=x onerror="window.broken = 1">'


def write_hostile_rig(path):
    """A rig whose names all contain markup."""
    gltf = json.loads((common.RIGS / "two_joints.gltf").read_text())
    for kind in ("nodes", "meshes", "animations"):
        for i, element in enumerate(gltf.get(kind, [])):
            element["name"] = f"{HOSTILE} {kind} {i}"
    path.write_text(json.dumps(gltf))


def add_floats(gltf, kind, values, **more):
    """The index of a new accessor in a new buffer."""
    data = struct.pack(f"<{len(values)}f", *values)
    gltf["buffers"].append({"byteLength": len(data), "uri": "data:application/octet-stream;base64,"
                            + base64.b64encode(data).decode()})
    gltf["bufferViews"].append({"buffer": len(gltf["buffers"]) - 1, "byteLength": len(data)})
    gltf["accessors"].append({"bufferView": len(gltf["bufferViews"]) - 1, "componentType": 5126, "type": kind,
                              "count": len(values) // {"SCALAR": 1, "VEC2": 2}[kind], **more})
    return len(gltf["accessors"]) - 1


def write_rig_of_two_clips(path):
    """A rig whose second clip is the first one at half speed."""
    gltf = json.loads((common.RIGS / "two_joints.gltf").read_text())
    slow = json.loads(json.dumps(gltf["animations"][0]))
    slow["name"] = "slow"
    for sampler in slow["samplers"]:
        times = gltf["accessors"][sampler["input"]]
        view = gltf["bufferViews"][times["bufferView"]]
        data = base64.b64decode(gltf["buffers"][view["buffer"]]["uri"].split(",", 1)[1])
        first = view.get("byteOffset", 0) + times.get("byteOffset", 0)
        keys = [2 * key for key in struct.unpack_from(f"<{times['count']}f", data, first)]
        sampler["input"] = add_floats(gltf, "SCALAR", keys, min=[min(keys)], max=[max(keys)])
    gltf["animations"].append(slow)
    path.write_text(json.dumps(gltf))


def write_older_report(path, older):
    """The report with a quarter less volume lost by its first method."""
    report = json.loads(path.read_text())
    report["meshes"][0]["runs"][0]["volume"]["max_loss"] -= 0.25
    older.write_text(json.dumps(report))


def write_wide_reports(path, folder):
    """Characters with 24 clips, whose worst triangles are from 4.5 to 1e12; the least distorted one exceeds a limit."""
    report = json.loads(path.read_text())
    kept = report["meshes"][0]["runs"][0]
    names = [f"clip {number:02} with a long name" for number in range(24)]
    report["clips"] = [{**report["clips"][0], "id": name, "name": name, "index": i} for i, name in enumerate(names)]
    report["verdict"] = {"status": "none", "checks": []}
    frames = len(kept["error"]["per_frame"]["max"])
    series = {name: [1.0] * frames
              for name in ("arap", "symmetric_dirichlet", "conformal", "area_ratio_min", "area_ratio_max")}
    for character, worst in (("calm", 4.47), ("folded", 32_200), ("torn", 1e12)):
        report["inputs"][0].update(path=f"{character}.glb", xxh128=character.encode().hex().ljust(32, "0"))
        distortion = {"worst": worst, "worst_at": {"frame": 1, "time_s": 1 / 30, "triangle": 7}, "dropped": 0,
                      "degenerate_reference": 0, "clamped": 0, "per_frame": series}
        runs = [{**kept, "clip": name, "triangle_distortion": distortion} for name in names]
        report["meshes"] = [{**report["meshes"][0], "runs": runs}]
        if character == "calm":
            check = {"key": "error.max", "limit": 0.1, "unit": "m", "value": 0.2, "passed": False,
                     "failures": 1, "mesh": report["meshes"][0]["id"], "clip": names[0], "method": kept["method"],
                     "at": {"frame": 1, "time_s": 1 / 30, "vertex": 1}, "severity": "fail"}
            failing = {**report, "verdict": {"status": "fail", "checks": [check]}}
        (folder / f"{character}.json").write_text(json.dumps(failing if character == "calm" else report))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path,
                        default=common.PROJECT / "build" / "report-pages")
    folder = parser.parse_args().folder
    common.need_program()
    common.need_shared()
    modules = common.ORACLE / "pages"
    if shutil.which("node") is None or not (modules / "node_modules" / "axe-core").is_dir():
        common.skip(f"no installed {modules}; scripts/setup --ci installs it")
    chromium = common.need_chromium()

    folder.mkdir(parents=True, exist_ok=True)
    write_hostile_rig(folder / "hostile.gltf")
    write_rig_of_two_clips(folder / "clips.gltf")
    if shutil.which("gltfpack") is None:
        common.skip("no gltfpack; scripts/setup --ci installs it")
    common.run(["gltfpack", "-i", common.RIGS / "twisted_tube.gltf", "-o", folder / "simple.glb", "-si", "0.2"])
    for arguments, codes in (
            (["compare", common.RIGS / "bent_arm.gltf", "--method", "lbs", "--method", "dqs", "--method", "cor", "--per-vertex", "json",
              "--fail", "volume.max_loss=1%", "--fail", "error.max=1", "--warn", "error.rms=1e-9", "--report", "methods.json",
              "--report", "methods.html", "--report", "methods.md", "--report", "methods.xml"], (1,)),
            (["bake", "hostile.gltf", "--report", "hostile.html", "--report", "hostile.json"], (0,)),
            (["compare", common.RIGS / "bent_arm.gltf", "--method", "lbs", "--method", "dqs", "--method", "cor", "--report", "view.html",
              "--view"], (0,)),
            (["compare", common.RIGS / "walker.glb", "--method", "lbs", "--method", "dqs", "--report", "view_walker.html",
              "--report", "walker.json", "--view"], (0,)),
            (["bake", "clips.gltf", "--clip", "all", "--report", "view_clips.html", "--view"], (0,)),
            (["compare", common.SHARED / "assets" / "CesiumMan.glb", "--method", "lbs", "--method", "dqs", "--report", "view_man.html",
              "--view"], (0,)),
            (["compare", common.RIGS / "twisted_tube.gltf", "--method", "lbs", "--method", "dqs", "--report", "view_tube.html",
              "--view"], (0,)),
            (["compare", common.RIGS / "walker.glb", "--mesh", "Body", "--clip", "rom:spine", "--fps", "4",
              "--metrics", "volume", "--report", "view_rom.html", "--view"], (0,)),
            (["diff", common.RIGS / "twisted_tube.gltf", "simple.glb", "--match", "auto", "--hausdorff",
              "--fail", "error.max=100%", "--report", "view_surfaces.html", "--view"], (0,)),
            (["bake", "hostile.gltf", "--report", "hostile_view.html", "--view"], (0,))):
        done = common.run([common.PROGRAM, *arguments], cwd=folder)
        if done.returncode not in codes:
            print(f"skinbake {arguments[0]}: exit {done.returncode}: {done.stdout.strip()}")
            return 1
    write_older_report(folder / "methods.json", folder / "old.json")
    write_wide_reports(folder / "methods.json", folder)
    for arguments in (["calm.json", "folded.json", "torn.json", "--overview", "-o", "wide.html"],
                      ["methods.json", "walker.json", "--against", "old.json", "--overview", "-o", "library.html"],
                      ["methods.json", "walker.json", "--overview", "--self-contained", "-o", "inside.html"],
                      ["hostile.json", "--overview", "-o", "hostile_library.html"],
                      ["hostile.json", "--overview", "--self-contained", "-o", "hostile_inside.html"]):
        done = common.run([common.PROGRAM, "report", *arguments], cwd=folder)
        if done.returncode != 0:
            print(f"skinbake report: exit {done.returncode}: {done.stdout.strip()}")
            return 1
    for script in ("report_pages.mjs", "view_page.mjs", "places_page.mjs", "overview_page.mjs"):
        done = common.run(["node", pathlib.Path(__file__).with_name(script), modules, folder, chromium], timeout=300)
        print(done.stdout, end="")
        if done.returncode != 0:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
