#!/usr/bin/env python3
"""Each section of a report is on its page, in its Markdown and in its JUnit file."""

import json
import re

from pages_case import Page, PagesCase
from support import RIGS, main


class Answers(PagesCase):
    def test_a_recommendation_is_shown_and_one_that_fails_is_a_failure(self):
        for methods, code, word, answer in (
                ("lbs,dqs", 0, "pass", "dqs is the cheapest method within --fail volume.max_loss=5 %"),
                ("lbs", 1, "fail", "no method is within --fail volume.max_loss=5 %; lbs comes nearest, with volume.max_loss 66.67 % "
                                   "at mesh 'tube', clip 'twist', frame 30")):
            with self.subTest(methods):
                candidates = self.compare("r.json", code, *(word for method in methods.split(",") for word in ("--method", method)), "--recommend", "--fail", "volume.max_loss=5%")["recommendation"]["candidates"]
                page, markdown, junit = self.check_pages("r.json")
                texts = [data for _, data in page.texts]
                self.assertIn(answer, texts)
                self.assertIn(f"twisted_tube: {word}, skinbake report", texts)
                self.assertIn(answer, markdown)
                self.assertIn("\u2705" if code == 0 else "\u274c no method", markdown.splitlines()[0])
                self.assertEqual((junit.get("tests"), junit.get("failures")), ("1", str(code)))
                case = next(junit.iter("testcase"))
                self.assertEqual(case.get("name"), "--recommend --fail volume.max_loss=5 %")
                self.assertEqual(case.find("system-out").text, answer)
                self.assertEqual(case.find("failure") is None, code == 0)
                for candidate in candidates:
                    loss = f"{candidate['values'][0]['value'] * 100:.4g} %"
                    row = f"| `{candidate['method']}` | {candidate['cost']:.4g} | {loss} | {'yes' if candidate['within'] else 'no'} |"
                    self.assertIn(row, markdown)
                    self.assertIn(loss, texts)

    def test_explanations_are_shown(self):
        explain = self.compare("r.json", 0, "--method", "lbs", "--method", "dqs", "--explain", "2")["explain"]
        self.assertEqual(len(explain), 2)
        explain[0]["influences"][0]["angle_rad"] = 5.07e-17  # a rounding error
        self.write("r.json", {**self.json("r.json"), "explain": explain})
        page, markdown, _ = self.check_pages("r.json")
        texts = [data for _, data in page.texts]
        for one in explain:
            place = f"vertex {one['vertex']} (primitive 0, vertex {one['vertex']}), frame {one['frame']}"
            self.assertIn(place, texts)
            self.assertIn(one["cause"], texts)
            self.assertIn(f", {place}: **{one['error_m']:.4g} m** from `lbs`", markdown)
            self.assertIn(f"`{one['cause']}`", markdown)
            for influence in one["influences"]:
                self.assertIn(influence["joint"], texts)
                self.assertIn(f"{influence['weight']:.4g} `{influence['joint']}`, "
                              f"{influence['angle_rad'] * 180 / 3.141592653589793:.1f}\u00b0", markdown)

    def test_verified_outputs_are_shown(self):
        self.bake("r.json", "two_joints.gltf", "-o", "a.pc2", "-o", "b.mdd", "--verify")
        report = self.json("r.json")
        report["verification"][1].update(max_m=0.25, at={"frame": 3, "time_s": 0.1, "vertex": 7})
        self.write("r.json", report)
        page, markdown, junit = self.check_pages("r.json")
        texts = [data for _, data in page.texts]
        cases = {case.get("name"): case.find("system-out").text for case in junit.iter("testcase")}
        self.assertEqual((junit.get("tests"), junit.get("failures")), ("2", "0"))
        for output, difference in zip(report["verification"], ("0 m", "0.25 m (frame 3, vertex 7)"), strict=True):
            words = f"read back, largest difference {difference}, bound {output['bound_m']:.4g} m"
            self.assertEqual(cases[f"--verify {output['path']}"], words)
            self.assertIn(f"`{output['path']}`: {words}", markdown)
            self.assertIn(output["path"], texts)
        self.assertIn("frame 3, vertex 7", texts)

    def test_a_difference_without_thresholds_is_a_failure(self):
        for name, method in (("a.npy", "lbs"), ("b.npy", "dqs")):
            self.succeed("bake", RIGS / "two_joints.gltf", "-o", name, "--method", method, "-q")
        bad = bytearray(self.read("a.npy"))
        bad[-4:] = b"\x00\x00\xc0\x7f"
        (self.folder / "nan.npy").write_bytes(bad)
        for b, code, words in (("a.npy", 0, "no vertex differs"), ("b.npy", 1, " vertices differ, in "),
                               ("nan.npy", 1, "; the largest difference is not a number")):
            with self.subTest(b):
                done = self.run_program("diff", "a.npy", b, "-q", "--report", "d.json")
                self.assertEqual(done.code, code, done)
                self.assertEqual(self.json("d.json")["verdict"]["status"], "none")
                page, markdown, junit = self.check_pages("d.json")
                self.assertEqual((junit.get("tests"), junit.get("failures")), ("1", str(code)))
                self.assertTrue([data for _, data in page.texts if words in data])
                self.assertIn(words, markdown)
                self.assertIn("they do not differ" if code == 0 else "\u274c they differ", markdown)
                self.assertNotIn("no limits", markdown + "".join(data for _, data in page.texts))

    def test_junit_counts_failures(self):
        self.bake("a.json", "twisted_tube.gltf", "--fail", "volume.max_loss=5%", "--fail", "error.rms=1", "--warn", "volume.max_loss=1%")
        suites = self.check_pages("a.json", "a.json")[2]
        self.assertEqual((suites.get("tests"), suites.get("failures")), ("6", "2"))
        for suite in suites:
            self.assertEqual((suite.get("tests"), suite.get("failures")), ("3", "1"))
            failed = [case.get("name") for case in suite.iter("testcase") if case.find("failure") is not None]
            self.assertEqual(failed, ["tube, twist, lbs: --fail volume.max_loss=5 %"])
            for case in suite.iter("testcase"):
                self.assertRegex(case.find("system-out").text, r"\d.*, limit .*: mesh 'tube'")


