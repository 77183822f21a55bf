#!/usr/bin/env python3
"""Which files `skinbake report` reads and keeps apart: sidecars among reports, characters of equal names."""

import re

from support import CliTest, RIGS, main, write_rig


class Sidecars(CliTest):
    def setUp(self):
        super().setUp()
        self.succeed("bake", RIGS / "two_joints.gltf", "-q", "-o", "p1.pc2", "--report", "p1.json")

    def test_a_sidecar_among_reports_is_skipped_with_a_warning(self):
        alone = self.succeed("report", "p1.json", "-o", "-", "--format", "markdown").out
        done = self.succeed("report", "p1.json", "p1.pc2.json", "-o", "-", "--format", "markdown")
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
    def drawings(self, *reports):
        page = self.succeed("report", *reports, "-o", "-", "--format", "html").out
        # The rigs do not move, so the page names their meshes and clips, but does not draw them.
        return re.search(r"is not drawn: (.*?)\.</p>", page)[1].split("; ")

    def test_characters_of_equal_names_are_drawn_apart(self):
        for name, spaces in (("hero", 1), ("orc", 2)):
            rig = write_rig(self.folder / f"{name}.gltf", ["Body"], clips=("run",))
            rig.write_text(rig.read_text() + " " * spaces)
            self.succeed("bake", rig.name, "-q", "--report", f"{name}.json")
        drawn = self.drawings("hero.json", "orc.json")
        self.assertEqual(len(drawn), 2)
        for heading, name in zip(drawn, ("hero", "orc")):
            self.assertIn(f"<bdi>Body</bdi>, clip <bdi>run</bdi>, file <bdi>{name}.gltf</bdi>", heading)
        self.assertNotIn("file", self.drawings("hero.json")[0])

    def test_reports_of_one_character_share_their_drawings(self):
        rig = write_rig(self.folder / "hero.gltf", ["Body"], clips=("run",))
        self.succeed("bake", rig.name, "-q", "--report", "before.json")
        (self.folder / "copy.gltf").write_bytes(rig.read_bytes())
        self.succeed("bake", "copy.gltf", "-q", "--report", "copy.json")
        rig.write_text(rig.read_text() + " ")
        self.succeed("bake", rig.name, "-q", "--report", "after.json")
        drawn = self.drawings("before.json", "after.json", "copy.json")
        self.assertEqual(len(drawn), 1)
        self.assertNotIn("file", drawn[0])


if __name__ == "__main__":
    main()
