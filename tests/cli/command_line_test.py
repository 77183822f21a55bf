#!/usr/bin/env python3
"""The words of the command line: kinds of files, options without an effect, messages of the parser, the manual."""

import os

from support import CliTest, RIGS, main, write_rig

TUBE = RIGS / "twisted_tube.gltf"


class KindsOfFiles(CliTest):
    def test_extensions_are_read_in_any_case_of_letters(self):
        self.succeed("bake", TUBE, "-q", "--report", "B.JSON", "-o", "A.PC2", "--error-matrix", "E.NPY")
        self.succeed("diff", "B.JSON", "B.JSON")
        self.succeed("report", "B.JSON", "-o", "q.HTML", "-o", "q.Md", "-o", "q.XML")
        self.assertIn(b"<!doctype html>", self.read("q.HTML")[:100].lower())
        self.assertTrue(self.read("q.XML").startswith(b"<?xml"))
        self.fail_with(3, "diff", "B.JSON", "A.PC2", naming="is a report")
        self.succeed("bake", TUBE, "-q", "--reference", "A.PC2", "--json")
        rig = write_rig(self.folder / "R.GLTF", ["a"])
        self.succeed("bake", rig, "-q", "-o", "r.npy", "--clip", "R.GLTF#move")
        self.assertIn("identical", self.succeed("diff", "r.npy", rig, "--clip", "R.GLTF#move").out)


if __name__ == "__main__":
    main()
