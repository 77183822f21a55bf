#!/usr/bin/env python3
"""A batch removes the temporary files of killed runs, and no file of a user or of a run that is underway.

SKINBAKE_FAULTS is the preload library of hostile/faults_test.py; without it, one test is skipped.
"""

import fcntl
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import time
import unittest

from support import CliTest, PROGRAM, environment, main, write_rig

LIBRARY = os.environ.get("SKINBAKE_FAULTS", "")
MESHES = ("a", "b", "c", "d")
CLIPS = ("run", "walk", "idle")
OUTPUTS = ["out/{mesh}.{clip}.pc2", "out/{mesh}.{clip}.npy"]
# Half of these are held open; the temporary files of the other outputs have names from the beginning.
OPEN_FILES = 24
OWNED = re.compile(r".+\.tmp-skinbake-[0-9a-f]{16}-[0-9a-f]{16}")
MOST_TRIES = 50
RUNS_AT_ONCE = 20


def limited():
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))


class TemporaryFiles(CliTest):
    def setUp(self):
        super().setUp()
        write_rig(self.folder / "rig.gltf", MESHES, clips=CLIPS)
        self.out = self.folder / "out"
        job = {"name": "all", "rig": "rig.gltf", "clip": "all", "fps": 240, "output": OUTPUTS}
        (self.folder / "jobs.json").write_text(json.dumps({"schema": "skinbake.batch", "schema_version": "1.0", "jobs": [job]}))
        self.batch()
        self.expected = {path.name: path.read_bytes() for path in self.out.iterdir()}
        self.assertEqual(len(self.expected), 4 * len(MESHES) * len(CLIPS))

    def batch(self, *options, **more):
        return self.succeed("batch", "jobs.json", "-q", *options, **more)

    def start(self, *words):
        """Starts a command, by default a bake of the batch's outputs, with fewer files than it has outputs."""
        words = words or ("bake", "rig.gltf", "-q", "--clip", "all", "--fps", "240", *(word for path in OUTPUTS for word in ("-o", path)))
        return subprocess.Popen([PROGRAM, *words], cwd=self.folder, env=environment({"LLVM_PROFILE_FILE": "/dev/null"}),
                                preexec_fn=limited, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def temporary(self):
        return {path.name for path in self.out.iterdir() if ".tmp" in path.name}

    def stopped(self):
        """A bake that is stopped while its temporary files have names."""
        for _ in range(MOST_TRIES):
            process = self.start()
            while process.poll() is None and not self.temporary():
                time.sleep(0.0005)
            process.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
            if process.returncode is None and self.temporary():
                self.addCleanup(process.wait)
                self.addCleanup(process.stderr.close)
                self.addCleanup(process.kill)
                return process
            process.communicate()
        raise AssertionError(f"{MOST_TRIES} bakes ended before they could be stopped")

    def orphans(self):
        process = self.stopped()
        process.kill()
        process.wait()
        return self.temporary()

    def check_outputs(self, others=()):
        """The folder has the outputs of an uninterrupted run and the other files, {name: bytes}, and nothing else."""
        found = {path.name: path.read_bytes() for path in self.out.iterdir()}
        expected = {**self.expected, **dict(others)}
        self.assertEqual(found.keys(), expected.keys())
        self.assertEqual([name for name in expected if found[name] != expected[name]], [])

    def test_a_run_that_is_underway_keeps_its_files_and_a_killed_one_does_not(self):
        process = self.stopped()
        underway = self.temporary()
        for name in underway:
            self.assertRegex(name, OWNED)
        self.batch()
        self.assertEqual(self.temporary(), underway)
        process.send_signal(signal.SIGCONT)
        self.assertEqual((process.wait(), process.stderr.read()), (0, b""))
        self.check_outputs()
        self.assertNotEqual(self.orphans(), set())
        self.batch()
        self.check_outputs()

    def test_files_of_users_stay(self):
        orphan = sorted(self.orphans())[0]
        target, _, numbers = orphan.partition(".tmp-skinbake-")
        users = (f"{target}.tmp20240101", f"{target}.tmp1", f"{target}.tmp", f"{target}.tmp-skinbake",
                 f"{target}.tmp-skinbake-1", f"{target}.tmp-skinbake-{'0' * 16}-{numbers[17:]}",  # of another machine
                 f"{orphan}0", f"{orphan}.json", orphan[:-1], orphan.upper(), f"{orphan[:-1]}g", f"notes.tmp-skinbake-{numbers}")
        for name in users:
            (self.out / name).write_text("mine")
        self.batch()
        self.check_outputs({name: b"mine" for name in users})

    def test_orphans_in_a_locked_folder_stay(self):
        orphans = self.orphans()
        folder = os.open(self.out, os.O_RDONLY)
        self.addCleanup(os.close, folder)
        for operation in (fcntl.LOCK_SH, fcntl.LOCK_EX):
            fcntl.flock(folder, operation)  # such as by flock(1), which runs the batch
            self.batch()
            self.assertEqual(self.temporary(), orphans)
            process = self.start()
            self.assertEqual((process.wait(timeout=300), process.stderr.read()), (0, b""))
            process.stderr.close()
            self.assertEqual(self.temporary(), orphans)
        fcntl.flock(folder, fcntl.LOCK_UN)
        self.batch()
        self.check_outputs()

    def test_many_runs_in_one_folder_lose_nothing(self):
        for number in range(4):  # a batch looks for orphans if its state has an earlier run
            shutil.copy(self.folder / "jobs.state.jsonl", self.folder / f"{number}.jsonl")
        running = []
        for number in range(RUNS_AT_ONCE):
            running.append(self.start())
            running.append(self.start("batch", "jobs.json", "-q", "--state", f"{number % 4}.jsonl"))
        ends = [(process.args[1], process.communicate()[1].decode(), process.returncode) for process in running]
        in_use = [end for end in ends if "STATE_IN_USE" in end[1]]  # only one batch at a time writes a state
        self.assertEqual([end for end in ends if end not in in_use and end[1:] != ("", 0)], [])
        self.assertEqual({end[0] for end in in_use} - {"batch"}, set())
        self.check_outputs()

    @unittest.skipUnless(LIBRARY, "SKINBAKE_FAULTS names no preload library")
    def test_orphans_stay_where_the_file_system_has_no_locks(self):
        orphans = self.orphans()
        faults = {"LD_PRELOAD": LIBRARY, "SKINBAKE_FAULT": "flock", "SKINBAKE_FAULT_AT": "all"}
        self.batch(env=faults)
        self.assertEqual(self.temporary(), orphans)
        for path in self.out.iterdir():
            if path.name not in orphans:
                path.unlink()
        self.batch(env=faults, preexec_fn=limited)
        self.check_outputs({name: (self.out / name).read_bytes() for name in orphans})
        self.batch()
        self.check_outputs()


if __name__ == "__main__":
    main()
