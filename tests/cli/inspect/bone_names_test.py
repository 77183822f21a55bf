#!/usr/bin/env python3
"""Names that tools give to the bones of a human body, and what is said of skeletons that are not mapped."""

import itertools
import json

from glb_files import glb, packed
from support import CliTest, RIGS, main, require_shared

WALKER = RIGS / "walker.glb"
MIDDLE = ("hips", "spine", "chest", "neck", "head")
SIDED = ("Shoulder", "UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot", "Toes")
# The source of the map, the names of the middle, the names of a side, the words for left and right.
TOOLS = {
    "rokoko": ("names:rokoko", "Hips Spine Spine2 Neck Head",
               "{}Shoulder {}Arm {}ForeArm {}Hand {}Thigh {}Shin {}Foot {}Toe", "Left Right"),
    "auto-rig pro": ("names:autorigpro", "root.x spine_01.x spine_02.x neck.x head.x",
                     "shoulder.{} arm_stretch.{} forearm_stretch.{} hand.{} thigh_stretch.{} leg_stretch.{} foot.{} "
                     "toes_01.{}", "l r"),
    "smpl": ("names:smpl", "f_avg_Pelvis f_avg_Spine1 f_avg_Spine2 f_avg_Neck f_avg_Head",
             "f_avg_{}_Collar f_avg_{}_Shoulder f_avg_{}_Elbow f_avg_{}_Wrist f_avg_{}_Hip f_avg_{}_Knee "
             "f_avg_{}_Ankle f_avg_{}_Foot", "L R"),
    "daz": ("names:daz", "Genesis8Female:hip Genesis8Female:abdomenLower Genesis8Female:chestLower "
            "Genesis8Female:neckLower Genesis8Female:head",
            "Genesis8Female:{}Collar Genesis8Female:{}ShldrBend Genesis8Female:{}ForearmBend Genesis8Female:{}Hand "
            "Genesis8Female:{}ThighBend Genesis8Female:{}Shin Genesis8Female:{}Foot Genesis8Female:{}Toe", "l r"),
    "advanced skeleton": ("names:advancedskeleton", "Root_M Spine1_M Chest_M Neck_M Head_M",
                          "Scapula_{} Shoulder_{} Elbow_{} Wrist_{} Hip_{} Knee_{} Ankle_{} Toes_{}", "L R"),
    "meta": ("names:meta", "Hips SpineLower SpineUpper Neck Head",
             "{}ArmScapula {}ArmUpper {}ArmLower {}HandWrist {}LegUpper {}LegLower {}FootAnkle {}FootBall",
             "Left Right"),
    "quaternius": ("names:quaternius", "Body Hips Torso Neck Head",
                   "Shoulder.{} UpperArm.{} LowerArm.{} Palm.{} UpperLeg.{} LowerLeg.{} Foot.{} PT.{}", "L R"),
    "valve": ("names:biped", "ValveBiped.Bip01_Pelvis ValveBiped.Bip01_Spine ValveBiped.Bip01_Spine2 "
              "ValveBiped.Bip01_Neck1 ValveBiped.Bip01_Head1",
              "ValveBiped.Bip01_{}_Clavicle ValveBiped.Bip01_{}_UpperArm ValveBiped.Bip01_{}_Forearm "
              "ValveBiped.Bip01_{}_Hand ValveBiped.Bip01_{}_Thigh ValveBiped.Bip01_{}_Calf ValveBiped.Bip01_{}_Foot "
              "ValveBiped.Bip01_{}_Toe0", "L R"),
    "biped": ("names:biped", "Hero|Pelvis Hero|Spine Hero|Spine1 Hero|Neck Hero|Head",
              "Hero|{}|Clavicle Hero|{}|UpperArm Hero|{}|Forearm Hero|{}|Hand Hero|{}|Thigh Hero|{}|Calf Hero|{}|Foot "
              "Hero|{}|Toe0", "L R"),
    "mixamo": ("names:mixamo", "MyChar:Rig:mixamorig:Hips MyChar:Rig:mixamorig:Spine MyChar:Rig:mixamorig:Spine1 "
               "MyChar:Rig:mixamorig:Neck MyChar:Rig:mixamorig:Head",
               "mixamorig:{}Shoulder mixamorig:{}Arm mixamorig:{}ForeArm mixamorig:{}Hand mixamorig:{}UpLeg "
               "mixamorig:{}Leg mixamorig:{}Foot mixamorig:{}ToeBase", "Left Right"),
    "unreal": ("names:unreal", "pelvis spine_01 spine_02 neck_01 head",
               "clavicle_{} upperarm_{} lowerarm_{} hand_{} thigh_{} calf_{} foot_{} ball_{}", "l r"),
    "vroid": ("names:vroid", "J_Bip_C_Hips J_Bip_C_Spine J_Bip_C_Chest J_Bip_C_Neck J_Bip_C_Head",
              "J_Bip_{}_Shoulder J_Bip_{}_UpperArm J_Bip_{}_LowerArm J_Bip_{}_Hand J_Bip_{}_UpperLeg "
              "J_Bip_{}_LowerLeg J_Bip_{}_Foot J_Bip_{}_ToeBase", "L R"),
}


