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

    def test_options_of_methods_are_refused(self):
        for options in (("--report", "r.json"), ("--recommend",), ("--metrics", "all"), ("-o", "x.pc2"), ("--json",),
                        ("--methods", "lbs,dqs"), ("--fail-volume-loss", "1%"), ("--influences", "4")):
            self.fail_with(2, "compare", TUBE, "--lods", "split.gltf", *options)
        self.fail_with(3, "compare", TUBE, "--lods", "missing.gltf", naming="missing.gltf")


if __name__ == "__main__":
    main()