class Measurements(PagesCase):
    def test_failures_and_the_worst_values_come_first_in_markdown(self):
        report = self.bake("a.json", "bent_arm.gltf", "--fail", "error.rms=50%", "--per-vertex", "none")
        mesh, = report["meshes"]
        meshes = [json.loads(json.dumps({**mesh, "id": f"m{k}"})) for k in range(110)]
        for k, losses in ((7, 0.5), (108, 0.7), (109, 0.5)):
            meshes[k]["runs"][0]["volume"]["max_loss"] = losses
        meshes[105]["runs"][0]["error"]["rms_relative"] = 0.6  # the only failure
        report["verdict"]["status"] = "fail"
        report["verdict"]["checks"][0].update(value=0.6, passed=False, failures=1, mesh="m105")
        self.write("a.json", {**report, "meshes": meshes})
        _, markdown, _ = self.pages("a.json")
        rows = re.findall(r"(?m)^\| `(m\d+)`", markdown)
        self.assertEqual(rows[:6], ["m105", "m108", "m7", "m109", "m0", "m1"])
        self.assertEqual(len(rows), 100)
        self.assertIn("\n10 more are only in the JSON report.\n", markdown)

    def test_sections_of_later_versions_are_shown(self):
        report = self.bake()
        run = report["meshes"][0]["runs"][0]
        run["wobble"] = {"unit": "rad", "worst": 1, "worst_at": {"frame": 1, "time_s": 0, "edge": [1, 2]},
                         "per_frame": {"mean": [0.5] * run["frame_count"]}}
        run["other"] = {"per_frame": {"strange": {}}}
        report["schema_version"], report["added"] = "1.7", [1]
        self.write("b.json", report)
        page, markdown, _ = self.check_pages("b.json")
        texts = [data for _, data in page.texts]
        self.assertIn("wobble: mean", texts)
        self.assertIn(("wobble", "worst", "1 rad", "frame 1, edge 1 2"), list(zip(*(texts[i:] for i in range(4)))))
        self.assertIn("| `wobble worst` | 1 rad | frame 1, edge 1 2 |", markdown)

    def test_all_measurements_are_shown_with_frame_and_vertex(self):
        report = self.compare("r.json", 0, "--method", "lbs", "--method", "dqs", "--metrics", "all")
        page, markdown, _ = self.check_pages("r.json")
        shown = "\n".join(data for _, data in page.texts)
        for run in report["meshes"][0]["runs"]:
            candy, stretch = run["candy_wrapper"], run["edge_stretch"]
            joint, frame = candy["worst_at"]["joint"], candy["worst_at"]["frame"]
            start = f"| `{report['meshes'][0]['id']}` | `{run['clip']}` | `{run['method']}` | "
            self.assertIn(start + f"`candy_wrapper worst` | {candy['worst']:.4g} | `{joint}`, frame {frame} |", markdown)
            at = stretch["worst_at"]
            place = f"frame {at['frame']}, edge {at['edge'][0]} {at['edge'][1]}"
            self.assertIn(start + f"`edge_stretch worst` | {stretch['worst']:.4g} | {place} |", markdown)
            self.assertIn(f"candy_wrapper\nworst\n{candy['worst']:.4g}\n{joint}\n, frame {frame}", shown)
            bulge, at = run["bulge"], run["bulge"]["max_at"]
            place = f"frame {at['frame']}, vertex {at['vertex']}"
            self.assertIn(start + f"`bulge max` | {bulge['max']:.4g} | {place} |", markdown)
            self.assertIn(start + f"`bulge max_m` | {bulge['max_m']:.4g} m | {place} |", markdown)
            worst = max(run["volume"]["joints"], key=lambda each: each["max_loss"])
            at = worst["max_loss_at"]
            self.assertIn(f"\n{worst['joint']}\n{worst['max_loss'] * 100:.3g}\nframe {at['frame']}", shown)

    def places(self, *reports):
        """The list of the worst places: the text of each, without tags."""
        listed = re.search(r'<ol class="places">(.*?)</ol>', self.pages(*reports)[0], re.S)
        return [re.sub(r"<[^>]*>", "|", each) for each in re.findall("<li>(.*?)</li>", listed[1], re.S)] if listed else []

    def test_the_worst_places_name_joint_frame_and_method_and_the_values_of_the_others(self):
        report = self.compare("r.json", 0, "--method", "lbs", "--method", "dqs", "--metrics", "error,volume,triangle_distortion")
        runs = report["meshes"][0]["runs"]
        first, *_, triangle, vertex = places = self.places("r.json")
        self.assertLessEqual(len(places), 5)
        loss, method, joint = max(((joint["max_loss"], run["method"], joint) for run in runs
                                   for joint in run["volume"]["joints"]), key=lambda each: each[0])
        frame = joint["max_loss_at"]["frame"]
        self.assertEqual(method, "lbs")
        self.assertRegex(first, rf"\|{loss * 100:.3g} %\|+ \|volume lost at \|{joint['joint']}\|+ \|+lbs\|, frame {frame} ")
        other = next(each for each in runs[1]["volume"]["joints"] if each["joint"] == joint["joint"])
        self.assertIn(f"|dqs| {other['per_frame']['loss'][frame] * 100:.3g} %", first)
        worst = max((run["triangle_distortion"] for run in runs), key=lambda each: each["worst"])
        self.assertIn(f"triangle {worst['worst_at']['triangle']}|", triangle)
        error = runs[1]["error"]
        self.assertIn(f"|{error['max'] * 1000:.3g} mm|", vertex)
        self.assertIn(f"from |lbs| at vertex {error['max_at']['vertex']}|", vertex)

    def test_rounding_is_neither_a_place_nor_a_curve(self):
        report = self.bake("a.json", "twisted_tube.gltf", "--method", "dqs")
        run = report["meshes"][0]["runs"][0]
        diagonal = report["meshes"][0]["bbox_diagonal_m"]
        for key in ("rms", "mean", "max"):
            run["error"][key] = 5e-7 * diagonal
            run["error"]["per_frame"][key] = [5e-7 * diagonal] * run["frame_count"]
        run["error"]["max_relative"] = run["error"]["rms_relative"] = 5e-7
        for part in (run["volume"], *run["volume"]["joints"]):
            part["max_loss"] = 5e-7
            part["per_frame"]["loss"] = [5e-7] * run["frame_count"]
        run["volume"]["min_loss"] = -5e-7
        self.write("a.json", report)
        page = Page(self.pages("a.json")[0])
        self.assertEqual(self.places("a.json"), [])
        self.assertIn("Every measured change is rounding: below 0.0001 %.", [data for _, data in page.texts])
        self.assertNotIn(("svg", "class", "chart"), page.attributes)


