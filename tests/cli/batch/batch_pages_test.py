#!/usr/bin/env python3
"""The results of `skinbake batch` for build servers and pull requests: --report, --allow."""

import json
import shutil
import xml.etree.ElementTree as ElementTree

from support import CliTest, RIGS, TRIANGLE, main, strict_json, write_rig

KINDS = {"failures": "failure", "errors": "error", "skipped": "skipped"}


class Pages(CliTest):
    def setUp(self):
        super().setUp()
        for path in RIGS.glob("bent_arm.*"):
            shutil.copy(path, self.folder)
        write_rig(self.folder / "pair.gltf", ["left", "right"], clips=("a", "b"))
        (self.folder / "out").mkdir()

    def manifest(self, *jobs, **defaults):
        (self.folder / "jobs.json").write_text(json.dumps(
            {"schema": "skinbake.batch", "schema_version": "1.0", "defaults": defaults, "jobs": list(jobs)}))

    def suites(self, text):
        """The suites of JUnit XML, after its counts were compared with its elements."""
        root = ElementTree.fromstring(text)
        for element in [root, *root]:
            cases = list(element.iter("testcase"))
            self.assertEqual(int(element.get("tests")), len(cases))
            self.assertGreater(len(cases), 0)
            for attribute, tag in KINDS.items():
                self.assertEqual(int(element.get(attribute)), sum(case.find(tag) is not None for case in cases))
        return {suite.get("name"): suite for suite in root}

    def names(self, suite):
        return [case.get("name") for case in suite]

    def test_junit_has_a_case_for_each_mesh_clip_and_limit(self):
        self.manifest({"name": "pair", "rig": "pair.gltf", "clip": "all", "method": "dqs", "report": "out/{clip}.json",
                       "fail": ["error.max=1", "error.rms=0.5"]},
                      {"name": "arm", "rig": "bent_arm.gltf", "method": "dqs", "fail": "error.max=0.001",
                       "warn": "volume.max_loss=0", "report": "out/arm.json"})
        done = self.run_program("batch", "jobs.json", "--report", "r.xml")
        self.assertEqual(done.code, 1, done)
        suites = self.suites(self.read("r.xml"))
        self.assertEqual(set(suites), {"pair, pair.gltf, a", "pair, pair.gltf, b", "arm, bent_arm.gltf, bend_and_twist"})
        for clip in "ab":
            self.assertEqual(self.names(suites[f"pair, pair.gltf, {clip}"]),
                             [f"{mesh}, {clip}, dqs: {limit}" for mesh in ("left", "right")
                              for limit in ("error.max at most 1 m", "error.rms at most 0.5 m")])
        arm = suites["arm, bent_arm.gltf, bend_and_twist"]
        self.assertEqual(self.names(arm), ["arm, bend_and_twist, dqs: error.max at most 0.001 m",
                                           "arm, bend_and_twist, dqs: volume.max_loss at most 0 %"])
        self.assertIn("0.0273", arm[0].find("failure").get("message"))
        self.assertIsNone(arm[1].find("failure"))
        self.assertIn("warning", arm[1].find("system-out").text)

    def test_html_is_the_overview_of_the_reports_with_the_page_of_each(self):
        self.manifest({"name": "pair", "rig": "pair.gltf", "clip": "all", "report": "out/{clip}.json"},
                      {"name": "arm", "rig": "bent_arm.gltf", "method": "dqs", "report": "out/arm.json"})
        self.succeed("batch", "jobs.json", "--report", "library.html")
        pages = ["library.html", "library.a.html", "library.b.html", "library.arm.html"]
        self.assertLessEqual(set(pages), set(self.files()))
        for page in pages[1:]:
            self.assertIn(b'<nav><a href="library.html">', self.read(page))
        before = [(self.folder / page).read_bytes() for page in pages]
        self.succeed("report", "out/a.json", "out/b.json", "out/arm.json", "--overview", "-o", "library.html")
        self.assertEqual([(self.folder / page).read_bytes() for page in pages], before)
        self.succeed("batch", "jobs.json", "--report", "library.html")  # everything is up to date
        self.assertEqual([(self.folder / page).read_bytes() for page in pages], before)

    def test_html_shows_what_failed_tasks_have_left(self):
        (self.folder / "broken.gltf").write_text("{")
        self.manifest({"name": "broken", "rig": "broken.gltf", "report": "out/broken.json"},
                      {"name": "arm", "rig": "bent_arm.gltf", "report": "out/arm.json"})
        self.assertEqual(self.run_program("batch", "jobs.json", "--report", "library.html").code, 3)
        self.assertIn("library.arm.html", self.files())
        self.assertNotIn("library.broken.html", self.files())

    def test_html_omits_the_old_report_of_a_task_that_fails_now(self):
        shutil.copy(self.folder / "bent_arm.gltf", self.folder / "once.gltf")
        self.manifest({"name": "once", "rig": "once.gltf", "report": "out/once.json"},
                      {"name": "arm", "rig": "bent_arm.gltf", "report": "out/arm.json"})
        self.succeed("batch", "jobs.json", "--report", "library.html")
        self.assertIn(b"library.once.html", self.read("library.html"))
        (self.folder / "once.gltf").write_text("{")
        self.assertEqual(self.run_program("batch", "jobs.json", "--report", "library.html").code, 3)
        self.assertIn("out/once.json", self.files())
        self.assertNotIn(b"library.once.html", self.read("library.html"))
        self.assertIn(b"library.arm.html", self.read("library.html"))

    def test_html_needs_a_task_with_a_report(self):
        self.manifest({"name": "arm", "rig": "bent_arm.gltf", "output": "out/arm.pc2"})
        self.fail_with(2, "batch", "jobs.json", "--report", "library.html", naming=("--report", "the key 'report'"))

    def test_html_of_a_shard_without_a_report_is_not_written(self):
        self.manifest({"name": "arm", "rig": "bent_arm.gltf", "output": "out/arm.pc2"},
                      {"name": "pair", "rig": "pair.gltf", "clip": "a", "report": "out/pair.json"})
        errors = [self.succeed("batch", "jobs.json", "--shard", f"{i}/2", "--report", f"{i}.html").err for i in (1, 2)]
        self.assertEqual(sum("no page is written" in error for error in errors), 1, errors)
        self.assertEqual(sum(f"{i}.html" in self.files() for i in (1, 2)), 1)

    def test_no_other_output_has_the_name_of_a_page(self):
        arm = {"name": "arm", "rig": "bent_arm.gltf", "report": "out/arm.json"}
        self.manifest(arm)
        self.fail_with(2, "batch", "jobs.json", "--report", "library.html", "--report", "library.arm.html",
                       naming=("OUTPUT_TWICE", "library.arm.html"))
        self.manifest({**arm, "report": ["out/arm.json", "library.arm.html"]})
        self.fail_with(2, "batch", "jobs.json", "--report", "library.html", naming=("OUTPUT_TWICE", "library.arm.html"))

    def test_standard_output_has_one_result(self):
        self.manifest({"name": "arm", "rig": "bent_arm.gltf", "report": "out/arm.json"})
        self.fail_with(2, "batch", "jobs.json", "--report", "-", "--report", "markdown:-",
                       naming=("--report", "two reports are on standard output"))

    def test_a_list_of_tasks_says_that_no_result_is_written(self):
        self.manifest({"name": "arm", "rig": "bent_arm.gltf", "report": "out/arm.json"})
        done = self.succeed("batch", "jobs.json", "--dry-run", "--report", "r.xml")
        self.assertIn("r.xml: is not written, because this run does no task", done.err)
        self.assertNotIn("r.xml", self.files())

    def test_tasks_without_limits_errors_and_undone_tasks_are_cases(self):
        (self.folder / "broken.gltf").write_text("{")
        self.manifest({"name": "pair", "rig": "pair.gltf", "clip": "a", "output": "out/{mesh}.pc2"},
                      {"name": "bad <&\"", "rig": "broken.gltf", "output": "out/x.pc2"},
                      {"name": "later", "rig": "bent_arm.gltf", "output": "out/y.pc2"})
        self.assertEqual(self.run_program("batch", "jobs.json", "--report", "r.xml").code, 3)
        suites = self.suites(self.read("r.xml"))
        self.assertEqual(self.names(suites["pair, pair.gltf, a"]), ["left, a, lbs: done", "right, a, lbs: done"])
        (bad,) = suites['bad <&", broken.gltf']
        self.assertIn("exit code 3", bad.find("error").get("message"))
        self.assertIn("broken.gltf", bad.find("error").text)
        # --fail-fast leaves the tasks after the failure undone.
        done = self.run_program("batch", "jobs.json", "--state", "s.jsonl", "-j", "1", "--fail-fast", "--report", "junit:-")
        self.assertEqual(done.code, 3)
        self.assertEqual(sum(case.find("skipped") is not None
                             for suite in self.suites(done.out).values() for case in suite), 1)

    def test_a_page_that_cannot_be_written_is_refused_before_the_tasks(self):
        self.manifest({"name": "one", "rig": "bent_arm.gltf", "output": "out/a.pc2"})
        for form in ("json", "junit", "markdown"):
            self.fail_with(4, "batch", "jobs.json", "--report", f"{form}:jobs.json/r", naming="jobs.json/r")
        self.fail_with(2, "batch", "jobs.json", "--report", "r.txt", naming="'r.txt' has no form")
        self.fail_with(2, "batch", "jobs.json", "--report", "junti:r.xml", naming="'junti:r.xml' has no form")
        self.assertEqual([name for name in self.files() if name.startswith("out/")], [])

    def test_results_appear_all_or_none(self):
        self.manifest({"name": "one", "rig": "bent_arm.gltf", "output": "a.pc2", "report": "a.json"})
        results = ("s.json", "s.xml", "s.md")
        for path in results:
            (self.folder / path).write_text("older")
        words = [word for path in results for word in ("--report", path)]
        self.assertEqual(self.run_program("batch", "jobs.json", *words, "--report", "html:/dev/full").code, 4)
        for path in results:
            self.assertEqual((self.folder / path).read_text(), "older")

    def test_junit_of_a_shard_without_tasks_has_a_case(self):
        self.manifest({"name": "one", "rig": "bent_arm.gltf", "output": "out/a.pc2"})
        texts = [self.succeed("batch", "jobs.json", "--shard", f"{i}/2", "--report", "junit:-").out for i in (1, 2)]
        self.assertEqual(sorted(len(self.suites(text)) for text in texts), [1, 1])

    def test_pages_of_merged_shards_are_those_of_one_run(self):
        self.manifest(*({"name": f"j{i}", "rig": "bent_arm.gltf", "output": f"out/{i}.pc2", "method": "dqs",
                         "fail": f"error.max={limit}"} for i, limit in enumerate(("1", "0", "1", "0"))))
        pages = ("--report", "r.xml", "--report", "r.md", "--report", "r.json")
        self.run_program("batch", "jobs.json", *pages)
        one = {name: self.read(name) for name in ("r.xml", "r.md", "r.json")}
        for i in (1, 2, 3):
            self.run_program("batch", "jobs.json", "--shard", f"{i}/3")
        self.assertEqual(self.run_program("batch", "merge", "jobs.json",
                                          *(f"jobs.state.{i}-of-3.jsonl" for i in (1, 2, 3)), *pages).code, 1)
        self.assertEqual({name: self.read(name) for name in one}, one)

    def test_an_exceeded_limit_that_only_warns_is_shown(self):
        self.manifest({"name": "arm", "rig": "bent_arm.gltf", "report": "out/a.json", "method": "dqs", "warn": "error.max=1e-3"},
                      {"name": "kept", "rig": "bent_arm.gltf", "report": "out/b.json", "method": "dqs", "warn": "error.max=1"})
        pages = ("--report", "r.md", "--report", "r.json")
        for words in (("batch", "jobs.json"), ("batch", "jobs.json"), ("batch", "merge", "jobs.json", "jobs.state.jsonl")):
            done = self.succeed(*words, *pages)
            self.assertRegex(done.err, r"(?m)^skinbake: warning: error\.max at most 0\.001 m: exceeded in 1 place, worst: 0\.0273\d* m, "
                                       r"frame \d+ in arm, bend_and_twist, dqs of arm bent_arm\.gltf bend_and_twist$")
            self.assertRegex(self.read("r.md").decode(), r"\*\*Warnings\*\*\n\n- `error\.max at most 0\.001 m` exceeded in 1 place, worst: "
                             r"`0\.0273\d* m, frame \d+` in `arm`, `bend_and_twist`, `dqs` of `arm`, `bent_arm\.gltf`, `bend_and_twist`\n")
            warned, = self.json("r.json")["warned"]
            self.assertEqual((warned["limit"], warned["places"], warned["worst"]["job"], warned["worst"]["mesh"]),
                             ("error.max at most 0.001 m", 1, "arm", "arm"))

    def test_of_one_exit_code_the_limit_exceeded_most_comes_first(self):
        # Alphabetical order would begin with the job that exceeds its limit least.
        self.manifest(*({"name": name, "rig": "bent_arm.gltf", "output": f"out/{name}.pc2", "method": "dqs",
                         "fail": f"error.max={limit}"} for name, limit in (("a", "2e-2"), ("b", "1e-5"), ("c", "1e-3"))))
        done = self.run_program("batch", "jobs.json", "--report", "r.md", "-q")
        self.assertEqual(done.code, 1, done)
        self.assertIn("3 of 3 tasks failed; the worst is b ", done.err)
        rows = [line.split("`")[1] for line in self.read("r.md").decode().splitlines() if line.startswith("- ❌ exit")]
        self.assertEqual(rows, ["b", "c", "a"])
        again = self.run_program("batch", "jobs.json", "-q")  # by the state alone
        self.assertIn("the worst is b ", again.err)

    def test_markdown_begins_with_the_worst_failures_and_stays_short(self):
        (self.folder / "broken.gltf").write_text("{")
        self.manifest({"name": "broken", "rig": "broken.gltf", "output": "out/x.pc2"},
                      *({"name": f"limit-{i}-" + "n" * 100, "rig": "bent_arm.gltf", "output": f"out/{i}.pc2",
                         "method": "dqs", "fail": "error.max=0", "fps": 1} for i in range(300)))
        done = self.run_program("batch", "jobs.json", "--report", "r.md", "-q")
        self.assertEqual(done.code, 3, done)
        self.assertRegex(done.err, r"(?m)^skinbake: error: 301 of 301 tasks failed; the worst is broken broken\.gltf, exit 3: ")
        text = self.read("r.md").decode()
        self.assertLessEqual(len(text), 60_000)
        self.assertGreater(len(text), 40_000)
        lines = text.splitlines()
        self.assertEqual(lines[0], "### skinbake batch: ❌ 301 tasks failed of 301 tasks, 900 frames")
        failures = [line for line in lines if line.startswith("- ❌")]
        self.assertIn("exit 3: `broken`", failures[0])
        self.assertTrue(all("exit 1: `limit-" in line for line in failures[1:]))
        left = [line for line in lines if line.endswith("only in the JSON summary.")]
        self.assertEqual(left, [f"{301 - len(failures)} failed tasks are only in the JSON summary."])

    def test_markdown_shows_names_as_code(self):
        self.manifest({"name": "`@team` <b>|x", "rig": "bent_arm.gltf", "output": "out/a.pc2", "method": "dqs",
                       "fail": "error.max=0"})
        self.run_program("batch", "jobs.json", "--report", "r.md")
        text = self.read("r.md").decode()
        self.assertIn("<code>&#96;&#64;team&#96; &#60;b&#62;&#124;x</code>", text)


