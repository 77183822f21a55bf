#!/usr/bin/env python3
"""Kills `skinbake batch` at random moments, and continues it."""

import json
import random
import shutil
import subprocess
import time

from support import CliTest, PROGRAM, RIGS, environment, main, strict_json

KILLS = 12


class Killed(CliTest):
    def setUp(self):
        super().setUp()
        for path in RIGS.glob("bent_arm.*"):
            shutil.copy(path, self.folder)
        (self.folder / "out").mkdir()
        jobs = [{"name": f"{method}-{fps}", "rig": "bent_arm.gltf", "clip": "all", "method": method, "fps": fps,
                 "output": f"out/{method}.{fps}.{{mesh}}.{{clip}}.pc2", "report": f"out/{method}.{fps}.{{clip}}.json"}
                for method in ("lbs", "dqs", "cor") for fps in (30, 120)]
        (self.folder / "jobs.json").write_text(
            json.dumps({"schema": "skinbake.batch", "schema_version": "1.0", "jobs": jobs}))

    def outputs(self):
        return {name: data for name, data in self.files().items() if name.startswith("out/")}

    def start(self):
        return subprocess.Popen([PROGRAM, "batch", "jobs.json", "-q", "-j", "2"], cwd=self.folder, env=environment(),
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def test_a_killed_batch_continues_and_gives_the_bytes_of_an_uninterrupted_one(self):
        started = time.monotonic()
        self.succeed("batch", "jobs.json", "-q", "-j", 2)
        duration = time.monotonic() - started
        expected = self.outputs()
        self.assertEqual(len(expected), 18)
        chance = random.Random(19)
        killed = 0
        for _ in range(KILLS):
            shutil.rmtree(self.folder / "out")
            (self.folder / "out").mkdir()
            (self.folder / "jobs.state.jsonl").unlink(missing_ok=True)
            finished_before = set()
            for _ in range(2):  # killed again while it continues
                process = self.start()
                time.sleep(chance.uniform(0, duration))
                process.kill()
                killed += process.wait() == -9
                finished = self.finished()
                self.assertLessEqual(finished_before, finished)  # nothing that was finished is lost
                finished_before = finished
                for name, data in self.outputs().items():
                    if name in expected and not name.endswith(".json"):
                        self.assertEqual(data, expected[name], name)  # whole or not there
            done = self.succeed("batch", "jobs.json", "--progress", "json", "-j", 2)
            tasks = [strict_json(line) for line in done.err.splitlines() if line.startswith("{")]
            again = {task["job"] for task in tasks if not task["up_to_date"]}
            self.assertEqual(again & finished_before, set())  # nothing is done twice
            self.assertEqual(self.outputs().keys(), expected.keys())  # no file besides
            self.assertEqual(self.outputs(), expected)
        self.assertGreater(killed, KILLS // 2)  # of twice as many starts

    def finished(self):
        state = self.folder / "jobs.state.jsonl"
        names = set()
        for line in state.read_bytes().split(b"\n")[:-1] if state.exists() else []:
            value = strict_json(line.decode())
            if "task" in value:
                names.add(value["task"]["job"])
        return names


if __name__ == "__main__":
    main()
