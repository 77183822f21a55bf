#!/usr/bin/env python3
"""Runs a library by scripts/cluster/Snakefile in 1, 3 and 7 shards: Snakemake gives the results of one run."""

import shutil
import sys

import farm
from farm import common


def main():
    if shutil.which("snakemake") is None:
        common.skip("no snakemake; scripts/setup --ci installs it")
    all_of = farm.Farm("snakemake")

    def run(folder, n, _again):  # Snakemake finds by itself what is missing
        done = common.run(["snakemake", "--snakefile", farm.SCRIPTS / "Snakefile", "--cores", 2, "--quiet", "--nocolor",
                           "--config", f"manifest={farm.MANIFEST}", f"shards={n}", f"skinbake={common.PROGRAM}",
                           "options=-q"], cwd=folder)
        if done.returncode != 0:
            print(done.stdout[-2000:])
        return done.returncode

    all_of.expect_all(run)
    folder = farm.make_library(all_of.work / "of-3", broken=True)
    all_of.expect(run(folder, 3, None) == 1, "with a broken rig Snakemake does not fail")
    all_of.expect_results(folder, all_of.broken, "with a broken rig")
    return all_of.finish()


if __name__ == "__main__":
    sys.exit(main())
