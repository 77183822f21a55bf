#!/usr/bin/env python3
"""Enforces which headers each folder of lib/ and cli/ may include.

Exit status: 0 every include is allowed, 1 some are not (one line each), 2 wrong usage.
"""

import fnmatch
import pathlib
import re
import sys
import tempfile

import source_check

# A folder of lib/ may include its own headers, those of the folders in its row, and those that these folders may
# include.
# lib/README.md shows the same table.
MAY_INCLUDE = {
    "base": [],
    "math": ["base"],
    "json": ["base"],
    "rig": ["math"],
    "clip": ["rig"],
    "humanoid": ["rig", "clip"],
    "gltf": ["humanoid", "json"],
    "methods": ["math", "rig"],
    "frames": ["rig"],
    "bake": ["clip", "methods", "frames"],
    "caches": ["frames", "json", "gltf"],
    "metrics": ["frames", "clip"],
    "compare": ["bake", "caches", "metrics"],
    "fit": ["bake", "metrics", "gltf"],
    "inspect": ["caches", "metrics"],
    "report": ["metrics", "compare", "json"],
    "batch": ["bake", "caches", "report"],
}

# The same for the folders of cli/ and the files beside them, which also include the headers of lib/.
# A command includes no other command: what it asks of another is in commands.h. lib/README.md shows the same table.
CLI_MAY_INCLUDE = {
    "memory_limit": [],
    "commands": [],
    "build_text": [],
    "terminal": ["memory_limit"],
    "options": ["terminal"],
    "command_line": ["build_text", "commands", "options"],
    "main": ["command_line"],
    "highway_timer": [],
    "thresholds": ["options"],
    "outputs": ["options"],
    "clips": ["options"],
    "comparison": ["commands", "outputs", "thresholds"],
    "surfaces": ["clips", "comparison"],
    "jobs": ["clips", "comparison"],
    # The commands:
    "bake": ["commands", "jobs"],
    "compare": ["commands", "jobs"],
    "diff": ["commands", "surfaces"],
    "convert": ["commands", "jobs"],
    "report": ["commands", "outputs", "thresholds"],
    "retarget": ["commands", "clips", "outputs", "thresholds"],
    "fit": ["commands", "clips", "comparison"],
    "golden": ["commands", "comparison"],
    "inspect": ["commands", "clips", "thresholds"],
    "list": ["commands", "options"],
    "batch": ["commands", "outputs"],
}

# Folders of lib/ that are users of the library: they include <skinbake/…> and their own files.
PUBLIC_ONLY = {"python"}

# Third-party headers, by the start of their name, and the only files that may include them.
# Headers that are not listed here (the standard library, POSIX, xxhash) are allowed in all of lib and cli.
THIRD_PARTY = {
    "tiny_gltf": ["lib/gltf/document/model.cpp"],
    "tinygltf": ["lib/gltf/document/model.cpp"],
    "hwy/": ["lib/*-inl.h", "lib/*kernels.cpp", "lib/bake/*", "lib/frames/transpose.cpp", "cli/highway_timer.cpp"],
    "tbb/": ["lib/bake/*"],
    "oneapi/": ["lib/bake/*", "lib/compare/surface/*", "lib/fit/*", "lib/caches/cache_file.cpp",
                "lib/caches/usd/point_text.cpp"],
    "Eigen/": ["lib/fit/*.cpp", "lib/math/*.cpp", "lib/methods/*.cpp"],
    "nlohmann/": ["lib/batch/*", "lib/gltf/*", "lib/caches/*", "lib/inspect/*", "lib/json/*", "lib/report/*"],
    "png.h": ["lib/caches/vat/png.cpp"],
    "Imf": ["lib/caches/vat/exr.cpp"],
    "half.h": ["lib/caches/vat/exr.cpp"],
    "CLI/": ["cli/*"],
    "spdlog/": ["cli/*"],
    "pybind11/": ["lib/python/*"],
}

# The public headers are installed. They may include neither internal headers nor third-party headers.
PUBLIC = "lib/include/"

