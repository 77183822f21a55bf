#!/usr/bin/env python3
"""Names and causes in the results of `skinbake diff`: meshes of a GLB, files of reports, differences of two rigs."""

import json
import shutil
import xml.etree.ElementTree

from support import CliTest, RIGS, main

WALKER, ARM = RIGS / "walker.glb", RIGS / "bent_arm.gltf"


class MeshNames(CliTest):
    def bake(self, rig, *arguments):
        for method in ("lbs", "dqs"):
            self.succeed("bake", rig, "-o", f"{method}.glb", "--method", method, "--frames", "0:4", "-q", *arguments)

    def test_an_exceeded_threshold_names_the_mesh_of_the_glb_and_its_vertex(self):
        self.bake(WALKER)
        done = self.run_program("diff", "lbs.glb", "dqs.glb", "--fail-max", "1e-4", "--fail-rms", "1e-6", "--report", "d.json")
        self.assertEqual(done.code, 1, done)
        self.assertRegex(done.out, r"vertex \d+ \((\d+) of 'Body'\)")
        vertex = self.json("d.json")["verdict"]["checks"][0]["at"]["vertex"]
        self.assertIn(f"({vertex} of 'Body')", done.out)
        self.assertRegex(done.err, rf"--fail-max [^\n]* in mesh 'Body',[^\n]*, vertex {vertex}\n")
        self.assertRegex(done.err, r"--fail-rms [^\n]* in mesh 'Body, Lantern, Mouth'")
        alone = self.run_program("diff", "lbs.glb", "dqs.glb", "--fail-max", "1e-4")
        self.assertIn("mesh 'Body'", alone.err)
        self.succeed("report", "d.json", "-o", "d.xml")
        failures = [f.get("message") for f in xml.etree.ElementTree.parse(self.folder / "d.xml").iter("failure")]
        self.assertIn(f"vertex {vertex}", failures[0])
        self.assertIn("mesh 'Body'", failures[0])
        for text in (done.err, *failures):
            self.assertNotIn("mesh 'lbs'", text)

    def test_a_cache_of_one_mesh_has_the_name_of_its_sidecar_with_and_without_a_report(self):
        self.bake(ARM)
        for arguments in ((), ("--report", "d.json")):
            done = self.run_program("diff", "lbs.glb", "dqs.glb", "--fail-max", "1e-7", *arguments)
            self.assertEqual(done.code, 1, done)
            self.assertIn("mesh 'arm', clip 'bend_and_twist', dqs", done.err)


class FileNames(CliTest):
    def test_names_of_files_are_not_differences_of_reports(self):
        rig = json.loads(ARM.read_text())
        rig["nodes"][0]["rotation"] = [0, 0, 0, 2]
        rig["extensionsUsed"] = ["X_unknown"]
        for name in ("one", "two"):
            (self.folder / f"{name}.gltf").write_text(json.dumps(rig))
            for file in ARM.parent.glob("bent_arm*.bin"):
                shutil.copy(file, self.folder)
            self.succeed("bake", f"{name}.gltf", "--frames", "0:3", "-q", "-o", f"{name}.pc2")
            self.succeed("bake", f"{name}.gltf", "--frames", "0:3", "-q", "--reference", f"{name}.pc2",
                         "--report", f"{name}.json", "--verify", "-o", f"{name}.mdd", "--method", "dqs")
        self.assertTrue(self.json("one.json")["issues"])
        done = self.run_program("diff", "one.json", "two.json")
        self.assertEqual(done.code, 0, done)
        self.assertIn("0 of ", done.out)
        report = self.json("two.json")
        report["issues"][0]["message"] += "!"
        (self.folder / "two.json").write_text(json.dumps(report))
        self.assertEqual(self.run_program("diff", "one.json", "two.json").code, 1)
        # A method is not a file name.
        report = self.json("one.json")
        report["settings"]["reference"] = "lbs"
        (self.folder / "two.json").write_text(json.dumps(report))
        self.assertIn("/settings/reference: ", self.run_program("diff", "one.json", "two.json").out)


if __name__ == "__main__":
    main()
