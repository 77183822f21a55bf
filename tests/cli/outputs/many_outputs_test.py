#!/usr/bin/env python3
"""Runs with more outputs than the process may open files."""

import resource
import signal
import subprocess

from support import PROGRAM, CliTest, environment, main, write_rig

MESHES = [f"m{i}" for i in range(6)]
CLIPS = [f"c{i}" for i in range(8)]
PATTERN = "{mesh}.{clip}"
RUNS = [f"{mesh}.{clip}" for mesh in MESHES for clip in CLIPS]
LIMIT = 40  # descriptors; fewer than there are runs


def limited():
    resource.setrlimit(resource.RLIMIT_NOFILE, (LIMIT, LIMIT))


class ManyOutputs(CliTest):
    def setUp(self):
        super().setUp()
        self.rig = write_rig(self.folder / "rig.gltf", MESHES, clips=CLIPS)
        (self.folder / "few").mkdir()
        (self.folder / "many").mkdir()

    def bake_both(self, *arguments):
        """Bakes with and without the limit, and returns the names of the files, which are equal."""
        for folder, options in (("few", {"preexec_fn": limited}), ("many", {})):
            self.succeed("bake", self.rig, "--clip", "all", *(word.replace("OUT", folder) for word in arguments),
                         "--threads", "2", **options)
        files = self.files()
        names = {name.removeprefix("many/") for name in files if name.startswith("many/")}
        self.assertEqual({name.removeprefix("few/") for name in files if name.startswith("few/")}, names)
        for name in names:
            if name.endswith(".report.json"):  # names its outputs
                continue
            self.assertEqual(files[f"few/{name}"], files[f"many/{name}"], name)
        return names

    def test_caches_matrices_and_reports(self):
        names = self.bake_both("-o", f"OUT/{PATTERN}.pc2", "--verify", "--error-matrix", f"OUT/{PATTERN}.errors.npy",
                               "--report", "OUT/run.report.json", "--per-vertex", "npy", "--reference", "dqs")
        for run in RUNS:
            self.assertLessEqual({f"{run}.pc2", f"{run}.pc2.json", f"{run}.errors.npy"}, names)
        self.assertEqual(len(names), 4 * len(RUNS) + 1)

    def test_every_format(self):
        for extension, options in (("mdd", ()), ("npy", ()), ("glb", ("--format", "glb:normals=1")),
                                   ("usda", ("--format", "usda:normals=1")), ("exr", ("--format", "vat:normals=1")),
                                   ("png", ("--format", "vat:compress=1"))):
            with self.subTest(extension):
                names = self.bake_both("-o", f"OUT/{PATTERN}.{extension}", *options)
                self.assertLessEqual({f"{run}.{extension}" for run in RUNS}, names)

    def test_references(self):
        self.succeed("bake", self.rig, "--clip", "all", "-o", f"{PATTERN}.pc2")
        self.bake_both("-o", f"OUT/{PATTERN}.npy", "--reference", f"{PATTERN}.pc2", "--fail", "error.max=0")

    def test_a_bad_path_fails_before_the_first_frame(self):
        (self.folder / f"{RUNS[-1]}.pc2").mkdir()
        self.fail_with(4, "bake", self.rig, "--clip", "all", "-o", f"{PATTERN}.pc2", naming=RUNS[-1],
                       preexec_fn=limited)

    def test_older_files_keep_their_permissions(self):
        for run in RUNS:
            (self.folder / f"{run}.pc2").write_text("old")
            (self.folder / f"{run}.pc2").chmod(0o440)
        self.succeed("bake", self.rig, "--clip", "all", "-o", f"{PATTERN}.pc2", preexec_fn=limited)
        for run in RUNS:
            self.assertEqual((self.folder / f"{run}.pc2").stat().st_mode & 0o777, 0o440)
            self.assertNotEqual(self.read(f"{run}.pc2"), b"old")

    def test_an_interrupted_run_leaves_nothing(self):
        before = self.files()
        process = subprocess.Popen(
            [str(PROGRAM), "bake", str(self.rig), "--clip", "all", "-o", f"{PATTERN}.pc2", "--fps", "400000"],
            cwd=self.folder, env=environment(), preexec_fn=limited, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and self.files() == before:
            pass
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(300), 143)
        self.assertEqual(self.files(), before)


if __name__ == "__main__":
    main()
