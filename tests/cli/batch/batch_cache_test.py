#!/usr/bin/env python3
"""`skinbake batch --cache`: outputs of other runs, and a folder that processes share, damage and lose."""

import json
import os
import random
import shutil
import subprocess
import threading
import time
import unittest

from support import CliTest, PROGRAM, RIGS, environment, main, strict_json

PROCESSES = 8
ROUNDS = 6


class CacheTest(CliTest):
    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache"

    def work_tree(self, name, jobs=None, rigs=("bent_arm", "twisted_tube")):
        """A folder with rigs and a manifest, as a checkout of a repository."""
        folder = self.folder / name
        (folder / "out").mkdir(parents=True)
        for rig in rigs:
            for path in RIGS.glob(f"{rig}.*"):
                shutil.copy(path, folder)
        jobs = jobs or [{"name": method, "rig": "*.gltf", "clip": "all", "method": method,
                         "output": ["out/{rig}.%s.{mesh}.{clip}.pc2" % method, "out/{rig}.%s.exr" % method],
                         "report": "out/{rig}.%s.json" % method} for method in ("lbs", "dqs", "cor")]
        (folder / "jobs.json").write_text(
            json.dumps({"schema": "skinbake.batch", "schema_version": "1.0", "jobs": jobs}))
        return folder

    def batch(self, folder, *options):
        return subprocess.run([PROGRAM, "batch", "jobs.json", "--cache", self.cache, "--progress", "json", *options],
                              cwd=folder, env=environment(), capture_output=True, text=True)

    @staticmethod
    def tasks(done):
        return [strict_json(line) for line in done.stderr.splitlines() if line.startswith("{")]

    def from_cache(self, done):
        self.assertEqual(done.returncode, 0, done)
        return sum(task["from_cache"] for task in self.tasks(done))

    @staticmethod
    def outputs(folder):
        return {path.name: path.read_bytes() for path in (folder / "out").iterdir()}

    def stored(self):
        return sorted(path for path in self.cache.rglob("*") if path.is_file())


