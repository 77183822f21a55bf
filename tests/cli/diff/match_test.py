#!/usr/bin/env python3
"""skinbake diff --match: compares rigs and caches whose vertices do not pair by index."""

import os
import struct

from changed_gltf import ChangedGltf
from report_schema import schema_errors
from support import CliTest, RIGS, main, strict_json

TUBE = RIGS / "twisted_tube.gltf"


class MatchTest(CliTest):
    def setUp(self):
        super().setUp()
        self.tube = ChangedGltf(TUBE)

    def save(self, changed, name="b.gltf"):
        return changed.save(self.folder / name)

    def stiff(self):
        """A split copy that the first joint moves alone."""
        stiff = self.tube.split()
        attributes = stiff.primitive["attributes"]
        count = len(stiff.rows(attributes["JOINTS_0"]))
        stiff.replace(attributes["JOINTS_0"], [bytes(4)] * count)
        stiff.replace(attributes["WEIGHTS_0"], [struct.pack("<4f", 1, 0, 0, 0)] * count)
        return stiff

    def diff(self, *options, code=0, a=TUBE, b="b.gltf"):
        done = self.run_program("diff", a, b, *options)
        self.assertEqual(done.code, code, done)
        return done

    def report(self, *options, **sides):
        report = strict_json(self.diff("--json", "-q", *options, **sides).out)
        errors = schema_errors()
        if errors is not None:
            self.assertEqual(errors(report), [])
        else:
            self.assertNotEqual(os.environ.get("CI"), "true", "python3-jsonschema is missing")
        return report


class Matches(MatchTest):
    def test_a_copy_in_another_order_is_not_compared_by_index_in_silence(self):
        self.save(self.tube.permuted())
        self.fail_with(5, "diff", TUBE, "b.gltf", naming=("another order", "--match order", "--match surface"))
        self.diff("--match", "index", code=1)

    def test_a_copy_in_another_order_is_equal_by_order_and_by_surface(self):
        self.save(self.tube.permuted())
        for match in ("order", "surface", "auto"):
            out = self.diff("--match", match).out
            self.assertIn("in motion 0 % of the diagonal", out)
        self.assertTrue(out.startswith("match: order: the vertices are the same in another order\n"), out)

    def test_a_split_copy_is_equal_by_surface_alone(self):
        self.save(self.tube.split())
        self.fail_with(5, "diff", TUBE, "b.gltf", naming=("1378", "7872", "--match surface"))
        self.fail_with(5, "diff", TUBE, "b.gltf", "--match", "order", naming="--match surface")
        for a, b in ((TUBE, "b.gltf"), ("b.gltf", TUBE)):
            out = self.diff("--match", "auto", a=a, b=b).out
            self.assertTrue(out.startswith("match: surface: there are "), out)
            self.assertIn("at rest 0 %, in motion 0 % of the diagonal\n", out)

    def test_the_same_file_matches_by_index(self):
        out = self.diff("--match", "auto", b=TUBE).out
        self.assertTrue(out.startswith("match: index: "), out)

    def test_lost_weights_show_in_motion_and_not_at_rest(self):
        self.save(self.stiff())
        report = self.report("--match", "surface", "--fail-max-relative", "1%", code=1)
        self.assertEqual(report["settings"]["match"], {"asked": "surface", "used": "surface", "sampling": 0.005})
        self.assertEqual([mesh["id"] for mesh in report["meshes"]], ["a: tube", "b: tube"])
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
        report = self.report("--match", "auto", a=walker, b=walker)
        self.assertEqual([mesh["id"] for mesh in report["meshes"]], ["walker"])
        report = self.report("--match", "surface", "--mesh", "Body", a=walker, b=walker)
        self.assertEqual([mesh["id"] for mesh in report["meshes"]], ["a: Body", "b: Body"])


class Clips(MatchTest):
    def test_a_clip_without_a_partner_is_reported(self):
        two = self.tube.split()
        two.json["animations"].append({**two.json["animations"][0], "name": "second"})
        self.save(two)
        report = self.report("--match", "auto")
        issue, = report["issues"]
        self.assertEqual((issue["code"], issue["file"]), ("CLIP_UNPAIRED", "b.gltf"))
        self.assertIn("'second'", issue["message"])
        self.diff("--match", "auto", "--strict", code=1)

    def test_clips_pair_by_name_and_then_by_order(self):
        a, b = self.tube.copy(), self.tube.copy()
        clip = a.json["animations"][0]
        a.json["animations"] = [{**clip, "name": name} for name in ("one", "two", "three")]
        b.json["animations"] = [{**clip, "name": name} for name in ("three", "uno", "dos")]
        self.save(a, "a.gltf")
        self.save(b)
        report = self.report("--match", "auto", a="a.gltf")
        pairs = [(run["clip"], run["surface"]["other_clip"]) for run in report["meshes"][0]["runs"]]
        self.assertEqual(pairs, [("one", "uno"), ("two", "dos"), ("three", "three")])

    def test_lengths_may_differ_by_a_frame_and_more_is_reported(self):
        def without_last_keys(count):
            short = self.tube.copy()
            sampler = short.json["animations"][0]["samplers"][0]
            for accessor in (sampler["input"], sampler["output"]):
                short.replace(accessor, short.rows(accessor)[:-count])
                for bound in ("min", "max"):
                    short.json["accessors"][accessor].pop(bound, None)
            self.save(short)
            report = self.report("--match", "auto", "--fail-max", "1e-5")
            return [issue["code"] for issue in report["issues"]], report["clips"][0]["frame_count"]

        self.assertEqual(without_last_keys(1), ([], 30))
        self.assertEqual(without_last_keys(2), (["CLIP_LENGTHS_DIFFER"], 29))


