#!/usr/bin/env python3
"""Writes the rigs of data/rigs from formulas: the same bytes on every run.

    make_rigs.py [--output DIR]   writes them (default: data/rigs of this project)
    make_rigs.py --check DIR      compares what it would write with DIR; exit 1 if anything differs

| file              | container              | interpolation             | weights    |
| two_joints.gltf   | data URI               | LINEAR                    | float      |
| twisted_tube.gltf | data URI               | LINEAR                    | float      |
| bent_tube.glb     | GLB                    | LINEAR                    | float      |
| core_line.gltf    | data URI               | LINEAR                    | float      |
| bent_arm.gltf     | bent_arm.bin, interleaved | CUBICSPLINE, LINEAR, STEP | normalised u16 |
| walker.glb        | GLB, two primitives, a rigid prop, sparse morph targets | LINEAR | normalised u8 |

Positions are in metres, +Y up. Triangles are counter-clockwise from outside. Every surface except core_line.gltf is
closed. The joints' rest transforms do not have rotation or scale, and the rest pose is the bind pose.

Weights. The joints of a limb are at s_0 < s_1 < … along its axis. From joint k-1 to joint k, a step
h_k(s) rises from 0 to 1 (h_0 = 1, and h after the last joint is 0):

    w_k(s) = h_k(s) - h_(k+1)(s)            the sum over k is 1 for any steps

with h_k either a linear ramp (the tubes: h_1 = s / length) or, around joint k with half width b_k,

    h_k(s) = 3 x^2 - 2 x^3,   x = clamp((s - s_k + b_k) / (2 b_k), 0, 1)

where h_k(s) <= h_(k-1)(s) for every s.
"""

import argparse
import pathlib
import sys

from rigs.formulas import Y, Z
from rigs.limbs import bent_arm, core_line, tube, two_joints
from rigs.walker import walker


def all_files():
    files = {}
    files.update(two_joints())
    files.update(tube("twisted_tube.gltf", "twist", Y, 180))
    files.update(tube("bent_tube.glb", "bend", Z, 120))
    files.update(core_line())
    files.update(bent_arm())
    files.update(walker())
    return files


def check(folder):
    expected = all_files()
    wrong = []
    for name, data in expected.items():
        path = folder / name
        if not path.is_file():
            wrong.append(f"{name}: missing")
        elif path.read_bytes() != data:
            wrong.append(f"{name}: differs")
    for path in sorted(folder.glob("*")):
        if path.suffix in (".gltf", ".glb", ".bin") and path.name not in expected:
            wrong.append(f"{path.name}: not written by make_rigs.py")
    for line in wrong:
        print(line)
    print(f"{len(expected)} files, {len(wrong)} wrong"
          + ("; scripts/make_rigs.py writes them anew" if wrong else ""))
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    project = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("--output", metavar="DIR", type=pathlib.Path, default=project / "data/rigs")
    parser.add_argument("--check", metavar="DIR", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.check:
        return check(arguments.check)
    arguments.output.mkdir(parents=True, exist_ok=True)
    for name, data in all_files().items():
        (arguments.output / name).write_bytes(data)
        print(f"{len(data):8} {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
