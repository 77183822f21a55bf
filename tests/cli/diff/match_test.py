#!/usr/bin/env python3
"""skinbake diff --match: compares rigs and caches whose vertices do not pair by index."""

import struct

from changed_gltf import ChangedGltf
from diff_case import DiffCase
from support import RIGS, main, strict_json

ARM = RIGS / "two_joints.gltf"  # a small rig, and few points: these tests run with sanitizers too
SURFACE = ("--match", "surface", "--sampling", "0.05")
AUTO = ("--match", "auto", "--sampling", "0.05")


class MatchTest(DiffCase):
    A, B = ARM, "b.gltf"

    def setUp(self):
        super().setUp()
        self.arm = ChangedGltf(ARM)

    def save(self, changed, name="b.gltf"):
        return changed.save(self.folder / name)

    def stiff(self):
        """A split copy that the first joint moves alone."""
        stiff = self.arm.split()
        attributes = stiff.primitive["attributes"]
        count = len(stiff.rows(attributes["JOINTS_0"]))
        stiff.replace(attributes["JOINTS_0"], [bytes(4)] * count)
        stiff.replace(attributes["WEIGHTS_0"], [struct.pack("<4f", 1, 0, 0, 0)] * count)
        return stiff


class Matches(MatchTest):
    def test_a_copy_in_another_order_is_not_compared_by_index_in_silence(self):
        self.save(self.arm.permuted())
        self.fail_with(5, "diff", ARM, "b.gltf", naming=("another order", "--match order", "--match surface"))
        self.diff("--match", "index", code=1)

    def test_a_copy_in_another_order_is_equal_by_order_and_by_surface(self):
        self.save(self.arm.permuted())
        for match in (("--match", "order"), SURFACE, AUTO):
            out = self.diff(*match).out
            self.assertIn("in motion 0 % of the diagonal", out)
        self.assertTrue(out.startswith("match: order: the vertices are the same in another order\n"), out)

    def test_a_split_copy_is_equal_by_surface_alone(self):
        self.save(self.arm.split())
        self.fail_with(5, "diff", ARM, "b.gltf", naming=("12", "60", "--match surface"))
        self.fail_with(5, "diff", ARM, "b.gltf", "--match", "order", naming="--match surface")
        for a, b in ((ARM, "b.gltf"), ("b.gltf", ARM)):
            out = self.diff(*AUTO, a=a, b=b).out
            self.assertTrue(out.startswith("match: surface: there are "), out)
            self.assertIn("at rest 0 %, in motion 0 % of the diagonal\n", out)

    def test_the_same_file_matches_by_index(self):
        out = self.diff(*AUTO, b=ARM).out
        self.assertTrue(out.startswith("match: index: "), out)

    def test_lost_weights_show_in_motion_and_not_at_rest(self):
        self.save(self.stiff())
        report = self.report(*SURFACE, "--fail-max-relative", "1%", code=1)
        self.assertEqual(report["settings"]["match"], {"asked": "surface", "used": "surface", "sampling": 0.05})
        self.assertEqual([mesh["id"] for mesh in report["meshes"]], ["a: prism", "b: prism"])
        worst = []
        for mesh, direction in zip(report["meshes"], ("a to b", "b to a")):
            run, = mesh["runs"]
            surface = run["surface"]
            self.assertEqual(surface["direction"], direction)
            self.assertLess(surface["at_rest"], 1e-12)
            self.assertEqual(surface["in_motion"], run["error"]["max"])
            self.assertEqual(mesh["vertex_count"], surface["points"])
            self.assertEqual(sum(joint["points"] for joint in surface["joints"]), surface["points"])
            self.assertEqual(max(joint["max"] for joint in surface["joints"]), surface["in_motion"])
            worst.append(surface["in_motion"])
        check, = report["verdict"]["checks"]
        self.assertEqual(check["value"] * report["meshes"][0]["bbox_diagonal_m"], max(worst))
        self.assertFalse(check["passed"])

    def test_meshes_of_a_scene_are_one_surface_unless_chosen(self):
        walker = RIGS / "walker.glb"
        report = self.report(*AUTO, a=walker, b=walker)
        self.assertEqual([mesh["id"] for mesh in report["meshes"]], ["walker"])
        report = self.report(*SURFACE, "--mesh", "Body", a=walker, b=walker)
        self.assertEqual([mesh["id"] for mesh in report["meshes"]], ["a: Body", "b: Body"])


