#!/usr/bin/env python3
"""The pages of a report, as their readers see them: HTML in Chromium without a network, Markdown as
markdown-it renders it, JUnit XML as a parser from npm reads it.

    report_pages.py [FOLDER]      FOLDER: for pages and screenshots (default: build/report-pages)

Exit status: 0 all is well, 1 it is not, 77 skipped because something is not installed (never if CI=true).
"""

import argparse
import json
import pathlib
import shutil
import sys

import common

HOSTILE = '"></title></script><script>window.broken = 1</script><img src=x onerror="window.broken = 1">'


def write_hostile_rig(path):
    """A rig whose every name would like to be markup."""
    gltf = json.loads((common.RIGS / "two_joints.gltf").read_text())
    for kind in ("nodes", "meshes", "animations"):
        for i, element in enumerate(gltf.get(kind, [])):
            element["name"] = f"{HOSTILE} {kind} {i}"
    path.write_text(json.dumps(gltf))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path,
                        default=common.PROJECT / "build" / "report-pages")
    folder = parser.parse_args().folder
    common.need_program()
    modules = common.ORACLE / "pages"
    if shutil.which("node") is None or not (modules / "installed").is_file():
        common.skip(f"no installed {modules}; scripts/setup --ci installs it")
    chromium = shutil.which("chromium")
    if chromium is None:
        common.skip("no chromium; scripts/setup --ci installs it")

    folder.mkdir(parents=True, exist_ok=True)
    write_hostile_rig(folder / "hostile.gltf")
    for arguments, codes in (
            (["compare", common.RIGS / "bent_arm.gltf", "--methods", "lbs,dqs,cor", "--per-vertex", "json",
              "--fail-volume-loss", "1%", "--fail-max", "1", "--warn-rms", "1e-9", "--report", "methods.json",
              "--html", "methods.html", "--markdown", "methods.md", "--junit", "methods.xml"], (1,)),
            (["bake", "hostile.gltf", "--html", "hostile.html"], (0,)),
            (["compare", common.RIGS / "bent_arm.gltf", "--methods", "lbs,dqs,cor", "--html", "view.html",
              "--view"], (0,)),
            (["compare", common.RIGS / "walker.glb", "--methods", "lbs,dqs", "--html", "view_walker.html",
              "--view"], (0,)),
            (["bake", "hostile.gltf", "--html", "hostile_view.html", "--view"], (0,))):
        done = common.run([common.PROGRAM, *arguments], cwd=folder)
        if done.returncode not in codes:
            print(f"skinbake {arguments[0]}: exit {done.returncode}: {done.stdout.strip()}")
            return 1
    for script in ("report_pages.mjs", "view_page.mjs"):
        done = common.run(["node", pathlib.Path(__file__).with_name(script), modules, folder, chromium], timeout=300)
        print(done.stdout, end="")
        if done.returncode != 0:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
