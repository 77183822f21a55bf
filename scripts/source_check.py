"""The command line of the scripts that check the source tree: check_includes.py, check_names.py,
check_filesystem.py and check_math.py."""

import argparse
import pathlib


def sources(root, suffixes):
    """The files of lib and cli with these suffixes, as (path relative to the root, text)."""
    for top in ("lib", "cli"):
        for file in sorted((root / top).rglob("*")):
            if file.is_file() and file.suffix in suffixes:
                yield file.relative_to(root).as_posix(), file.read_text("utf-8")


def run(description, check, self_test):
    """The exit status of a check: 0 no problem, 1 problems (one line each). argparse exits 2 on wrong usage.

    check(root)     (the number of files read, problems as lines)
    self_test()     the cases in which the check does not do what it must, as (number of cases, lines)
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent,
                        help="the project's root (default: the checkout of this script)")
    parser.add_argument("--self-test", action="store_true", help="prove on made-up sources that problems are found")
    arguments = parser.parse_args()
    if arguments.self_test:
        cases, wrong = self_test()
        print(*wrong, f"self-test: {cases} cases, {len(wrong)} wrong", sep="\n")
        return 1 if wrong else 0
    if not (arguments.root / "lib").is_dir():
        parser.error(f"{arguments.root} does not have a folder lib; name the project's root")
    files, problems = check(arguments.root)
    print(*problems, f"{files} files, {len(problems)} problems", sep="\n")
    return 1 if problems else 0
