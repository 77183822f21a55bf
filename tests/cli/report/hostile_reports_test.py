#!/usr/bin/env python3
"""`skinbake report`: pages are well-formed for hostile names, and damaged reports are refused."""

import json
import os
import random
import re
import shutil
import subprocess
import xml.etree.ElementTree

from pages_case import Page, PagesCase
from support import AT_ONCE, main

HOSTILE = ('</script><script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "' onload='x",
           "a|b`c`|\\|", "@team #1 www.example.com", "</details>\n\n# heading", "<!--", "]]>&amp;&#0;",
           "\u202egnp", "\x00\x1b[31m\x7f", "*bold* _it_ [a](b)", "")


class HostileNames(PagesCase):
    def hostile(self):
        report = self.bake("a.json", "bent_arm.gltf", "--fail", "volume.max_loss=1%", "--warn", "error.max=1")
        names = iter(HOSTILE * 20)
        for check in report["verdict"]["checks"]:
            for key in ("key", "mesh", "clip", "method"):
                check[key] = next(names)
        report["issues"].append({"code": "CLIP_UNUSED", "severity": "warning", "file": next(names),
                                 "pointer": "/" + next(names), "message": next(names), "count": 1})
        report["tool"]["version"] = next(names)
        for record in report["inputs"]:
            record["path"] = next(names) or "x"
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
        joint = {"joint_index": 0, "weight": 1, "angle_rad": 3, "flipped": True, "scale": 1e-308, "mirrored": True}
        report["explain"] = [{"mesh": name, "clip": name, "method": name, "reference": name, "vertex": 0, "primitive": 0,
                              "primitive_vertex": 0, "frame": 1, "time_s": 0, "error_m": 1, "widest": None,
                              "influences": [{"joint": name, **joint}] * 2, "cause": name} for name in HOSTILE]
        report["recommendation"] = {
            "method": HOSTILE[0], "costs_measured_on": HOSTILE[1],
            "limits": [{"key": HOSTILE[2], "limit": 1, "unit": "m"}],
            "candidates": [{"method": name, "cost": None, "within": False, "pareto": True, "values": [{"value": None}]}
                           for name in HOSTILE]}
        at = {"frame": 1, "time_s": 0, "vertex": 1}
        report["verification"] = [{"path": name or "x", "format": name, "mesh": name, "clip": name, "method": name, "max_m": None,
                                   "bound_m": 1e308, "passed": False, "at": at} for name in HOSTILE]
        report["meshes"] = [{**report["meshes"][0], "id": name,
                             "runs": [{**json.loads(template), "clip": name, "method": name}]} for name in HOSTILE]
        return report

    def test_names_are_escaped(self):
        expected = Page(self.pages(self.write("a.json", self.bake()) or "a.json")[0])
        self.write("hostile.json", self.hostile())
        text, markdown, junit = self.pages("hostile.json")
        page = Page(text)
        self.assertLessEqual(set(page.tags), set(expected.tags) | {"code", "br", "p", "ul", "li", "rect", "g", "path", "title"})
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

    def test_junit_is_well_formed_for_xmllint(self):
        xmllint = shutil.which("xmllint")
        if xmllint is None and os.environ.get("CI") != "true":
            self.skipTest("no xmllint; scripts/setup --ci installs it")
        self.write("hostile.json", self.hostile())
        self.pages("hostile.json")
        done = subprocess.run(["xmllint", "--noout", self.folder / "out.xml"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class DamagedReports(PagesCase):
    def test_files_of_a_batch_are_no_reports(self):
        for schema in ("skinbake.batch", "skinbake.batch.summary"):
            self.write("b.json", json.dumps({"schema": schema, "schema_version": "1.0"}))
            self.fail_with(3, "report", "b.json", "-o", "b.html", naming=("b.json", "reports of its tasks"))

    def test_damaged_reports_are_refused_or_shown_but_never_crash(self):
        text = json.dumps(self.bake("a.json", "two_joints.gltf", "--fail", "error.max=1"))
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
        report = self.bake("a.json", "bent_arm.gltf", "--fail", "error.max=1")
        asked = self.compare("r.json", 0, "--method", "lbs", "--method", "dqs", "--explain", "1", "--recommend", "--fail", "volume.max_loss=5%")
        report["explain"], report["recommendation"] = asked["explain"], asked["recommendation"]
        report["meshes"][0]["runs"][0]["difference"] = {
            "identical": False, "vertices": 1, "frames": 1, "at_max": {"a": [0, 0, 0], "b": [0, 0, 1]}, "over": []}
        report["verification"] = [{"path": "a.pc2", "format": "pc2", "mesh": "a", "clip": None, "method": "lbs", "max_m": 1,
                                   "bound_m": 2, "passed": True, "at": {"frame": 1, "time_s": 1, "vertex": 1}}]
        run = ("meshes", 0, "runs", 0)
        for path, value in (
                (("schema_version",), "3.0"), (("command",), "erase"),
                (("verdict", "status"), "good"), (("verdict", "checks", 0, "value"), "1"),
                (("verdict", "checks", 0, "passed"), 1), (("clips", 0, "fps"), 0), (("clips", 0, "frame_step"), 0),
                (("inputs", 0, "bytes"), -1), (("meshes",), {}), (("meshes", 0, "vertex_count"), 1.5),
                ((*run, "method"), 5), ((*run, "error", "max_at", "frame"), "0"),
                ((*run, "error", "unit"), "m<"), (("verdict", "checks", 0, "unit"), "*m*"),
                ((*run, "volume", "joints", 0, "per_frame", "loss", 0), "0"), (("explain", 0, "vertex"), -1),
                (("explain", 0, "influences"), 1), (("explain", 0, "influences", 0, "weight"), "1"),
                (("verification", 0, "path"), 1), (("verification", 0, "at", "vertex"), -1),
                (("verification", 0, "passed"), "yes"), ((*run, "difference", "vertices"), 0.5)):
            with self.subTest(path):
                damaged = json.loads(json.dumps(report))
                place = damaged
                for key in path[:-1]:
                    place = place[key]
                place[path[-1]] = value
                self.write("bad.json", damaged)
                self.fail_with(3, "report", "bad.json", "-o", "x.html",
                               naming=("bad.json /" + "/".join(map(str, path)), "REPORT_INVALID"))

    def test_a_frame_at_a_time_that_rounding_changes_is_drawn(self):
        report = self.bake("a.json", "bent_arm.gltf")
        run = report["meshes"][0]["runs"][0]
        run["frame_count"] = 1
        for series in [run["error"]["per_frame"], run["volume"]["per_frame"],
                       *(joint["per_frame"] for joint in run["volume"]["joints"])]:
            for name in series:
                series[name] = [0 if name == "max_vertex" else 0.5]
        for fps in (1e-5, 1.25e-4):  # 1e17 s and 8e15 s
            report["clips"][0].update({"fps": fps, "first_frame": 10 ** 12, "frame_count": 1})
            self.write("far.json", report)
            self.succeed("report", "far.json", "-o", "out.html", timeout=AT_ONCE)
            self.assertLess(len(self.read("out.html")), 1_000_000)

    def test_a_report_above_the_memory_limit_is_refused(self):
        self.bake()
        self.fail_with(3, "report", "a.json", "-o", "x.html", "--max-memory", "200K", naming=("--max-memory", "MEMORY_LIMIT"))
        self.write("deep.json", "[" * 100_000)
        self.fail_with(3, "report", "deep.json", "-o", "x.html", naming="REPORT_INVALID")
        self.write("wide.json", "[" + "{}," * 200_000 + "{}]")
        self.fail_with(3, "report", "wide.json", "-o", "x.html", "--max-memory", "20M", naming="REPORT_INVALID")


if __name__ == "__main__":
    main()
