#!/usr/bin/env python3
"""Enforces that a name stands for one type: two types of one name in one namespace are one to the
linker, which keeps the functions of either for both (the one-definition rule), and no tool says so.

    check_names.py [ROOT]         ROOT: the project's root (default: where this script lives)
    check_names.py --self-test    proves that such types are caught

Exit status: 0 every type has a name of its own, 1 some have not (one line each), 2 wrong usage.
"""

import argparse
import pathlib
import re
import sys

NAMESPACE = re.compile(r"\s*(?:inline )?namespace\s*([\w:]*)\s*\{")
TYPE = re.compile(r"(?:struct|class|enum|enum class|union) (?:alignas\(\d+\) )?(\w+)(?: final)?(?: : .*)? ?\{")
COMMENT_OR_TEXT = re.compile(r'//.*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'')


def types_of(text):
    """The names, with their namespaces, of the types that other files could mean, too."""
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


def check(files):
    """A line for each type with a name that another one has; `files`: (path, text) pairs."""
    places = {}
    for path, text in files:
        for name in types_of(text):
            places.setdefault(name, []).append(path)
    return [f"{name}: {', '.join(paths)}" for name, paths in sorted(places.items()) if len(paths) > 1]


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
    wrong = [f"case {i}" for i, (caught, a, b) in enumerate(cases) if bool(check([("a", a), ("b", b)])) != caught]
    print(*wrong, f"self-test: {len(cases)} cases, {len(wrong)} wrong", sep="\n")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    if not (arguments.root / "lib").is_dir():
        parser.error(f"{arguments.root} has no folder lib; name the project's root")
    files = [file for top in ("lib", "cli") for file in sorted((arguments.root / top).rglob("*"))
             if file.suffix in (".h", ".cpp")]
    problems = check((file.relative_to(arguments.root).as_posix(), file.read_text("utf-8")) for file in files)
    print(*problems, f"{len(files)} files, {len(problems)} names of several types", sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
