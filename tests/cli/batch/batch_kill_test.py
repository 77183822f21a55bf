#!/usr/bin/env python3
"""Kills `skinbake batch` at random moments, and continues it. `--kills N`: the number of kills."""

import json
import random
import resource
import shutil
import subprocess
import sys
import time

from support import CliTest, PROGRAM, RIGS, environment, main, strict_json

KILLS = 24
# Half of these files are held open. Further outputs have temporary files with names, which a kill leaves.
OPEN_FILES = 24
FORMATS = ("pc2", "mdd", "npy", "exr", "usda", "glb")


class Killed(CliTest):
    def setUp(self):
        super().setUp()
        for path in RIGS.glob("bent_arm.*"):
            shutil.copy(path, self.folder)
        jobs = [{"name": f"{method}-{fps}", "rig": "bent_arm.gltf", "clip": "all", "method": method, "fps": fps,
                 "output": [f"out/{method}.{fps}.{{clip}}.{format}" for format in FORMATS],
                 "report": f"out/{method}.{fps}.{{clip}}.json", "per-vertex": "npy"}
                for method in ("lbs", "dqs", "cor") for fps in (30, 120)]
        (self.folder / "jobs.json").write_text(
            json.dumps({"schema": "skinbake.batch", "schema_version": "1.0", "jobs": jobs}))
        self.reset()

    def reset(self):
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        (self.folder / "out").mkdir()
        (self.folder / "jobs.state.jsonl").unlink(missing_ok=True)

    def outputs(self):
        return {name: data for name, data in self.files().items() if name.startswith("out/")}

    @staticmethod
    def limited():
        resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))

    def start(self, *options, **streams):
        return subprocess.Popen([PROGRAM, "batch", "jobs.json", "-q", "-j", "2", *options], cwd=self.folder,
                                env=environment(), preexec_fn=self.limited, **streams)

    def finished(self):
        state = self.folder / "jobs.state.jsonl"
        names = set()
        for line in state.read_bytes().split(b"\n")[:-1] if state.exists() else []:
            value = strict_json(line.decode())
            if "task" in value:
                names.add(value["task"]["job"])
        return names

    def complete(self, finished_before, expected):
        """Does what is left, and compares with an uninterrupted run."""
        process = self.start("--progress", "json", stderr=subprocess.PIPE)
        _, err = process.communicate()
        self.assertEqual(process.returncode, 0, err)
        tasks = [strict_json(line) for line in err.decode().splitlines() if line.startswith("{")]
        again = {task["job"] for task in tasks if not task["up_to_date"]}
        self.assertEqual(again & finished_before, set())  # nothing is done twice
        self.assertEqual(self.outputs().keys(), expected.keys())  # no file besides
        self.assertEqual(self.outputs(), expected)

    def test_a_killed_batch_continues_and_gives_the_bytes_of_an_uninterrupted_one(self):
        started = time.monotonic()
        self.assertEqual(self.start().wait(), 0)
        duration = time.monotonic() - started
        expected = self.outputs()
        self.assertEqual(len(expected), 6 * (2 * len(FORMATS) + 1 + 1 + 1))  # the mesh of the texture, two of the report
        chance = random.Random(19)
        killed, with_orphans = 0, 0
        while killed < KILLS:
            self.reset()
            finished_before = set()
            for _ in range(3):  # killed again while it continues
                process = self.start(stderr=subprocess.DEVNULL)
                time.sleep(chance.uniform(0, duration))
                process.kill()
                killed += process.wait() == -9
                finished = self.finished()
                self.assertLessEqual(finished_before, finished)  # nothing that was finished is lost
                finished_before = finished
                found = self.outputs()
                with_orphans += any(".tmp" in name for name in found)
                for name, data in found.items():
                    if name in expected:
                        self.assertEqual(data, expected[name], name)  # whole or not there
            self.complete(finished_before, expected)
        print(f"{killed} kills, {with_orphans} of which left temporary files", file=sys.stderr)
        self.assertGreater(with_orphans, 0)


if __name__ == "__main__":
    if "--kills" in sys.argv:
        at = sys.argv.index("--kills")
        KILLS = int(sys.argv[at + 1])
        del sys.argv[at:at + 2]
    main()
