#!/usr/bin/env python3
"""Which files `skinbake report` reads and keeps apart: sidecars among reports, characters of equal names."""

import re

from support import CliTest, RIGS, main


class Sidecars(CliTest):
    def setUp(self):
        super().setUp()
        self.succeed("bake", RIGS / "two_joints.gltf", "-q", "-o", "p1.pc2", "--report", "p1.json")

    def test_a_sidecar_among_reports_is_skipped_with_a_warning(self):
        alone = self.succeed("report", "p1.json", "-o", "markdown:-").out
        done = self.succeed("report", "p1.json", "p1.pc2.json", "-o", "markdown:-")
        self.assertEqual(done.out, alone)
        self.assertRegex(done.err, r"\Askinbake: warning: p1\.pc2\.json: [^\n]*sidecar[^\n]* \[REPORT_SKIPPED\]\n\Z")

    def test_strict_fails_for_a_skipped_sidecar_unless_it_is_allowed(self):
        command = ("report", "p1.json", "p1.pc2.json", "-o", "x.html", "--strict")
        done = self.run_program(*command)
        self.assertEqual(done.code, 1, done)
        self.assertIn("--strict: there are warnings: REPORT_SKIPPED", done.err)
        self.assertEqual(self.succeed(*command, "--allow", "REPORT_SKIPPED").err, "")

    def test_a_sidecar_alone_is_refused(self):
        self.fail_with(3, "report", "p1.pc2.json", "-o", "x.html", naming=("p1.pc2.json", "REPORT_INVALID"))

    def test_another_file_among_reports_is_refused(self):
        for text in ("{}", "[]", "x", '{"schema": 1}', '{"schema": "skinbake.list"}'):
            (self.folder / "other.json").write_text(text)
            self.fail_with(3, "report", "p1.json", "other.json", "-o", "x.html", naming=("other.json", "REPORT_INVALID"))


class Characters(CliTest):
    def headings(self, *reports):
        return re.findall(r"<h3>(.*?)</h3>", self.succeed("report", *reports, "-o", "html:-").out)

    def test_characters_of_equal_meshes_are_drawn_apart(self):
        for name in ("hero", "orc"):
            for suffix in (".gltf", ".bin"):
                (self.folder / (name + suffix)).write_bytes((RIGS / "bent_arm").with_suffix(suffix).read_bytes())
            text = (self.folder / f"{name}.gltf").read_text().replace("bent_arm.bin", f"{name}.bin")
            (self.folder / f"{name}.gltf").write_text(text)
            self.succeed("bake", f"{name}.gltf", "-q", "--method", "dqs", "--report", f"{name}.json")
        both = self.headings("hero.json", "orc.json")
        self.assertEqual(len(both), 2)
        self.assertIn(", hero", "".join(both))
        alone = self.headings("hero.json", "hero.json")
        self.assertEqual(len(alone), 1)
        self.assertNotIn("hero", alone[0])


if __name__ == "__main__":
    main()