SOURCES = {".h", ".hpp", ".cpp", ".cc", ".in"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def reachable(folder, rows):
    """The folder itself and every folder that it may include, directly or indirectly."""
    seen, todo = set(), [folder]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += rows[name]
    return seen


def why_outside(folder, other, rows):
    """Why `folder` may not include `other`, or None."""
    if other in reachable(folder, rows):
        return None
    allowed = ", ".join(sorted(reachable(folder, rows) - {folder})) or "no other folder"
    return f"{folder} may include {allowed}"


def part_of_cli(path):
    """The folder of a file below cli/, or the name of a file beside the folders: "jobs", "bake"."""
    return pathlib.PurePosixPath(path).parts[0].split(".")[0]


def third_party_places(header):
    for start, places in THIRD_PARTY.items():
        if header.startswith(start):
            return places
    return None


def why_not(root, path, header, quoted):
    """Why the file `path` (relative to `root`, with slashes) may not include `header`, or None."""
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
        if quoted and first != "skinbake":
            homes = [home for home in ("cli", "lib") if (root / home / header).is_file()]
            if not homes:
                return "cli may include only its own files and headers of lib"
            if len(homes) == 2:
                return "cli and lib each have a header of this path: rename the one of cli"
            if homes == ["cli"]:
                return why_outside(part_of_cli(path[4:]), part_of_cli(header), CLI_MAY_INCLUDE)
        return None

    if folders[1] in PUBLIC_ONLY:
        if quoted and first != "skinbake" and not (root / "lib" / folders[1] / header).is_file():
            return f"{folders[1]} may include only <skinbake/…> and its own files"
        return None

    if path.startswith(PUBLIC):
        if names_a_lib_folder or first in ("lib", "cli", ".."):
            return "a public header may include only <skinbake/…> and the standard library"
        return None

    if first in ("lib", "cli", ".."):
        return 'write "folder/file.h", with a folder of lib'
    if names_a_lib_folder and len(folders) > 2:
        return why_outside(folders[1], first, MAY_INCLUDE)
    return None


def check(root):
    """All problems below `root`, as lines."""
    problems = []
    files = 0
    for path, text in source_check.sources(root, SOURCES):
        files += 1
        folders = path.split("/")
        is_in_lib = folders[0] == "lib" and len(folders) > 2
        if is_in_lib and folders[1] not in {*MAY_INCLUDE, *PUBLIC_ONLY, "include"}:
            problems.append(f"{path}: lib/{folders[1]} is not in the table of scripts/check_includes.py")
            continue
        if folders[0] == "cli" and part_of_cli(path[4:]) not in CLI_MAY_INCLUDE:
            problems.append(f"{path}: {part_of_cli(path[4:])} is not in the table of scripts/check_includes.py")
            continue
        for number, line in enumerate(text.splitlines(), 1):
            match = INCLUDE.match(line)
            if match:
                reason = why_not(root, path, match[2], match[1] == '"')
                if reason:
                    problems.append(f"{path}:{number}: may not include {match[2]}: {reason}")
    return files, problems


def self_test():
    allowed = [
        ("lib/rig/rig.cpp", '#include "rig/rig.h"'),
        ("lib/rig/rig.cpp", '#include "base/issue.h"  // by way of math'),
        ("lib/rig/rig.cpp", "#include <skinbake/rig.h>"),
        ("lib/bake/kernels/targets.cpp", "#include <hwy/foreach_target.h>"),
        ("lib/math/frame_lanes-inl.h", "#include <hwy/highway.h>"),
        ("lib/bake/schedule.cpp", "#include <tbb/parallel_pipeline.h>"),
        ("lib/gltf/document/model.cpp", "#include <tiny_gltf.h>"),
        ("lib/report/write/report.cpp", '#include "frames/frame_block.h"'),
        ("lib/include/skinbake/rig.h", "#include <vector>"),
        ("lib/include/skinbake/bake.h", "#include <skinbake/rig.h>"),
        ("cli/main.cpp", "#include <CLI/CLI.hpp>"),
        ("cli/batch/run.cpp", '#include "commands.h"'),
        ("cli/bake.cpp", '#include "jobs/run.h"'),
        ("cli/jobs/run.cpp", '#include "terminal/console.h"  // by way of options'),
        ("lib/base/file.cpp", '// #include "report/report.h"'),
        ("lib/compare/one_run.cpp", '#include "caches/sidecar.h"'),
        ("lib/python/module.cpp", "#include <skinbake/bake.h>"),
        ("lib/python/module.cpp", "#include <pybind11/numpy.h>"),
    ]
    forbidden = [
        ("lib/base/issue.cpp", '#include "rig/rig.h"'),
        ("lib/rig/rig.cpp", '#  include "clip/sampling/sample.h"'),
        ("lib/caches/rows/pc2.cpp", '#include "metrics/volume.h"'),
        ("lib/metrics/volume/volume.cpp", '#include "bake/bake.h"'),
        ("lib/methods/method.h", '#include "../clip/poses/joint_block.h"'),
        ("lib/rig/rig.h", "#include <tiny_gltf.h>"),
        ("lib/gltf/read/load.cpp", "#include <tiny_gltf.h>"),
        ("lib/clip/sampling/sample.cpp", '#include "hwy/highway.h"'),
        ("lib/metrics/area.cpp", "#include <oneapi/tbb/task_arena.h>"),
        ("lib/base/log.cpp", "#include <spdlog/spdlog.h>"),
        ("lib/include/skinbake/rig.h", '#include "rig/rig.h"'),
        ("lib/include/skinbake/gltf.h", "#include <nlohmann/json.hpp>"),
        ("cli/batch/run.cpp", '#include "bake/bake.h"'),
        ("cli/bake.cpp", "#include <tbb/task_arena.h>"),
        ("cli/golden/run.cpp", '#include "jobs/run.h"'),
        ("cli/terminal/console.cpp", '#include "commands.h"'),
        ("cli/extras/extras.cpp", "#include <vector>"),
        ("lib/extras/extras.cpp", "#include <vector>"),
        ("lib/caches/rows/pc2.cpp", '#include "bake/one_run.h"'),
        ("lib/python/module.cpp", '#include "bake/job.h"'),
        ("lib/python/module.cpp", "#include <Eigen/Dense>"),
        ("lib/rig/rig.cpp", "#include <pybind11/pybind11.h>"),
    ]
    wrong = []
    for lines, expected in ((allowed, 0), (forbidden, 1)):
        for path, line in lines:
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder, path)
                file.parent.mkdir(parents=True)
                file.write_text(line + "\n", "utf-8")
                for header in ("cli/commands.h", "cli/jobs/run.h", "cli/terminal/console.h"):
                    pathlib.Path(folder, header).parent.mkdir(parents=True, exist_ok=True)
                    pathlib.Path(folder, header).write_text("", "utf-8")
                if len(check(pathlib.Path(folder))[1]) != expected:
                    wrong.append(f"{'not ' if expected else ''}caught: {path}: {line}")
    return len(allowed) + len(forbidden), wrong


if __name__ == "__main__":
    sys.exit(source_check.run(__doc__, check, self_test))
