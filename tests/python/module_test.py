#!/usr/bin/env python3
"""The Python module against the command line and NumPy.

The module is found by PYTHONPATH, the program by SKINBAKE. Exit status 77, or 1 if CI=true, when the module
or NumPy is missing.
"""

import doctest
import gc
import json
import math
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
RIGS = SOURCE / "data" / "rigs"
README = SOURCE / "lib" / "python" / "README.md"
PROGRAM = os.environ.get("SKINBAKE") or str(SOURCE / "build/release/cli/skinbake")

try:
    import numpy
    import skinbake
except ImportError as missing:
    print(f"{missing}; {'failing, as CI=true' if os.environ.get('CI') == 'true' else 'skipped'}")
    sys.exit(1 if os.environ.get("CI") == "true" else 77)


def run_program(folder, *arguments):
    subprocess.run([PROGRAM, *map(str, arguments)], cwd=folder, check=True, capture_output=True)


class ModuleTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="skinbake-python-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def copy_buffers(self, document):
        for buffer in document["buffers"]:
            (self.folder / buffer["uri"]).write_bytes((RIGS / buffer["uri"]).read_bytes())

    def test_the_module_is_of_the_programs_version(self):
        done = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.strip(), f"skinbake {skinbake.__version__}")

    def test_arrays_have_the_bytes_of_the_programs_npy_files(self):
        for path in sorted(RIGS.glob("*.gl*")):
            asset = skinbake.load(path.as_posix())
            for method in ("lbs", "dqs"):
                run_program(self.folder, "bake", path, "--clip", "all", "--method", method,
                            "-o", "{mesh}.{clip}.{method}.npy")
            for rig in asset.rigs:
                for clip in asset.clips:
                    for method in ("lbs", "dqs"):
                        with self.subTest(rig=path.name, clip=clip.id, method=method):
                            expected = numpy.load(self.folder / f"{rig.id}.{clip.id}.{method}.npy")
                            positions = skinbake.bake(rig, clip, method=method, fps=30)
                            self.assertEqual(positions.dtype, numpy.float32)
                            self.assertEqual(positions.shape, expected.shape)
                            self.assertTrue(positions.flags.c_contiguous)
                            self.assertEqual(positions.tobytes(), expected.tobytes())

    def test_files_are_those_of_the_program(self):
        path = RIGS / "bent_arm.gltf"
        asset = skinbake.load(str(path))
        run_program(self.folder, "bake", path, "--method", "dqs", "-o", "program.pc2")
        written = skinbake.bake_to_file(asset.rigs[0], asset.clips[0], str(self.folder / "module.pc2"))
        self.assertEqual((self.folder / "module.pc2").read_bytes(), (self.folder / "program.pc2").read_bytes())
        theirs = json.loads((self.folder / "program.pc2.json").read_text())
        ours = json.loads(pathlib.Path(written["sidecar_path"]).read_text())
        theirs["file"] = ours["file"]
        self.assertEqual(ours, theirs)
        self.assertEqual(written["xxh128"], theirs["xxh128"])
        self.assertEqual(written["bytes"], theirs["bytes"])

    def test_paths_may_be_pathlib_paths(self):
        asset = skinbake.load(RIGS / "bent_arm.gltf")
        written = skinbake.bake_to_file(asset.rigs[0], asset.clips[0], self.folder / "arm.pc2")
        self.assertEqual(written["path"], str(self.folder / "arm.pc2"))
        self.assertTrue((self.folder / "arm.pc2.json").exists())

    def test_bake_to_file_lists_normals_that_it_cannot_store(self):
        asset = skinbake.load(RIGS / "core_line.gltf")
        issues = skinbake.bake_to_file(asset.rigs[0], None, self.folder / "x.glb", method="dm",
                                       options={"normals": "1"})["issues"]
        self.assertEqual([(issue["code"], issue["severity"]) for issue in issues],
                         [("NORMALS_RECOMPUTED", "info")])

    def test_frames_space_and_the_rest_pose(self):
        asset = skinbake.load(str(RIGS / "bent_arm.gltf"))
        rig, clip = asset.rigs[0], asset.clips[0]
        whole = skinbake.bake(rig, clip)
        self.assertEqual(len(whole), clip.frame_count(30))
        some = skinbake.bake(rig, clip, frames=range(2, 12, 3), threads=1)
        self.assertEqual(some.tobytes(), whole[2:12:3].tobytes())
        self.assertEqual(skinbake.bake(rig).shape, (1, rig.vertex_count, 3))
        self.assertEqual(skinbake.bake(rig, clip, space="mesh").shape, whole.shape)
        with self.assertRaisesRegex(TypeError, "range"):
            skinbake.bake(rig, clip, frames=5)
        with self.assertRaisesRegex(ValueError, "'scene' or 'mesh'"):
            skinbake.bake(rig, clip, space="world")

    def test_arrays_outlive_what_they_were_made_of(self):
        asset = skinbake.load(str(RIGS / "bent_arm.gltf"))
        positions = skinbake.bake(asset.rigs[0], asset.clips[0])
        rest, triangles = asset.rigs[0].positions, asset.rigs[0].triangles
        expected = positions.copy(), rest.copy(), triangles.copy()
        del asset
        gc.collect()
        for array, copy in zip((positions, rest, triangles), expected):
            self.assertTrue((array == copy).all())
            self.assertIsNotNone(array.base)  # not a copy
        positions[0, 0, 0] = 1  # writable: the caller owns the array
        with self.assertRaises(ValueError):
            rest[0, 0] = 1
        self.assertLess(triangles.max(), len(rest))

    def test_metrics_are_those_of_the_report(self):
        path = RIGS / "bent_arm.gltf"
        asset = skinbake.load(str(path))
        every = [metric["id"] for metric in skinbake.metrics()]
        measured = skinbake.measure(asset.rigs[0], asset.clips[0], "dqs", reference="lbs", metrics=every)
        run_program(self.folder, "bake", path, "--method", "dqs", "--reference", "lbs", "--metrics", "all",
                    "--report", "report.json")
        mesh = json.loads((self.folder / "report.json").read_text())["meshes"][0]
        self.assertEqual(measured["bbox_diagonal_m"], mesh["bbox_diagonal_m"])
        for metric in every:
            with self.subTest(metric=metric):
                self.compare(measured[metric], mesh["runs"][0][metric])
        numpy.testing.assert_array_equal(measured["error"]["per_frame"]["max"].max(), measured["error"]["max"])

    def compare(self, ours, theirs, key=""):
        """Keys and numbers equal those of the report, which stores errors per vertex as float32."""
        if isinstance(ours, dict):
            # Only the report has this key.
            self.assertEqual(set(theirs) - {"encoding"}, set(ours), key)
            for name in ours:
                self.compare(ours[name], theirs[name], f"{key}/{name}")
        elif isinstance(ours, list):
            self.assertEqual(len(ours), len(theirs), key)
            for a, b in zip(ours, theirs):
                self.compare(a, b, key)
        elif isinstance(ours, numpy.ndarray):
            numpy.testing.assert_allclose(ours, numpy.array(theirs, dtype=float),
                                          rtol=2**-23 if "per_vertex" in key else 0, err_msg=key)
        elif isinstance(ours, tuple):
            self.assertEqual(list(ours), theirs, key)
        elif isinstance(ours, float) and not math.isfinite(ours):
            self.assertIsNone(theirs, key)
        else:
            self.assertEqual(ours, theirs, key)

    def test_errors_have_a_code_a_kind_and_a_place(self):
        asset = skinbake.load(str(RIGS / "bent_arm.gltf"))
        other = skinbake.load(str(RIGS / "walker.glb"))
        rig, clip = asset.rigs[0], asset.clips[0]
        (self.folder / "bad.gltf").write_text("{")
        calls = {
            "METHOD_UNKNOWN": ("usage", lambda: skinbake.bake(rig, clip, method="magic")),
            "FPS_INVALID": ("usage", lambda: skinbake.bake(rig, clip, fps=0)),
            "FRAMES_INVALID": ("usage", lambda: skinbake.bake(rig, clip, frames=range(0))),
            "METRIC_UNKNOWN": ("usage", lambda: skinbake.measure(rig, clip, metrics=["beauty"])),
            "REFERENCE_MISSING": ("usage", lambda: skinbake.measure(rig, clip, reference=None)),
            "CLIP_INVALID": ("input", lambda: skinbake.bake(rig, other.clips[0])),
            "FILE_UNREADABLE": ("input", lambda: skinbake.load(str(self.folder / "missing.glb"))),
            "FORMAT_UNKNOWN": ("usage", lambda: skinbake.bake_to_file(rig, clip, "cache.xyz")),
            "OUTPUT_NOT_WRITTEN": ("output", lambda: skinbake.bake_to_file(rig, clip, "/proc/none/a.pc2")),
        }
        for code, (kind, call) in calls.items():
            with self.subTest(code=code):
                with self.assertRaises(skinbake.Error) as raised:
                    call()
                self.assertEqual(raised.exception.code, code)
                self.assertEqual(raised.exception.kind, kind)
                self.assertTrue(str(raised.exception))
        with self.assertRaises(skinbake.Error) as raised:
            skinbake.load(str(self.folder / "bad.gltf"))
        self.assertTrue(raised.exception.file.endswith("bad.gltf"))
        self.assertIsInstance(raised.exception.pointer, str)

    def test_paths_need_not_be_utf_8(self):
        source = os.fsdecode(os.fsencode(self.folder) + b"/\xfe.gltf")
        document = json.loads((RIGS / "bent_arm.gltf").read_text())
        document["extensionsUsed"] = ["UNKNOWN_extension"]
        with open(source, "w") as file:
            json.dump(document, file)
        self.copy_buffers(document)
        asset = skinbake.load(source)
        self.assertEqual(asset.path, source)
        self.assertIn("\ufffd.gltf': 1 rigs", repr(asset))
        self.assertEqual([issue["file"] for issue in asset.issues], ["\udcfe.gltf"])
        cache = os.fsdecode(os.fsencode(self.folder) + b"/\xfd.pc2")
        written = skinbake.bake_to_file(asset.rigs[0], asset.clips[0], cache)
        self.assertEqual((written["path"], written["sidecar_path"]), (cache, cache + ".json"))
        for code, call in {
            "FILE_UNREADABLE": lambda: skinbake.load(cache.replace(".pc2", ".glb")),
            "FORMAT_UNKNOWN": lambda: skinbake.bake_to_file(asset.rigs[0], None, cache + ".xyz"),
        }.items():
            with self.subTest(code=code):
                with self.assertRaises(skinbake.Error) as raised:
                    call()
                self.assertEqual(raised.exception.code, code)
                self.assertIn("\ufffd", str(raised.exception))

    def test_clips_of_another_file_are_refused(self):
        document = json.loads((RIGS / "bent_arm.gltf").read_text())
        document["asset"]["copyright"] = "another file with the same nodes"
        (self.folder / "other.gltf").write_text(json.dumps(document))
        self.copy_buffers(document)
        rig = skinbake.load(RIGS / "bent_arm.gltf").rigs[0]
        other = skinbake.load(self.folder / "other.gltf").clips[0]
        for call in (skinbake.bake, skinbake.measure,
                     lambda rig, clip: skinbake.bake_to_file(rig, clip, self.folder / "arm.pc2")):
            with self.assertRaises(skinbake.Error) as raised:
                call(rig, other)
            self.assertEqual(raised.exception.code, "CLIP_INVALID")
            self.assertIn("other.gltf", str(raised.exception))
        again = skinbake.load(RIGS / "bent_arm.gltf").clips[0]  # the same bytes, loaded twice
        self.assertEqual(len(skinbake.bake(rig, again)), again.frame_count(30))

    def test_a_cache_never_replaces_a_file_that_was_loaded(self):
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        (self.folder / "elsewhere").mkdir()
        rig_file, clip_file = self.folder / "rig.glb", self.folder / "clip.glb"
        for file in (rig_file, clip_file):
            file.write_bytes((RIGS / "walker.glb").read_bytes())
        os.chdir(self.folder)
        rig, clip = skinbake.load("rig.glb").rigs[0], skinbake.load("clip.glb").clips[0]
        os.chdir("elsewhere")
        for file in (rig_file, clip_file):
            with self.subTest(file=file.name):
                before = file.read_bytes()
                with self.assertRaises(skinbake.Error) as raised:
                    skinbake.bake_to_file(rig, clip, file)
                self.assertEqual(raised.exception.code, "OUTPUT_IS_INPUT")
                self.assertEqual(file.read_bytes(), before)

    def test_other_threads_run_during_a_bake(self):
        asset = skinbake.load(str(RIGS / "bent_arm.gltf"))
        seen, done = [], threading.Event()

        def bake():
            for _ in range(3):
                skinbake.bake(asset.rigs[0], asset.clips[0], frames=range(4000), threads=1)
            done.set()

        worker = threading.Thread(target=bake)
        worker.start()
        while not done.wait(0.001):
            seen.append(time.monotonic())
        worker.join()
        self.assertGreater(len(seen), 5)

    def test_ctrl_c_ends_a_bake_at_once(self):
        asset = skinbake.load(str(RIGS / "bent_arm.gltf"))
        rig, clip = asset.rigs[0], asset.clips[0]
        sent = []

        def interrupt():
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        many = range(200_000_000)  # would take hours; a file needs no memory for all frames
        timer = threading.Timer(0.3, interrupt)
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            skinbake.measure(rig, clip, "dqs", metrics=["in_between", "volume"], frames=many[:2_000_000])
        self.assertLess(time.monotonic() - sent[0], 10)
        timer = threading.Timer(0.3, interrupt)
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            skinbake.bake_to_file(rig, clip, str(self.folder / "long.pc2"), frames=many[:100_000])
        self.assertLess(time.monotonic() - sent[1], 10)
        self.assertEqual(list(self.folder.iterdir()), [])
        self.assertEqual(len(skinbake.bake(rig, clip)), clip.frame_count(30))  # the next bake works

    def test_the_session_of_the_readme_runs(self):
        text = README.read_text(encoding="utf-8")
        session = text.split("```python\n", 1)[1].split("```", 1)[0]
        test = doctest.DocTestParser().get_doctest(session, {}, "session", str(README), 0)
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        os.chdir(self.folder)
        (self.folder / "data").symlink_to(SOURCE / "data")
        runner = doctest.DocTestRunner()
        runner.run(test)
        self.assertEqual(runner.failures, 0)
        self.assertGreater(runner.tries, 5)


if __name__ == "__main__":
    unittest.main()
