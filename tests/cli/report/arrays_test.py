#!/usr/bin/env python3
"""Errors as NumPy arrays: --per-vertex npy beside the report, and --error-matrix."""

import array
import json
import math
import shutil
import subprocess

from support import CliTest, RIGS, main, npy, strict_json, write_rig

ARM = RIGS / "bent_arm.gltf"
PRISM = RIGS / "two_joints.gltf"
WALKER = RIGS / "walker.glb"


class Npy:
    """The shape and the rows of a two-dimensional NumPy array of float32."""

    def __init__(self, data):
        self.shape, numbers = npy(data)
        columns = self.shape[1]
        self.rows = [list(numbers[r * columns:(r + 1) * columns]) for r in range(self.shape[0])]


def as_floats(numbers):
    return list(array.array("f", numbers))


class ArraysTest(CliTest):
    def error(self, name):
        return self.json(name)["meshes"][0]["runs"][0]["error"]

    def bake(self, name, *options, rig=PRISM):
        return self.succeed("bake", rig, "--method", "dqs", "-q", "--report", name, *options)


class PerVertex(ArraysTest):
    def test_the_array_equals_the_arrays_of_the_report(self):
        self.bake("a.json")
        self.bake("b.json", "--per-vertex", "npy")
        in_report, beside = self.error("a.json"), self.error("b.json")
        numbers, file = in_report.pop("per_vertex"), beside.pop("per_vertex")
        self.assertEqual(in_report, beside)
        vertices = self.json("a.json")["meshes"][0]["vertex_count"]
        name = file["path"]
        self.assertEqual((file["encoding"], file["shape"], file["rows"]),
                         ("npy", [3, vertices], ["rms", "max", "max_frame"]))
        if shutil.which("xxhsum"):
            done = subprocess.run(["xxhsum", "-H128", str(self.folder / name)], capture_output=True, text=True)
            self.assertEqual(done.stdout.split()[0], file["xxh128"])
        matrix = Npy(self.read(name))
        self.assertEqual(matrix.shape, (3, vertices))
        for row, key in zip(matrix.rows, file["rows"], strict=True):
            self.assertEqual(row, as_floats(numbers[key]))

    def test_each_run_has_an_array(self):
        self.succeed("compare", WALKER, "--method", "lbs", "--method", "dqs", "--profile", "unity-1", "-q", "--report",
                     "r.json", "--per-vertex", "npy", "--depfile", "r.d")
        report, rule = self.json("r.json"), self.read("r.d").decode()
        names = set()
        for mesh in report["meshes"]:
            for run in mesh["runs"]:
                name = run["error"]["per_vertex"]["path"]
                self.assertEqual(name, f"r.{mesh['id']}.{run['clip']}.{run['method']}.per_vertex.npy")
                self.assertIn(name, rule)
                self.assertEqual(max(Npy(self.read(name)).rows[1]), as_floats([run["error"]["max"]])[0])
                names.add(name)
        self.assertEqual(names | {"r.json", "r.d"}, set(self.files()))

    def test_a_diff_writes_the_array(self):
        for method in ("lbs", "dqs"):
            self.succeed("bake", PRISM, "--method", method, "-q", "-o", f"{method}.pc2")
        for kind in ("json", "npy"):
            self.run_program("diff", "lbs.pc2", "dqs.pc2", "-q", "--report", f"{kind}.json", "--per-vertex", kind)
        numbers, file = self.error("json.json")["per_vertex"], self.error("npy.json")["per_vertex"]
        self.assertEqual(file["path"], "npy.per_vertex.npy")
        self.assertEqual(Npy(self.read(file["path"])).rows, [as_floats(numbers[key]) for key in file["rows"]])

    def test_the_array_needs_a_report_file(self):
        for options in (("--json",), ("--report", "-"), ("-o", "a.pc2")):
            done = self.run_program("bake", PRISM, "--per-vertex", "npy", *options)
            self.assertEqual(done.code, 2, done)
            self.assertIn("--report FILE", done.err)
        self.assertEqual(self.run_program("diff", "a.pc2", "b.pc2", "--per-vertex", "npy").code, 2)
        self.assertEqual(self.files(), {})

    def test_two_runs_of_one_name_are_refused(self):
        rig = write_rig(self.folder / "r.gltf", ["a/b", "a_b"])
        before = self.files()
        self.fail_with(2, "bake", rig, "--report", "r.json", "--per-vertex", "npy", naming=("name them differently",))
        self.assertEqual(self.files(), before)


