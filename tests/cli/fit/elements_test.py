#!/usr/bin/env python3
"""The elements of a file that `skinbake fit` writes: none without use, and none twice."""

import json

from glb_files import glb
from support import CliTest, RIGS, main

ARM = RIGS / "bent_arm.gltf"
WALKER = RIGS / "walker.glb"


def unused(gltf):
    """The pointers of accessors, buffer views and samplers to which nothing refers."""
    accessors, views, found = set(), set(), []
    for mesh in gltf["meshes"]:
        for primitive in mesh["primitives"]:
            accessors |= {*primitive["attributes"].values(), primitive.get("indices")}
            accessors |= {accessor for target in primitive.get("targets", []) for accessor in target.values()}
    accessors |= {skin.get("inverseBindMatrices") for skin in gltf.get("skins", [])}
    for a, animation in enumerate(gltf.get("animations", [])):
        accessors |= {sampler[end] for sampler in animation["samplers"] for end in ("input", "output")}
        used = {channel["sampler"] for channel in animation["channels"]}
        found += [f"/animations/{a}/samplers/{s}" for s in range(len(animation["samplers"])) if s not in used]
    for accessor in gltf["accessors"]:
        sparse = accessor.get("sparse", {"indices": {}, "values": {}})
        views |= {part.get("bufferView") for part in (accessor, sparse["indices"], sparse["values"])}
    views |= {image.get("bufferView") for image in gltf.get("images", [])}
    for kind, uses in (("accessors", accessors), ("bufferViews", views)):
        found += [f"/{kind}/{i}" for i in range(len(gltf[kind])) if i not in uses]
    return found


class Elements(CliTest):
    def fitted(self, rig, *options, name="fit.glb"):
        self.succeed("fit", rig, *options, "-o", name, "--verify")
        return glb(self.read(name))[0]

    def test_no_element_is_without_use(self):
        for rig in (ARM, WALKER):
            gltf = json.loads(rig.read_text()) if rig.suffix == ".gltf" else glb(rig.read_bytes())[0]
            self.assertEqual(unused(gltf), [])
            for options in (("--correctives", "2"), ("--correctives", "2", "--normals"),
                            ("--correctives", "0", "--helpers", "2"),
                            ("--correctives", "0", "--influences", "1:fit"),
                            ("--correctives", "2", "--format", "glb:quantize=1,meshopt=1")):
                with self.subTest(rig=rig.name, options=options):
                    self.assertEqual(unused(self.fitted(rig, *options)), [])

    def test_replaced_keys_of_weights_are_not_kept(self):
        first = self.fitted(ARM, "--correctives", "2", name="once.glb")
        second = self.fitted("once.glb", "--correctives", "2", name="twice.glb")
        self.assertEqual(unused(second), [])
        samplers = [len(gltf["animations"][0]["samplers"]) for gltf in (first, second)]
        self.assertEqual(samplers[0], samplers[1])

    def test_what_the_file_does_not_use_stays(self):
        gltf = json.loads(ARM.read_text())
        (self.folder / "bent_arm.bin").write_bytes((RIGS / "bent_arm.bin").read_bytes())
        gltf["accessors"].insert(0, dict(gltf["accessors"][0], name="spare"))
        text = json.dumps(gltf)
        gltf = json.loads(text)
        for mesh in gltf["meshes"]:
            for primitive in mesh["primitives"]:
                primitive["attributes"] = {name: i + 1 for name, i in primitive["attributes"].items()}
                primitive["indices"] += 1
        for skin in gltf["skins"]:
            skin["inverseBindMatrices"] += 1
        for sampler in gltf["animations"][0]["samplers"]:
            sampler["input"] += 1
            sampler["output"] += 1
        (self.folder / "spare.gltf").write_text(json.dumps(gltf))
        written = self.fitted("spare.gltf", "--correctives", "1")
        self.assertEqual(written["accessors"][0]["name"], "spare")
        self.assertEqual(unused(written), ["/accessors/0"])

    def test_extensions_that_may_refer_to_elements_keep_them_all(self):
        gltf = json.loads(ARM.read_text())
        (self.folder / "bent_arm.bin").write_bytes((RIGS / "bent_arm.bin").read_bytes())
        gltf["extensionsUsed"] = ["ACME_points"]
        position = gltf["meshes"][0]["primitives"][0]["attributes"]["POSITION"]
        gltf["extensions"] = {"ACME_points": {"accessor": position}}
        (self.folder / "points.gltf").write_text(json.dumps(gltf))
        written = self.fitted("points.gltf", "--correctives", "1")
        self.assertEqual(written["accessors"][:len(gltf["accessors"])], gltf["accessors"])

    def changed_arm(self, change):
        """Writes the arm with changed primitives."""
        gltf = json.loads(ARM.read_text())
        (self.folder / "bent_arm.bin").write_bytes((RIGS / "bent_arm.bin").read_bytes())
        change(gltf["meshes"][0]["primitives"])
        (self.folder / "changed.gltf").write_text(json.dumps(gltf))

    def test_a_primitive_without_positions_is_left_out_where_the_others_get_targets(self):
        def add_empty(primitives):
            primitives.insert(0, {"attributes": {"NORMAL": primitives[0]["attributes"]["POSITION"]}})
        self.changed_arm(add_empty)
        written = self.fitted("changed.gltf", "--correctives", "2")
        self.assertEqual([len(primitive["targets"]) for primitive in written["meshes"][0]["primitives"]], [2])
        written = self.fitted("changed.gltf", "--correctives", "2", "--helpers", "1")
        self.assertEqual([len(primitive["targets"]) for primitive in written["meshes"][0]["primitives"]], [2])
        written = self.fitted("changed.gltf", "--correctives", "0", "--helpers", "1")
        self.assertEqual(len(written["meshes"][0]["primitives"]), 2)

    def test_new_influences_replace_sets_whose_numbers_have_a_gap(self):
        def renumber(primitives):
            attributes = primitives[0]["attributes"]
            for name in ("JOINTS", "WEIGHTS"):
                attributes[f"{name}_1"] = attributes.pop(f"{name}_0")
        self.changed_arm(renumber)
        written = self.fitted("changed.gltf", "--correctives", "0", "--helpers", "1")
        sets = sorted(name for name in written["meshes"][0]["primitives"][0]["attributes"] if name.startswith(("JOINTS_", "WEIGHTS_")))
        self.assertEqual(sets, ["JOINTS_0", "WEIGHTS_0"])

    def test_primitives_that_share_vertices_share_what_is_added(self):
        gltf = json.loads(ARM.read_text())
        (self.folder / "bent_arm.bin").write_bytes((RIGS / "bent_arm.bin").read_bytes())
        primitives = gltf["meshes"][0]["primitives"]
        primitives.append(dict(primitives[0]))
        (self.folder / "two.gltf").write_text(json.dumps(gltf))
        for options in (("--correctives", "3", "--normals"), ("--correctives", "0", "--helpers", "2")):
            with self.subTest(options=options):
                sizes = []
                for rig in (ARM, "two.gltf"):
                    written = self.fitted(rig, *options, "--report", "fit.json")
                    sizes.append(self.json("fit.json")["output"]["added_bytes"])
                one, two = written["meshes"][0]["primitives"]
                self.assertEqual(one["attributes"], two["attributes"])
                self.assertEqual(one.get("targets"), two.get("targets"))
                self.assertLess(abs(sizes[1] - sizes[0]), 0.05 * sizes[0])


if __name__ == "__main__":
    main()