class Caches(MatchTest):
    def test_caches_are_compared_with_their_rigs(self):
        self.save(self.stiff())
        self.succeed("bake", TUBE, "-o", "a.pc2", "-q")
        self.succeed("bake", "b.gltf", "-o", "b.pc2", "-q")
        of_rigs = self.report("--match", "surface", code=1)
        rigs = ("--rig-a", TUBE, "--rig-b", "b.gltf")
        of_caches = self.report("--match", "surface", *rigs, a="a.pc2", b="b.pc2", code=1)
        self.assertEqual([mesh["runs"][0]["surface"]["joints"] for mesh in of_rigs["meshes"]],
                         [mesh["runs"][0]["surface"]["joints"] for mesh in of_caches["meshes"]])
        self.diff("--match", "surface", "--rig-a", TUBE, a="a.pc2", b=TUBE)

    def test_a_cache_needs_its_rig(self):
        self.succeed("bake", TUBE, "-o", "a.pc2", "-q")
        self.fail_with(2, "diff", "a.pc2", TUBE, "--match", "auto", naming="--rig-a")
        self.fail_with(2, "diff", TUBE, TUBE, "--match", "auto", "--rig-a", TUBE, naming="--rig-a")
        self.save(self.tube.split())
        self.fail_with(5, "diff", "a.pc2", TUBE, "--match", "auto", "--rig-a", "b.gltf", naming=("1378", "7872"))

    def test_a_position_that_is_not_a_number_exceeds_every_limit(self):
        self.succeed("bake", TUBE, "-o", "a.pc2", "-q")
        data = bytearray(self.read("a.pc2"))
        data[-12:-8] = struct.pack("<f", float("nan"))
        (self.folder / "b.pc2").write_bytes(data)
        rigs = ("--rig-a", TUBE, "--rig-b", TUBE)
        self.diff("--match", "surface", *rigs, "--fail-max", "10", a="a.pc2", b="b.pc2", code=1)
        self.fail_with(3, "diff", "a.pc2", "b.pc2", "--match", "surface", *rigs, "--hausdorff",
                       naming="NON_FINITE_POSITION")


class Outputs(MatchTest):
    def test_the_hausdorff_distance_has_two_bounds_per_frame(self):
        self.save(self.stiff())
        report = self.report("--match", "surface", "--hausdorff", code=1)
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
        texts = set()
        for threads in ("1", "2", "7"):
            texts.add(self.diff("--match", "surface", "--hausdorff", "--json", "-q", "--per-vertex", "json",
                                "--threads", threads, code=1).out)
        targets = strict_json(self.succeed("list", "targets", "--json").out)
        for target in targets["targets"]:
            if target.get("available", True):
                done = self.run_program("diff", TUBE, "b.gltf", "--match", "surface", "--hausdorff", "--json", "-q",
                                        "--per-vertex", "json", env={"SKINBAKE_TARGET": target["id"]})
                texts.add(done.out)
        self.assertEqual(len(texts), 1)

    def test_pages_equal_those_that_report_makes(self):
        self.save(self.stiff())
        pages = [option for kind in ("html", "markdown", "junit") for option in (f"--{kind}", f"a.{kind}")]
        self.diff("--match", "auto", "--hausdorff", "--report", "r.json", *pages, code=1)
        for kind, extension in (("html", "html"), ("markdown", "md"), ("junit", "xml")):
            self.succeed("report", "r.json", "-o", f"b.{extension}")
            self.assertEqual(self.read(f"a.{kind}"), self.read(f"b.{extension}"))
        self.assertIn(b"points are paired by surface: there are 1378 and 7872 vertices", self.read("a.markdown"))
        self.assertIn(b"points are paired by surface", self.read("a.html"))


class Refusals(MatchTest):
    def test_options_of_other_matches_are_refused(self):
        for options, name in ((("--match", "auto", "--explain", "1"), "--explain"),
                              (("--match", "auto", "--self-test"), "--self-test"),
                              (("--match", "auto", "--rig", TUBE), "--rig"),
                              (("--match", "auto", "--per-vertex", "npy", "--report", "r.json"), "--per-vertex"),
                              (("--sampling", "0.1"), "--sampling"),
                              (("--hausdorff",), "--hausdorff"),
                              (("--match", "auto", "--sampling", "0"), "--sampling"),
                              (("--match", "auto", "--sampling", "nan"), "--sampling"),
                              (("--match", "nearest"), "--match")):
            self.fail_with(2, "diff", TUBE, TUBE, *options, naming=name)

    def test_surfaces_far_apart_or_without_triangles_are_not_comparable(self):
        far = self.tube.split()
        position = far.primitive["attributes"]["POSITION"]
        far.replace(position, [struct.pack("<3f", x + 3, y, z) for x, y, z in
                               (struct.unpack("<3f", row) for row in far.rows(position))])
        self.save(far)
        self.fail_with(5, "diff", TUBE, "b.gltf", "--match", "surface", naming="of the diagonal apart")
        points = self.tube.split()
        points.primitive["mode"] = 0
        self.save(points)
        self.fail_with(5, "diff", TUBE, "b.gltf", "--match", "surface", naming="no triangles")

    def test_a_sampling_that_memory_cannot_hold_is_refused(self):
        self.save(self.tube.split())
        for sampling in ("1e-9", "1e-300"):
            self.fail_with(3, "diff", TUBE, "b.gltf", "--match", "surface", "--sampling", sampling,
                           naming=("MEMORY_LIMIT", "--sampling"))


if __name__ == "__main__":
    main()
