#!/usr/bin/env python3
"""`skinbake report`: pages are well-formed for any report, and hostile reports are refused."""

import base64
import hashlib
import html.parser
import json
import os
import random
import re
import shutil
import subprocess
import xml.etree.ElementTree

from support import CliTest, RIGS, SOURCE, main

VOID = {"meta", "link", "br", "img", "input", "hr"}
HOSTILE = ('</script><script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "' onload='x",
           "a|b`c`|\\|", "@team #1 www.example.com", "</details>\n\n# heading", "<!--", "]]>&amp;&#0;",
           "\u202egnp", "\x00\x1b[31m\x7f", "*bold* _it_ [a](b)", "")


class Page(html.parser.HTMLParser):
    """Checks that tags are balanced and collects their content."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.texts, self.attributes = [], [], [], []
        self.feed(text)
        self.close()
        if self.open:
            raise ValueError(f"not closed: {self.open}")

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *attribute) for attribute in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *attribute) for attribute in attrs]

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            raise ValueError(f"</{tag}> closes nothing")

    def handle_data(self, data):
        self.texts.append((self.open[-1] if self.open else "", data.replace("\xa0", " ")))


class ReportCommandTest(CliTest):
    def bake(self, name="a.json", rig="bent_arm.gltf", *options):
        done = self.run_program("bake", RIGS / rig, "-q", "--report", name, *options)
        self.assertIn(done.code, (0, 1), done)
        return self.json(name)

    def write(self, name, report):
        (self.folder / name).write_text(report if isinstance(report, str) else json.dumps(report))

    def pages(self, *reports):
        self.succeed("report", *reports, "-o", "out.html", "-o", "out.md", "-o", "out.xml")
        return (self.read("out.html").decode(), self.read("out.md").decode(), self.read("out.xml").decode())

    def check_pages(self, *reports):
        page, markdown, junit = self.pages(*reports)
        return Page(page), markdown, xml.etree.ElementTree.fromstring(junit)

    def test_a_page_contains_its_charts_and_has_no_external_resources(self):
        self.bake("lbs.json", "bent_arm.gltf", "--reference", "dqs")
        self.bake("cor.json", "bent_arm.gltf", "--method", "cor", "--reference", "dqs")
        text = self.pages("lbs.json", "cor.json")[0]
        page = Page(text)
        charts = [value for tag, name, value in page.attributes if (tag, name) == ("svg", "class")]
        self.assertEqual((charts.count("chart"), charts.count("heat"), charts.count("bars")), (3, 2, 2))
        curves = [value for tag, name, value in page.attributes if (tag, name) == ("path", "data-name")]
        self.assertEqual(curves, ["A: lbs", "B: cor"] * 3)
        for tag, name, value in page.attributes:
            self.assertNotIn(name, ("src", "href", "style"), tag)
            self.assertFalse(name.startswith("on"), (tag, name))
        without_names = text.replace("http://www.w3.org/2000/svg", "")  # a namespace, not an address
        self.assertNotRegex(without_names, r"https?:|@import|url\(")

    def test_the_content_security_policy_allows_only_the_page_s_script(self):
        self.bake()
        text = self.pages("a.json")[0]
        scripts = re.findall(r"<script>(.*?)</script>", text, re.S)
        self.assertEqual(len(scripts), 1)
        # The script of the charts follows, if the build has it.
        own = (SOURCE / "lib/report/pages/html/page.js").read_text()
        self.assertTrue(scripts[0].startswith(own))
        self.assertIn(len(scripts[0]) - len(own) > 10_000, (scripts[0] != own,))
        digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
        self.assertIn(f"script-src 'sha256-{digest}'", text)

    def test_curves_pass_through_the_values(self):
        report = self.bake("a.json", "twisted_tube.gltf")
        loss = report["meshes"][0]["runs"][0]["volume"]["per_frame"]["loss"]
        page = Page(self.pages("a.json")[0])
        values = dict()
        for tag, name, value in page.attributes:
            values.setdefault((tag, name), []).append(value)
        told = values["path", "data-values"][0].split()
        self.assertEqual(values["path", "data-frames"][0].split(), [str(frame) for frame in range(len(loss))])
        path = next(value for value in values["path", "d"] if value.count("L") == len(loss) - 1)
        drawn = [float(y) for y in re.findall(r"[ML][-.\d]+ ([-.\d]+)", path)]
        bottom, top, high = max(drawn), min(drawn), max(loss)
        for expected, value, y in zip(loss, told, drawn, strict=True):
            self.assertAlmostEqual(float(value), expected, delta=1e-6 * high)
            # Coordinates have one decimal.
            self.assertAlmostEqual((y - bottom) / (top - bottom) * high, expected, delta=0.001 * high)

    def test_long_clips_keep_their_peaks(self):
        report = self.bake("a.json", "two_joints.gltf", "--per-vertex", "none")
        frames = 100_003
        run = report["meshes"][0]["runs"][0]
        report["clips"][0]["frame_count"] = run["frame_count"] = frames
        for series in run["error"]["per_frame"].values():
            series[:] = [0] * frames
        for section in (run["volume"], *run["volume"]["joints"]):
            for name in section["per_frame"]:
                section["per_frame"][name] = [0] * frames
        run["error"]["per_frame"]["max"][77_777] = 0.5
        run["error"]["per_frame"]["max"][77_778] = None
        self.write("a.json", report)
        text = self.pages("a.json")[0]
        self.assertLess(len(text), 200_000)
        path = re.search(r'Largest error of a vertex</figcaption>.*? d="(M[^"]*)"><title>', text, re.S)[1]
        points = re.findall(r"[ML]([-.\d]+) ([-.\d]+)", path)
        self.assertIn("10", [y for _, y in points])  # the top of the drawing
        self.assertLessEqual(len(points), 600)

    def compare(self, name, code, *options):
        done = self.run_program("compare", RIGS / "twisted_tube.gltf", "-q", *options, "--report", name)
        self.assertEqual(done.code, code, done)
        return self.json(name)

    def test_a_recommendation_is_shown_and_one_that_fails_is_a_failure(self):
        for methods, code, word, answer in (
                ("lbs,dqs", 0, "pass", "dqs is the cheapest method within --max-volume-loss 5 %"),
                ("lbs", 1, "fail", "no method is within --max-volume-loss 5 %; lbs comes nearest, with volume.max_loss 66.67 % "
                                   "at mesh 'tube', clip 'twist', frame 30")):
            with self.subTest(methods):
                candidates = self.compare("r.json", code, "--methods", methods, "--recommend", "--max-volume-loss",
                                          "5%")["recommendation"]["candidates"]
                page, markdown, junit = self.check_pages("r.json")
                texts = [data for _, data in page.texts]
                self.assertIn(answer, texts)
                self.assertIn(f"twisted_tube: {word}, skinbake report", texts)
                self.assertIn(answer, markdown)
                self.assertIn("\u2705" if code == 0 else "\u274c no method", markdown.splitlines()[0])
                self.assertEqual((junit.get("tests"), junit.get("failures")), ("1", str(code)))
                case = next(junit.iter("testcase"))
                self.assertEqual(case.get("name"), "--recommend --max-volume-loss 5 %")
                self.assertEqual(case.find("system-out").text, answer)
                self.assertEqual(case.find("failure") is None, code == 0)
                for candidate in candidates:
                    loss = f"{candidate['values'][0]['value'] * 100:.4g} %"
                    row = f"| `{candidate['method']}` | {candidate['cost']:.4g} | {loss} | {'yes' if candidate['within'] else 'no'} |"
                    self.assertIn(row, markdown)
                    self.assertIn(loss, texts)

    def test_explanations_are_shown(self):
        explain = self.compare("r.json", 0, "--methods", "lbs,dqs", "--explain", "2")["explain"]
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

    def test_failures_and_the_worst_values_come_first_in_markdown(self):
        report = self.bake("a.json", "bent_arm.gltf", "--fail-rms-relative", "50%", "--per-vertex", "none")
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

    def test_a_self_test_is_shown_and_one_that_fails_is_a_failure(self):
        self.succeed("bake", RIGS / "two_joints.gltf", "-o", "a.npy", "-q")
        self.succeed("diff", "a.npy", "a.npy", "-q", "--fail-max", "0.01", "--self-test", "--report", "r.json")
        report = self.json("r.json")
        for wrong in (False, True):
            if wrong:
                report["self_test"][1]["passed"] = False
            self.write("r.json", report)
            page, markdown, junit = self.check_pages("r.json")
            texts = [data for _, data in page.texts]
            self.assertIn(f"r: {'fail' if wrong else 'pass'}, skinbake report", texts)
            self.assertIn("❌ a limit does not do" if wrong else "✅", markdown.splitlines()[0])
            self.assertEqual((junit.get("tests"), junit.get("failures")), ("3", str(int(wrong))))
            for test, words in zip(report["self_test"], ("caught", "caught, which is wrong" if wrong else "kept"), strict=True):
                self.assertEqual(test["moved_by_m"], 0.02 if words == "caught" else 0.005)
                text = f"1 vertex moved by {test['moved_by_m']:.4g} m in 1 frame: {test['value']:.4g} m, {words}"
                self.assertIn("--self-test of --fail-max 0.01 m", texts)
                self.assertIn(text, texts)
                self.assertIn(f"`{text}`", markdown)
                self.assertIn(text, [case.find("system-out").text for case in junit.iter("testcase")])

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

    def hostile(self):
        report = self.bake("a.json", "bent_arm.gltf", "--fail-volume-loss", "1%", "--warn-max", "1")
        names = iter(HOSTILE * 20)
        for check in report["verdict"]["checks"]:
            for key in ("option", "metric", "mesh", "clip", "method"):
                check[key] = next(names)
        report["issues"].append({"code": next(names), "severity": "warning", "file": next(names),
                                 "pointer": next(names), "message": next(names), "count": 1})
        report["tool"]["version"] = next(names)
        for record in report["inputs"]:
            record["role"], record["path"] = next(names), next(names)
        run = report["meshes"][0]["runs"][0]
        run["error"]["reference"] = next(names)
        for section in ("error", "volume"):
            run[section][next(names) + "x"] = 1
        for joint, name in zip(run["volume"]["joints"], HOSTILE * 5):
            joint["joint"] = name
        run["a" + HOSTILE[0]] = {"per_frame": {HOSTILE[1]: [1e308] * run["frame_count"]}, "unit": "rad", HOSTILE[1]: 1,
                                 HOSTILE[1] + "_at": {"frame": 1, "time_s": 0, "joint": HOSTILE[2]}}
        template = json.dumps(run)
        report["clips"] = [{**report["clips"][0], "id": name} for name in HOSTILE]
        joint = {"joint_index": 0, "weight": 1, "angle_rad": 1e308, "flipped": True, "scale": 1e-308, "mirrored": True}
        report["explain"] = [{"mesh": name, "clip": name, "method": name, "reference": name, "vertex": 0, "primitive": 0,
                              "primitive_vertex": 0, "frame": 1, "time_s": 0, "error_m": 1, "widest": None,
                              "influences": [{"joint": name, **joint}] * 2, "cause": name} for name in HOSTILE]
        report["recommendation"] = {
            "method": HOSTILE[0], "costs_measured_on": HOSTILE[1],
            "limits": [{"option": HOSTILE[2], "metric": HOSTILE[3], "limit": 1, "unit": "m"}],
            "candidates": [{"method": name, "cost": None, "within": False, "pareto": True, "values": [{"value": None}]}
                           for name in HOSTILE]}
        at = {"frame": 1, "time_s": 0, "vertex": 1}
        report["verification"] = [{"path": name, "format": name, "mesh": name, "clip": name, "method": name, "max_m": None,
                                   "bound_m": 1e308, "passed": False, "at": at} for name in HOSTILE]
        report["self_test"] = [{"option": name, "limit": None, "unit": "m", "moved_by_m": 1, "vertices": 1, "frames": 1,
                                "value": None, "expected": "kept", "passed": False} for name in HOSTILE]
        report["changes"] = {"compared": 5, "count": 10 ** 12,
                             "values": [{"pointer": name, "a": name, "b": None} for name in HOSTILE]}
        report["meshes"] = [{**report["meshes"][0], "id": name,
                             "runs": [{**json.loads(template), "clip": name, "method": name}]} for name in HOSTILE]
        return report

    def test_names_are_escaped(self):
        expected = Page(self.pages(self.write("a.json", self.bake()) or "a.json")[0])
        self.write("hostile.json", self.hostile())
        text, markdown, junit = self.pages("hostile.json")
        page = Page(text)
        self.assertEqual(set(page.tags), set(expected.tags) | {"code", "br", "p"} | set(page.tags) & {"path"})
        self.assertEqual(page.tags.count("script"), 1)
        self.assertFalse([a for a in page.attributes if a[1].startswith("on") or a[1] in ("src", "href")])
        shown = "".join(data for tag, data in page.texts if tag == "bdi")
        for name in HOSTILE[:3]:
            self.assertIn(name, shown)
        suite = xml.etree.ElementTree.fromstring(junit)
        self.assertTrue([case for case in suite.iter("testcase") if HOSTILE[0] in case.get("name")])
        for text in (page, markdown, junit):
            self.assertNotRegex(text if isinstance(text, str) else "".join(d for _, d in text.texts),
                                r"[\x00-\x08\x0b-\x1f\x7f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
        # In Markdown, names from a report are code spans.
        outside = re.sub(r"`[^`\n]*`|<code>[^<\n]*</code>", "", markdown)
        for mark in ("alert", "@team", "www.", "bold", "heading"):
            self.assertNotIn(mark, outside)
        rows = [line for line in markdown.splitlines() if line.startswith("| ")]
        self.assertEqual({row.count("|") for row in rows}, {4, 6, 7, 10})  # changes, methods, others, measurements

    def test_junit_is_well_formed_for_xmllint(self):
        xmllint = shutil.which("xmllint")
        if xmllint is None and os.environ.get("CI") != "true":
            self.skipTest("no xmllint; scripts/setup --ci installs it")
        self.write("hostile.json", self.hostile())
        self.pages("hostile.json")
        done = subprocess.run(["xmllint", "--noout", self.folder / "out.xml"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_junit_counts_failures(self):
        self.bake("a.json", "twisted_tube.gltf", "--fail-volume-loss", "5%", "--fail-rms", "1", "--warn-volume-loss", "1%")
        suites = self.check_pages("a.json", "a.json")[2]
        self.assertEqual((suites.get("tests"), suites.get("failures")), ("6", "2"))
        for suite in suites:
            self.assertEqual((suite.get("tests"), suite.get("failures")), ("3", "1"))
            failed = [case.get("name") for case in suite.iter("testcase") if case.find("failure") is not None]
            self.assertEqual(failed, ["tube, twist, lbs: --fail-volume-loss 5 %"])
            for case in suite.iter("testcase"):
                self.assertRegex(case.find("system-out").text, r"\d.*, limit .*: mesh 'tube'")

    def test_damaged_reports_are_refused_or_shown_but_never_crash(self):
        text = json.dumps(self.bake("a.json", "two_joints.gltf", "--fail-max", "1"))
        chance = random.Random(5)
        codes = set()
        for turn in range(150):
            damaged = bytearray(text.encode())
            for _ in range(chance.randint(1, 4)):
                at = chance.randrange(len(damaged))
                piece = chance.choice((b"", b"null", b"-1", b"1e999", b"{}", b"[", b'"', b"1e300", b"\xff", b"0.5"))
                damaged[at:at + chance.randint(0, 6)] = piece
            (self.folder / "damaged.json").write_bytes(damaged)
            done = self.run_program("report", "damaged.json", "-o", "damaged.html", "-o", "damaged.xml")
            self.assertIn(done.code, (0, 3), done)
            if done.code == 3:
                self.assertRegex(done.err, r"\Askinbake: error: damaged.json[^\n]+\n\Z")
            codes.add(done.code)
        self.assertIn(3, codes)

    def test_every_member_of_a_report_is_checked(self):
        report = self.bake("a.json", "bent_arm.gltf", "--fail-max", "1")
        asked = self.compare("r.json", 0, "--methods", "lbs,dqs", "--explain", "1", "--recommend", "--max-volume-loss", "5%")
        report["explain"], report["recommendation"] = asked["explain"], asked["recommendation"]
        report["changes"] = {"compared": 2, "count": 1, "values": [{"pointer": "/a", "a": None, "b": "1"}]}
        report["meshes"][0]["runs"][0]["difference"] = {"vertices": 1, "frames": 1}
        report["verification"] = [{"path": "a.pc2", "format": "pc2", "mesh": "a", "clip": None, "method": "lbs", "max_m": 1,
                                   "bound_m": 2, "passed": True, "at": {"frame": 1, "time_s": 1, "vertex": 1}}]
        report["self_test"] = [{"option": None, "limit": None, "unit": "m", "moved_by_m": 1, "vertices": 1, "frames": 1,
                                "value": 1, "expected": "kept", "passed": True}]
        run = ("meshes", 0, "runs", 0)
        for path, value in (
                (("schema",), "skinbake.cache"), (("schema_version",), "2.0"), (("command",), "erase"),
                (("verdict", "status"), "good"), (("verdict", "checks", 0, "value"), "1"),
                (("verdict", "checks", 0, "passed"), 1), (("clips", 0, "fps"), 0),
                (("clips", 0, "frame_count"), 10 ** 12), (("clips", 0, "frame_step"), 0),
                (("inputs", 0, "bytes"), -1), (("meshes",), {}), (("meshes", 0, "vertex_count"), 1.5),
                ((*run, "clip"), "no such clip"), ((*run, "frame_count"), 3), ((*run, "method"), 5),
                ((*run, "error", "per_frame", "rms"), [1, 2]), ((*run, "error", "max_at", "frame"), "0"),
                ((*run, "error", "per_vertex", "max"), [0]),
                ((*run, "error", "unit"), "m<"), (("verdict", "checks", 0, "unit"), "*m*"),
                ((*run, "volume", "joints", 0, "per_frame", "loss", 0), "0"), (("explain", 0, "vertex"), -1),
                (("explain", 0, "influences"), 1), (("explain", 0, "influences", 0, "weight"), "1"),
                (("recommendation", "limits", 0, "unit"), "<"), (("recommendation", "candidates", 0, "values"), []),
                (("verification", 0, "path"), 1), (("verification", 0, "bound_m"), None),
                (("verification", 0, "at", "vertex"), -1), (("verification", 0, "passed"), "yes"),
                (("self_test", 0, "expected"), "caught"), (("self_test", 0, "unit"), "<"),
                (("self_test", 0, "vertices"), -1), (("self_test",), 1),
                (("changes",), []), (("changes", "values", 0, "pointer"), 1), ((*run, "difference", "vertices"), 0.5)):
            with self.subTest(path):
                damaged = json.loads(json.dumps(report))
                place = damaged
                for key in path[:-1]:
                    place = place[key]
                place[path[-1]] = value
                self.write("bad.json", damaged)
                shown = path[:-1] if path[-2:] == ("loss", 0) else path
                self.fail_with(3, "report", "bad.json", "-o", "x.html",
                               naming=("bad.json /" + "/".join(map(str, shown)), "REPORT_INVALID"))

    def test_a_diff_of_caches_without_sidecars_is_shown(self):
        for name, method in (("a.npy", "lbs"), ("b.npy", "dqs")):
            self.succeed("bake", RIGS / "bent_arm.gltf", "-o", name, "--method", method, "-q")
            (self.folder / (name + ".json")).unlink()
        done = self.run_program("diff", "a.npy", "b.npy", "--report", "d.json", "-q", "--fail-max", "1e-6")
        self.assertEqual(done.code, 1, done)
        page, markdown, _ = self.pages("d.json")
        self.assertIn("| `a` | `unknown` | `unknown` | 61 |", markdown)
        shown = re.sub(r"<script>.*?</script>", "", page, flags=re.S)
        self.assertNotIn("rest pose", shown + markdown)

    def test_a_report_above_the_memory_limit_is_refused(self):
        self.bake()
        self.fail_with(3, "report", "a.json", "-o", "x.html", "--max-memory", "200K", naming=("--max-memory", "MEMORY_LIMIT"))
        self.write("deep.json", "[" * 100_000)
        self.fail_with(3, "report", "deep.json", "-o", "x.html", naming="REPORT_INVALID")
        self.write("wide.json", "[" + "{}," * 200_000 + "{}]")
        self.fail_with(3, "report", "wide.json", "-o", "x.html", "--max-memory", "4M", naming="MEMORY_LIMIT")

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
        report = self.compare("r.json", 0, "--methods", "lbs,dqs", "--metrics", "all")
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
        report = self.compare("r.json", 0, "--methods", "lbs,dqs", "--metrics", "error,volume,triangle_distortion")
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

    def test_a_page_does_not_depend_on_the_run_or_the_folder(self):
        self.bake()
        first = self.pages("a.json")
        self.assertEqual(self.pages(self.folder / "a.json"), first)
        self.assertNotIn(str(self.folder), "".join(first))

    def test_bake_and_compare_write_the_pages_of_report(self):
        for command, rig, *options in (("bake", "twisted_tube.gltf", "--method", "dqs"),
                                       ("bake", "bent_tube.glb", "--per-vertex", "none"),
                                       ("compare", "bent_arm.gltf", "--methods", "lbs,dqs", "--per-vertex", "json")):
            with self.subTest(rig):
                done = self.run_program(command, RIGS / rig, "-q", *options, "--fail-volume-loss", "1%",
                                        "--report", "r.json", "--html", "r.html", "--markdown", "r.md",
                                        "--junit", "r.xml", "--depfile", "r.d")
                self.assertIn(done.code, (0, 1), done)
                pages = self.pages("r.json")
                self.assertEqual(pages, tuple(self.read(f"r.{e}").decode() for e in ("html", "md", "xml")))
                Page(pages[0])
                self.assertIn("r.json r.html r.md r.xml :", self.read("r.d").decode())

    def test_a_page_alone_is_an_output(self):
        self.succeed("bake", RIGS / "two_joints.gltf", "-q", "--html", "r.html")
        self.assertIn("<title>two_joints, skinbake report<", self.read("r.html").decode())
        self.fail_with(2, "bake", RIGS / "two_joints.gltf", "--junit", "-", naming="--junit")
        self.fail_with(2, "bake", RIGS / "two_joints.gltf", "--html", "x", "--report", "x", naming="OUTPUT_TWICE")
        self.bake()
        self.fail_with(2, "report", "a.json", "-o", "x.md", "-o", "./x.md", naming="name them differently [OUTPUT_TWICE]")
        self.fail_with(4, "bake", RIGS / "two_joints.gltf", "-o", "x.pc2", "--html", "none/x", naming="none/x")

    def test_either_all_pages_are_written_or_none(self):
        self.bake()
        self.write("out.html", "old")
        self.fail_with(4, "report", "a.json", "-o", "out.html", "-o", "none/out.xml", naming="none/out.xml")
        self.assertEqual(self.read("out.html"), b"old")

    def of_diff(self, code, *arguments):
        done = self.run_program("diff", *arguments, "--html", "d.html", "--markdown", "d.md", "--junit", "d.xml")
        self.assertEqual(done.code, code, done)
        return tuple(self.read(f"d.{extension}").decode() for extension in ("html", "md", "xml"))

    def test_diff_writes_the_pages_of_report(self):
        arm = RIGS / "bent_arm.gltf"
        self.succeed("bake", arm, "-o", "a.pc2")
        for sides, code in ((("a.pc2", "a.pc2"), 0), (("a.pc2", arm, "--method", "dqs", "--explain", "2"), 1),
                            (("a.pc2", arm, "--method", "dqs", "--fail-max", "1", "--self-test"), 0),
                            (("a.pc2", arm, "--method", "dqs", "--fail-max", "1e-3", "--warn-rms", "0"), 1)):
            for per_vertex in ("json", "npy", "none"):
                pages = self.of_diff(code, *sides, "--report", "d.json", "--per-vertex", per_vertex)
                self.assertEqual(pages, self.pages("d.json"), (sides, per_vertex))

    def test_diff_of_reports_writes_the_pages_of_report(self):
        for method in ("lbs", "dqs"):
            self.succeed("bake", RIGS / "bent_arm.gltf", "--method", method, "-q", "--report", f"{method}.json")
        self.assertEqual(self.of_diff(1, "lbs.json", "dqs.json", "--report", "d.json"), self.pages("d.json"))
        self.assertEqual(self.of_diff(0, "lbs.json", "lbs.json", "--report", "d.json"), self.pages("d.json"))

    def test_pages_of_diff_do_not_need_a_report(self):
        self.succeed("bake", RIGS / "two_joints.gltf", "-o", "a.pc2")
        self.succeed("bake", RIGS / "two_joints.gltf", "-o", "b.pc2", "--method", "dqs")
        page, _, junit = self.of_diff(1, "a.pc2", "b.pc2")
        self.assertIn("<title>b: fail, skinbake report<", page)
        self.assertIn('name="skinbake diff b.pc2"', junit)
        for wrong in (("--html", "a.pc2"), ("--html", "x", "--junit", "x"), ("--junit", "-"), ("--view",)):
            self.fail_with(2, "diff", "a.pc2", "b.pc2", *wrong)
        self.fail_with(4, "diff", "a.pc2", "b.pc2", "--report", "r.json", "--html", "none/x", naming="none/x")


if __name__ == "__main__":
    main()
