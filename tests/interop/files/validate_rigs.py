#!/usr/bin/env python3
"""Checks that the Khronos glTF validator finds no error in data/rigs.

    validate_rigs.py [FILE…]      default: every rig of data/rigs

Exit status: 0 no errors, 1 errors, 77 skipped because something is not installed (never if CI=true).
"""

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    files = parser.parse_args().files or sorted(
        f for f in common.RIGS.iterdir() if f.suffix in (".gltf", ".glb"))
    if not files:
        print(f"no rigs in {common.RIGS}; scripts/make_rigs.py writes them")
        return 1
    validator = common.need_oracle("validate.mjs")
    done = common.run(["node", validator, "--codes", *[f.resolve() for f in files]],
                      cwd=common.ORACLE)
    print(done.stdout.replace(f"{common.PROJECT}/", ""), end="")
    return 0 if done.returncode == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
