#!/usr/bin/env python3
"""Writes lib/base/ISSUES.md from the tables of codes, and compares the tables with the sources.

    make_issues.py            writes the document
    make_issues.py --check    changes nothing; exit 1 if the document is not up to date

Both check that every code in lib or cli is in a table, that every code of a table is used, that the tables are
in alphabetical order, and that no code is in both tables. Each problem is a line, and the exit status is 1.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "lib/base/ISSUES.md"
TABLES = {"issue.h": "SKINBAKE_ISSUES", "error_codes.h": "SKINBAKE_ERRORS"}
EXIT_CODES = {"kUsage": 2, "kInput": 3, "kOutput": 4, "kNotComparable": 5}

TEXT = r'"((?:[^"\\]|\\.)*)"'
ROW = re.compile(r"X\((\w+),\s*(k\w+),\s*" + TEXT + r",\s*" + TEXT + r"\)")
# The expressions in which a code occurs: fail("CODE", Error(kind, "CODE", return {"CODE", UserFile file{…, "CODE".
USED_ERROR = re.compile(r'(?:(?:\b(?:fail\w*|throw_usage|usage|Error)\(|return \{)\s*(?:ErrorKind::\w+,\s*)?|'
                        r'\bUserFile file\{[^}]*?)"([A-Z]+_[A-Z_]+)"')
USED_ISSUE = re.compile(r'(?:\bIssueCode::|\.code = ")([A-Z][A-Z_]+)')

HEAD = """# Codes: what can be wrong, and what to do

`scripts/make_issues.py` makes this file from `issue.h` and `error_codes.h`; CI checks that it is up to
date. A code never changes its meaning. `skinbake` adds the option that concerns a code to its message.

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


def table(header):
    """[(code, severity or kind, meaning, remedy)] of one header."""
    source = (ROOT / "lib/base" / header).read_text().replace("\\\n", "\n")
    rows = ROW.findall(source[source.index("#define " + TABLES[header]):])
    return [(code, kind, *(text.replace('\\"', '"') for text in texts)) for code, kind, *texts in rows]


def document(issues, errors):
    text = HEAD
    for code, severity, meaning, remedy in issues:
        text += f"| `{code}` | {severity[1:].lower()} | {meaning} | {remedy} |\n"
    text += BETWEEN
    for code, kind, meaning, remedy in errors:
        text += f"| `{code}` | {EXIT_CODES[kind]} | {meaning} | {remedy} |\n"
    return text


def sources():
    for folder in ("lib", "cli"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                yield path, path.read_text()


def problems(issues, errors):
    listed = {"issue": [row[0] for row in issues], "error": [row[0] for row in errors]}
    used = {"issue": {}, "error": {}}
    for path, text in sources():
        for kind, pattern in (("issue", USED_ISSUE), ("error", USED_ERROR)):
            for code in pattern.findall(text):
                used[kind].setdefault(code, path.relative_to(ROOT))
    for kind, codes in listed.items():
        if not codes:
            yield f"the table of {kind} codes is empty"
        if codes != sorted(codes):
            yield f"the {kind} codes are not in alphabetical order"
        if len(set(codes)) != len(codes):
            yield f"a {kind} code is listed twice"
        for code in sorted(set(used[kind]) - set(codes)):
            yield f"{used[kind][code]}: the {kind} code {code} is not in its table in lib/base"
        for code in sorted(set(codes) - set(used[kind])):
            yield f"the {kind} code {code} is listed and never used"
    for code in sorted(set(listed["issue"]) & set(listed["error"])):
        yield f"{code} is an issue and an error"


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__)
        return 2
    issues, errors = table("issue.h"), table("error_codes.h")
    found = list(problems(issues, errors))
    text = document(issues, errors)
    if not arguments:
        DOCUMENT.write_text(text)
    elif not DOCUMENT.exists() or DOCUMENT.read_text() != text:
        found.append("lib/base/ISSUES.md is not up to date; run scripts/make_issues.py")
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