class Clips(MatchTest):
    def test_a_clip_without_a_partner_is_reported(self):
        two = self.arm.split()
        two.json["animations"].append({**two.json["animations"][0], "name": "second"})
        self.save(two)
        report = self.report(*AUTO)
        issue, = report["issues"]
        self.assertEqual((issue["code"], issue["file"]), ("CLIP_UNPAIRED", "b.gltf"))
        self.assertIn("'second'", issue["message"])
        self.diff(*AUTO, "--strict", code=1)

    def test_clips_pair_by_name_and_then_by_order(self):
        a, b = self.arm.copy(), self.arm.copy()
        clip = a.json["animations"][0]
        a.json["animations"] = [{**clip, "name": name} for name in ("one", "two", "three")]
        b.json["animations"] = [{**clip, "name": name} for name in ("three", "uno", "dos")]
        self.save(a, "a.gltf")
        self.save(b)
        report = self.report(*AUTO, a="a.gltf")
        pairs = [(run["clip"], run["surface"]["other_clip"]) for run in report["meshes"][0]["runs"]]
        self.assertEqual(pairs, [("one", "uno"), ("two", "dos"), ("three", "three")])

    def test_lengths_may_differ_by_a_frame_and_more_is_reported_unless_meant(self):
        tube = RIGS / "twisted_tube.gltf"  # with a key in each of 31 frames

        def without_last_keys(count):
            short = ChangedGltf(tube)
            sampler = short.json["animations"][0]["samplers"][0]
            for accessor in (sampler["input"], sampler["output"]):
                short.replace(accessor, short.rows(accessor)[:-count])
                for bound in ("min", "max"):
                    short.json["accessors"][accessor].pop(bound, None)
            self.save(short)

        def compared(*options, **expected):
            report = self.report("--match", "auto", "--fail-max", "1e-5", "--strict", *options, a=tube, **expected)
            return [issue["code"] for issue in report["issues"]], report["clips"][0]["frame_count"]

        without_last_keys(1)
        self.assertEqual(compared(), ([], 30))
        without_last_keys(2)
        self.assertEqual(compared(code=1), (["CLIP_LENGTHS_DIFFER"], 29))
        self.assertEqual(compared("--overlap"), ([], 29))


class Caches(MatchTest):
    def test_caches_are_compared_with_their_rigs(self):
        self.save(self.stiff())
        self.succeed("bake", ARM, "-o", "a.pc2", "-q")
        self.succeed("bake", "b.gltf", "-o", "b.pc2", "-q")
        of_rigs = self.report(*SURFACE, code=1)
        rigs = ("--rig-a", ARM, "--rig-b", "b.gltf")
        of_caches = self.report(*SURFACE, *rigs, a="a.pc2", b="b.pc2", code=1)
        self.assertEqual([mesh["runs"][0]["surface"]["joints"] for mesh in of_rigs["meshes"]],
                         [mesh["runs"][0]["surface"]["joints"] for mesh in of_caches["meshes"]])
        self.diff(*SURFACE, "--rig-a", ARM, a="a.pc2", b=ARM)

    def test_a_cache_needs_its_rig(self):
        self.succeed("bake", ARM, "-o", "a.pc2", "-q")
        self.fail_with(2, "diff", "a.pc2", ARM, "--match", "auto", naming="--rig-a")
        self.fail_with(2, "diff", ARM, ARM, "--match", "auto", "--rig-a", ARM, naming="--rig-a")
        self.save(self.arm.split())
        self.fail_with(5, "diff", "a.pc2", ARM, *AUTO, "--rig-a", "b.gltf", naming=("12", "60"))

    def test_a_position_that_is_not_a_number_exceeds_every_limit(self):
        self.succeed("bake", ARM, "-o", "a.pc2", "-q")
        data = bytearray(self.read("a.pc2"))
        data[-12:-8] = struct.pack("<f", float("nan"))
        (self.folder / "b.pc2").write_bytes(data)
        rigs = ("--rig-a", ARM, "--rig-b", ARM)
        self.diff(*SURFACE, *rigs, "--fail-max", "10", a="a.pc2", b="b.pc2", code=1)
        self.fail_with(3, "diff", "a.pc2", "b.pc2", *SURFACE, *rigs, "--hausdorff",
                       naming="NON_FINITE_POSITION")