class Differences(PagesCase):
    def test_differences_of_two_reports_are_shown(self):
        self.bake("a.json", "two_joints.gltf", "--method", "lbs", "--reference", "dqs", "--per-vertex", "none")
        self.bake("b.json", "two_joints.gltf", "--method", "cor", "--reference", "dqs", "--per-vertex", "none")
        for b, code, word in (("a.json", 0, "pass"), ("b.json", 1, "fail")):
            done = self.run_program("diff", "a.json", b, "-q", "--report", "d.json")
            self.assertEqual(done.code, code, done)
            changes = self.json("d.json")["changes"]
            page, markdown, junit = self.check_pages("d.json")
            texts = [data for _, data in page.texts]
            moved = f"{changes['count']} of {changes['compared']} values moved"
            self.assertIn(moved, texts)
            self.assertIn(f"d: {word}, skinbake report", texts)
            self.assertIn(moved, markdown)
            self.assertEqual((junit.get("tests"), junit.get("failures")), ("1", str(code)))
            # Values per frame are in the JSON report alone.
            values = [change for change in changes["values"] if "/per_frame/" not in change["pointer"]]
            self.assertEqual(len(values) > 0, code == 1)
            self.assertEqual(changes["values"][:len(values)], values)
            for change in values:
                self.assertIn(change["pointer"], texts)
            for change in values[:50]:
                self.assertIn(f"| `{change['pointer']}` | `{change['a']}` | `{change['b']}` |", markdown)
        self.assertIn("/meshes/0/runs/0/method", texts)

    def test_the_second_of_two_reports_says_how_its_numbers_have_changed(self):
        before = self.bake("a.json", "two_joints.gltf", "--method", "lbs", "--reference", "dqs", "--per-vertex", "none")
        after = json.loads(json.dumps(before))
        run = after["meshes"][0]["runs"][0]
        run["error"]["rms"] += 0.5
        run["volume"]["max_loss"] -= 0.001
        self.write("b.json", after)
        page, markdown, _ = self.pages("a.json", "b.json")
        # The page has a column for the only number of its table that has changed.
        self.assertEqual(re.findall(r">(Δ[^<]*)<", page), ["Δ, %"])
        self.assertIn(">-0.1<", page.replace("−", "-"))
        self.assertNotIn(">Δ", self.pages("b.json")[0])
        old, new = (line for line in markdown.splitlines() if line.startswith("| `") and "`lbs` |" in line
                    and "frame" in line and line.count("|") == 10)
        self.assertNotIn("Δ", old)
        self.assertIn("(Δ +0.5\u202fm)" if "\u202f" in new else "(Δ +0.5 m)", new.replace("\xa0", " "))
        self.assertIn("(Δ -0.1 %)", new.replace("\xa0", " ").replace("−", "-"))
        self.assertEqual(new.count("Δ"), 2)  # the largest error is the same
        self.assertNotIn("Δ", self.pages("b.json")[1])

    def test_a_diff_of_caches_without_sidecars_is_shown(self):
        for name, method in (("a.npy", "lbs"), ("b.npy", "dqs")):
            self.succeed("bake", RIGS / "bent_arm.gltf", "-o", name, "--method", method, "-q")
            (self.folder / (name + ".json")).unlink()
        done = self.run_program("diff", "a.npy", "b.npy", "--report", "d.json", "-q", "--fail", "error.max=1e-6")
        self.assertEqual(done.code, 1, done)
        page, markdown, _ = self.pages("d.json")
        self.assertIn("| `a` | `unknown` | `unknown` | 61 |", markdown)
        shown = re.sub(r"<script>.*?</script>", "", page, flags=re.S)
        self.assertNotIn("rest pose", shown + markdown)


if __name__ == "__main__":
    main()
