#!/usr/bin/env python3
"""The checks of a pull request: a comparison with a golden cache fails if a weight of one vertex has changed, until a
limit allows the change; a limit refuses a loss of volume."""

import base64
import json
import struct
import xml.etree.ElementTree

from support import CliTest, RIGS, Pc2, main, strict_json

RIG = RIGS / "two_joints.gltf"
TUBE = RIGS / "twisted_tube.gltf"
VERTEX = 7
LIMIT = ("--fail", "error.max=1e-6")


def change_weight(rig, vertex, by):
    """Moves a part of a vertex's weight from its first influence to its second, in the glTF's text."""
    document = json.loads(rig)
    accessor = document["accessors"][document["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"]]
    at = document["bufferViews"][accessor["bufferView"]]["byteOffset"] + 16 * vertex
    head, data = document["buffers"][0]["uri"].split(",")
    data = bytearray(base64.b64decode(data))
    first, second = struct.unpack_from("<2f", data, at)
    struct.pack_into("<2f", data, at, first - by, second + by)
    document["buffers"][0]["uri"] = head + "," + base64.b64encode(data).decode()
    return json.dumps(document)


class PullRequest(CliTest):
    def test_a_changed_weight_fails_until_the_limit_allows_it(self):
        hero = self.folder / "hero.gltf"
        hero.write_text(RIG.read_text())
        self.succeed("bake", hero, "--method", "dqs", "-o", "golden.pc2")

        # Without a change, the check passes with any limit.
        self.succeed("bake", hero, "--method", "dqs", "-o", "new.pc2")
        self.assertIn("identical", self.succeed("diff", "golden.pc2", "new.pc2", *LIMIT).out)

        # One weight of one vertex is changed: the check fails and names the vertex.
        hero.write_text(change_weight(RIG.read_text(), VERTEX, 0.125))
        self.succeed("bake", hero, "--method", "dqs", "-o", "new.pc2")
        golden, new = Pc2(self.read("golden.pc2")), Pc2(self.read("new.pc2"))
        changed = {v for s in range(golden.samples)
                   for v, (p, q) in enumerate(zip(golden.positions(s), new.positions(s))) if p != q}
        self.assertEqual(changed, {VERTEX})
        red = self.run_program("diff", "golden.pc2", "new.pc2", *LIMIT, "--report", "diff.json")
        self.assertEqual(red.code, 1, red)
        self.assertIn(f"vertex {VERTEX}\n", red.out)
        self.assertRegex(red.err, rf"error.max at most 1e-06 m exceeded: .* vertex {VERTEX}\n")
        report = self.json("diff.json")
        error = report["meshes"][0]["runs"][0]["error"]
        self.assertEqual(report["verdict"]["status"], "fail")
        self.assertEqual(error["max_at"]["vertex"], VERTEX)
        self.assertEqual(report["meshes"][0]["runs"][0]["difference"]["vertices"], 1)
        self.assertEqual(error["worst_vertices"][0]["vertex"], VERTEX)
        # The same with the rig instead of the second cache.
        self.assertEqual(self.run_program("diff", "golden.pc2", hero, "--method", "dqs", *LIMIT).code, 1)

        # The change is accepted: the threshold allows it.
        adjusted = ("--fail", f"error.max={error['max'] * 1.01!r}")
        self.succeed("diff", "golden.pc2", "new.pc2", *adjusted, "--report", "diff.json")
        report = self.json("diff.json")
        self.assertEqual(report["verdict"]["status"], "pass")

        # The next change beyond the threshold fails again.
        hero.write_text(change_weight(RIG.read_text(), VERTEX, 0.25))
        self.succeed("bake", hero, "--method", "dqs", "-o", "new.pc2")
        self.assertEqual(self.run_program("diff", "golden.pc2", "new.pc2", *adjusted).code, 1)

        # Alternatively, the golden cache is replaced, and the caches are identical again.
        self.succeed("bake", hero, "--method", "dqs", "-o", "golden.pc2")
        self.succeed("diff", "golden.pc2", "new.pc2")

    def test_compare_fails_at_a_loss_of_volume(self):
        # The method of the project keeps the limit.
        limit = ("--fail", "volume.max_loss=5%")
        gate = ("compare", TUBE, "--method", "dqs", "--reference", "exact", *limit)
        self.succeed(*gate, "--report", "gate.json", "--report", "gate.xml")
        self.assertEqual(self.json("gate.json")["verdict"]["status"], "pass")
        # A cheaper method fails; the message names the method, the frame and the joint.
        red = self.run_program("compare", TUBE, "--method", "lbs", "--method", "dqs", "--reference", "exact", *limit,
                               "--report", "gate.json", "--report", "gate.xml", "--report", "gate.md")
        self.assertEqual(red.code, 1, red)
        report = self.json("gate.json")
        check = report["verdict"]["checks"][0]
        self.assertEqual((check["key"], check["method"], check["passed"]), ("volume.max_loss", "lbs", False))
        volume = report["meshes"][0]["runs"][0]["volume"]
        self.assertEqual(check["at"]["frame"], volume["max_loss_at"]["frame"])
        self.assertRegex(red.err, rf"volume.max_loss at most 5 % exceeded: .*, lbs, frame {check['at']['frame']}\n")
        worst = max(volume["joints"], key=lambda joint: joint["max_loss"])
        self.assertIn(f"`{worst['joint']}`", self.read("gate.md").decode())
        suite = xml.etree.ElementTree.fromstring(self.read("gate.xml"))
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("2", "1"))  # one for each method
        # The loss is accepted: the limit allows it, and the check passes again.
        self.succeed("compare", TUBE, "--method", "lbs", "--method", "dqs", "--fail", f"volume.max_loss={check['value'] * 1.01!r}")

    def test_a_report_against_an_older_one_lists_the_degraded_numbers(self):
        hero = self.folder / "hero.gltf"
        hero.write_text(RIG.read_text())
        self.succeed("bake", hero, "--report", "before.json")
        hero.write_text(change_weight(RIG.read_text(), VERTEX, 0.125))
        self.succeed("bake", hero, "--report", "after.json")
        done = self.run_program("report", "after.json", "--against", "before.json", "--tolerance", "0")
        self.assertEqual(done.code, 1, done)
        self.assertRegex(done.out, r"volume\.max_loss .* (worse|better)\b")
        self.succeed("report", "after.json", "--against", "before.json", "--tolerance", "1000")


if __name__ == "__main__":
    main()
