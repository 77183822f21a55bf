#!/usr/bin/env python3
"""What the errors of `skinbake fit` are errors of: trained and left-out clips, on the terminal, in JSON and on pages."""

import base64
import html
import json
import re
import struct

from report_schema import schema_errors
from support import CliTest, RIGS, main

ARM = RIGS / "bent_arm.gltf"


class Errors(CliTest):
    def two_clips(self):
        """bent_arm with a second clip, which keeps one of the channels."""
        gltf = json.loads(ARM.read_text())
        (self.folder / "bent_arm.bin").write_bytes((RIGS / "bent_arm.bin").read_bytes())
        clip = gltf["animations"][0]
        gltf["animations"].append({"name": "still", "samplers": clip["samplers"], "channels": clip["channels"][:1]})
        (self.folder / "two.gltf").write_text(json.dumps(gltf))
        return "two.gltf"

    def fitted(self, *arguments):
        """The lines of the terminal, split into the table and the others, with the report and the pages."""
        done = self.succeed("fit", *arguments, "-o", "fit.glb", "--report", "fit.json", "--report", "fit.html",
                            "--report", "fit.md")
        errors = schema_errors("lib/report/fit.schema.json")
        if errors is not None:
            self.assertEqual(list(errors(self.json("fit.json"))), [])
        lines = done.out.splitlines()
        count = 1 + sum(re.search(r"(trained|left out)$", line) is not None for line in lines)
        return lines[:count], lines[count:], self.json("fit.json")["meshes"][0]

    def require_on_pages(self, table, lines):
        page, text = html.unescape(self.read("fit.html").decode()).replace("\u00a0", " "), self.read("fit.md").decode()
        for line in lines:
            self.assertIn(f"<tr><td><bdi>{line}</bdi></td></tr>", page)
            self.assertIn(f"\n| `{line}` |\n", text)
        for row in table:
            cells = re.split(r"\s{2,}", row)
            cell = "<th scope=\"col\">{}</th>" if row == table[0] else "<td><bdi>{}</bdi></td>"
            self.assertIn("<tr>" + "".join(map(cell.format, cells)) + "</tr>", page)
            self.assertIn("| " + " | ".join(cells) + " |", text.replace("`", ""))

    def test_pages_show_the_table_and_the_lines_of_the_terminal(self):
        for options, words in (
                (("--max-error", "0.05%", "--helpers", "4"), ("chosen: 4 correctives", "fewer bytes")),
                (("--helpers", "2", "--influences", "2:fit", "--correctives", "2", "--verify"),
                 ("2 corrective", "2 helper joints with new influences (", "left out by half seconds", "read back")),
                (("--correctives", "99"), ("61 correctives instead of 99",))):
            with self.subTest(options=options):
                table, lines, _ = self.fitted(ARM, *options)
                self.assertEqual(table[0].split("  ")[-1].strip(), "clip is")
                self.assertIn("between (m)", table[0])
                for word in words:
                    self.assertIn(word, "\n".join(lines))
                self.require_on_pages(table, lines)

    def test_the_bytes_of_correctives_and_joints_are_those_that_are_added(self):
        for options in (("--correctives", "3"), ("--helpers", "2", "--correctives", "0"),
                        ("--helpers", "2", "--correctives", "2")):
            _, lines, mesh = self.fitted(ARM, *options)
            added = self.json("fit.json")["output"]["added_bytes"]
            self.assertEqual(sum(mesh["added_bytes"].values()), added)
            self.assertEqual(mesh["added_bytes"]["joints"] > 0, "--helpers" in options)
            self.assertEqual(mesh["added_bytes"]["correctives"] > 0, options[-1] != "0")

    def test_a_clip_that_was_left_out_is_measured_in_the_same_table(self):
        fit = (self.two_clips(), "--method", "lbs", "--influences", "1:fit", "--correctives", "0")
        table, lines, mesh = self.fitted(*fit, "--clip", "bend_and_twist")
        self.assertEqual([re.split(r"\s{2,}", row)[-1] for row in table[1:]], ["trained", "left out"])
        self.assertEqual(mesh["left_out"]["status"], "measured")
        (clip,) = mesh["left_out"]["clips"]
        self.assertEqual(clip["id"], "still")
        self.assertIn(f"{clip['after']['max']:.3g}", table[2])
        self.assertNotIn("no clip was left out", "\n".join(lines))
        self.require_on_pages(table, lines)
        table, lines, mesh = self.fitted(*fit, "--clip", "all")
        self.assertEqual([re.split(r"\s{2,}", row)[-1] for row in table[1:]], ["trained", "trained"])
        self.assertEqual(mesh["left_out"], {"status": "none", "clips": []})
        self.assertIn("arm: no clip was left out: the errors are measured on the frames that the fit learned from; for "
                      "others, omit a clip from --clip (skinbake retarget adds one)", lines)

    def test_a_left_out_clip_that_is_too_long_is_named(self):
        gltf = json.loads(self.read(self.two_clips()))
        accessors, (bend, still) = gltf["accessors"], gltf["animations"]
        times = accessors[still["samplers"][0]["input"]]
        accessors.append({"componentType": 5126, "count": times["count"], "type": "SCALAR", "min": [0], "max": [100],
                          "sparse": {"count": 1, "indices": {"bufferView": len(gltf["bufferViews"]),
                                                             "componentType": 5125},
                                     "values": {"bufferView": len(gltf["bufferViews"]) + 1}}, **{
                              key: times[key] for key in ("bufferView", "byteOffset") if key in times}})
        last = struct.pack("<If", times["count"] - 1, 100)
        gltf["bufferViews"] += [{"buffer": len(gltf["buffers"]), "byteOffset": at, "byteLength": 4} for at in (0, 4)]
        gltf["buffers"].append({"byteLength": 8, "uri": "data:application/octet-stream;base64," +
                                base64.b64encode(last).decode()})
        gltf["animations"][1] = {**still, "samplers": [{**sampler, "input": len(accessors) - 1}
                                                       for sampler in still["samplers"]]}
        gltf["animations"].append({**bend, "name": "short"})
        (self.folder / "long.gltf").write_text(json.dumps(gltf))
        fit = ("long.gltf", "--method", "lbs", "--influences", "1:fit", "--correctives", "0", "--max-frames", "61",
               "--clip", "bend_and_twist")
        table, lines, mesh = self.fitted(*fit)
        self.assertEqual([re.split(r"\s{2,}", row)[-1] for row in table[1:]], ["trained", "left out"])
        self.assertEqual((mesh["left_out"]["status"], mesh["left_out"]["not_measured"]), ("measured", ["still"]))
        self.assertIn("arm: 1 clip was left out and not measured, because of --max-frames", lines)
        table, lines, mesh = self.fitted(*fit, "--clip", "short")
        self.assertEqual(mesh["left_out"], {"status": "not_measured", "clips": [], "not_measured": ["still"]})
        self.assertIn("arm: 1 clip was left out and not measured, because of --max-frames: the errors are measured on "
                      "the frames that the fit learned from", lines)
        self.require_on_pages(table, lines)
        done = self.run_program("fit", *fit, "-o", "fit.glb", "--strict")
        self.assertEqual(done.code, 1)
        self.assertRegex(done.err, r"clip 'still', .* more than 61 frames .*\[FIT_CLIP_UNMEASURED\] \(option --max-frames\)")

    def test_a_single_clip_is_left_out_by_half_seconds(self):
        _, lines, mesh = self.fitted(ARM, "--method", "lbs", "--influences", "1:fit", "--correctives", "0")
        distances = mesh["influences"]["left_out"]
        self.assertGreater(distances["fit"]["rms"], mesh["influences"]["trained"]["fit"]["rms"])
        self.assertIn(f"left out by half seconds: rms {distances['fit']['rms']:.3g}, ", "\n".join(lines))

    def test_correctives_alone_leave_other_clips_as_they_are(self):
        _, lines, mesh = self.fitted(self.two_clips(), "--clip", "bend_and_twist", "--correctives", "2")
        self.assertEqual(mesh["left_out"], {"status": "at_rest", "clips": []})
        self.assertIn("arm: the errors are measured on the frames that the fit learned from, 'between' "
                      "at other instants; the correctives are at rest in other clips", lines)

    def test_one_name_of_the_diagonal_for_fit_and_diff(self):
        table, _, _ = self.fitted(ARM, "--correctives", "1")
        self.assertIn("of bind diagonal", table[0])
        self.succeed("bake", ARM, "-o", "a.pc2")
        self.succeed("bake", ARM, "-m", "dqs", "-o", "b.pc2")
        self.assertIn(" % of the first frame's diagonal\n", self.run_program("diff", "a.pc2", "b.pc2").out)
        self.assertIn(" % of the bind diagonal\n", self.run_program("diff", "a.pc2", "b.pc2", "--rig", ARM).out)
        part = table[1].split()[8]
        self.succeed("bake", "fit.glb", "-o", "c.pc2")
        out = self.run_program("diff", "b.pc2", "c.pc2", "--rig", ARM).out
        self.assertAlmostEqual(float(re.search(r"max .* m  (\S+) % of the bind", out)[1]), float(part), delta=6e-4)


if __name__ == "__main__":
    main()
