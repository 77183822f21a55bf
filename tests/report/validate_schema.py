#!/usr/bin/env python3
"""Validates reports against the report's JSON Schema (2020-12), and the schema against the meta-schema.

usage: validate_schema.py [--self-test] SCHEMA REPORT...

--self-test also corrupts copies of each report and requires that every corrupted copy is refused.
Exit code: 0 all valid, 1 some invalid, 77 skipped because python3-jsonschema is missing (1 if CI=true).
"""

import copy
import json
import os
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("skipped: python3-jsonschema is missing")
    sys.exit(1 if os.environ.get("CI") == "true" else 77)


def no_constant(name):
    raise ValueError(f"{name} is not JSON")


def unique(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError(f"a key occurs twice in {keys}")
    return dict(pairs)


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_constant=no_constant, object_pairs_hook=unique)


def errors(validator, report):
    found = sorted(validator.iter_errors(report), key=lambda error: error.json_path)
    return [f"{error.json_path}: {error.message}" for error in found]


def corrupted(report):
    """Yields (the change, a changed copy of the report that must not validate)."""

    def change(what, path, value):
        copied = copy.deepcopy(report)
        place = copied
        for key in path[:-1]:
            if isinstance(place, list) and len(place) <= key or key not in place and isinstance(place, dict):
                return
            place = place[key]
        if isinstance(place, list) or path[-1] in place:
            place[path[-1]] = value
            yield what, copied

    for key in report:
        copied = copy.deepcopy(report)
        del copied[key]
        if key != "outputs" or report["command"] == "bake":
            yield f"without {key}", copied
    mesh, run = ("meshes", 0), ("meshes", 0, "runs", 0)
    yield from change("another schema", ("schema",), "other.report")
    yield from change("a future version", ("schema_version",), "3.0")
    yield from change("an unknown command", ("command",), "cook")
    yield from change("an absolute path", ("inputs", 0, "path"), "/home/x.glb")
    yield from change("a hash that is too short", ("inputs", 0, "xxh128"), "9f")
    yield from change("fps as text", ("settings", "fps"), "30")
    yield from change("an unknown verdict", ("verdict", "status"), "maybe")
    yield from change("a count as text", mesh + ("vertex_count",), "4")
    yield from change("a negative count", mesh + ("triangle_count",), -1)
    yield from change("a fraction of a triangle", mesh + ("triangle_count",), 0.5)
    yield from change("a truth as a number", mesh + ("topology", "closed"), 1)
    yield from change("a negative distance", run + ("error", "rms"), -1)
    yield from change("another unit", run + ("error", "unit"), "cm")
    yield from change("a place without a time", run + ("error", "max_at"), {"frame": 1, "vertex": 0})
    yield from change("a number instead of a list", run + ("error", "per_frame", "rms"), 0)
    yield from change("a list with text", run + ("volume", "per_frame", "loss"), ["0"])
    yield from change("an unknown encoding", run + ("error", "per_vertex"), {"encoding": "zip"})


def self_test(validator, path, report):
    good = True
    count = 0
    for what, copied in corrupted(report):
        count += 1
        if not errors(validator, copied):
            print(f"{path}: {what}: accepted, but should not be")
            good = False
    extended = dict(report, later={"anything": 1})
    if errors(validator, extended):
        print(f"{path}: a key of a later version: refused, but readers must ignore unknown keys")
        good = False
    print(f"{path}: {count} corrupted copies tried")
    return good


def main(arguments):
    test_itself = "--self-test" in arguments
    paths = [argument for argument in arguments if argument != "--self-test"]
    if len(paths) < 2:
        print(__doc__)
        return 1
    schema = load(paths[0])
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    good = True
    for path in paths[1:]:
        try:
            report = load(path)
        except (OSError, ValueError) as error:
            print(f"{path}: {error}")
            good = False
            continue
        found = errors(validator, report)
        for line in found:
            print(f"{path}: {line}")
        good = good and not found
        if test_itself and not found:
            good = self_test(validator, path, report) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
