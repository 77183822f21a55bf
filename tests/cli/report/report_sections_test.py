#!/usr/bin/env python3
"""Each section of a report is on its page, in its Markdown and in its JUnit file."""

import json
import re

from pages_case import Page, PagesCase
from support import RIGS, main


class Answers(PagesCase):
    def test_a_recommendation_is_shown_and_one_that_fails_is_a_failure(self):
        for methods, code, word, answer in (("lbs,dqs", 0, "pass", "dqs"), ("lbs", 1, "fail", "none")):
            with self.subTest(methods):
                candidates = self.compare("r.json", code, *(word for method in methods.split(",") for word in ("--method", method)), "--recommend", "--fail", "volume.max_loss=5%")["recommendation"]["candidates"]
                page, markdown, junit = self.check_pages("r.json")
                texts = [data for _, data in page.texts]
                self.assertIn(f"twisted_tube: {word}, skinbake report", texts)
                self.assertIn(f"`a method is within the limits`: `{answer}`", markdown)
                self.assertEqual((junit.get("tests"), junit.get("failures")), ("1", str(code)))
                case = next(junit.iter("testcase"))
                self.assertEqual(case.find("system-out").text, answer)
                self.assertEqual(case.find("failure") is None, code == 0)
                for candidate in candidates:
                    self.assertIn(candidate["method"], texts)
                    self.assertIn(f"| `{candidate['method']}` | {candidate['cost']:.4g} |", markdown)

    def test_explanations_are_shown(self):
        explain = self.compare("r.json", 0, "--method", "lbs", "--method", "dqs", "--explain", "2")["explain"]
        self.assertEqual(len(explain), 2)
        page, markdown, _ = self.check_pages("r.json")
        texts = [data for _, data in page.texts]
        for one in explain:
            self.assertIn(one["cause"], texts)
            self.assertIn(f"{one['error_m']:.4g} m", texts)
            self.assertIn(f" | {one['vertex']} | ", markdown)
            for influence in one["influences"]:
                self.assertTrue([text for text in texts if text.startswith(f"joint {influence['joint']}, ")])

    def test_verified_outputs_are_shown(self):
        self.bake("r.json", "two_joints.gltf", "-o", "a.pc2", "-o", "b.mdd", "--verify")
        report = self.json("r.json")
        report["verification"][1].update(max_m=0.25, at={"frame": 3, "time_s": 0.1, "vertex": 7})
        self.write("r.json", report)
        page, markdown, junit = self.check_pages("r.json")
        texts = [data for _, data in page.texts]
        names = [case.get("name") for case in junit.iter("testcase")]
        self.assertEqual((junit.get("tests"), junit.get("failures")), ("2", "0"))
        for output, difference in zip(report["verification"], ("0 m", "0.25 m"), strict=True):
            self.assertTrue([name for name in names if f"read back {output['path']}" in name])
            self.assertIn(f"`{difference}, bound {output['bound_m']:.4g} m`", markdown)
            self.assertIn(output["path"], texts)
        self.assertIn("frame 3, vertex 7", texts)

    def test_a_difference_without_thresholds_is_a_failure(self):
        for name, method in (("a.npy", "lbs"), ("b.npy", "dqs")):
            self.succeed("bake", RIGS / "two_joints.gltf", "-o", name, "--method", method, "-q")
        for b, code, words in (("a.npy", 0, "no vertex differs"), ("b.npy", 1, " vertices differ, in ")):
            with self.subTest(b):
                done = self.run_program("diff", "a.npy", b, "-q", "--report", "d.json")
                self.assertEqual(done.code, code, done)
                page, markdown, junit = self.check_pages("d.json")
                self.assertEqual((junit.get("tests"), junit.get("failures")), ("1", str(code)))
                self.assertTrue([data for _, data in page.texts if words in data])
                self.assertIn(words, markdown)
                self.assertIn("✅ pass" if code == 0 else "❌ fail", markdown.splitlines()[0])

    def test_junit_counts_failures(self):
        self.bake("a.json", "twisted_tube.gltf", "--fail", "volume.max_loss=5%", "--fail", "error.rms=1", "--warn", "volume.max_loss=1%")
        suites = self.check_pages("a.json", "a.json")[2]
        self.assertEqual((suites.get("tests"), suites.get("failures")), ("6", "2"))
        for suite in suites:
            self.assertEqual((suite.get("tests"), suite.get("failures")), ("3", "1"))
            failed = [case.get("name") for case in suite.iter("testcase") if case.find("failure") is not None]
            self.assertEqual(failed, ["tube, twist, lbs: volume.max_loss at most 5 %"])

    def test_junit_skips_the_meshes_that_a_limit_does_not_fit(self):
        report = self.bake("a.json", "walker.glb", "--fail", "volume.max_loss=5%")
        del next(mesh for mesh in report["meshes"] if mesh["id"] == "Mouth")["runs"][0]["volume"]
        self.write("a.json", report)
        suites = self.check_pages("a.json")[2]
        self.assertEqual((suites.get("tests"), suites.get("failures"), suites.get("skipped")), ("3", "0", "1"))
        skipped = [case.get("name") for case in suites.iter("testcase") if case.find("skipped") is not None]
        self.assertEqual(skipped, ["Mouth, walk, lbs: volume.max_loss at most 5 %"])


