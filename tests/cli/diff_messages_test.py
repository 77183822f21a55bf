#!/usr/bin/env python3
"""Names and causes in the results of `skinbake diff`."""

import json
import shutil

from support import CliTest, RIGS, main

ARM = RIGS / "bent_arm.gltf"


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
