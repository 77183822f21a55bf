#!/usr/bin/env python3
"""Enforces the one-definition rule for types: a qualified name belongs to one type.

Compilers and linkers do not report two types with the same name in different files. The linker then uses the
functions of one of them for both.

Exit status: 0 every name belongs to one type, 1 some names belong to several (one line each), 2 wrong usage.
"""

import re
import sys

import source_check

NAMESPACE = re.compile(r"\s*(?:inline )?namespace\s*([\w:]*)\s*\{")
TYPE = re.compile(r"(?:struct|class|enum|enum class|union) (?:alignas\(\d+\) )?(\w+)(?: final)?(?: : .*)? ?\{")
COMMENT_OR_TEXT = re.compile(r'//.*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'')


def types_of(text):
    """The qualified names of the types that are visible to other files."""
    spaces, depth = [], 0  # (depth at which it was opened, its name)
    for line in text.splitlines():
        line = COMMENT_OR_TEXT.sub("", line)
        opened = NAMESPACE.match(line)
        if opened:
            spaces.append((depth, opened[1]))
        found = TYPE.match(line)  # at the line's start: not nested
        if found and depth == len(spaces) and all(name for _, name in spaces):
            yield "::".join([name for _, name in spaces] + [found[1]])
        depth += line.count("{") - line.count("}")
        while spaces and depth <= spaces[-1][0]:
            spaces.pop()


def shared_names(files):
    """A line for each name that several types have; `files`: (path, text) pairs."""
    places = {}
    for path, text in files:
        for name in types_of(text):
            places.setdefault(name, []).append(path)
    return [f"{name}: {', '.join(paths)}" for name, paths in sorted(places.items()) if len(paths) > 1]


def check(root):
    """The number of files below `root`, and its problems as lines."""
    files = [file for top in ("lib", "cli") for file in sorted((root / top).rglob("*"))
             if file.suffix in (".h", ".cpp")]
    return len(files), shared_names((file.relative_to(root).as_posix(), file.read_text("utf-8")) for file in files)


def self_test():
    box = "namespace skinbake {\nstruct Box {\n  int a;\n};\n}  // namespace skinbake\n"
    inner = "namespace skinbake {\nnamespace {\nstruct Box {\n};\n}  // namespace\n}\n"
    cases = [
        (True, box, box.replace("struct Box {", "class Box final : public Base {")),
        (True, box, "namespace skinbake {\nvoid f() { g(\"}\"); }\nstruct alignas(64) Box {};\n}\n"),
        (False, box, inner),
        (False, inner, inner),
        (False, box, box.replace("skinbake", "skinbake::cli")),
        (False, box, box.replace("Box {", "Box;").replace("  int a;\n};\n", "")),
        (False, box, "namespace skinbake {\nclass Tree {\nstruct Box {\n};\n};\n}\n"),
        (False, box, "namespace skinbake {\n// struct Box {\n}\n"),
    ]
    wrong = [f"case {i}" for i, (found, a, b) in enumerate(cases)
             if bool(shared_names([("a", a), ("b", b)])) != found]
    return len(cases), wrong


if __name__ == "__main__":
    sys.exit(source_check.run(__doc__, check, self_test))
