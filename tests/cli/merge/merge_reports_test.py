#!/usr/bin/env python3
"""Puts the reports of ranges of frames together, to the bytes of one run."""

import json
import random
import shutil

from support import AT_ONCE, CliTest, RIGS, main, strict_json, write_rig

ARM, WALKER, TUBE = RIGS / "bent_arm.gltf", RIGS / "walker.glb", RIGS / "twisted_tube.gltf"
METRICS = ("error,volume,edge_stretch,triangle_distortion,dihedral,normal_deviation,inversions,candy_wrapper,bulge,"
           "self_intersection")


class Reports(CliTest):
    def parts(self, ranges, *words):
        """Reports of the ranges. `words`: the command, its rig and its options."""
        names = [f"part{i}.json" for i in range(len(ranges))]
        for name, frames in zip(names, ranges):
            done = self.run_program(*words, "-q", "--frames", frames, "--report", name, "--part")
            self.assertIn(done.code, (0, 1), done)
        return names

    def expect_whole(self, ranges, *words, frames=(), code=0):
        parts = self.parts(ranges, *words)
        done = self.run_program(*words, "-q", *frames, "--report", "one.json")
        self.assertEqual(done.code, code, done)
        for order in (parts, parts[::-1]):
            (self.folder / "whole.json").unlink(missing_ok=True)
            merged = self.run_program("merge", *order, "-o", "whole.json")
            self.assertEqual(merged.code, code, merged)
            self.assertEqual(self.read("whole.json").decode(), self.read("one.json").decode(), words)

    def test_the_whole_has_the_bytes_of_one_run(self):
        for method in ("dqs", "ddm"):
            self.expect_whole(("0:6", "7:7", "8:40", "41:"), "bake", ARM, "--method", method, "--metrics", METRICS)
        self.expect_whole(("0:15", "16:31", "32:"), "bake", ARM, "--reference", "exact")

    def test_every_baseline_is_the_same_in_all_parts(self):
        for baseline in ("bind", "rest", "first-frame"):
            self.expect_whole(("0:4", "5:23", "24:"), "bake", TUBE, "--method", "dqs", "--metrics", METRICS,
                              "--baseline", baseline)

    def test_many_meshes_and_methods_are_put_together(self):
        self.expect_whole(("0:9", "10:"), "compare", WALKER, "--methods", "lbs,dqs,dm", "--metrics", METRICS)
        self.expect_whole(("0:9", "10:"), "compare", WALKER, "--methods", "lbs,dqs", "--profile", "unreal-4",
                          "--per-vertex", "json", "--space", "mesh")

    def test_several_clips_are_put_together(self):
        write_rig(self.folder / "rig.gltf", ["Body", "Hat"], clips=("run", "walk"))
        self.expect_whole(("0:9", "10:"), "bake", "rig.gltf", "--clip", "all", "--method", "dqs", "--metrics", METRICS)
        self.expect_whole(("0:9", "10:19"), "bake", "rig.gltf", "--clip", "all", frames=("--frames", "0:19"))

    def test_steps_and_parts_of_a_clip_are_put_together(self):
        self.expect_whole(("5:13:4", "17:29:4"), "bake", ARM, "--method", "dqs", frames=("--frames", "5:29:4"))
        self.expect_whole(("0:20", "21:"), "bake", ARM, "--method", "dqs", "--loop", "--per-vertex", "none")
        self.expect_whole([f"{a}:{a + 15}" for a in range(0, 61, 16)], "bake", ARM, "--clamp-frames", "--method", "cor")

    def test_a_hundred_thousand_frames_in_eight_ranges_are_one_run(self):
        prism = ("bake", RIGS / "two_joints.gltf", "-q", "--method", "dqs", "--fps", "99999")  # it lasts a second
        for i in range(8):
            self.succeed(*prism, "--frames", f"{12501 * i}:{12501 * i + 12500}", "--clamp-frames", "-o", f"{i}.pc2",
                         "--report", f"{i}.json", "--part")
        self.succeed(*prism, "-o", "whole.pc2", "--report", "whole.json")
        expected = [self.read(name) for name in ("whole.pc2", "whole.pc2.json", "whole.json")]
        self.assertEqual(self.json("whole.json")["clips"][0]["frame_count"], 100000)
        for name in ("whole.pc2", "whole.pc2.json", "whole.json"):
            (self.folder / name).unlink()
        self.succeed("merge", *(f"{i}.pc2" for i in range(8)), "-o", "whole.pc2")
        self.succeed("merge", *(f"{i}.json" for i in range(8)), "--cache", "whole.pc2", "-o", "whole.json")
        self.assertEqual([self.read(name) for name in ("whole.pc2", "whole.pc2.json", "whole.json")], expected)

    def test_thresholds_are_evaluated_on_the_whole(self):
        common = ("bake", ARM, "--method", "dqs", "--fail-volume-loss", "0.001%", "--warn-max", "1e-9", "--fail-rms", "1")
        self.expect_whole(("0:9", "10:30", "31:"), *common, code=1)
        self.expect_whole(("0:9", "10:"), "compare", WALKER, "--methods", "lbs,dqs,cor", "--fail-max-relative", "0.1%",
                          "--warn-rms-relative", "cor=10%", code=1)
        self.expect_whole(("0:9", "10:"), "bake", ARM, "--method", "dqs", "--fail-max", "100")

    def test_a_measurement_that_is_not_finite_exceeds_the_limit_of_the_whole(self):
        rig = json.loads(ARM.read_text())
        arm, = rig["meshes"]
        dot = json.loads(json.dumps(arm))  # all vertices are at one point: every error is infinite beside its size
        attributes = dot["primitives"][0]["attributes"]
        count = rig["accessors"][attributes["POSITION"]]["count"]
        attributes["POSITION"] = len(rig["accessors"])
        del attributes["NORMAL"]
        rig["accessors"].append({"count": count, "type": "VEC3", "componentType": 5126, "min": [0] * 3, "max": [0] * 3})
        rig["meshes"].append(dot)
        node, = [node for node in rig["nodes"] if "mesh" in node]
        rig["scenes"][0]["nodes"].append(len(rig["nodes"]))
        rig["nodes"].append({**node, "name": "dot", "mesh": 1})
        (self.folder / "rig.gltf").write_text(json.dumps(rig))
        shutil.copy(ARM.with_suffix(".bin"), self.folder)
        bake = ("bake", "rig.gltf", "--no-body", "--method", "dqs", "--fail-volume-loss", "99%")  # the dot has no volume
        self.expect_whole(("0:9", "10:"), *bake)
        self.expect_whole(("0:9", "10:"), *bake, "--fail-max-relative", "50%", code=1)
        check, = [check for check in self.json("whole.json")["verdict"]["checks"] if not check["passed"]]
        self.assertEqual((check["mesh"], check["value"], check["failures"]), ("dot", None, 1))

    def test_a_loss_that_is_not_finite_is_the_worst(self):
        parts = self.parts(("0:9", "10:19", "20:"), "bake", ARM, "--method", "dqs", "--fail-volume-loss", "99%")
        for name in parts:
            good = self.read(name)
            report = json.loads(good)
            volume = report["meshes"][0]["runs"][0]["volume"]
            volume["max_loss"] = None  # its place stays
            (self.folder / name).write_text(json.dumps(report))
            self.assertEqual(self.run_program("merge", *parts, "-o", "whole.json").code, 1)
            whole = self.json("whole.json")
            merged = whole["meshes"][0]["runs"][0]["volume"]
            self.assertEqual((merged["max_loss"], merged["max_loss_at"]), (None, volume["max_loss_at"]))
            self.assertEqual(whole["verdict"]["checks"][0]["at"], volume["max_loss_at"])
            (self.folder / name).write_bytes(good)

    def test_a_threshold_that_no_whole_can_evaluate_is_refused_in_a_part_alone(self):
        self.parts(("0:9", "10:"), "bake", ARM, "--method", "dqs", "--fail-max", "1e-3", "--fail-percent", "50")
        for parts in (("part0.json",), ("part0.json", "part1.json")):
            done = self.fail_with(3, "merge", *parts, "-o", "whole.json")
            self.assertIn("PART_INVALID", done.err)
            self.assertIn("the threshold --fail-percent cannot be evaluated on the whole", done.err)

    def test_a_missing_first_or_last_part_is_a_warning(self):
        parts = self.parts(("0:9", "10:19", "20:"), "bake", ARM, "--method", "dqs")
        for some, frames in ((parts[:2], "0:19"), (parts[1:], "10:60")):
            self.assertIn(f"the parts have frames {frames} alone", self.run_program("merge", *some, "-o", "whole.json").err)
        self.assertEqual(self.run_program("merge", *parts, "-o", "whole.json").err, "")

    def test_a_missing_first_or_last_part_of_a_gate_is_refused(self):
        parts = self.parts(("0:9", "10:19", "20:"), "bake", ARM, "--method", "dqs", "--fail-max", "100")
        self.fail_with(3, "merge", *parts[:2], "-o", "whole.json",
                       naming=("part1.json: frames 20 to 60: missing after this part", "--frames"))
        self.fail_with(3, "merge", *parts[1:], "-o", "whole.json", naming="part1.json: frames 0 to 9: missing before")
        self.assertEqual(self.run_program("merge", *parts[1:], "-o", "some.json", "--frames", "10:60").err, "")
        self.succeed("merge", *parts, "-o", "whole.json")
        warned = self.parts(("0:9", "10:19"), "bake", ARM, "--method", "dqs", "--warn-max", "100")
        self.assertEqual(self.run_program("merge", *warned, "-o", "whole.json").code, 0)
        self.fail_with(3, "merge", *warned, "-o", "whole.json", "--frames", "0:29", naming="frames 20 to 29: missing after")

    def test_places_have_the_names_of_poses(self):
        (self.folder / "poses.json").write_text(json.dumps([
            {"name": f"raised {i}", "bones": {"leftUpperArm": {"degrees": [0, 0, 7 * i]}}} for i in range(9)]))
        self.expect_whole(("0:3", "4:"), "bake", WALKER, "--clip", "poses:poses.json", "--method", "dqs",
                          "--metrics", METRICS, "--fail-max", "1e-9", code=1)
        self.assertIn('"pose": "raised 8"', self.read("whole.json").decode())

    def test_the_report_of_a_merge_is_valid_and_can_be_compared(self):
        parts = self.parts(("0:30", "31:"), "bake", ARM, "--method", "dqs")
        self.succeed("merge", *parts, "-o", "whole.json")
        self.succeed("report", "whole.json", parts[0], "-o", "page.html")
        self.succeed("diff", "whole.json", "whole.json")

    def test_the_whole_report_names_the_whole_caches(self):
        for name, frames in (("a", "0:30"), ("b", "31:")):
            self.succeed("bake", ARM, "-q", "--method", "dqs", "--frames", frames, "-o", f"{name}.pc2", "-o", f"{name}.npy",
                         "--report", f"{name}.json", "--part")
        self.succeed("bake", ARM, "-q", "--method", "dqs", "-o", "whole.pc2", "-o", "whole.npy", "--report", "one.json")
        self.fail_with(3, "merge", "a.json", "b.json", "-o", "whole.json", naming=("a.pc2", "merge these caches first"))
        for extension in ("pc2", "npy"):
            self.succeed("merge", f"a.{extension}", f"b.{extension}", "-o", f"whole.{extension}")
        caches = ("--cache", "whole.npy", "--cache", "whole.pc2")
        self.succeed("merge", "a.json", "b.json", *caches, "-o", "whole.json")
        self.assertEqual(self.read("whole.json"), self.read("one.json"))
        self.succeed("convert", "whole.pc2", "other.mdd", "-q")
        self.fail_with(3, "merge", "a.json", "b.json", *caches, "--cache", "other.mdd", "-o", "w.json",
                       naming="did not write")
        self.fail_with(2, "merge", "a.json", "b.json", *caches, "-o", "whole.pc2.json", naming="OUTPUT_IS_INPUT")

    def test_a_cache_of_other_frames_is_refused(self):
        for name, frames in (("a", "0:30"), ("b", "31:")):
            self.succeed("bake", ARM, "-q", "--frames", frames, "-o", f"{name}.pc2", "--report", f"{name}.json", "--part")
        for options, naming in ((("--frames", "0:60:2"), "frames 0 to 60 in steps of 2 at 30"),
                                (("--frames", "0:19"), "frames 0 to 19 at 30"), (("--fps", "60"), "frames 0 to 120 at 60")):
            self.succeed("bake", ARM, "-q", "-o", "whole.pc2", *options)
            self.fail_with(3, "merge", "a.json", "b.json", "--cache", "whole.pc2", "-o", "whole.json",
                           naming=("whole.pc2: has " + naming, "the merged report has frames 0 to 60 at 30 fps", "PARTS_DIFFER"))
        self.succeed("merge", "a.pc2", "b.pc2", "-o", "whole.pc2")
        self.succeed("merge", "a.json", "b.json", "--cache", "whole.pc2", "-o", "whole.json")