def names_of(tool):
    """{bone: name}"""
    _, middle, sided, sides = TOOLS[tool]
    names = dict(zip(MIDDLE, middle.split()))
    for bone_side, side in zip(("left", "right"), sides.split()):
        names.update(zip((bone_side + bone for bone in SIDED), sided.replace("{}", side).split()))
    return {bone: name.replace("|", " ") for bone, name in names.items()}


class BoneNames(CliTest):
    def write_rig(self, names, path="rig.glb"):
        """The walker with other names. Its left hand is so long that the structure does not tell its bones."""
        gltf, data = glb(WALKER.read_bytes())
        for node in gltf["nodes"]:
            if node["name"] == "leftHand":
                node["translation"] = [0.5, 0, 0]
            node["name"] = names.get(node["name"], node["name"])
        (self.folder / path).write_bytes(packed(gltf, data))

    def inspected(self, path="rig.glb"):
        return json.loads(self.succeed("inspect", path, "--json").out)

    def unknown(self, found):
        """The message of HUMANOID_UNKNOWN; empty: there is none."""
        issues = [issue for issue in found["issues"] if issue["code"] == "HUMANOID_UNKNOWN"]
        self.assertLessEqual(len(issues), 1)
        return issues[0]["message"] if issues else ""

    def check(self, names, source):
        self.write_rig(names)
        found = self.inspected()
        self.assertEqual(found["humanoid"] and found["humanoid"]["source"], source, self.unknown(found))
        self.assertEqual({bone["bone"]: bone["node_name"] for bone in found["humanoid"]["bones"]}, names)
        self.assertEqual(self.unknown(found), "")
        self.assertIn(f"humanoid ({source})", self.succeed("inspect", "rig.glb").out)

    def test_the_names_of_each_tool_are_found(self):
        for tool, (source, *_) in TOOLS.items():
            with self.subTest(tool):
                self.check(names_of(tool), source)

    def test_numbers_of_exporters_are_not_a_part_of_the_names(self):
        for tool, (source, *_) in TOOLS.items():
            for suffix in ("_{}", "_{:02}", "_{:04}", ".{:03}", " {}", " 1", ".001"):
                with self.subTest(tool + suffix):
                    count = itertools.count(8)
                    self.check({bone: name + suffix.format(next(count)) for bone, name in names_of(tool).items()},
                               source)

    def test_cases_of_other_tools_map_all_bones_of_the_body(self):
        cases = require_shared(self, "cases/b08-bone-names")
        bones = {bone["bone"]: bone["node"] for bone in self.inspected(cases / "base.gltf")["humanoid"]["bones"]
                 if "Index" not in bone["bone"]}
        self.assertEqual(len(bones), 22)
        paths = sorted(cases.glob("n_*.gltf"))
        self.assertGreater(len(paths), 15)
        for path in paths:
            with self.subTest(path.name):
                found = self.inspected(path)
                if "random" in path.name:
                    self.assertRegex(self.unknown(found), "no table of names .*; the hierarchy does not tell the (legs|arms): the "
                                     "branches .* are not mirror images")
                else:
                    self.assertEqual({bone["bone"]: bone["node"] for bone in found["humanoid"]["bones"]}, bones)

    def test_a_skeleton_that_is_not_mapped_says_what_it_lacks(self):
        names = names_of("rokoko")
        names.update(leftFoot="wheel", rightFoot="track")
        self.write_rig(names)
        self.assertIn("the skeleton is not mapped as a human body: the names come nearest to the table "
                      "'rokoko', but no node is named as the required bones 'leftFoot', 'rightFoot'; the hierarchy",
                      self.unknown(self.inspected()))
        done = self.succeed("inspect", "rig.glb", "--strict")
        self.assertIn("(options --humanoid, --clip-humanoid)", done.out)
        bones = self.folder / "bones.json"
        bones.write_text(json.dumps(names))
        found = json.loads(self.succeed("inspect", "rig.glb", "--json", "--humanoid", bones).out)
        self.assertEqual((found["humanoid"]["source"], self.unknown(found)), ("file", ""))

    def test_a_body_that_its_structure_does_not_tell_says_what_is_not_found(self):
        gltf, data = glb(WALKER.read_bytes())
        at = {node["name"]: n for n, node in enumerate(gltf["nodes"])}
        del gltf["nodes"][at["rightHand"]]["children"]  # a lantern, which the left hand does not hold
        gltf["nodes"][at["hips"]]["children"].append(at["Lantern"])
        for moved, words in (({"leftUpperLeg": (0, 0, 0.3)}, "the legs: the branches that go down from 'hips x' are not"),
                             ({"leftFoot": (0, 2, 0)}, "the legs: no node has two branches that go down"),
                             ({"leftHand": (0.5, 0, 0)}, "the arms: the branches of 'chest x' are not mirror images"),
                             ({"rightLowerArm": (0, 0.3, 0)}, "the arms: the branches of 'chest x' are not mirror images"),
                             ({"leftShoulder": (0, -0.6, 0), "rightShoulder": (0, -0.6, 0)}, "the arms: the legs are below"),
                             ({"neck": (0, -0.7, 0)}, "the head: no branch goes up from 'chest x'"),
                             ({"leftHand": (1, 0, 0), "rightHand": (-1, 0, 0)}, "the parts of arms and legs")):
            changed = json.loads(json.dumps(gltf))
            for node in changed["nodes"]:
                node["name"] += " x"
            for name, by in moved.items():
                node = changed["nodes"][at[name]]
                node["translation"] = [a + b for a, b in zip(node.get("translation", (0, 0, 0)), by)]
            (self.folder / "rig.glb").write_bytes(packed(changed, data))
            with self.subTest(words):
                self.assertIn("the hierarchy does not tell " + words, self.unknown(self.inspected()))

    def test_a_bake_reports_a_skeleton_that_is_not_mapped_if_it_looks_for_bones(self):
        names = {**names_of("rokoko"), "head": "lamp"}
        self.write_rig(names)
        self.write_rig(names, "clip.glb")
        for clip, files in (("walk", []), ("clip.glb#walk", ["clip.glb", "rig.glb"])):
            done = self.succeed("bake", "rig.glb", "--mesh", "Body", "--clip", clip, "--json", "--per-vertex", "none")
            issues = [issue for issue in json.loads(done.out)["issues"] if issue["code"] == "HUMANOID_UNKNOWN"]
            self.assertEqual(sorted(issue["file"] for issue in issues), files)
            self.assertEqual(done.err.count("HUMANOID_UNKNOWN"), 0)
            for issue in issues:
                self.assertIn("'head'", issue["message"])
                self.assertEqual(issue["count"], 1)
        self.fail_with(3, "bake", "rig.glb", "--mesh", "Body", "--clip", "rom", "-o", "x.pc2",
                       naming=("no node is named as the required bones 'head'", "HUMANOID_REQUIRED"))

    def test_an_animal_is_told_that_nothing_needs_to_be_done(self):
        fox = require_shared(self, "assets/Fox.glb")
        found = self.inspected(fox)
        self.assertIsNone(found["humanoid"])
        self.assertIn("'leftUpperLeg', 'leftLowerLeg', 'leftFoot'", self.unknown(found))
        issue, = [issue for issue in found["issues"] if issue["code"] == "HUMANOID_UNKNOWN"]
        self.assertEqual(issue["severity"], "info")
        self.assertIn("nothing, unless it is a human body", issue["remedy"])


if __name__ == "__main__":
    main()