class Measurements(PagesCase):
    def test_the_worst_meshes_come_first_and_long_tables_are_cut_in_markdown(self):
        report = self.bake("a.json", "bent_arm.gltf", "--method", "dqs", "--per-vertex", "none")
        mesh, = report["meshes"]
        meshes = [json.loads(json.dumps({**mesh, "id": f"m{k}"})) for k in range(110)]
        for k, losses in ((7, 0.5), (108, 0.7), (109, 0.5)):
            meshes[k]["runs"][0]["volume"]["max_loss"] = losses
        self.write("a.json", {**report, "meshes": meshes})
        _, markdown, _ = self.pages("a.json")
        table = markdown[markdown.index("Every method"):].split("</details>")[0]
        rows = re.findall(r"(?m)^\| `(m\d+)`", table)
        self.assertEqual(rows[:6], ["m108", "m7", "m109", "m0", "m1", "m2"])
        self.assertEqual(len(rows), 100)
        self.assertIn("\n10 more are only in the JSON report.\n", table)

    def test_sections_of_later_versions_are_shown(self):
        report = self.bake()
        run = report["meshes"][0]["runs"][0]
        run["wobble"] = {"unit": "rad", "worst": 1, "worst_at": {"frame": 1, "time_s": 0, "edge": [1, 2]},
                         "per_frame": {"mean": [0.5] * run["frame_count"]}}
        run["other"] = {"per_frame": {"strange": {}}}
        report["schema_version"], report["added"] = report["schema_version"][:2] + "7", [1]
        self.write("b.json", report)
        page, markdown, _ = self.check_pages("b.json")
        texts = [data for _, data in page.texts]
        self.assertIn("wobble: mean", texts)
        self.assertIn("1 rad", texts)
        self.assertIn("frame 1, edge 1 2", texts)
        self.assertIn("- wobble: worst: **1 rad**, `frame 1, edge 1 2`", markdown)

    def test_all_measurements_are_shown_with_frame_and_place(self):
        report = self.compare("r.json", 0, "--method", "lbs", "--method", "dqs", "--metrics", "all")
        page, markdown, _ = self.check_pages("r.json")
        shown = "\n".join(data for _, data in page.texts).replace("\u00a0", " ")
        for run in report["meshes"][0]["runs"]:
            for section, key in (("edge_stretch", "worst"), ("bulge", "max"), ("candy_wrapper", "worst")):
                if run[section][key] < 1e-6:
                    continue  # rounding
                at = run[section][f"{key}_at"]
                place = f"frame {at['frame']}" + "".join(f", {kind} {at[kind]}" for kind in ("vertex", "joint") if kind in at)
                self.assertIn(place, shown)
                self.assertIn(place, markdown)
            worst = max(run["volume"]["joints"], key=lambda each: each["max_loss"])
            self.assertIn(f"{worst['max_loss'] * 100:.3g} %\n{worst['joint']}, frame {worst['max_loss_at']['frame']}", shown)

    def places(self, *reports):
        """The list of the worst places: the text of each, without tags."""
        listed = re.search(r'<ol class="places">(.*?)</ol>', self.pages(*reports)[0], re.S)
        return [re.sub(r"<[^>]*>", "|", each) for each in re.findall("<li>(.*?)</li>", listed[1], re.S)] if listed else []

    def test_the_worst_places_name_joint_frame_and_method_and_the_values_of_the_others(self):
        report = self.compare("r.json", 0, "--method", "lbs", "--method", "dqs", "--metrics", "error,volume,triangle_distortion")
        runs = report["meshes"][0]["runs"]
        first, *_ = places = self.places("r.json")
        loss, method, joint = max(((joint["max_loss"], run["method"], joint) for run in runs
                                   for joint in run["volume"]["joints"]), key=lambda each: each[0])
        frame = joint["max_loss_at"]["frame"]
        self.assertEqual(method, "lbs")
        self.assertRegex(first, rf"\|{loss * 100:.3g} %\|+ \|volume: joints max loss at \|{joint['joint']}\|+ \|+lbs\|, frame {frame} ")
        other = next(each for each in runs[1]["volume"]["joints"] if each["joint"] == joint["joint"])
        self.assertIn(f"|dqs| {other['per_frame']['loss'][frame] * 100:.3g} %", first)
        worst = max((run["triangle_distortion"] for run in runs), key=lambda each: each["worst"])
        error = runs[1]["error"]
        for text in (f"triangle {worst['worst_at']['triangle']}|", f"|{error['max'] * 1000:.3g} mm|",
                     f"error: max at |vertex {error['max_at']['vertex']}|"):
            self.assertTrue([place for place in places if text in place], text)

    def test_rounding_of_ratios_is_neither_a_place_nor_a_curve(self):
        report = self.bake("a.json", "twisted_tube.gltf", "--method", "dqs", "--metrics", "volume")
        run = report["meshes"][0]["runs"][0]
        for part in (run["volume"], *run["volume"]["joints"]):
            part["max_loss"] = 5e-7
            part["per_frame"]["loss"] = [5e-7] * run["frame_count"]
        self.write("a.json", report)
        self.assertEqual(self.places("a.json"), [])
        self.assertNotIn("volume: loss", [data for _, data in Page(self.pages("a.json")[0]).texts])

    def test_a_diff_of_caches_without_sidecars_is_shown(self):
        for name, method in (("a.npy", "lbs"), ("b.npy", "dqs")):
            self.succeed("bake", RIGS / "bent_arm.gltf", "-o", name, "--method", method, "-q")
            (self.folder / (name + ".json")).unlink()
        done = self.run_program("diff", "a.npy", "b.npy", "--report", "d.json", "-q", "--fail", "error.max=1e-6")
        self.assertEqual(done.code, 1, done)
        self.assertIn("| `a` | `unknown` | `unknown` |", self.pages("d.json")[1])


if __name__ == "__main__":
    main()