class Cache(CacheTest):
    def test_another_work_tree_gets_the_outputs_of_the_first(self):
        a, b = self.work_tree("a"), self.work_tree("b")
        self.assertEqual(self.from_cache(self.batch(a)), 0)
        done = self.batch(b)
        self.assertEqual(self.from_cache(done), 6)
        self.assertIn("6 of them from the cache", done.stdout)
        self.assertEqual(self.outputs(b), self.outputs(a))
        # The restored tasks are up to date, with and without the cache.
        again = subprocess.run([PROGRAM, "batch", "jobs.json"], cwd=b, env=environment(), capture_output=True, text=True)
        self.assertIn("6 of them up to date before", again.stdout)

    def test_folders_that_are_missing_are_created_for_restored_outputs(self):
        job = {"name": "a", "rig": "*.gltf", "clip": "all", "output": "new/{rig}/{clip}/a.pc2"}
        for name, parents, options in (("manifest", {"parents": True}, ()), ("set", {}, ("--set", "parents")),
                                       ("batch", {}, ("--parents",))):
            done = self.batch(self.work_tree(name, [{**job, **parents}]), *options)
            self.assertEqual(self.from_cache(done), 0 if name == "manifest" else 2)
            self.assertEqual(len(list((self.folder / name / "new").rglob("*.pc2"))), 2)

    def test_what_an_output_depends_on_is_a_miss(self):
        a, b = self.work_tree("a", rigs=("bent_arm",)), self.work_tree("b", rigs=("bent_arm",))
        self.batch(a)
        self.assertEqual(self.from_cache(self.batch(a, "--set", "fps=12")), 0)
        self.assertEqual(self.from_cache(self.batch(a)), 3)  # back at the first settings
        rig = b / "bent_arm.gltf"
        rig.write_text(rig.read_text() + "\n")
        self.assertEqual(self.from_cache(self.batch(b)), 0)
        rig.write_text(rig.read_text()[:-1])
        self.assertEqual(self.from_cache(self.batch(b)), 3)
        self.assertEqual(self.outputs(b), self.outputs(a))

    def test_a_folder_that_others_can_write_is_neither_read_nor_written(self):
        self.cache.mkdir()
        self.cache.chmod(0o777)
        a, b = self.work_tree("a", rigs=("bent_arm",)), self.work_tree("b", rigs=("bent_arm",))
        done = self.batch(a)
        self.assertEqual(self.from_cache(done), 0)
        self.assertIn(f"--cache: folder '{self.cache}' may be written by every user; it is neither read nor written; "
                      "remove the rights of others, or add --trust-cache", done.stderr)
        self.assertEqual(self.stored(), [])
        self.assertEqual(self.from_cache(self.batch(a, "--trust-cache", "--set", "fps=12")), 0)
        self.assertEqual(self.from_cache(self.batch(b, "--set", "fps=12")), 0)
        self.cache.chmod(0o755)
        done = self.batch(self.work_tree("c", rigs=("bent_arm",)), "--set", "fps=12")
        self.assertEqual(self.from_cache(done), 3)
        self.assertNotIn("--cache:", done.stderr)

    @unittest.skipIf(os.geteuid() != 0, "only root can give files away")
    def test_a_folder_of_another_user_is_not_trusted(self):
        self.cache.mkdir()
        os.chown(self.cache, 65534, -1)
        self.assertIn("belongs to user 65534", self.batch(self.work_tree("a", rigs=("bent_arm",))).stderr)
        self.assertEqual(self.stored(), [])

    @unittest.skipIf(os.geteuid() != 0, "only root can give files away")
    def test_a_state_of_another_user_is_refused(self):
        tree = self.work_tree("a", rigs=("bent_arm",))
        self.batch(tree)
        state, = tree.glob("*.state.jsonl")
        os.chown(state, 65534, -1)
        done = self.batch(tree)
        self.assertEqual(done.returncode, 3, done)
        self.assertIn("the state belongs to user 65534", done.stderr)

    @unittest.skipIf(os.geteuid() != 0, "only root can give files away")
    def test_an_entry_of_another_user_is_not_used(self):
        self.batch(self.work_tree("a", rigs=("bent_arm",)))
        for path in self.stored():
            os.chown(path, 65534, -1)
        b = self.work_tree("b", rigs=("bent_arm",))
        self.assertEqual(self.from_cache(self.batch(b)), 0)  # and stores its own
        self.assertEqual(self.from_cache(self.batch(self.work_tree("c", rigs=("bent_arm",)))), 3)
        for path in self.stored():
            path.chmod(0o666)
        self.assertEqual(self.from_cache(self.batch(self.work_tree("d", rigs=("bent_arm",)))), 0)
        for path in self.stored():
            path.chmod(0o666)
        self.assertEqual(self.from_cache(self.batch(self.work_tree("e", rigs=("bent_arm",)), "--trust-cache")), 3)

    def test_a_failed_task_is_not_stored(self):
        job = {"name": "a", "rig": "bent_arm.gltf", "output": "out/a.pc2", "method": "dqs", "fail-max": "0"}
        a = self.work_tree("a", [job])
        self.assertEqual(self.batch(a).returncode, 1)
        self.assertEqual(self.stored(), [])

    def test_damaged_entries_are_done_again_and_replaced(self):
        a = self.work_tree("a")
        self.batch(a)
        expected = self.outputs(a)
        for change in (lambda data: data[:-1] + bytes([data[-1] ^ 1]), lambda data: data[:-1], lambda data: b"",
                       lambda data: data + b"x"):
            for path in self.stored():
                path.write_bytes(change(path.read_bytes()))
            b = self.work_tree(f"b{random.random()}")
            self.assertEqual(self.from_cache(self.batch(b)), 0)
            self.assertEqual(self.outputs(b), expected)
            c = self.work_tree(f"c{random.random()}")
            self.assertEqual(self.from_cache(self.batch(c)), 6)
            self.assertEqual(self.outputs(c), expected)

    def test_an_output_that_is_edited_in_place_does_not_change_the_cache(self):
        a, b = self.work_tree("a"), self.work_tree("b")
        self.batch(a)
        expected = self.outputs(a)
        for path in (a / "out").iterdir():
            with path.open("r+b") as file:
                file.write(b"edited")
        self.assertEqual(self.from_cache(self.batch(b)), 6)
        self.assertEqual(self.outputs(b), expected)

    def test_the_limit_drops_what_was_used_least_recently(self):
        def job(i):
            return {"name": f"j{i}", "rig": "bent_arm.gltf", "output": f"out/{i}.npy", "fps": 60 + i}
        folder = self.work_tree("a", [job(i) for i in range(20)], rigs=("bent_arm",))
        self.batch(folder, "-j", "1")
        used = sum(path.stat().st_blocks * 512 for path in self.stored())
        for i, path in enumerate(self.stored()):
            os.utime(path, (1_000_000 + i, 1_000_000 + i))  # long ago
        fresh = self.work_tree("b", [job(3)], rigs=("bent_arm",))
        self.assertEqual(self.from_cache(self.batch(fresh, "--cache-limit", str(used // 2))), 1)
        self.assertLessEqual(sum(path.stat().st_blocks * 512 for path in self.stored()), used // 2)
        again = self.work_tree("c", [job(3)], rigs=("bent_arm",))
        self.assertEqual(self.from_cache(self.batch(again)), 1)  # used last, so it is still there

    def test_a_cache_that_cannot_be_written_is_a_warning(self):
        self.cache.mkdir()
        (self.cache / "tasks").write_text("a file")
        a = self.work_tree("a")
        done = self.batch(a)
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(done.stderr.count("warning: --cache"), 1, done.stderr)
        self.assertEqual(len(self.outputs(a)), 36)

    def test_a_cache_that_is_no_folder_is_refused(self):
        self.cache.write_text("a file")
        for options in ((), ("-q",)):
            done = self.batch(self.work_tree(f"a{options}"), *options)
            self.assertEqual((done.returncode, "--cache" in done.stderr), (2, True), done)


class Shared(CacheTest):
    def test_processes_share_damage_and_lose_a_cache_and_no_output_has_a_wrong_byte(self):
        """Eight processes with one folder; some are killed, and files of the cache are damaged meanwhile."""
        expected = None
        first = self.work_tree("first")
        begin = time.monotonic()
        self.assertEqual(subprocess.run([PROGRAM, "batch", "jobs.json"], cwd=first, env=environment(),
                                        capture_output=True).returncode, 0)
        seconds = time.monotonic() - begin  # the damage keeps pace with the program, so that some entries are found whole
        expected = self.outputs(first)
        chance = random.Random(8)
        ends = threading.Event()
        damaged = [0]

        def damage():
            while not ends.is_set():
                files = self.stored() if self.cache.exists() else []
                if files:
                    path = chance.choice(files)
                    try:
                        size = path.stat().st_size
                        way = chance.randrange(3)
                        if way == 0:
                            path.unlink()
                        elif way == 1:
                            os.truncate(path, chance.randrange(size + 1))
                        else:
                            with path.open("r+b") as file:
                                file.seek(chance.randrange(max(size, 1)))
                                file.write(b"damage")
                        damaged[0] += 1
                    except FileNotFoundError:
                        pass
                time.sleep(seconds / 2)
        damaging = threading.Thread(target=damage)
        damaging.start()
        hits = killed = 0
        try:
            for round_ in range(ROUNDS):
                trees = [self.work_tree(f"{round_}-{i}") for i in range(PROCESSES)]
                running = [subprocess.Popen([PROGRAM, "batch", "jobs.json", "-q", "--cache", self.cache, "-j", "2",
                                             "--cache-limit", chance.choice(("20G", "1M")), "--progress", "json"],
                                            cwd=tree, env=environment(), stderr=subprocess.PIPE) for tree in trees]
                for process in chance.sample(running, 3):
                    time.sleep(chance.uniform(0, seconds / 2))
                    process.kill()
                for tree, process in zip(trees, running):
                    _, err = process.communicate()
                    self.assertIn(process.returncode, (0, -9), err)
                    hits += err.count(b'"from_cache": true')
                    found = self.outputs(tree)
                    for name, data in found.items():
                        if ".tmp" not in name:
                            self.assertEqual(data, expected[name], name)
                    if process.returncode == 0:
                        self.assertEqual(found.keys(), expected.keys())
                        continue
                    killed += 1
                    self.assertEqual(self.batch(tree).returncode, 0)
                    self.assertEqual(self.outputs(tree), expected)
                for tree in trees:
                    shutil.rmtree(tree)
        finally:
            ends.set()
            damaging.join()
        self.assertGreater(min(hits, killed, damaged[0]), 0, (hits, killed, damaged))


if __name__ == "__main__":
    main()
