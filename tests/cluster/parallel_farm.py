#!/usr/bin/env python3
"""Runs a library by scripts/cluster/parallel in 1, 3 and 7 shards: GNU parallel gives the results of one run."""

import shutil
import sys

import farm
from farm import common


def main():
    if shutil.which("parallel") is None:
        common.skip("no parallel; scripts/setup --ci installs it")
    all_of = farm.Farm("parallel")

    def run(folder, n, again):
        words = [farm.SCRIPTS / "parallel", *(("--again", again) if again else ()), farm.MANIFEST, n, "-q"]
        return common.run(words, cwd=folder, env=farm.environment()).returncode

    all_of.expect_all(run)
    folder = farm.make_library(all_of.work / "of-3", broken=True)
    code = run(folder, 3, None)
    all_of.expect(code == all_of.broken_code, f"with a broken rig the script exits {code}")
    all_of.expect_results(folder, all_of.broken, "with a broken rig")
    return all_of.finish()


if __name__ == "__main__":
    sys.exit(main())