class Refused(CliTest):
    def report(self, name, frames, *options, part=True, rig=ARM):
        self.succeed("bake", rig, "-q", "--frames", frames, "--report", name, *options, *(("--part",) if part else ()))

    def refuse(self, *parts, naming):
        self.fail_with(3, "merge", *parts, "-o", "whole.json", naming=naming)

    def test_reports_that_are_no_parts_of_one_run_are_refused(self):
        self.report("a.json", "0:9")
        self.report("b.json", "10:19")
        self.report("c.json", "10:19", part=False)
        self.refuse("a.json", "c.json", naming=("c.json", "lacks 'sums'"))
        self.refuse("c.json", naming=("c.json", "--part"))
        self.refuse("a.json", "a.json", naming="also in")
        self.report("c.json", "11:19")
        self.refuse("a.json", "c.json", naming="frame 10: missing")
        for options, naming in ((("--method", "dqs"), "method"), (("--metrics", "error"), "volume"),
                                (("--fps", "60"), "frame rate"), (("--fail-max", "1"), "verdict"),
                                (("--baseline", "rest"), "baseline"), (("--per-vertex", "none"), "per_vertex"),
                                (("-o", "c.pc2"), "outputs")):
            self.report("c.json", "10:19", *options)
            self.refuse("a.json", "c.json", naming=naming)
        self.report("c.json", "10:19", rig=TUBE)
        self.refuse("a.json", "c.json", naming="c.json")
        self.refuse("a.json", "none.json", naming="none.json")
        (self.folder / "c.json").write_text("{}")
        self.refuse("a.json", "c.json", naming="REPORT_INVALID")
        self.report("d.json", "10:19", "--fail-percent", "50", "--fail-max", "1")
        self.report("e.json", "20:29", "--fail-percent", "50", "--fail-max", "1")
        self.refuse("d.json", "e.json", naming="skinbake diff")

    def test_what_cannot_be_put_together_is_refused_before_it_is_baked(self):
        bake = ("bake", ARM, "--part")
        self.fail_with(2, *bake, "-o", "a.pc2", naming="--report")
        self.fail_with(2, *bake, "--report", "a.json", "--metrics", "in_between", naming="in_between")
        self.fail_with(2, *bake, "--report", "a.json", "--in-between-limit", "1", naming="in_between")
        self.fail_with(2, *bake, "--report", "a.json", "--per-vertex", "npy", naming="--per-vertex")
        self.fail_with(2, *bake, "--report", "a.json", "-o", "a.pc2", "--verify", naming="--verify")
        compare = ("compare", ARM, "--part", "--report", "a.json", "--methods", "lbs,dqs")
        self.fail_with(2, *compare, "--explain", "2", naming="--explain")
        self.fail_with(2, *compare, "--recommend", "--max-rms", "1", naming="--recommend")

    def test_a_section_that_cannot_be_put_together_is_named_with_its_option(self):
        self.succeed("compare", ARM, "--methods", "lbs,dqs", "--explain", "2", "--report", "a.json", "-q")
        self.refuse("a.json", naming=("a.json", "'explain'", "--explain"))
        self.report("b.json", "0:9", "--metrics", "in_between", part=False)
        self.refuse("b.json", naming=("b.json", "'in_between'", "metric"))

    def test_no_input_is_replaced(self):
        self.report("a.json", "0:9")
        self.report("b.json", "10:19")
        self.fail_with(2, "merge", "a.json", "b.json", "-o", "b.json", naming="OUTPUT_IS_INPUT")
        self.fail_with(3, "merge", "a.json", "b.json", "-o", "c.pc2", naming="a.json")
        self.fail_with(3, "merge", "a.json", "b.json", "-o", "c.json", "--max-memory", "20K", naming="MEMORY_LIMIT")

    def test_damaged_reports_never_crash_it(self):
        self.report("a.json", "0:3", "--metrics", METRICS, "--fail-max", "1", rig=RIGS / "two_joints.gltf")
        self.report("b.json", "4:6", "--metrics", METRICS, "--fail-max", "1", rig=RIGS / "two_joints.gltf")
        good = {name: self.json(name) for name in ("a.json", "b.json")}
        values = (None, -1, 0, 2 ** 62, 2 ** 64 - 1, 1e300, -1e300, "x", [], {}, True, [{}], [[]], [None] * 4, 2 ** 53)
        chance = random.Random(2)
        for _ in range(100):
            changed = json.loads(json.dumps(good))
            name = chance.choice(("a.json", "b.json"))
            at = changed[name]
            while True:
                key = chance.choice(list(at)) if isinstance(at, dict) else chance.randrange(len(at))
                if isinstance(at[key], (dict, list)) and at[key] and chance.random() < 0.9:
                    at = at[key]
                    continue
                if isinstance(at, dict) and chance.random() < 0.3:
                    del at[key]
                else:
                    at[key] = chance.choice(values)
                break
            for file, document in changed.items():
                (self.folder / file).write_text(json.dumps(document))
            before = self.files()
            done = self.run_program("merge", "a.json", "b.json", "-o", "whole.json", "-q", timeout=AT_ONCE)
            self.assertIn(done.code, (0, 1, 3), f"{done} {key}")
            if done.code == 3:
                self.assertEqual(self.files(), before)
            else:
                strict_json(self.read("whole.json").decode())
                self.succeed("report", "whole.json", "-o", "page.md", "-q")
                (self.folder / "whole.json").unlink()
                (self.folder / "page.md").unlink()

    def test_a_part_that_no_command_reads_is_refused(self):
        self.report("a.json", "0:9")
        self.report("b.json", "10:19")
        good = self.json("a.json")
        error = lambda report: report["meshes"][0]["runs"][0]["error"]
        changes = [lambda report, name=name: error(report)["per_frame"][name].__setitem__(3, -1)
                   for name in ("rms", "mean", "max", "p50", "p95", "p99")]
        changes.append(lambda report: error(report)["worst_vertices"][0].update(primitive="x"))
        changes.append(lambda report: error(report)["worst_vertices"][0].update(max=-1))
        for i, change in enumerate(changes):
            with self.subTest(i):
                report = json.loads(json.dumps(good))
                change(report)
                (self.folder / "a.json").write_text(json.dumps(report))
                self.refuse("a.json", "b.json", naming=("a.json", "REPORT_INVALID"))

    def test_a_key_that_is_there_twice_is_refused(self):
        self.report("a.json", "0:9")
        self.report("b.json", "10:19")
        text = self.read("a.json").decode()
        (self.folder / "a.json").write_text(text.replace('"primitives": [', '"primitives": [], "primitives": [', 1))
        self.refuse("a.json", "b.json", naming="twice")


if __name__ == "__main__":
    main()
