#!/usr/bin/env python3
"""Enforces which folder of lib/ and cli/ may include what.

    check_includes.py [ROOT]      ROOT: the project's root (default: where this script lives)
    check_includes.py --self-test proves on a made-up tree that forbidden includes are caught

Exit status: 0 all includes are allowed, 1 some are not (one line each), 2 wrong usage.
"""

import argparse
import fnmatch
import pathlib
import re
import sys
import tempfile

# A folder of lib/ may include itself, what its row names, and what those may include.
# lib/README.md shows the same table.
MAY_INCLUDE = {
    "base": [],
    "math": ["base"],
    "rig": ["math"],
    "clip": ["rig"],
    "gltf": ["rig", "clip", "json"],
    "methods": ["math", "rig"],
    "frames": ["rig"],
    "bake": ["clip", "methods", "frames"],
    "json": ["base"],
    "caches": ["frames", "json"],
    "metrics": ["frames", "clip"],
    "diff": ["bake", "caches", "metrics"],
    "report": ["metrics", "json"],
}

# Third-party headers, by the start of their name, and the only files that may include them.
# What is not listed here (the standard library, POSIX, xxhash) is free in lib and cli.
THIRD_PARTY = {
    "tiny_gltf": ["lib/gltf/*"],
    "tinygltf": ["lib/gltf/*"],
    "hwy/": ["lib/*-inl.h", "lib/*/kernels.cpp", "lib/*/shape_kernels.cpp", "lib/bake/*", "lib/frames/transpose.cpp"],
    "tbb/": ["lib/bake/*"],
    "oneapi/": ["lib/bake/*", "lib/caches/file_hash.cpp",
                "lib/caches/point_text.cpp"],
    "Eigen/": ["lib/math/*.cpp", "lib/methods/*.cpp"],
    "nlohmann/": ["lib/gltf/*", "lib/caches/*", "lib/json/json_text.*", "lib/report/*"],
    "png.h": ["lib/caches/png_calls.h"],
    "Imf": ["lib/caches/vat_exr*.cpp"],
    "half.h": ["lib/caches/vat_exr.cpp"],
    "CLI/": ["cli/*"],
    "spdlog/": ["cli/*"],
}

# The public headers are installed: they must stand without the folders beside them and without
# anybody else's headers.
PUBLIC = "lib/include/"

SOURCES = {".h", ".hpp", ".cpp", ".cc", ".in"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def reachable(folder):
    """The folder itself and everything that its row leads to."""
    seen, todo = set(), [folder]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += MAY_INCLUDE[name]
    return seen


def third_party_places(header):
    for start, places in THIRD_PARTY.items():
        if header.startswith(start):
            return places
    return None


def why_not(path, header):
    """Why the file `path` (relative to the root, with slashes) may not include `header`, or None."""
    folders = path.split("/")
    first = header.split("/")[0]
    names_a_lib_folder = "/" in header and first in MAY_INCLUDE

    places = third_party_places(header)
    if places is not None:
        if path.startswith(PUBLIC):
            return "a public header may include only <skinbake/…> and the standard library"
        if not any(fnmatch.fnmatch(path, place) for place in places):
            return "only " + ", ".join(places) + " may"
        return None

    if folders[0] == "cli":
        if names_a_lib_folder or first in ("lib", ".."):
            return "cli may include only <skinbake/…> and its own files"
        return None

    if path.startswith(PUBLIC):
        if names_a_lib_folder or first in ("lib", "cli", ".."):
            return "a public header may include only <skinbake/…> and the standard library"
        return None

    if first in ("lib", "cli", ".."):
        return 'write "folder/file.h", with a folder of lib'
    if names_a_lib_folder and len(folders) > 2 and first not in reachable(folders[1]):
        allowed = ", ".join(sorted(reachable(folders[1]) - {folders[1]})) or "no other folder"
        return f"{folders[1]} may include {allowed}"
    return None


def check(root):
    """All problems below `root`, as lines."""
    problems = []
    files = 0
    for top in ("lib", "cli"):
        for file in sorted((root / top).rglob("*")):
            if not file.is_file() or file.suffix not in SOURCES:
                continue
            files += 1
            path = file.relative_to(root).as_posix()
            folders = path.split("/")
            if top == "lib" and len(folders) > 2 and folders[1] not in MAY_INCLUDE | {"include": []}:
                problems.append(f"{path}: lib/{folders[1]} is not in the table of scripts/check_includes.py")
                continue
            for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                if match:
                    reason = why_not(path, match[2])
                    if reason:
                        problems.append(f"{path}:{number}: may not include {match[2]}: {reason}")
    return files, problems


def self_test():
    allowed = [
        ("lib/rig/rig.cpp", '#include "rig/rig.h"'),
        ("lib/rig/rig.cpp", '#include "base/issue.h"  // by way of math'),
        ("lib/rig/rig.cpp", "#include <skinbake/rig.h>"),
        ("lib/bake/kernels.cpp", "#include <hwy/foreach_target.h>"),
        ("lib/math/frame_lanes-inl.h", "#include <hwy/highway.h>"),
        ("lib/bake/schedule.cpp", "#include <tbb/parallel_pipeline.h>"),
        ("lib/gltf/load.cpp", "#include <tiny_gltf.h>"),
        ("lib/report/report.cpp", '#include "frames/frame_block.h"'),
        ("lib/include/skinbake/rig.h", "#include <vector>"),
        ("lib/include/skinbake/bake.h", "#include <skinbake/rig.h>"),
        ("cli/main.cpp", "#include <CLI/CLI.hpp>"),
        ("cli/bake.cpp", '#include "commands.h"'),
        ("lib/base/file.cpp", '// #include "report/report.h"'),
    ]
    forbidden = [
        ("lib/base/issue.cpp", '#include "rig/rig.h"'),
        ("lib/rig/rig.cpp", '#  include "clip/sample.h"'),
        ("lib/caches/pc2.cpp", '#include "metrics/volume.h"'),
        ("lib/metrics/volume.cpp", '#include "bake/bake.h"'),
        ("lib/methods/method.h", '#include "../clip/joint_block.h"'),
        ("lib/rig/rig.h", "#include <tiny_gltf.h>"),
        ("lib/clip/sample.cpp", '#include "hwy/highway.h"'),
        ("lib/metrics/area.cpp", "#include <oneapi/tbb/task_arena.h>"),
        ("lib/base/log.cpp", "#include <spdlog/spdlog.h>"),
        ("lib/include/skinbake/rig.h", '#include "rig/rig.h"'),
        ("lib/include/skinbake/gltf.h", "#include <nlohmann/json.hpp>"),
        ("cli/bake.cpp", '#include "bake/bake.h"'),
        ("cli/bake.cpp", "#include <tbb/task_arena.h>"),
        ("lib/extras/extras.cpp", "#include <vector>"),
    ]
    wrong = []
    for lines, expected in ((allowed, 0), (forbidden, 1)):
        for path, line in lines:
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder, path)
                file.parent.mkdir(parents=True)
                file.write_text(line + "\n", "utf-8")
                if len(check(pathlib.Path(folder))[1]) != expected:
                    wrong.append(f"{'not ' if expected else ''}caught: {path}: {line}")
    print(*wrong, f"self-test: {len(allowed) + len(forbidden)} cases, {len(wrong)} wrong", sep="\n")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    if not (arguments.root / "lib").is_dir():
        parser.error(f"{arguments.root} has no folder lib; name the project's root")
    files, problems = check(arguments.root)
    print(*problems, f"{files} files, {len(problems)} forbidden includes", sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