class ErrorMatrix(ArraysTest):
    def test_the_matrix_contains_every_error(self):
        self.bake("r.json", "--error-matrix", "m.npy", rig=ARM)
        error, matrix = self.error("r.json"), Npy(self.read("m.npy"))
        frames = self.json("r.json")["clips"][0]["frame_count"]
        self.assertEqual(matrix.shape, (frames, self.json("r.json")["meshes"][0]["vertex_count"]))
        self.assertEqual([max(row) for row in matrix.rows], as_floats(error["per_frame"]["max"]))
        for vertex in range(0, matrix.shape[1], 7):
            column = [row[vertex] for row in matrix.rows]
            self.assertEqual(max(column), as_floats([error["per_vertex"]["max"][vertex]])[0])
            self.assertEqual(column.index(max(column)), error["per_vertex"]["max_frame"][vertex])
            rms = math.sqrt(sum(e * e for e in column) / frames)
            self.assertAlmostEqual(rms, error["per_vertex"]["rms"][vertex], delta=1e-6 * error["max"])

    def test_the_matrix_alone_is_an_output_at_any_number_of_threads(self):
        bytes_of = set()
        for threads in (1, 3):
            self.succeed("bake", ARM, "--method", "cor", "--error-matrix", "m.npy", "--threads", threads, "-q",
                         "--metrics", "volume")
            bytes_of.add(self.read("m.npy"))
        self.assertEqual(len(bytes_of), 1)
        self.assertEqual(set(self.files()), {"m.npy"})

    def test_placeholders_make_a_matrix_for_each_mesh_and_method(self):
        self.succeed("compare", WALKER, "--method", "lbs", "--method", "dqs", "-q", "--report", "r.json", "--error-matrix",
                     "{mesh}.{clip}.{method}.npy")
        for mesh in self.json("r.json")["meshes"]:
            for run in mesh["runs"]:
                matrix = Npy(self.read(f"{mesh['id']}.{run['clip']}.{run['method']}.npy"))
                self.assertEqual(max(map(max, matrix.rows)), as_floats([run["error"]["max"]])[0])

    def test_ambiguous_and_colliding_names_are_refused(self):
        for rig, options in ((WALKER, ("--error-matrix", "{method}.npy")), (ARM, ("--error-matrix", "{mesh}.npy")),
                             (ARM, ("--error-matrix", "{x}.npy")), (ARM, ("--error-matrix", "m.pc2")),
                             (ARM, ("--error-matrix", "{method}.npy", "-o", "{method}.npy"))):
            self.assertEqual(self.run_program("compare", rig, *options).code, 2, options)
        self.assertEqual(self.files(), {})

    def test_a_diff_writes_the_array(self):
        for method in ("lbs", "dqs"):
            self.succeed("bake", PRISM, "--method", method, "-q", "-o", f"{method}.npy")
        self.run_program("diff", "lbs.npy", "dqs.npy", "--error-matrix", "m.npy", "--report", "r.json", "-q")
        matrix = Npy(self.read("m.npy"))
        self.assertEqual([max(row) for row in matrix.rows], as_floats(self.error("r.json")["per_frame"]["max"]))
        self.succeed("diff", "lbs.npy", "lbs.npy", "--error-matrix", "same.npy", "-q")
        same = Npy(self.read("same.npy"))
        self.assertEqual(same.rows, [[0.0] * same.shape[1]] * same.shape[0])
        bad = bytearray(self.read("lbs.npy"))
        bad[-4:] = b"\x00\x00\xc0\xff"
        (self.folder / "nan.npy").write_bytes(bad)
        self.run_program("diff", "lbs.npy", "nan.npy", "--error-matrix", "n.npy", "-q")
        self.assertEqual(self.read("n.npy")[-4:], b"\x00\x00\xc0\x7f")
        self.assertEqual(self.run_program("diff", "lbs.npy", "dqs.npy", "--error-matrix", "dqs.npy").code, 2)


if __name__ == "__main__":
    main()
