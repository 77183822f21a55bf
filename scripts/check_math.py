#!/usr/bin/env python3
"""Enforces results that are the same on every machine: no sine, logarithm or other function of the C library whose
last bits differ between its versions and between processors.

lib/math/elementary-inl.h has sin, cos, atan2, log and cbrt of + - * / sqrt and fma, and affine-inl.h norm(). Functions
that IEEE 754 defines to the last bit, such as std::sqrt, std::fma and std::scalbn, are allowed.

Exit status: 0 no such call, 1 some (one line each), 2 wrong usage.
"""

import re
import sys

import source_check

FUNCTIONS = ("sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p pow "
             "cbrt hypot erf erfc tgamma lgamma").split()
CALL = re.compile(r"\bstd::(" + "|".join(FUNCTIONS) + r")[fl]?\s*\(|"
                  r"(?<![\w:.>])(?:::)?(" + "|".join(FUNCTIONS) + r")[fl]\s*\(|"
                  r"\b__builtin_(" + "|".join(FUNCTIONS) + r")[fl]?\s*\(")
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'')
SOURCES = {".h", ".hpp", ".cpp", ".cc", ".in"}


def problems_of(text):
    """(line, problem) of every call in a file."""
    text = COMMENT_OR_TEXT.sub(lambda match: " " * len(match[0]), text)
    for match in CALL.finditer(text):
        name = match[0].rstrip("( ")
        yield text.count("\n", 0, match.start()) + 1, f"{name} differs between machines; use the functions of lib/math"


def check(root):
    """(the number of files, all problems below `root`, as lines)."""
    files, problems = 0, []
    for path, text in source_check.sources(root, SOURCES):
        files += 1
        problems += [f"{path}:{line}: {problem}" for line, problem in problems_of(text)]
    return files, problems


def self_test():
    allowed = [
        "const double y = sin(x) + atan2(y, x) + norm(v);",
        "const double y = std::sqrt(x) + std::fma(a, b, c) + std::scalbn(x, 2) + std::abs(x);",
        "// std::sin(x)",
        'throw Error("std::sin(x)");',
        "std::cosine(x); my::std_sin(x); cost(x); a.logf(x);",
    ]
    forbidden = [
        "return std::sin(x);",
        "const double length = std::hypot(a, b, c);",
        "const float y = std::powf(x, 2);",
        "y = sinf(x);",
        "y = ::cosl(x);",
        "y = __builtin_exp(x);",
        "y = std::log10 (x);",
    ]
    wrong = [f"caught: {text!r}" for text in allowed if list(problems_of(text))]
    wrong += [f"not caught: {text!r}" for text in forbidden if len(list(problems_of(text))) != 1]
    return len(allowed) + len(forbidden), wrong


if __name__ == "__main__":
    sys.exit(source_check.run(__doc__, check, self_test))
