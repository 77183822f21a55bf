#!/usr/bin/env python3
"""Writes lib/methods/costs.h from the output of the kernel benchmark.

    skinbake_benchmarks … | write_costs.py FILE
"""

import pathlib
import re
import sys

HEAD = """// The cost of each method relative to linear blending. Written by `scripts/bench costs`; do not edit.

#pragma once

#include <string_view>

namespace skinbake {

struct MethodCost {
  std::string_view id;
  double relative_to_lbs;
};

// One thread, 100 000 vertices with 4 influences, 64 joints, every parameter at its default.
"""


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown processor"


def main():
    text = sys.stdin.read()
    match = re.search(r"^costs relative to lbs \((\S+)\)\n((?:\S+ [\d.]+\n)+)", text, re.MULTILINE)
    if not match:
        sys.exit("write_costs.py: the benchmark printed no costs")
    rows = [line.split() for line in match[2].splitlines()]
    body = f'inline constexpr std::string_view kCostsMeasuredOn = "{processor()}, {match[1]}";\n'
    body += "// clang-format off\n"
    body += "inline constexpr MethodCost kMethodCosts[] = {\n"
    body += "".join(f'    {{"{name}", {cost}}},\n' for name, cost in rows)
    body += "};\n// clang-format on\n\n}  // namespace skinbake\n"
    pathlib.Path(sys.argv[1]).write_text(HEAD + body)
    print(text[match.start():].strip())


if __name__ == "__main__":
    main()
