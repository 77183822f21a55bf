#!/usr/bin/env python3
"""skinbake report --recommend: a method for each character of a library, and one for all."""

import json

from support import RIGS, TRIANGLE, CliTest, main, write_rig

TUBE, ARM, WALKER = RIGS / "twisted_tube.gltf", RIGS / "bent_arm.gltf", RIGS / "walker.glb"


class Recommending(CliTest):
    METRICS = ("--metrics", "error,volume,triangle_distortion")

    def setUp(self):
        super().setUp()
        for name, rig in (("tube", TUBE), ("arm", ARM)):
            self.compare(name, rig)

    def compare(self, name, rig, *options, methods="lbs,dqs,cor"):
        self.succeed("compare", rig, "-q", *self.METRICS, *(word for method in methods.split(",") for word in ("--method", method)), "--report", f"{name}.json", *options)

    def recommended(self, *arguments, code=0):
        done = self.run_program("report", *arguments, "--recommend", "--json")
        self.assertEqual(done.code, code, done)
        return json.loads(done.out)

    def losses(self, name):
        report = json.loads((self.folder / f"{name}.json").read_text())
        return {run["method"]: run["volume"]["max_loss"] for mesh in report["meshes"] for run in mesh["runs"]}

    def test_each_character_has_its_method_and_all_have_one(self):
        tube, arm = self.losses("tube"), self.losses("arm")
        limit = (min(loss for method, loss in arm.items() if method != "lbs") + arm["lbs"]) / 2
        library = self.recommended("tube.json", "arm.json", "--fail", f"volume.max_loss={limit}")
        self.assertEqual([c["character"] for c in library["characters"]], ["twisted_tube", "bent_arm"])
        for character, losses in zip(library["characters"], (tube, arm), strict=True):
            cheapest = next(m for m in ("lbs", "dqs", "cor") if losses[m] <= limit)
            self.assertEqual(character["recommendation"]["method"], cheapest)
        for candidate in library["all"]["recommendation"]["candidates"]:
            worst, = candidate["values"]
            method = candidate["method"]
            self.assertEqual(worst["value"], max(tube[method], arm[method]))
            self.assertEqual(worst["character"], "twisted_tube" if tube[method] > arm[method] else "bent_arm")
        out = self.succeed("report", "tube.json", "arm.json", "--recommend", "--fail", f"volume.max_loss={limit}").out
        self.assertRegex(out, r"(?m)^bent_arm +dqs +2\.2 ")
        self.assertIn("for all characters: dqs is the cheapest method within volume.max_loss at most", out)

    def test_without_a_method_the_nearest_miss_is_named(self):
        losses = self.losses("arm")
        best = min(losses, key=losses.get)
        done = self.run_program("report", "arm.json", "tube.json", "--recommend", "--fail", f"volume.max_loss={losses[best] / 2}")
        self.assertEqual(done.code, 1)
        self.assertRegex(done.out, rf"(?m)^bent_arm +none .*{best} comes nearest, with volume\.max_loss .* at mesh 'arm'")
        self.assertIn("no method within the limits", done.err)

    def test_a_character_without_a_volume_does_not_fail(self):
        write_rig(self.folder / "flat.gltf", ["a"], shape=TRIANGLE)
        self.compare("flat", "flat.gltf")
        library = self.recommended("flat.json", "arm.json", "--fail", "volume.max_loss=50%")
        flat, arm = (c["recommendation"] for c in library["characters"])
        self.assertIsNone(flat["method"])
        self.assertEqual(flat["unmeasured"], ["volume.max_loss"])
        self.assertEqual(arm["method"], "lbs")
        self.assertEqual(library["all"]["recommendation"]["method"], "lbs")
        out = self.succeed("report", "flat.json", "arm.json", "--recommend", "--fail", "volume.max_loss=50%").out
        self.assertRegex(out, r"(?m)^flat +not measured ")

    def test_a_limit_that_no_character_measures_fails(self):
        write_rig(self.folder / "flat.gltf", ["a"], shape=TRIANGLE)
        self.compare("flat", "flat.gltf")
        done = self.run_program("report", "flat.json", "--recommend", "--fail", "volume.max_loss=50%")
        self.assertEqual(done.code, 1)
        self.assertIn("no method can be judged", done.out)
        self.assertIn("no character has a measurement of these limits", done.err)

    def test_reports_of_one_rig_are_one_character(self):
        for method in ("lbs", "dqs"):
            self.succeed("bake", ARM, "-q", "--method", method, "--report", f"{method}.json")
        library = self.recommended("lbs.json", "dqs.json", "--fail", "volume.max_loss=50%")
        character, = library["characters"]
        self.assertEqual(character["reports"], ["lbs.json", "dqs.json"])
        self.assertEqual([c["method"] for c in character["recommendation"]["candidates"]], ["lbs", "dqs"])

    def test_a_method_that_was_not_measured_everywhere_is_within_no_limit(self):
        write_rig(self.folder / "rig.gltf", ["Body", "Hat"], clips=("run", "walk"))
        limit = ("--fail", "error.max=9")
        self.compare("all", "rig.gltf", "--clip", "all", methods="lbs")
        for name, options, place in (("clip", ("--clip", "run"), "mesh 'Body', clip 'walk'"),
                                     ("mesh", ("--clip", "all", "--mesh", "Body"), "mesh 'Hat', clip 'run'"),
                                     ("frames", ("--clip", "all", "--frames", "0:9"), "mesh 'Body', clip 'run'"),
                                     ("steps", ("--clip", "all", "--frames", "0::2"), "mesh 'Body', clip 'run'"),
                                     ("rate", ("--clip", "all", "--fps", "15"), "mesh 'Body', clip 'run'")):
            with self.subTest(name):
                self.compare(name, "rig.gltf", *options, methods="dqs")
                for reports in ((f"{name}.json", "all.json"), ("all.json", f"{name}.json")):
                    library = self.recommended(*reports, *limit)
                    for part in (*library["characters"], library["all"]):
                        candidates = {c["method"]: c for c in part["recommendation"]["candidates"]}
                        self.assertEqual(part["recommendation"]["method"], "lbs")
                        self.assertEqual((candidates["dqs"]["within"], candidates["dqs"]["values"]), (False, [{"value": None}]))
                        self.assertEqual({m["method"] for m in part["missing"]}, {"dqs"})
                out = self.succeed("report", f"{name}.json", "all.json", "--recommend", *limit).out
                self.assertRegex(out, rf"(?m)^rig: dqs was not measured in all of frames 0 to \d+ at 30 fps of {place}[,;]")
        self.compare("arm", ARM, methods="dqs")  # another character has all of the method
        library = self.recommended("clip.json", "all.json", "arm.json", *limit, code=1)
        self.assertEqual({(m["method"], m["character"]) for m in library["all"]["missing"]}, {("dqs", "rig")})

    def test_a_method_of_a_higher_rate_has_the_frames_of_a_lower_one(self):
        for method, fps in (("lbs", "30"), ("dqs", "60")):
            self.compare(method, ARM, "--fps", fps, methods=method)
        library = self.recommended("lbs.json", "dqs.json", "--fail", "volume.max_loss=100%")
        self.assertEqual({m["method"] for m in library["all"]["missing"]}, {"lbs"})
        self.assertEqual(library["all"]["recommendation"]["method"], "dqs")

    def test_a_limit_that_no_method_was_measured_for_everywhere_fails(self):
        write_rig(self.folder / "rig.gltf", ["Body"], clips=("run", "walk"))
        for method, clip in (("lbs", "run"), ("dqs", "walk")):
            self.compare(method, "rig.gltf", "--clip", clip, methods=method)
        library = self.recommended("lbs.json", "dqs.json", "arm.json", "--fail", "volume.max_loss=100%", code=1)
        self.assertIsNone(library["all"]["recommendation"]["method"])
        self.assertNotIn("unmeasured", library["characters"][0]["recommendation"])

    def test_ranges_of_frames_that_follow_one_another_are_all_of_them(self):
        for name, frames in (("a", "0:9"), ("b", "10:30"), ("c", "31:")):
            self.compare(name, ARM, "--frames", frames, methods="dqs")
        self.compare("arm", ARM, methods="lbs")
        limit = ("--fail", "volume.max_loss=100%")
        self.assertNotIn("missing", self.recommended("a.json", "b.json", "c.json", "arm.json", *limit)["all"])
        missing, = self.recommended("a.json", "c.json", "arm.json", *limit)["all"]["missing"]
        self.assertEqual((missing["method"], missing["mesh"], missing["first_frame"], missing["frame_count"]),
                         ("dqs", "arm", 0, 61))

    def test_a_method_that_a_character_lacks_is_not_one_for_all(self):
        self.compare("tube", TUBE, methods="cor,lbs")
        library = self.recommended("tube.json", "arm.json", "--fail", "volume.max_loss=100%")
        self.assertEqual([c["method"] for c in library["all"]["recommendation"]["candidates"]], ["lbs", "cor"])
        self.compare("tube", TUBE, methods="jst")
        done = self.run_program("report", "tube.json", "arm.json", "--recommend", "--fail", "volume.max_loss=100%")
        self.assertEqual(done.code, 1)
        self.assertIn("no method in common", done.out)

    def test_the_values_are_those_of_the_runs(self):
        library = self.recommended("tube.json", "arm.json", "--fail", "error.max=9", "--fail", "error.rms=9")
        report = json.loads((self.folder / "arm.json").read_text())
        runs = {run["method"]: run for run in report["meshes"][0]["runs"]}
        limits = library["characters"][1]["recommendation"]["limits"]
        for candidate in library["characters"][1]["recommendation"]["candidates"]:
            error = runs[candidate["method"]]["error"]
            for limit, value in zip(limits, candidate["values"], strict=True):
                self.assertEqual(value["value"], error[limit["key"].removeprefix("error.")])

    def test_it_recommends_as_compare_does(self):
        for limit in ("0.1%", "0.7%", "3%", "50%"):
            done = self.run_program("compare", ARM, "--method", "lbs", "--method", "dqs", "--method", "cor", "--recommend", "--fail", f"volume.max_loss={limit}",
                                    "--json", "-q")
            own = json.loads(done.out)["recommendation"]
            library = self.recommended("arm.json", "--fail", f"volume.max_loss={limit}", code=done.code)
            self.assertEqual(library["characters"][0]["recommendation"], own)

    def test_pages_are_written_too(self):
        self.succeed("report", "arm.json", "--recommend", "--fail", "volume.max_loss=50%", "-o", "p.html")
        self.assertIn("p.html", self.files())

    def test_a_number_that_is_not_finite_is_within_no_limit(self):
        limits = (("--fail", "error.max=9"), ("--fail", "error.rms=9"), ("--fail", "volume.max_loss=100%"))
        for limit in limits:
            self.assertEqual(self.recommended("arm.json", *limit)["all"]["recommendation"]["method"], "lbs")
        report = json.loads((self.folder / "arm.json").read_text())
        report["clips"].append({**report["clips"][0], "id": "other"})
        runs = report["meshes"][0]["runs"]
        for run in json.loads(json.dumps(runs)):
            run["clip"] = "other"
            for name in ("max", "rms", "max_relative"):
                run["error"][name] = None
            run["volume"]["max_loss"] = None
            runs.append(run)
        (self.folder / "arm.json").write_text(json.dumps(report))
        for limit in limits:
            with self.subTest(limit):
                library = self.recommended("arm.json", *limit, code=1)
                self.assertIsNone(library["all"]["recommendation"]["method"])
                self.assertNotIn("unmeasured", library["characters"][0]["recommendation"])

    def test_a_distance_below_0_is_refused(self):
        limits = ("--fail", "error.max=9", "--fail", "error.rms=9")
        good = json.loads((self.folder / "arm.json").read_text())
        for section, name in (("error", "max"), ("error", "rms"), ("error", "max_relative"), ("triangle_distortion", "worst")):
            report = json.loads(json.dumps(good))
            report["meshes"][0]["runs"][0][section][name] = -1
            (self.folder / "arm.json").write_text(json.dumps(report))
            self.fail_with(3, "report", "arm.json", "--recommend", *limits,
                           naming=("arm.json", f"/meshes/0/runs/0/{section}/{name}", "out of its range", "REPORT_INVALID"))
        report = json.loads(json.dumps(good))
        report["meshes"][0]["runs"][0]["error"]["per_frame"]["max"][3] = -1
        (self.folder / "arm.json").write_text(json.dumps(report))
        self.fail_with(3, "report", "arm.json", "--recommend", *limits, naming="/error/per_frame/max")
        report = json.loads(json.dumps(good))
        report["meshes"][0]["bbox_diagonal_m"] = -1
        (self.folder / "arm.json").write_text(json.dumps(report))
        self.fail_with(3, "report", "arm.json", "--recommend", *limits, naming="/bbox_diagonal_m")
        report = json.loads(json.dumps(good))
        report["meshes"][0]["runs"][0]["volume"]["max_loss"] = -1  # it grows
        (self.folder / "arm.json").write_text(json.dumps(report))
        self.recommended("arm.json", "--fail", "volume.max_loss=100%")

    def test_what_cannot_be_recommended_by_is_refused(self):
        self.fail_with(2, "report", "arm.json", "--recommend", naming="--fail volume.max_loss")
        self.fail_with(2, "report", "arm.json", "--fail", "error.max=1", "-o", "p.html", naming="--recommend")
        self.fail_with(2, "report", "arm.json", "--json", "-o", "p.html", naming="--json")
        self.fail_with(2, "report", "arm.json", naming="--output")
        self.fail_with(2, "report", "arm.json", "--recommend", "--fail", "error.max=1", "-o", "html:-", naming="--output")
        self.succeed("bake", ARM, "-q", "--metrics", "error", "--report", "error.json")
        self.fail_with(3, "report", "error.json", "--recommend", "--fail", "volume.max_loss=5%",
                       naming=("error.json", "REPORT_INVALID", "volume"))
        self.succeed("bake", ARM, "-q", "-o", "arm.pc2")
        self.succeed("diff", "arm.pc2", "arm.pc2", "--report", "d.json")
        self.fail_with(3, "report", "d.json", "--recommend", "--fail", "error.max=1", naming=("d.json", "a report of diff"))


if __name__ == "__main__":
    main()
