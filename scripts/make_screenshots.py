#!/usr/bin/env python3
"""Takes the screenshots of a report on the bent arm: report_curves.png and report_view.png.

    scripts/make_screenshots.py SKINBAKE FOLDER

Needs Node.js, playwright-core and Chromium, which scripts/setup --ci installs. Pictures depend on the fonts of
the system.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODULES = pathlib.Path(os.environ.get("SKINBAKE_ORACLE") or ROOT / "build" / "oracle") / "pages"


def main(arguments):
    if len(arguments) != 2:
        print(__doc__)
        return 2
    skinbake, folder = (pathlib.Path(argument).resolve() for argument in arguments)
    chromium = shutil.which("chromium")
    if chromium is None or not (MODULES / "installed").is_file():
        print("make_screenshots: no Chromium or no playwright-core; run scripts/setup --ci", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as temporary:
        page = pathlib.Path(temporary, "page.html")
        subprocess.run([skinbake, "compare", ROOT / "data" / "rigs" / "bent_arm.gltf", "-q", "--method", "lbs", "--method", "dqs", "--method", "cor", "--report", page, "--view"], check=True)
        script = pathlib.Path(__file__).with_suffix(".mjs")
        subprocess.run(["node", script, MODULES, chromium, page, folder], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
