#!/usr/bin/env python3
"""skinbake compare --lods: a table of levels of detail."""

import sys

from support import CliTest, RIGS, SOURCE, main

sys.path.append(str(SOURCE / "tests" / "cli" / "diff"))
from changed_gltf import ChangedGltf  # noqa: E402

TUBE = RIGS / "twisted_tube.gltf"


class Lods(CliTest):
    def setUp(self):
        super().setUp()
        tube = ChangedGltf(TUBE)
        tube.split().save(self.folder / "split.gltf")
        tube.permuted().save(self.folder / "permuted.gltf")
        coarse = tube.copy()
        kept = tube.triangles()[:-400]
        used = sorted({v for t in kept for v in t})
        new_of = {old: new for new, old in enumerate(used)}
        coarse.with_vertices(used, [[new_of[v] for v in t] for t in kept]).save(self.folder / "holed.gltf")

    def test_a_row_for_each_level_and_clip(self):
        out = self.succeed("compare", TUBE, "--lods", "split.gltf,permuted.gltf,holed.gltf").out
        head, *rows = [line.split() for line in out.splitlines()[1:5]]
        self.assertEqual(head[:3], ["level", "clip", "match"])
        self.assertEqual([row[:3] for row in rows], [["split.gltf", "twist", "surface"], ["permuted.gltf", "twist", "order"],
                                                     ["holed.gltf", "twist", "surface"]])
        self.assertEqual(rows[0][3:5], ["0", "%"])
        self.assertGreater(float(rows[2][3]), 1)
        self.assertEqual(int(rows[2][9]), 2624 - 400)
        self.assertEqual(int(rows[0][10]), (self.folder / "split.gltf").stat().st_size)

    def test_thresholds_apply_to_every_level(self):
        self.succeed("compare", TUBE, "--lods", "split.gltf", "--fail-max-relative", "0.1%")
        done = self.run_program("compare", TUBE, "--lods", "split.gltf,holed.gltf", "--fail-max-relative", "0.1%")
        self.assertEqual(done.code, 1, done)
        self.assertIn("holed.gltf", done.err)

    def test_a_limit_of_a_method_that_is_not_measured_is_refused(self):
        levels = ("compare", TUBE, "--lods", "split.gltf", "--sampling", "5%")
        self.fail_with(2, *levels, "--fail-max", "dqs=0.001", naming=("--fail-max", "'dqs' is not a method of the run"))
        self.fail_with(2, *levels, "--methods", "dqs", "--fail-max", "lbs=0.001", naming="'lbs'")
        self.succeed(*levels, "--fail-max", "lbs=0.001")

    def test_options_of_methods_are_refused(self):
        for options in (("--report", "r.json"), ("--recommend",), ("--metrics", "all"), ("-o", "x.pc2"), ("--json",),
                        ("--methods", "lbs,dqs"), ("--fail-volume-loss", "1%"), ("--influences", "4")):
            self.fail_with(2, "compare", TUBE, "--lods", "split.gltf", *options)
        self.fail_with(3, "compare", TUBE, "--lods", "missing.gltf", naming="missing.gltf")

    def test_levels_are_rigs_and_the_list_has_no_gaps(self):
        self.succeed("bake", TUBE, "-o", "tube.pc2", "-q")
        done = self.fail_with(2, "compare", TUBE, "--lods", "split.gltf,tube.pc2", naming=("--lods", "tube.pc2"))
        self.assertNotIn("--rig-b", done.err)
        for gap in ("split.gltf,", ",split.gltf", "split.gltf,,holed.gltf", ""):
            self.fail_with(2, "compare", TUBE, "--lods", gap, naming="--lods")
        for option in (("--sampling", "1%"), ("--overlap",)):
            self.fail_with(2, "compare", TUBE, "--metrics", "error", *option, naming=option[0])

    def test_levels_are_paired_before_the_first_is_measured(self):
        bare = ChangedGltf(self.folder / "split.gltf")
        bare.primitive["mode"] = 0
        bare.save(self.folder / "points.gltf")
        done = self.run_program("compare", TUBE, "--lods", "split.gltf,points.gltf", "--sampling", "2%",
                                "--progress", "always")
        self.assertEqual(done.code, 5, done)
        self.assertIn("points.gltf has no triangles", done.err)
        self.assertNotIn("Hausdorff", done.err)

    def test_a_level_that_lost_a_clip_fails_unless_allowed(self):
        two = ChangedGltf(TUBE)
        two.json["animations"].append({**two.json["animations"][0], "name": "second"})
        two.save(self.folder / "two.gltf")
        coarse = ("--lods", "split.gltf", "--sampling", "2%", "--overlap")
        done = self.run_program("compare", "two.gltf", *coarse)
        self.assertEqual(done.code, 1, done)
        self.assertIn("clip 'second' has no partner in split.gltf", done.err)
        self.succeed("compare", "two.gltf", *coarse, "--allow", "CLIP_UNPAIRED")

    def test_a_level_whose_clip_is_cut_fails_unless_meant(self):
        short = ChangedGltf(TUBE)
        sampler = short.json["animations"][0]["samplers"][0]
        for accessor in (sampler["input"], sampler["output"]):
            short.replace(accessor, short.rows(accessor)[:-2])
            for bound in ("min", "max"):
                short.json["accessors"][accessor].pop(bound, None)
        short.save(self.folder / "short.gltf")
        done = self.run_program("compare", TUBE, "--lods", "short.gltf")
        self.assertEqual(done.code, 1, done)
        self.assertIn("2 frames not compared", done.err)
        self.succeed("compare", TUBE, "--lods", "short.gltf", "--overlap")


if __name__ == "__main__":
    main()
