#!/usr/bin/env python3
"""Divides a batch among several runs, and joins their states."""

import json
import os
import shutil

from support import CliTest, RIGS, main, strict_json


class Shards(CliTest):
    def setUp(self):
        super().setUp()
        for path in RIGS.glob("bent_arm.*"):
            shutil.copy(path, self.folder)
        for i in range(5):
            shutil.copy(self.folder / "bent_arm.gltf", self.folder / f"r{i}.gltf")
        (self.folder / "r2.gltf").write_text("{")  # its tasks fail
        (self.folder / "out").mkdir()
        jobs = [{"name": method, "rig": "r?.gltf", "clip": "all", "method": method,
                 "output": "out/{rig}.{method}.{mesh}.{clip}.pc2"} for method in ("lbs", "dqs")]
        (self.folder / "jobs.json").write_text(
            json.dumps({"schema": "skinbake.batch", "schema_version": "1.0", "jobs": jobs}))

    def merge(self, states, *options):
        return self.run_program("batch", "merge", "jobs.json", *states, *options)

    def test_the_summary_of_shards_is_that_of_one_run(self):
        self.assertEqual(self.run_program("batch", "jobs.json", "--report", "one.json").code, 3)
        outputs = {name: data for name, data in self.files().items() if name.startswith("out/")}
        for n in (3, 7):
            shutil.rmtree(self.folder / "out")
            (self.folder / "out").mkdir()
            codes = {self.run_program("batch", "jobs.json", "--shard", f"{i}/{n}").code for i in range(1, n + 1)}
            self.assertEqual(codes, {0, 3})
            self.assertEqual({k: v for k, v in self.files().items() if k.startswith("out/")}, outputs)
            states = [f"jobs.state.{i}-of-{n}.jsonl" for i in range(n, 0, -1)]
            self.assertEqual(self.merge(states, "--report", f"{n}.json").code, 3)
            self.assertEqual(self.read(f"{n}.json"), self.read("one.json"))

    def test_a_merge_prints_the_table_of_a_batch(self):
        one = self.run_program("batch", "jobs.json").out
        for i in (1, 2):
            self.run_program("batch", "jobs.json", "--shard", f"{i}/2")
        states = [f"jobs.state.{i}-of-2.jsonl" for i in (1, 2)]
        self.assertEqual(self.merge(states).out, one)
        quiet = self.merge(states, "-q")
        self.assertEqual((quiet.code, quiet.out), (3, ""))
        self.assertEqual(strict_json(self.merge(states, "--report", "-").out)["tasks"], 10)

    def test_a_merge_without_states_says_that_they_are_missing(self):
        self.fail_with(2, "batch", "merge", "jobs.json", naming=("STATE is missing; write skinbake batch merge FILE STATE", "batch merge --help"))
        self.fail_with(2, "batch", "merge", "jobs.json", "a", "--reprt", "x", naming=("--reprt", "--report"))

    def test_the_tasks_of_shards_are_those_of_the_manifest(self):
        def tasks(*options):
            plan = strict_json(self.succeed("batch", "jobs.json", "--dry-run", "--json", *options).out)
            return [(task["job"], task["rig"], task["clip"]) for task in plan["tasks"]]
        every = tasks()
        parts = [task for i in (1, 2, 3) for task in tasks("--shard", f"{i}/3")]
        self.assertEqual(sorted(parts, key=str), sorted(every, key=str))

    def test_missing_double_and_foreign_shards_are_refused(self):
        for i in (1, 2, 3):
            self.run_program("batch", "jobs.json", "--shard", f"{i}/3")
        a, b, c = (f"jobs.state.{i}-of-3.jsonl" for i in (1, 2, 3))
        for states, words in (((a, b), "shard 3 of 3 is missing"), ((a, b, b), "give each shard once"),
                              ((a, b, c, a), "give each shard once"), ((a, b, "jobs.json"), "not a state file")):
            done = self.merge(states)
            self.assertEqual(done.code, 3, done)
            self.assertIn(words, done.err)
        self.run_program("batch", "jobs.json", "--shard", "1/2")
        self.assertIn("one division", self.merge((a, "jobs.state.1-of-2.jsonl")).err)
        # A state that lost a task, and a state of another manifest.
        lines = self.read(b).decode().splitlines(keepends=True)
        last = max(i for i, line in enumerate(lines) if '"task"' in line)
        (self.folder / "cut.jsonl").write_text("".join(lines[:last] + lines[last + 1:]))
        self.assertIn("run its shard again", self.merge((a, "cut.jsonl", c)).err)
        done = self.run_program("batch", "jobs.json", "--only", "lbs", "--state", "other.jsonl", "--shard", "2/3")
        self.assertIn("does not fit the tasks", self.merge((a, "other.jsonl", c)).err)

    def test_a_shard_of_other_settings_is_refused(self):
        for i, options in ((1, ()), (2, ("--set", "fps=12"))):
            self.run_program("batch", "jobs.json", "--shard", f"{i}/2", *options)
        states = [f"jobs.state.{i}-of-2.jsonl" for i in (1, 2)]
        done = self.merge(states, "--report", "s.json")
        self.assertEqual((done.code, (self.folder / "s.json").exists()), (3, False), done)
        self.assertIn("jobs.state.2-of-2.jsonl: has the task of job", done.err)
        self.assertIn("other settings", done.err)
        self.run_program("batch", "jobs.json", "--shard", "1/2", "--set", "fps=12")
        self.assertEqual(self.merge(states, "--set", "fps=12").code, 3)  # a rig is damaged
        self.assertIn("other settings", self.merge(states).err)

    def test_a_shard_that_was_lost_is_submitted_again(self):
        self.run_program("batch", "jobs.json", "--report", "one.json")
        for i in (1, 2, 3):
            self.run_program("batch", "jobs.json", "--shard", f"{i}/3")
        (self.folder / "jobs.state.2-of-3.jsonl").unlink()
        self.run_program("batch", "jobs.json", "--shard", "2/3")
        self.merge([f"jobs.state.{i}-of-3.jsonl" for i in (1, 2, 3)], "--report", "merged.json")
        self.assertEqual(self.read("merged.json"), self.read("one.json"))

    def test_a_shard_that_has_read_other_bytes_is_refused(self):
        states = [f"jobs.state.{i}-of-2.jsonl" for i in (1, 2)]
        def run(i):
            self.run_program("batch", "jobs.json", "--shard", f"{i}/2")
        def refuse(i):
            done = self.merge(states, "--report", "s.json")
            self.assertEqual((done.code, (self.folder / "s.json").exists()), (3, False), done)
            self.assertIn(f"{states[i - 1]}: has the task of job", done.err)
            self.assertIn("bent_arm.bin, which has changed or is missing; run its shard again", done.err)
        for i in (1, 2):
            run(i)
        self.assertEqual(self.merge(states).code, 3)  # a rig is damaged
        buffer = self.folder / "bent_arm.bin"
        data, times = buffer.read_bytes(), buffer.stat()
        buffer.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
        os.utime(buffer, ns=(times.st_atime_ns, times.st_mtime_ns))  # as of a copy
        for i in (1, 2):
            refuse(i)
            run(i)
        self.assertEqual(self.merge(states).code, 3)
        buffer.write_bytes(data)
        refuse(1)

    def test_a_file_that_a_shard_has_read_must_be_there(self):
        self.succeed("bake", "bent_arm.gltf", "-q", "-o", "a.pc2")
        shutil.copy(self.folder / "a.pc2", self.folder / "b.pc2")
        (self.folder / "jobs.json").write_text(json.dumps(
            {"schema": "skinbake.batch", "schema_version": "1.0", "jobs": [{"command": "diff", "a": "a.pc2", "b": "b.pc2"}]}))
        self.succeed("batch", "jobs.json")
        self.assertEqual(self.merge(["jobs.state.jsonl"]).code, 0)
        (self.folder / "b.pc2").unlink()
        self.fail_with(3, "batch", "merge", "jobs.json", "jobs.state.jsonl", "--report", "s.json",
                       naming="b.pc2, which has changed or is missing")

    def test_a_shard_out_of_range_is_refused(self):
        for shard in ("0/3", "4/3", "a/3", "3", "1/0", "-1/3", "1/9999999"):
            self.fail_with(2, "batch", "jobs.json", "--shard", shard, naming="1 <= I <= N")


if __name__ == "__main__":
    main()