class Allow(CliTest):
    """A mesh that is not closed has the warning NO_VOLUME."""

    def setUp(self):
        super().setUp()
        write_rig(self.folder / "open.gltf", [f"m{i}" for i in range(9)], shape=TRIANGLE)
        self.bake = ("bake", "open.gltf", "--method", "dqs", "--report", "r.json", "--report", "r.md")

    def test_an_allowed_warning_is_no_error_of_strict_and_the_report_names_it(self):
        done = self.run_program(*self.bake, "--strict")
        self.assertEqual(done.code, 1, done)
        lines = [line for line in done.err.splitlines() if "warning" in line and "NO_VOLUME" in line]
        self.assertEqual(len(lines), 2, done)  # the warning, once, and the error of --strict
        self.assertRegex(lines[0], "; also at .*, .* and 6 more places")
        before = self.json("r.json")
        done = self.succeed(*self.bake, "--strict", "--allow", "NO_VOLUME")
        self.assertNotIn("NO_VOLUME", done.err)
        report = self.json("r.json")
        self.assertEqual(report.pop("allowed"), ["NO_VOLUME"])
        self.assertEqual(report, before)
        text = self.read("r.md").decode()
        self.assertIn("allowed: `NO_VOLUME`", text)
        self.assertNotIn("findings", text)
        self.succeed("report", "r.json", "-o", "again.md")
        self.assertEqual(self.read("again.md").decode(), text)

    def test_a_code_that_does_not_occur_is_not_in_the_report(self):
        self.succeed(*self.bake, "--allow", "CHANNEL_IGNORED")
        self.assertNotIn("allowed", self.json("r.json"))

    def test_other_warnings_still_count(self):
        self.assertEqual(self.run_program(*self.bake, "--strict", "--allow", "CHANNEL_IGNORED").code, 1)

    def test_words_that_are_not_codes_of_warnings_are_refused(self):
        for code, words in (("NO_VOLUM", "did you mean NO_VOLUME?"), ("NORMALS_MISSING", "not the code of a warning"),
                            ("RIG_INVALID", "not the code of a warning")):
            for command in (self.bake, ("inspect", "open.gltf"), ("diff", "open.gltf", "open.gltf"),
                            ("compare", "open.gltf", "--method", "lbs", "--method", "dqs"), ("batch", "jobs.json")):
                self.fail_with(2, *command, "--allow", code, naming=words)

    def test_a_batch_drops_it_from_its_summary(self):
        (self.folder / "jobs.json").write_text(json.dumps(
            {"schema": "skinbake.batch", "schema_version": "1.0", "defaults": {"strict": True},
             "jobs": [{"rig": "open.gltf", "method": "dqs", "report": "r.json"}]}))
        done = self.run_program("batch", "jobs.json", "--report", "s.json")
        self.assertEqual(done.code, 1, done)
        self.assertIn("[NO_VOLUME]; also at open.gltf /nodes/1, open.gltf /nodes/2 and 6 more places", done.err)
        self.assertEqual([group["places"] for group in self.json("s.json")["issues"] if group["code"] == "NO_VOLUME"], [9])
        done = self.succeed("batch", "jobs.json", "--report", "s.json", "--allow", "NO_VOLUME", "--report", "s.md")
        self.assertNotIn("NO_VOLUME", done.err)
        summary = self.json("s.json")
        self.assertEqual(summary["allowed"], {"NO_VOLUME": 1})
        self.assertNotIn("NO_VOLUME", [group["code"] for group in summary["issues"]])
        self.assertEqual(self.json("r.json")["allowed"], ["NO_VOLUME"])
        self.assertIn("allowed: `NO_VOLUME`", self.read("s.md").decode())

    def test_a_merge_has_the_warnings_of_its_shards(self):
        (self.folder / "jobs.json").write_text(json.dumps(
            {"schema": "skinbake.batch", "schema_version": "1.0",
             "jobs": [{"rig": "open.gltf", "method": "dqs", "report": "r.json"}]}))
        self.succeed("batch", "jobs.json", "--allow", "NO_VOLUME")
        merge = ("batch", "merge", "jobs.json", "jobs.state.jsonl")
        self.fail_with(3, *merge, naming="the same --set and --allow")
        self.succeed(*merge, "--allow", "NO_VOLUME", "--report", "s.json")
        self.assertEqual(self.json("s.json")["allowed"], {"NO_VOLUME": 1})


if __name__ == "__main__":
    main()