class Outputs(MatchTest):
    def test_the_hausdorff_distance_has_two_bounds_per_frame(self):
        self.save(self.stiff())
        report = self.report(*SURFACE, "--hausdorff", code=1)
        run = report["meshes"][0]["runs"][0]
        hausdorff = run["hausdorff"]
        self.assertNotIn("hausdorff", report["meshes"][1]["runs"][0])
        self.assertLess(hausdorff["at_rest"], 1e-12)
        series = hausdorff["per_frame"]
        self.assertEqual(len(series["lower"]), run["frame_count"])
        for lower, upper in zip(series["lower"], series["upper"]):
            self.assertLessEqual(lower, upper)
            self.assertLessEqual(upper, lower + hausdorff["tolerance"] * 1.0001)
        self.assertLessEqual(hausdorff["max_lower"], run["surface"]["in_motion"])  # pairs cannot be nearer

    def test_the_bytes_do_not_depend_on_threads_or_instruction_sets(self):
        self.save(self.stiff())
        fine = ("--match", "surface", "--sampling", "0.02")  # more points than a thread takes at a time
        texts = set()
        for threads in ("1", "2", "7"):
            texts.add(self.diff(*fine, "--hausdorff", "--json", "-q", "--per-vertex", "json",
                                "--threads", threads, code=1).out)
        targets = strict_json(self.succeed("list", "targets", "--json").out)
        for target in targets["targets"]:
            if target.get("available", True):
                done = self.run_program("diff", ARM, "b.gltf", *fine, "--hausdorff", "--json", "-q",
                                        "--per-vertex", "json", env={"SKINBAKE_TARGET": target["id"]})
                texts.add(done.out)
        self.assertEqual(len(texts), 1)

    def test_pages_equal_those_that_report_makes(self):
        self.save(self.stiff())
        pages = [option for kind in ("html", "markdown", "junit") for option in (f"--{kind}", f"a.{kind}")]
        self.diff(*AUTO, "--hausdorff", "--report", "r.json", *pages, code=1)
        for kind, extension in (("html", "html"), ("markdown", "md"), ("junit", "xml")):
            self.succeed("report", "r.json", "-o", f"b.{extension}")
            self.assertEqual(self.read(f"a.{kind}"), self.read(f"b.{extension}"))
        self.assertIn(b"points are paired by surface: there are 12 and 60 vertices", self.read("a.markdown"))
        self.assertIn(b"points are paired by surface", self.read("a.html"))


class Refusals(MatchTest):
    def test_options_of_other_matches_are_refused(self):
        for options, name in ((("--match", "auto", "--explain", "1"), "--explain"),
                              (("--match", "auto", "--self-test"), "--self-test"),
                              (("--match", "auto", "--rig", ARM), "--rig"),
                              (("--match", "auto", "--per-vertex", "npy", "--report", "r.json"), "--per-vertex"),
                              (("--sampling", "0.1"), "--sampling"),
                              (("--hausdorff",), "--hausdorff"),
                              (("--overlap",), "--overlap"),
                              (("--match", "auto", "--sampling", "0"), "--sampling"),
                              (("--match", "auto", "--sampling", "nan"), "--sampling"),
                              (("--match", "nearest"), "--match")):
            self.fail_with(2, "diff", ARM, ARM, *options, naming=name)

    def test_surfaces_far_apart_or_without_triangles_are_not_comparable(self):
        far = self.arm.split()
        position = far.primitive["attributes"]["POSITION"]
        far.replace(position, [struct.pack("<3f", x + 3, y, z) for x, y, z in
                               (struct.unpack("<3f", row) for row in far.rows(position))])
        self.save(far)
        self.fail_with(5, "diff", ARM, "b.gltf", *SURFACE, naming="of the diagonal apart")
        points = self.arm.split()
        points.primitive["mode"] = 0
        self.save(points)
        self.fail_with(5, "diff", ARM, "b.gltf", *SURFACE, naming="no triangles")

    def test_a_sampling_that_memory_cannot_hold_is_refused(self):
        self.save(self.arm.split())
        for sampling in ("1e-9", "1e-300"):
            self.fail_with(3, "diff", ARM, "b.gltf", "--match", "surface", "--sampling", sampling,
                           naming=("MEMORY_LIMIT", "--sampling"))


if __name__ == "__main__":
    main()
