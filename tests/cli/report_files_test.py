#!/usr/bin/env python3
"""Which files `skinbake report` reads and skips."""

from support import CliTest, RIGS, main


class Sidecars(CliTest):
    def setUp(self):
        super().setUp()
        self.succeed("bake", RIGS / "two_joints.gltf", "-q", "-o", "p1.pc2", "--report", "p1.json")

    def test_a_sidecar_among_reports_is_skipped_with_a_warning(self):
        alone = self.succeed("report", "p1.json", "-o", "-", "--format", "markdown").out
        done = self.succeed("report", "p1.json", "p1.pc2.json", "-o", "-", "--format", "markdown")
        self.assertEqual(done.out, alone)
        self.assertRegex(done.err, r"\Askinbake: warning: p1\.pc2\.json: [^\n]*sidecar[^\n]* \[REPORT_SKIPPED\]\n\Z")

    def test_a_sidecar_alone_is_refused(self):
        self.fail_with(3, "report", "p1.pc2.json", "-o", "x.html", naming=("p1.pc2.json", "REPORT_INVALID"))

    def test_another_file_among_reports_is_refused(self):
        for text in ("{}", "[]", "x", '{"schema": 1}', '{"schema": "skinbake.list"}'):
            (self.folder / "other.json").write_text(text)
            self.fail_with(3, "report", "p1.json", "other.json", "-o", "x.html", naming=("other.json", "REPORT_INVALID"))


if __name__ == "__main__":
    main()
