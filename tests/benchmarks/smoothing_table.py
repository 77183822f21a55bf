"""Prints what delta mush does to characters of several sizes, as the table of lib/methods/README.md.

    smoothing_table.py SKINBAKE ASSETS

ASSETS is a folder with the characters. Errors are distances from linear blending, relative to the
diagonal of the mesh's bounds; losses are of the volume, against the bind pose.
"""
import json
import subprocess
import sys
from pathlib import Path

CHARACTERS = (("Bunny.gltf", "Run"), ("Fox.glb", "Run"), ("CesiumMan.glb", None), ("RiggedSimple.glb", None),
              ("KayKit_Knight.glb", "Walking_A"), ("robot.glb", "Robot_Walking"), ("pbrTest/pbrTest.gltf", None),
              ("manny/manny_med_mod.gltf", "manny/Med_MovementBasic.glb#Rig_Medium|Jump_Land"))
METHODS = ("lbs", "dm:iterations=10", "dm", "ddm:lambda=3,kappa=1,p=20", "ddm")


def runs(skinbake, assets, character, clip):
    """The runs of all methods and meshes, on six frames a second."""
    command = [skinbake, "compare", assets / character, *(word for method in METHODS for word in ("--method", method)), "--reference", "lbs",
               "--fps", "6", "--json"]
    if clip:
        command += ["--clip", assets / clip if "/" in clip else clip]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [run for mesh in json.loads(done.stdout)["meshes"] for run in mesh["runs"]]


def cell(of_method):
    """The greatest distance and volume loss over the meshes."""
    error = max(run["error"]["max_relative"] for run in of_method)
    losses = [run["volume"]["max_loss"] for run in of_method if run.get("volume")]
    losses = [loss for loss in losses if loss is not None]
    is_reference = of_method[0]["method"] == METHODS[0]
    numbers = ([] if is_reference else [error]) + ([max(losses)] if losses else [])
    return ", ".join(f"{number:.1%}" for number in numbers)


def main():
    skinbake, assets = sys.argv[1], Path(sys.argv[2])
    print("| character | " + " | ".join(f"`{method}`" for method in METHODS) + " |")
    print("|---" * (len(METHODS) + 1) + "|")
    for character, clip in CHARACTERS:
        all_runs = runs(skinbake, assets, character, clip)
        cells = [cell([run for run in all_runs if run["method"] == method]) for method in METHODS]
        print(f"| `{Path(character).name}` | " + " | ".join(cells) + " |", flush=True)


main()
