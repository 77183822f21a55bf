#!/usr/bin/env python3
"""Writes lib/base/ISSUES.md from the table of codes, and compares the table with the sources.

    make_issues.py            writes the document
    make_issues.py --check    changes nothing; exit 1 if the document is not up to date

Both check that every code in lib or cli is in the table, that every code of the table is used, and that the table
is in alphabetical order. Each problem is a line, and the exit status is 1.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
TABLE = ROOT / "lib/base/codes.cpp"
DOCUMENT = ROOT / "lib/base/ISSUES.md"
EXIT_CODES = {"kUsage": 2, "kInput": 3, "kOutput": 4, "kNotComparable": 5}

TEXT = r'"((?:[^"\\]|\\.)*)"'
ROW = re.compile(r"\{" + TEXT + r", (k\w+), " + TEXT + r",\s*" + TEXT + r", " + TEXT + r"\}")
# The expressions in which a code occurs: fail("CODE", Error("CODE", note("CODE", issue.code = "CODE".
USED = re.compile(r'(?:\b(?:fail\w*|throw_usage|usage|Error|note|make_issue)\(\s*|\.code = )"([A-Z]+_[A-Z_]+)"')
WORD = re.compile(r'"([A-Z]+(?:_[A-Z]+)+)"')

HEAD = """# Codes: what can be wrong, and what to do

`scripts/make_issues.py` makes this file from the table in `codes.cpp`; CI checks that it is up to
date. A code never changes its meaning. `skinbake` adds the option that helps to the message of a code.

## Issues

An issue is a finding that does not end the run. `inspect` lists issues with their locations; `bake`
prints warnings to standard error and writes all issues to the report. With `--strict`, a warning makes
the exit code 1.

| code | severity | meaning | what to do |
|---|---|---|---|
"""
BETWEEN = """
## Errors

An error ends the run with the exit code in this table; no output is written.

| code | exit | meaning | what to do |
|---|---|---|---|
"""


def table():
    """[(code, kind, meaning, remedy, help)]"""
    rows = ROW.findall(TABLE.read_text())
    return [(code, kind, *(text.replace('\\"', '"') for text in texts)) for code, kind, *texts in rows]


def document(rows):
    def lines(of_errors):
        for code, kind, meaning, remedy, option in rows:
            if (kind in EXIT_CODES) == of_errors:
                what_to_do = (remedy or "as the message says") + (f" ({option})" if option else "")
                yield f"| `{code}` | {EXIT_CODES.get(kind, kind[1:].lower())} | {meaning} | {what_to_do} |\n"
    return HEAD + "".join(lines(False)) + BETWEEN + "".join(lines(True))


def sources():
    for folder in ("lib", "cli"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                yield path, path.read_text()


def problems(rows):
    codes = [row[0] for row in rows]
    if not codes or codes != sorted(set(codes)):
        yield "the codes are not in alphabetical order, or one is listed twice"
    used, words = {}, set()
    for path, text in sources():
        if path != TABLE:
            words.update(WORD.findall(text))
            used.update((code, path.relative_to(ROOT)) for code in USED.findall(text))
    for code in sorted(set(used) - set(codes)):
        yield f"{used[code]}: the code {code} is not in {TABLE.relative_to(ROOT)}"
    for code in sorted(set(codes) - words):
        yield f"the code {code} is listed and never used"


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__)
        return 2
    rows = table()
    found = list(problems(rows))
    text = document(rows)
    if not arguments:
        DOCUMENT.write_text(text)
    elif not DOCUMENT.exists() or DOCUMENT.read_text() != text:
        found.append("lib/base/ISSUES.md is not up to date; run scripts/make_issues.py")
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
