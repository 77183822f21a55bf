#!/usr/bin/env python3
"""The Python module against the command line and NumPy.

The module is found by PYTHONPATH, the program by SKINBAKE. Exit status 77, or 1 if CI=true, when the module
or NumPy is missing.
"""

import base64
import doctest
import gc
import json
import math
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
RIGS = SOURCE / "data" / "rigs"
SHARED = pathlib.Path(os.environ.get("SKINBAKE_SHARED") or SOURCE.parent / "shared")
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


class FolderTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="skinbake-python-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class ModuleTest(FolderTest):
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

    def test_broken_parts_are_empty_and_raise_their_errors_when_they_are_baked(self):
        document = json.loads(write_creature(self.folder / "rig.gltf", clips=("wag", "broken")).read_text())
        document["animations"][1]["samplers"] = [{"input": 77, "output": 77}] * 3
        document["meshes"].append({"primitives": [{"attributes": {"POSITION": 78}}]})
        document["nodes"].append({"name": "Broken", "mesh": 1})
        document["scenes"][0]["nodes"].append(len(document["nodes"]) - 1)
        (self.folder / "rig.gltf").write_text(json.dumps(document))
        asset = skinbake.load(self.folder / "rig.gltf")
        (rig, broken_rig), (clip, broken_clip) = asset.rigs, asset.clips
        self.assertEqual([issue["code"] for issue in asset.issues].count("PART_NOT_READ"), 2)
        self.assertEqual((broken_rig.vertex_count, broken_rig.positions.shape, broken_clip.duration_s), (0, (0, 3), 0))
        self.assertGreater(numpy.ptp(skinbake.bake(rig, clip)), 1)
        for call in (skinbake.bake, skinbake.measure, lambda *of: skinbake.bake_to_file(*of, self.folder / "x.pc2")):
            for arguments, pointer in (((broken_rig, clip), "/meshes/1"), ((rig, broken_clip), "/animations/1")):
                with self.assertRaises(skinbake.Error) as raised:
                    call(*arguments)
                self.assertIn(pointer, raised.exception.pointer)

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


