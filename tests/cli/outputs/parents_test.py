#!/usr/bin/env python3
"""Missing folders of outputs are made, and those that are empty after the run are removed."""

import json
import os
import signal
import subprocess
import time

from support import CliTest, PROGRAM, RIGS, SHARED_MODELS, environment, main, write_rig

ARM = RIGS / "bent_arm.gltf"
WALKER = RIGS / "walker.glb"


class Parents(CliTest):
    def folders(self):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_dir())

    def test_every_command_that_writes_creates_folders(self):
        self.succeed("bake", ARM, "-q", "-o", "a.pc2", "--report", "a.json", "--frames", "0:3")
        for number, (command, outputs) in enumerate((
                (["bake", ARM, "-o", "{}/a.pc2", "--report", "{}/b/a.json", "--depfile", "{}/d/a.d", "--timing", "{}/t/t.json",
                  "--frames", "0:3", "--error-matrix", "{}/e/m.npy", "--report", "{}/h/a.html"],
                 ["a.pc2", "b/a.json", "d/a.d", "t/t.json", "e/m.npy", "h/a.html"]),
                (["compare", ARM, "--method", "lbs", "--method", "dqs", "--frames", "0:3", "-o", "{}/{{method}}/a.pc2"], ["dqs/a.pc2", "lbs/a.pc2"]),
                (["diff", "a.pc2", ARM, "--report", "{}/r.json", "--frames", "0:3"], ["r.json"]),
                (["report", "a.json", "-o", "{}/a.md"], ["a.md"]),
                (["convert", "a.pc2", "{}/a.npy"], ["a.npy"]),
                (["fit", ARM, "--method", "dqs", "-o", "{}/fit.glb", "--max-error", "1"], ["fit.glb"]),
                (["retarget", WALKER, WALKER, "--mirror", "-q", "-o", "{}/w.glb"], ["w.glb"]))):
            folder = f"out{number}/x y/z"
            words = [str(word).format(folder) for word in command]
            self.succeed(*words)
            for output in outputs:
                self.assertTrue((self.folder / folder / output).is_file(), (command[0], output))

    def test_a_failed_run_leaves_no_folder(self):
        (self.folder / "old").mkdir()
        for words in (["--fail", "volume.max_loss=x"], ["--method", "none"], ["--clip", "none"],
                      ["--report", "/dev/full/r.json"], ["--report", "/proc/none/r.json"]):
            before = self.folders()
            done = self.run_program("bake", ARM, "-o", "new/deep/a.pc2", "-o", "old/deeper/a.npy", *words)
            self.assertIn(done.code, (2, 3, 4), done)
            self.assertEqual(self.folders(), before, done)
            self.assertEqual(self.files(), {})

    def test_a_gate_that_discards_its_caches_leaves_no_folder(self):
        done = self.run_program("bake", ARM, "-o", "new/a.pc2", "--fail", "volume.max_loss=0")
        self.assertEqual(done.code, 1, done)
        self.assertEqual(self.folders(), [])

    def test_a_folder_with_other_files_stays(self):
        (self.folder / "old").mkdir()
        (self.folder / "old/note").write_text("x")
        done = self.run_program("bake", ARM, "-o", "old/new/a.pc2", "--report", "/proc/none/r.json")
        self.assertEqual(done.code, 4, done)
        self.assertEqual(self.folders(), ["old"])

    def test_a_file_in_place_of_a_folder_is_an_error(self):
        (self.folder / "file").write_text("x")
        self.fail_with(4, "bake", ARM, "-o", "file/deep/a.pc2", naming="file/deep/a.pc2")
        self.assertEqual(self.folders(), [])

    def test_a_link_to_a_missing_folder_is_followed(self):
        (self.folder / "link.pc2").symlink_to("far/away/a.pc2")
        self.succeed("bake", ARM, "-q", "-o", "link.pc2")
        self.assertTrue((self.folder / "far/away/a.pc2").is_file())

    def test_an_interrupted_run_leaves_no_folder(self):
        rig = write_rig(self.folder / "r.gltf", ["a"])
        process = subprocess.Popen([str(PROGRAM), "bake", str(rig), "--fps", "900000", "-o", "new/deep/a.pc2"],
                                   cwd=self.folder, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while not (self.folder / "new/deep").is_dir() and process.poll() is None:
            time.sleep(0.001)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        self.assertIn(process.returncode, (143, 0))
        if process.returncode == 143:
            self.assertEqual(self.folders(), [])

    def test_runs_side_by_side_do_not_disturb_each_other(self):
        """Failing runs remove a folder, which seems empty, while others write there."""
        good = [subprocess.Popen([str(PROGRAM), "bake", str(ARM), "-q", "-o", f"new/deep/{i}.pc2"],
                                 cwd=self.folder, env=environment()) for i in range(8)]
        for _ in range(20):
            self.run_program("bake", ARM, "-q", "-o", "new/deep/x.pc2", "--fail", "volume.max_loss=0")
        self.assertEqual([process.wait(timeout=120) for process in good], [0] * 8)
        self.assertEqual(sorted(os.listdir(self.folder / "new/deep")), sorted(f"{i}.pc2{s}" for i in range(8) for s in ("", ".json")))

    def test_a_batch_creates_the_folders_of_its_tasks(self):
        jobs = {"schema": "skinbake.batch", "schema_version": "1.0",
                "jobs": [{"name": "a", "command": "bake", "rig": str(ARM), "output": ["out/{mesh}/{clip}.pc2"]},
                         {"name": "b", "command": "bake", "rig": str(ARM), "output": ["bad/a.pc2"], "mesh": ["none"]}]}
        (self.folder / "jobs.json").write_text(json.dumps(jobs))
        done = self.run_program("batch", "jobs.json", "--report", "sums/s.json", "--state", "states/s.jsonl")
        self.assertEqual(done.code, 2, done)
        self.assertEqual(self.folders(), ["out", "out/arm", "states", "sums"])

    def test_a_merge_of_shards_creates_the_folders_of_its_pages(self):
        jobs = {"schema": "skinbake.batch", "schema_version": "1.0",
                "jobs": [{"rig": str(ARM), "output": "a.pc2", "frames": "0:3"}]}
        (self.folder / "jobs.json").write_text(json.dumps(jobs))
        self.succeed("batch", "jobs.json", "-q", "--shard", "1/1", "--state", "s.jsonl")
        pages = [f"--report={page}:deep/{page}/x" for page in ("json", "junit", "markdown")]
        self.succeed("batch", "merge", "jobs.json", "s.jsonl", *pages)
        self.assertEqual(sorted(name for name in self.files() if name.startswith("deep/")),
                         [f"deep/{page}/x" for page in ("json", "junit", "markdown")])
        done = self.run_program("batch", "merge", "jobs.json", "none.jsonl", "--report", "new/s.json")
        self.assertEqual((done.code, (self.folder / "new").exists()), (3, False), done)


if __name__ == "__main__":
    main()
