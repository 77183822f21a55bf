#!/usr/bin/env python3
"""Runs a library by scripts/cluster/slurm in 1, 3 and 7 shards on a Slurm cluster of one node, which it starts: an
array and its dependent merge give the results of one run, and `--wait` the exit code of the worst task."""

import re
import sys
import tempfile
import time

import farm
from slurm_cluster import SlurmCluster


def wait_for(cluster, job, seconds=120):
    """The exit code of a job, when it has ended."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        shown = cluster.run("scontrol", "show", "job", job, "--oneliner", check=False).stdout
        state = re.search(r"JobState=(\w+)", shown)
        if state and state[1] in ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY"):
            return int(re.search(r"ExitCode=(\d+)", shown)[1])
        time.sleep(0.1)
    raise RuntimeError(f"job {job} has not ended after {seconds} s:\n{shown}\n{cluster.logs()}")


def main():
    with tempfile.TemporaryDirectory(prefix="skinbake-slurm-") as scratch, SlurmCluster(scratch) as cluster:
        all_of = farm.Farm("slurm")
        cluster.environment = farm.environment(cluster.environment)

        def submit(folder, n, *options):
            return cluster.run(farm.SCRIPTS / "slurm", *options, farm.MANIFEST, n, "-q", cwd=folder, check=False)

        def run(folder, n, again):
            done = submit(folder, n, *(("--again", again) if again else ()))
            merge = re.search(r"^merge: job (\d+),", done.stdout, re.MULTILINE)
            if done.returncode != 0 or merge is None:
                print(done.stdout)
                return done.returncode or 1
            return wait_for(cluster, merge[1])

        all_of.expect_all(run)
        folder = farm.make_library(all_of.work / "of-3", broken=True)
        done = submit(folder, 3, "--wait")
        all_of.expect(done.returncode == all_of.broken_code, f"with a broken rig --wait exits {done.returncode}")
        all_of.expect_results(folder, all_of.broken, "with a broken rig")
        return all_of.finish()


if __name__ == "__main__":
    sys.exit(main())