def write_gltf(path, nodes, keys, clips=("move",), points=((0, 0, 0), (0.5, 0, 0), (0, 0.5, 0))):
    """Writes a glTF file, whose last node has the mesh: a triangle.

    nodes: {name: (name of the parent or None, members)}. keys: {(name, path): the values at 0 s and 1 s}.
    """
    data, accessors, views = b"", [], []

    def accessor(rows):
        nonlocal data
        numbers = [number for row in rows for number in row]
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": 4 * len(numbers)})
        data += struct.pack(f"<{len(numbers)}f", *numbers)
        accessors.append({"bufferView": len(views) - 1, "componentType": 5126, "count": len(rows),
                          "type": {1: "SCALAR", 3: "VEC3", 4: "VEC4"}[len(rows[0])],
                          "min": [min(column) for column in zip(*rows)], "max": [max(column) for column in zip(*rows)]})
        return len(accessors) - 1

    names = list(nodes)
    document = {"asset": {"version": "2.0"}, "scene": 0,
                "scenes": [{"nodes": [n for n, name in enumerate(names) if nodes[name][0] is None]}],
                "nodes": [{"name": name, **nodes[name][1]} for name in names]}
    for n, name in enumerate(names):
        children = [c for c, child in enumerate(names) if nodes[child][0] == name]
        document["nodes"][n].update({"children": children} if children else {})
    document["nodes"][-1]["mesh"] = 0
    document["meshes"] = [{"primitives": [{"attributes": {"POSITION": accessor(points)}}]}]
    times = accessor([(0,), (1,)])
    samplers = [{"input": times, "output": accessor(rows)} for rows in keys.values()]
    channels = [{"sampler": i, "target": {"node": names.index(name), "path": path}}
                for i, (name, path) in enumerate(keys)]
    if clips:
        document["animations"] = [{"name": clip, "samplers": samplers, "channels": channels} for clip in clips]
    document.update(accessors=accessors, bufferViews=views, buffers=[{
        "byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}])
    path.write_text(json.dumps(document))
    return path


TURN = (0, 0, math.sin(0.4), math.cos(0.4))  # about z


def write_creature(path, unit_m=1.0, clips=("wag",), names=("Hips", "Tail", "Fin"), root=None, tail_members=None):
    """Hips that walk, a tail that turns, and a fin with the mesh. unit_m: of all lengths; root: members of 'Root'."""
    metres = lambda *xyz: tuple(number / unit_m for number in xyz)
    hips, tail, fin = names
    nodes = {"Root": (None, root or {}), hips: ("Root", {"translation": metres(0, 1, 0)}),
             tail: (hips, tail_members or {"translation": metres(0, 0.7, 0)}),
             fin: (tail, {"translation": metres(0, 0.5, 0)})}
    keys = {(hips, "translation"): [metres(0, 1, 0), metres(0.5, 1.25, 2)], (tail, "rotation"): [(0, 0, 0, 1), TURN],
            (tail, "translation"): [metres(0, 0.7, 0), metres(0, 0.7, 0)]}
    return write_gltf(path, nodes, keys, clips, [metres(*point) for point in ((0, 0, 0), (0.5, 0, 0), (0, 0.5, 0))])


BODY = {  # bone, by its name in Mixamo: the parent, and the place in metres
    "Hips": (None, (0, 1, 0)), "Spine": ("Hips", (0, 0.2, 0)), "Head": ("Spine", (0, 0.4, 0)),
    **{name: values for side, x in (("Left", 1), ("Right", -1)) for name, values in {
        f"{side}UpLeg": ("Hips", (0.1 * x, 0, 0)), f"{side}Leg": (f"{side}UpLeg", (0, -0.45, 0)),
        f"{side}Foot": (f"{side}Leg", (0, -0.45, 0)), f"{side}Arm": ("Spine", (0.15 * x, 0.3, 0)),
        f"{side}ForeArm": (f"{side}Arm", (0.25 * x, 0, 0)),
        f"{side}Hand": (f"{side}ForeArm", (0.25 * x, 0, 0))}.items()}}
UNREAL = {"Hips": "pelvis", "Spine": "spine_01", "Head": "head", **{
    f"{side}{bone}": f"{name}_{side[0].lower()}" for side in ("Left", "Right") for bone, name in {
        "UpLeg": "thigh", "Leg": "calf", "Foot": "foot",
        "Arm": "upperarm", "ForeArm": "lowerarm", "Hand": "hand"}.items()}}


def write_body(path, size=1.0, name_of=lambda bone: f"mixamorig:{bone}", **arm):
    """A human body whose left arm turns. arm: members of its node instead of its place."""
    nodes = {name_of(bone): (parent and name_of(parent), {"translation": [size * x for x in place]})
             for bone, (parent, place) in BODY.items()}
    if arm:
        nodes[name_of("LeftArm")] = (name_of("Spine"), arm)
    nodes["Glove"] = (name_of("LeftHand"), {})
    return write_gltf(path, nodes, {(name_of("LeftArm"), "rotation"): [(0, 0, 0, 1), TURN],
                                    (name_of("Hips"), "translation"): [(0, size, 0), (0, size, size)]})


class ClipsOfOtherFilesTest(FolderTest):
    def load(self, write=write_creature, name="rig.gltf", **options):
        asset = skinbake.load(write(self.folder / name, **options))
        self.assertEqual(len(asset.rigs), 1)
        return asset

    def codes(self, clip):
        return [(issue["code"], issue["severity"]) for issue in clip.issues]

    def refuse(self, code, call, *naming):
        with self.assertRaises(skinbake.Error) as raised:
            call()
        self.assertEqual(raised.exception.code, code)
        for word in naming:
            self.assertIn(word, str(raised.exception))

    def test_a_clip_in_another_unit_gives_the_positions_of_its_own_clip(self):
        asset = self.load()
        rig, own = asset.rigs[0], asset.clips[0]
        expected = skinbake.bake(rig, own)
        self.assertGreater(numpy.abs(expected[-1] - expected[0]).max(), 1.9)
        same = skinbake.load_clip(write_creature(self.folder / "same.gltf"), asset)
        self.assertEqual((same.id, same.duration_s, self.codes(same), own.issues), ("wag", 1, [], []))
        self.assertEqual(skinbake.bake(rig, same).tobytes(), expected.tobytes())
        for unit_m in (0.01, 0.0254, 0.3048, 1000):
            for root in ({}, {"scale": [unit_m] * 3}):
                with self.subTest(unit_m=unit_m, root=root):
                    clip = skinbake.load_clip(write_creature(self.folder / "clip.gltf", unit_m, root=root), asset)
                    self.assertEqual(self.codes(clip), [("CLIP_UNIT", "info")])
                    numpy.testing.assert_allclose(skinbake.bake(rig, clip), expected, atol=2e-6)

    def test_shared_clips_in_other_units_give_the_positions_of_their_own_clips(self):
        cases = SHARED / "cases" / "23-clip-units"
        if not cases.exists():
            self.skipTest(f"{cases} does not exist")
        asset = skinbake.load(cases / "m.glb")
        expected = skinbake.bake(asset.rigs[0], asset.clips[0])
        for name, code in (("cm", "CLIP_UNIT"), ("inch", "CLIP_UNIT"), ("longer", "REST_POSES_DIFFER")):
            with self.subTest(name):
                clip = skinbake.load_clip(cases / f"{name}.glb", asset)
                self.assertIn(code, dict(self.codes(clip)))
                positions = skinbake.bake(asset.rigs[0], clip)
                self.assertLess(numpy.abs(positions - expected).max(), 0.2 if name == "longer" else 2e-6)

    def test_positions_and_sidecars_are_those_of_the_program(self):
        matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0.7, 0, 1]
        for name, write, rig, codes in (
                ("a longer bone", write_creature, {"tail_members": {"translation": [0, 0.9, 0]}},
                 ["REST_POSES_DIFFER"]),
                ("a matrix in the rig", write_creature, {"tail_members": {"matrix": matrix}}, []),
                ("a body with other names", write_body, {"size": 1.3, "name_of": UNREAL.get}, []),
                ("a body with another shoulder", write_body, {"translation": [0.2, 0.5, 0]}, [])):
            with self.subTest(name):
                asset = self.load(write, **rig)
                matched = skinbake.load_clip(write(self.folder / "clip.gltf"), asset)
                self.assertEqual([code for code, _ in self.codes(matched)], codes)
                run_program(self.folder, "bake", "rig.gltf", "--method", "dqs", "--clip", "clip.gltf", "-o", "x.npy")
                written = skinbake.bake_to_file(asset.rigs[0], matched, self.folder / "y.npy")
                theirs = json.loads((self.folder / "x.npy.json").read_text())
                ours = json.loads(pathlib.Path(written["sidecar_path"]).read_text())
                self.assertEqual({**ours, "file": theirs["file"]}, theirs)
                positions = skinbake.bake(asset.rigs[0], matched)
                self.assertEqual(positions.tobytes(), numpy.load(self.folder / "x.npy").tobytes())
                self.assertGreater(numpy.abs(positions[-1] - positions[0]).max(), 0.3)
                measured = skinbake.measure(asset.rigs[0], matched, metrics=["error"])
                self.assertEqual(len(measured["error"]["per_frame"]["max"]), len(positions))

    def test_a_clip_outlives_what_it_was_made_of(self):
        asset = self.load()
        rig = asset.rigs[0]
        clip = skinbake.load_clip(write_creature(self.folder / "clip.gltf", 0.01), asset)
        expected, issues = skinbake.bake(rig, clip), clip.issues
        again = self.load().rigs[0]  # the same bytes, loaded twice
        (self.folder / "clip.gltf").unlink()
        del asset, rig
        gc.collect()
        self.assertEqual(skinbake.bake(again, clip).tobytes(), expected.tobytes())
        self.assertEqual(clip.issues, issues)
        other = self.load(name="other.gltf", clips=("wag", "nod")).rigs[0]
        self.refuse("CLIP_INVALID", lambda: skinbake.bake(other, clip), "other.gltf", "load_clip")

    def test_a_clip_is_chosen_by_its_id(self):
        asset = self.load()
        several = write_creature(self.folder / "several.gltf", clips=("wag", "nod", "nod"))
        load = lambda clip=None: skinbake.load_clip(several, asset, clip)
        self.assertEqual([load(clip).id for clip in ("wag", "#1", "#2")], ["wag", "#1", "#2"])
        self.refuse("CLIP_AMBIGUOUS", load, "several.gltf", "'wag'", "'#1'")
        self.refuse("CLIP_UNKNOWN", lambda: load("jump"), "several.gltf", "'jump'", "'wag'")
        none = write_creature(self.folder / "none.gltf", clips=())
        self.refuse("CLIP_UNKNOWN", lambda: skinbake.load_clip(none, asset), "none.gltf", "animation")
        self.refuse("FILE_UNREADABLE", lambda: skinbake.load_clip(self.folder / "missing.glb", asset), "missing.glb")

    def test_a_clip_that_does_not_move_the_rig_is_refused(self):
        asset = self.load()
        other = write_creature(self.folder / "other.gltf", names=("Pelvis", "Flag", "Cloth"))
        self.refuse("CLIP_MOVES_NOTHING", lambda: skinbake.load_clip(other, asset),
                    "other.gltf", "/animations/0", "3 channels", "'wag'", "'Pelvis'", "rig.gltf")
        clip = write_body(self.folder / "clip.gltf")
        sheared = [1, 0, 0, 0, 0.2, 1, 0, 0, 0, 0, 1, 0, 0.15, 0.3, 0, 1]
        body = self.load(write_body, name="body.gltf", name_of=UNREAL.get, matrix=sheared)
        self.refuse("MATRIX_SHEARED", lambda: skinbake.load_clip(clip, body), "body.gltf", "'upperarm_l'")

    def test_a_cache_never_replaces_the_file_of_its_clip(self):
        asset = skinbake.load(RIGS / "walker.glb")
        clip_file = self.folder / "clip.glb"
        before = (RIGS / "walker.glb").read_bytes()
        clip_file.write_bytes(before)
        clip = skinbake.load_clip(clip_file, asset, asset.clips[0].id)
        self.refuse("OUTPUT_IS_INPUT", lambda: skinbake.bake_to_file(asset.rigs[0], clip, clip_file))
        self.assertEqual(clip_file.read_bytes(), before)


if __name__ == "__main__":
    unittest.main()
