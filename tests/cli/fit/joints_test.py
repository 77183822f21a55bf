#!/usr/bin/env python3
"""`skinbake fit --influences` and `--helpers`, and the rig modifier --influences N:fit."""

import json
import math
import struct

from glb_files import glb
from report_schema import schema_errors
from support import CliTest, RIGS, Pc2, main

ARM = RIGS / "bent_arm.gltf"
TUBE = RIGS / "twisted_tube.gltf"
WALKER = RIGS / "walker.glb"


class Joints(CliTest):
    def baked(self, rig, *options, name="baked.pc2"):
        self.succeed("bake", rig, "-o", name, *options)
        cache = Pc2(self.read(name))
        return [cache.positions(sample) for sample in range(cache.samples)]

    def largest_distance(self, a, b):
        return max(math.dist(p, q) for f, g in zip(a, b, strict=True) for p, q in zip(f, g, strict=True))

    def printed_max(self, done):
        return float(done.out.splitlines()[1].split()[7])

    def test_the_cheaper_of_helpers_and_correctives_is_chosen(self):
        for rig, bound, chosen, reason in ((ARM, "0.05%", "without_helpers", "fewer_bytes"),
                                           (TUBE, "2%", "with_helpers", "only_within_bound")):
            with self.subTest(rig=rig.name):
                done = self.succeed("fit", rig, "--max-error", bound, "--helpers", "4", "-o", "fit.glb",
                                    "--report", "fit.json")
                mesh = self.json("fit.json")["meshes"][0]
                choice = mesh["choice"]
                self.assertEqual((choice["chosen"], choice["reason"]), (chosen, reason))
                self.assertEqual(mesh["helpers"], choice[chosen]["helpers"])
                self.assertEqual(mesh["correctives"], choice[chosen]["correctives"])
                self.assertEqual(self.json("fit.json")["output"]["added_bytes"], choice[chosen]["added_bytes"])
                self.assertRegex(done.out, r"chosen: .* correctives \(\d+ bytes, .* instead of ")
                errors = schema_errors("lib/report/fit.schema.json")
                if errors is not None:
                    self.assertEqual(list(errors(self.json("fit.json"))), [])
        # The bytes that were compared are those that a fit of the other kind adds.
        self.succeed("fit", ARM, "--max-error", "0.05%", "--helpers", "4", "-o", "a.glb", "--report", "a.json")
        self.succeed("fit", ARM, "--max-error", "0.05%", "-o", "b.glb", "--report", "b.json")
        self.assertEqual(self.read("a.glb"), self.read("b.glb"))

    def test_the_modifier_is_listed_with_its_distances(self):
        done = self.succeed("bake", ARM, "--influences", "1:fit", "-o", "arm.pc2", "--report", "report.json")
        self.assertIn("arm: influences=1:fit=all: ", done.out)
        self.assertRegex(done.out, r"\n  trained: rms \S+ m, max \S+ m; \S+ and \S+ m by largest weights\n")
        self.assertRegex(done.out, r"\n  left out: rms \S+ m")
        report = self.json("report.json")
        errors = schema_errors("lib/report/report.schema.json")
        if errors is not None:
            self.assertEqual(list(errors(report)), [])
        self.assertEqual(report["settings"]["modifiers"], ["influences=1:fit=all"])
        fit = report["meshes"][0]["modifiers"][0]["fit"]
        self.assertLessEqual(fit["left_out"]["fit"]["rms"], fit["left_out"]["largest"]["rms"])
        self.assertEqual(self.json("arm.pc2.json")["modifiers"], ["influences=1:fit=all"])

    def test_the_printed_distance_is_that_of_the_baked_frames(self):
        self.succeed("bake", ARM, "--influences", "1:fit", "-o", "fit.pc2", "--report", "report.json")
        fit = self.json("report.json")["meshes"][0]["modifiers"][0]["fit"]
        apart = self.largest_distance(self.baked(ARM), self.baked(ARM, "--influences", "1:fit"))
        self.assertAlmostEqual(fit["trained"]["fit"]["max"], apart, delta=1e-6)

    def test_weights_do_not_depend_on_frames_rate_clip_or_threads(self):
        whole = self.baked(WALKER, "--mesh", "Body", "--clip", "walk", "--influences", "1:fit")
        few = self.baked(WALKER, "--mesh", "Body", "--clip", "walk", "--influences", "1:fit", "--frames", "3:9",
                         "--threads", "1")
        self.assertEqual(whole[3:10], few)
        slow = self.baked(WALKER, "--mesh", "Body", "--clip", "walk", "--influences", "1:fit", "--fps", "15",
                          "--threads", "7")
        self.assertEqual(whole[::2][:len(slow)], slow)

    def test_values_that_cannot_be_fitted_are_refused(self):
        for value, word in (("0:fit", "from 1 to 12"), ("13:fit", "from 1 to 12"), ("4:fat", "fit=CLIP"),
                            ("4:fit=", "without a name"), ("4:fit=a,all", "contains every clip"),
                            ("4:fit=nowhere", "no clip 'nowhere'")):
            self.fail_with(2, "bake", ARM, "--influences", value, "-o", "x.pc2", naming=word)
        self.fail_with(3, "bake", ARM, "--influences", "4:fit=rom", "-o", "x.pc2", naming="HUMANOID")
        self.fail_with(2, "fit", ARM, "--influences", "4", "--correctives", "0", "-o", "x.glb", naming="N:fit")
        for value in ("4:fit=bend_and_twist", "4:fit=clips,walk"):
            self.fail_with(2, "fit", ARM, "--influences", value, "--correctives", "0", "-o", "x.glb",
                           naming=("4:fit=clips", "4:fit=rom:arms"))
        self.fail_with(3, "fit", ARM, "--influences", "4:fit=rom", "--correctives", "0", "-o", "x.glb",
                       naming="HUMANOID")
        self.fail_with(2, "fit", ARM, "--helpers", "65", "--correctives", "0", "-o", "x.glb")

    def test_the_written_rig_has_the_fitted_influences_alone(self):
        done = self.succeed("fit", ARM, "--method", "lbs", "--influences", "1:fit", "--correctives", "0", "-o",
                            "fit.glb")
        gltf, data = glb(self.read("fit.glb"))
        attributes = gltf["meshes"][0]["primitives"][0]["attributes"]
        self.assertNotIn("JOINTS_1", attributes)
        weights = gltf["accessors"][attributes["WEIGHTS_0"]]
        first = gltf["bufferViews"][weights["bufferView"]]["byteOffset"]
        values = struct.unpack_from(f"<{4 * weights['count']}f", data, first)
        self.assertEqual(values, (1, 0, 0, 0) * weights["count"])
        self.assertEqual(len(gltf["skins"]), 1)
        apart = self.largest_distance(self.baked(ARM), self.baked("fit.glb"))
        self.assertAlmostEqual(self.printed_max(done), apart, delta=0.005 * apart)

    def test_helpers_bring_linear_blending_of_a_twist_to_dual_quaternions(self):
        done = self.succeed("fit", TUBE, "--method", "dqs", "--helpers", "3", "--correctives", "0", "-o", "fit.glb")
        self.assertIn("3 helper joints", done.out)
        gltf, _ = glb(self.read("fit.glb"))
        helpers = [n for n, node in enumerate(gltf["nodes"]) if node.get("name", "").startswith("skinbake.dqs.helper.")]
        self.assertEqual(gltf["skins"][0]["joints"][-3:], helpers)
        moved = {channel["target"]["node"] for channel in gltf["animations"][0]["channels"]}
        self.assertLessEqual(set(helpers), moved)
        target = self.baked(TUBE, "--method", "dqs")
        before = self.largest_distance(target, self.baked(TUBE))
        after = self.largest_distance(target, self.baked("fit.glb"))
        self.assertLess(after, 0.12 * before)
        self.assertAlmostEqual(self.printed_max(done), after, delta=0.005 * after)

    def test_the_helpers_of_several_meshes_have_names_of_their_own(self):
        asset = json.loads(TUBE.read_text())
        (tube,) = [node for node in asset["nodes"] if "mesh" in node]
        asset["scenes"][0]["nodes"].append(len(asset["nodes"]))
        asset["nodes"].append({**tube, "name": "twin"})
        (self.folder / "twins.gltf").write_text(json.dumps(asset))
        self.succeed("fit", "twins.gltf", "--method", "dqs", "--helpers", "2", "--correctives", "0", "-o", "fit.glb")
        gltf, _ = glb(self.read("fit.glb"))
        names = [node["name"] for node in gltf["nodes"] if node.get("name", "").startswith("skinbake.")]
        self.assertEqual(names, [f"skinbake.dqs.helper.{number}" for number in range(4)])

    def test_a_mesh_that_is_exact_gets_neither_helpers_nor_influences(self):
        for options in (("--helpers", "4"), ("--influences", "4:fit")):
            with self.subTest(options=options):
                done = self.succeed("fit", ARM, "--method", "lbs", *options, "--correctives", "0", "-o", "fit.glb")
                self.assertIn(" 0 of them added;", done.out)
        self.assertIn("arm: the influences stay: no vertex has more than 4", done.out)

    def test_the_influences_of_a_humanoid_also_learn_from_its_range_of_motion(self):
        fit = ("fit", WALKER, "--mesh", "Body", "--method", "dqs", "--correctives", "0", "--report", "fit.json")
        written = {}
        for value, training in (("2:fit", ["clips", "rom"]), ("2:fit=clips", ["clips"]), ("2:fit=rom", ["clips", "rom"]),
                                ("2:fit=clips,rom:arms", ["clips", "rom:arms"])):
            done = self.succeed(*fit, "--clip", "walk", "--influences", value, "-o", "fit.glb")
            self.assertIn(f"trained by {' and '.join(training)}: rms", done.out)
            report = self.json("fit.json")
            self.assertEqual(report["settings"]["influences_training"], training)
            errors = schema_errors("lib/report/fit.schema.json")
            if errors is not None:
                self.assertEqual(list(errors(report)), [])
            written[value] = self.read("fit.glb")
        self.assertEqual(written["2:fit"], written["2:fit=rom"])
        self.assertEqual(len(set(written.values())), 3)
        # A rig that is not a humanoid learns from the clips alone.
        self.succeed("fit", ARM, "--method", "lbs", "--influences", "1:fit", "--correctives", "0", "-o", "fit.glb",
                     "--report", "fit.json")
        self.assertEqual(self.json("fit.json")["settings"]["influences_training"], ["clips"])

    def test_the_vertices_that_lose_influences_are_counted(self):
        done = self.succeed("fit", ARM, "--method", "lbs", "--influences", "1:fit", "--correctives", "0", "-o", "a.glb")
        self.assertRegex(done.out, r"influences of \d+ vertices fitted, 336 had more than 1, trained by clips: rms")

    def test_clips_outside_the_fit_that_get_worse_are_named(self):
        # Linear blending itself is the target, so that the fewer influences make the second clip worse too.
        asset = json.loads(ARM.read_text())
        (self.folder / "bent_arm.bin").write_bytes((RIGS / "bent_arm.bin").read_bytes())
        still = {"name": "still", "samplers": asset["animations"][0]["samplers"],
                 "channels": asset["animations"][0]["channels"][:1]}
        asset["animations"].append(still)
        (self.folder / "two.gltf").write_text(json.dumps(asset))
        fit = ("fit", "two.gltf", "--method", "lbs", "--influences", "1:fit", "--correctives", "0", "-o", "fit.glb")
        done = self.succeed(*fit, "--clip", "bend_and_twist")
        self.assertRegex(done.err, r"clip 'still', which the fit does not contain: the largest distance from lbs rises "
                                   r"from \S+ to \S+ m, .* \[FIT_CLIP_WORSE\] \(option --clip all\)")
        self.assertNotIn("FIT_CLIP_WORSE", self.succeed(*fit, "--clip", "all").err)

    def test_helpers_of_a_mirrored_rig_are_as_near_as_those_of_the_rig(self):
        rig = json.loads(TUBE.read_text())
        nodes = [*rig["nodes"], {"scale": [-1, 1, 1], "children": rig["scenes"][0]["nodes"]}]
        mirrored = {**rig, "nodes": nodes, "scenes": [{"nodes": [len(nodes) - 1]}]}
        (self.folder / "mirrored.gltf").write_text(json.dumps(mirrored))
        for count in (1, 3):
            errors = []
            for source in (TUBE, "mirrored.gltf"):
                self.succeed("fit", source, "--helpers", count, "--correctives", "0", "-o", "fit.glb", "--verify",
                             "--report", "fit.json")
                (mesh,) = self.json("fit.json")["meshes"]
                self.assertEqual(mesh["helpers"], count)
                errors.append(mesh["clips"][0]["after"]["max"])
            self.assertAlmostEqual(errors[0], errors[1], delta=1e-5 * errors[0])

    def test_a_primitive_without_joints_stays_without_them(self):
        rig = json.loads(TUBE.read_text())
        primitives = rig["meshes"][0]["primitives"]
        attributes = {name: accessor for name, accessor in primitives[0]["attributes"].items()
                      if not name.startswith(("JOINTS_", "WEIGHTS_"))}
        for order in (1, -1):
            rig["meshes"][0]["primitives"] = [primitives[0], {**primitives[0], "attributes": attributes}][::order]
            (self.folder / "loose.gltf").write_text(json.dumps(rig))
            before = self.baked("loose.gltf")
            count = len(before[0]) // 2
            loose = slice(count, None) if order == 1 else slice(count)
            for options in (("--helpers", "2"), ("--influences", "1:fit"), ("--helpers", "2", "--influences", "2:fit")):
                with self.subTest(order=order, options=options):
                    self.succeed("fit", "loose.gltf", "--correctives", "0", *options, "-o", "fit.glb", "--verify")
                    gltf = glb(self.read("fit.glb"))[0]
                    written = gltf["meshes"][0]["primitives"][max(order, 0)]
                    self.assertEqual([name for name in written["attributes"] if name.startswith("JOINTS_")], [])
                    skin = gltf["skins"][0]
                    self.assertEqual(gltf["accessors"][skin["inverseBindMatrices"]]["count"], len(skin["joints"]))
                    after = self.baked("fit.glb")
                    self.assertEqual([frame[loose] for frame in after], [frame[loose] for frame in before])

    def test_correctives_follow_helpers(self):
        alone = self.succeed("fit", ARM, "--helpers", "2", "--correctives", "0", "-o", "helpers.glb")
        both = self.succeed("fit", ARM, "--helpers", "2", "--correctives", "2", "-o", "both.glb")
        self.assertLess(self.printed_max(both), self.printed_max(alone))
        apart = self.largest_distance(self.baked(ARM, "--method", "dqs"), self.baked("both.glb"))
        self.assertAlmostEqual(self.printed_max(both), apart, delta=0.005 * apart + 1e-6)

    def test_pages_name_what_was_added(self):
        for options, name in ((("--helpers", "2", "--correctives", "0"), "lbs + 2 helpers"),
                              (("--helpers", "1", "--correctives", "2"), "lbs + 1 helper + 2 correctives"),
                              (("--influences", "2:fit", "--correctives", "0"), "lbs + 2 fitted influences")):
            with self.subTest(name=name):
                self.succeed("fit", ARM, *options, "-o", "fit.glb", "--report", "fit.md")
                text = self.read("fit.md").decode()
                self.assertIn("### skinbake fit ", text)
                self.assertIn(f"| `arm` | `bend_and_twist` | `{name}` |", text)

    def test_any_number_of_threads_writes_the_same_bytes(self):
        for threads in (1, 2, 7):
            self.succeed("fit", ARM, "--helpers", "2", "--influences", "2:fit", "--correctives", "1", "--threads",
                         threads, "-o", f"{threads}.glb")
        self.assertEqual(self.read("1.glb"), self.read("2.glb"))
        self.assertEqual(self.read("1.glb"), self.read("7.glb"))


if __name__ == "__main__":
    main()
