#!/usr/bin/env python3
"""Warnings and errors name what a bake loses, a node without an inverse, and a seam that opens."""

import base64
import json
import struct

from support import CliTest, main, require_shared, strict_json

TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
CORNERS = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
ZERO, ONE = [(0, 0, 0)] * 3, [(1, 1, 1)] * 3


class Model:
    """A glTF file of triangles that is built in code. `add` returns the index of an accessor."""

    def __init__(self):
        self.data = b""
        self.json = {"asset": {"version": "2.0"}, "nodes": [], "meshes": [], "accessors": [], "bufferViews": [],
                     "scenes": [{"nodes": []}]}

    def add(self, rows, code="f"):
        rows = [row if isinstance(row, tuple) else (row,) for row in rows]
        self.data += b"\0" * (-len(self.data) % 4)
        view = {"buffer": 0, "byteOffset": len(self.data)}
        self.data += b"".join(struct.pack(f"<{len(row)}{code}", *row) for row in rows)
        view["byteLength"] = len(self.data) - view["byteOffset"]
        self.json["bufferViews"].append(view)
        self.json["accessors"].append({
            "bufferView": len(self.json["bufferViews"]) - 1, "componentType": {"f": 5126, "B": 5121, "H": 5123}[code],
            "count": len(rows), "type": TYPES[len(rows[0])]})
        return len(self.json["accessors"]) - 1

    def node(self, parent=None, **members):
        self.json["nodes"].append(members)
        index = len(self.json["nodes"]) - 1
        siblings = (self.json["scenes"][0]["nodes"] if parent is None
                    else self.json["nodes"][parent].setdefault("children", []))
        siblings.append(index)
        return index

    def mesh(self, *primitives, **members):
        self.json["meshes"].append({"primitives": list(primitives), **members})
        return len(self.json["meshes"]) - 1

    def triangle(self, **members):
        return {"attributes": {"POSITION": self.add(CORNERS)}, **members}

    def animate(self, name, *channels):
        """channels: (node, path or pointer, times, rows[, code])."""
        animation = {"name": name, "samplers": [], "channels": []}
        for node, path, times, rows, *code in channels:
            target = {"node": node, "path": path}
            if path.startswith("/"):
                self.json["extensionsUsed"] = ["KHR_animation_pointer", "KHR_node_visibility"]
                target = {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": path}}}
            animation["channels"].append({"sampler": len(animation["samplers"]), "target": target})
            animation["samplers"].append({"input": self.add(times), "output": self.add(rows, *code),
                                          "interpolation": "STEP" if code else "LINEAR"})
        self.json.setdefault("animations", []).append(animation)

    def write(self, path):
        uri = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
        path.write_text(json.dumps({**self.json, "buffers": [{"byteLength": len(self.data), "uri": uri}]}))
        return path


def visible(node):
    return f"/nodes/{node}/extensions/KHR_node_visibility/visible"


class Warnings(CliTest):
    def warnings(self, model, *arguments, output="o.glb"):
        """The lines of a bake's warnings."""
        path = model if not isinstance(model, Model) else model.write(self.folder / "m.gltf")
        done = self.succeed("bake", path, "-o", output, *arguments)
        return [line for line in done.err.splitlines() if "warning" in line]

    def only(self, warnings, *words):
        self.assertEqual(len(warnings), 1, warnings)
        for word in words:
            self.assertIn(word, warnings[0])

    def require_case(self, folder):
        return require_shared(self, f"cases/{folder}")


class Visibility(Warnings):
    def hiding(self, keys, below=False, in_scene=True):
        model = Model()
        group = model.node(name="Group")
        shown = model.node(name="Box", mesh=model.mesh(model.triangle()), parent=group if below else None)
        if not in_scene:
            model.json["scenes"][0]["nodes"].remove(shown)
            model.node(name="Other", mesh=0)
        model.animate("blink", (shown, "translation", [0, 1], [(0, 0, 0), (0, 1, 0)]),
                      (0, visible(group if below else shown), [0, 0.25, 0.5], keys, "B"))
        return model

    def test_a_mesh_that_is_hidden_for_a_time_is_named_in_every_format(self):
        for output in ("o.glb", "o.usda", "o.pc2", "o.exr"):
            self.only(self.warnings(self.hiding([1, 0, 1]), output=output), "[VISIBILITY_NOT_BAKED]",
                      "/animations/0/channels/1", "'blink'", "node 'Box' at 0.25 s", "KHR_node_visibility")

    def test_a_node_above_hides_its_meshes(self):
        self.only(self.warnings(self.hiding([0, 1, 1], below=True)), "node 'Box' from the start")

    def test_nothing_is_lost_where_no_key_hides_or_no_mesh_is_hidden(self):
        self.assertEqual(self.warnings(self.hiding([1, 1, 1])), [])
        self.assertEqual(self.warnings(self.hiding([1, 255, 7], below=True)), [])
        self.assertEqual(self.warnings(self.hiding([1, 0, 1], in_scene=False)), [])
        empty = self.hiding([1, 0, 1], below=True)
        empty.json["nodes"][0].pop("children")
        empty.json["scenes"][0]["nodes"].append(1)
        self.assertEqual(self.warnings(empty), [])

    def test_keys_that_cannot_be_read_do_not_refuse_the_file(self):
        model = self.hiding([1, 0, 1])
        model.json["bufferViews"][-1]["byteLength"] = 1
        self.only(self.warnings(model), "node 'Box' for a time")

    def test_a_node_that_does_not_exist_hides_nothing(self):
        model = self.hiding([1, 0, 1])
        for pointer in (visible(99), visible("01"), visible(0) + "/x"):
            model.json["animations"][0]["channels"][1]["target"]["extensions"]["KHR_animation_pointer"] = {
                "pointer": pointer}
            self.assertEqual(self.warnings(model), [])

    def test_the_cases_of_the_shared_folder(self):
        cases = self.require_case("14-baked-attributes")
        self.only(self.warnings(cases / "vis_anim.glb"), "[VISIBILITY_NOT_BAKED]", "node 'Hero' at 0.3 s")
        for name in ("vis_static.glb", "vis_parent.glb"):
            self.only(self.warnings(cases / name), "[EXTENSION_IGNORED]", "'Hero' is hidden")


class MorphedAttributes(Warnings):
    def morphing(self, targets, weights=None, keys=((0, 1),), count=1):
        """keys: of the clips, the weights of the last target at 0 s and 1 s."""
        model = Model()
        attributes = {"POSITION": model.add(CORNERS), "COLOR_0": model.add(ONE),
                      "TEXCOORD_0": model.add([(0, 0)] * 3), "TEXCOORD_1": model.add([(0, 0)] * 3)}
        deltas = {"COLOR_0": model.add(ONE), "TEXCOORD_0": model.add([(1, 1)] * 3),
                  "TEXCOORD_1": model.add([(2, 1)] * 3), "POSITION": model.add(ONE)}
        primitive = {"attributes": attributes, "targets": [{name: deltas[name] for name in names} for names in targets]}
        members = {} if weights is None else {"weights": weights}
        mesh = model.mesh(*[primitive] * count, **members)
        node = model.node(name="Hero", mesh=mesh)
        for number, pair in enumerate(keys):
            rows = [value if t == len(targets) - 1 else 0 for value in pair for t in range(len(targets))]
            model.animate(f"clip {number}", (node, "weights", [0, 1], rows))
        return model

    def test_morphed_colours_are_named_where_the_output_has_colours(self):
        for targets in ([["COLOR_0"]], [["POSITION"], ["POSITION", "COLOR_0"]]):
            model = self.morphing(targets)
            for output in ("o.glb", "o.exr"):
                self.only(self.warnings(model, output=output), "[MORPHED_ATTRIBUTE_KEPT]", "mesh 'Hero' change COLOR_0",
                          f"/meshes/0/primitives/0/targets/{len(targets) - 1}/COLOR_0")
            for output in ("o.usda", "o.pc2", "o.npy"):
                self.assertEqual(self.warnings(model, output=output), [], output)

    def test_morphed_texture_coordinates_are_named_where_the_output_has_them(self):
        model = self.morphing([["POSITION", "TEXCOORD_1", "TEXCOORD_0"]], count=2)
        for output in ("o.glb", "o.usda"):
            self.only(self.warnings(model, output=output), "change TEXCOORD_0, TEXCOORD_1", "primitive 0")
        self.assertEqual(self.warnings(model, output="o.mdd"), [])

    def test_a_target_that_no_frame_uses_loses_nothing(self):
        self.assertEqual(self.warnings(self.morphing([["COLOR_0"]], keys=[(0, 0)])), [])
        self.assertEqual(self.warnings(self.morphing([["COLOR_0"], ["POSITION"]])), [])
        two = self.morphing([["COLOR_0"]], keys=[(0, 0), (0, 1)])
        self.assertEqual(self.warnings(two, "--clip", "clip 0"), [])
        self.only(self.warnings(two, "--clip", "clip 1"), "COLOR_0")
        self.assertEqual(self.warnings(self.morphing([["COLOR_0"]]), "--frames", "0:0"), [])

    def test_weights_at_rest_count(self):
        self.only(self.warnings(self.morphing([["COLOR_0"]], weights=[0.5], keys=[])), "COLOR_0")
        self.only(self.warnings(self.morphing([["COLOR_0"], ["POSITION"]], weights=[0.5, 0], keys=[])), "COLOR_0")
        self.assertEqual(self.warnings(self.morphing([["COLOR_0"]], weights=[0], keys=[])), [])

    def test_a_mesh_that_is_not_baked_is_not_named(self):
        model = self.morphing([["COLOR_0"]])
        model.node(name="Still", mesh=model.mesh(model.triangle()))
        self.assertEqual(self.warnings(model, "--mesh", "Still"), [])
        self.only(self.warnings(model), "mesh 'Hero'")

    def test_the_cases_of_the_shared_folder(self):
        cases = self.require_case("14-baked-attributes")
        for name, attribute in (("morph_color", "COLOR_0"), ("morph_only_color", "COLOR_0"), ("morph_uv", "TEXCOORD_0")):
            self.only(self.warnings(cases / f"{name}.glb"), "[MORPHED_ATTRIBUTE_KEPT]", "mesh 'Hero'", attribute)
            self.assertEqual(self.warnings(cases / f"{name}.glb", output="o.pc2"), [])
        for name in ("colors", "uv5"):
            self.assertEqual(self.warnings(cases / f"{name}.glb"), [])


class MeshSpace(Warnings):
    def refused(self, model, *words, method="lbs"):
        path = model if not isinstance(model, Model) else model.write(self.folder / "m.gltf")
        self.fail_with(3, "bake", path, "-o", "o.pc2", "--space", "mesh", "--method", method,
                       naming=("[MESH_SPACE_SINGULAR]", "--space scene", *words))
        self.succeed("bake", path, "-o", "o.pc2", "--space", "scene", "--method", method)
        (self.folder / "o.pc2").unlink()
        (self.folder / "o.pc2.json").unlink()

    def scaled(self, own, turned=None, **ancestor):
        """A box below a node, which may be turned."""
        model = Model()
        above = model.node(name="Above", **ancestor)
        model.node(name="Box", mesh=model.mesh(model.triangle()), parent=above, scale=own,
                   **({} if turned is None else {"rotation": turned}))
        return model

    def test_a_rigid_node_of_scale_zero_is_named(self):
        self.refused(self.scaled([0, 0, 0]), "mesh 'Box', frame 0", "node 'Box' has the scale (0, 0, 0)")

    def test_one_axis_suffices(self):
        for scale in ([1, 0, 1], [2, 3, 0]):
            self.refused(self.scaled(scale), f"node 'Box' has the scale ({', '.join(map(str, scale))})")

    def test_the_node_above_that_is_flat_is_named(self):
        half = [0.5, 0.5, 0.5, 0.5]
        self.refused(self.scaled([1, 1, 1], scale=[1, 1, 0]), "node 'Above' has the scale (1, 1, 0)")
        skew = [0.182574, 0.365148, 0.547723, 0.730297]  # in doubles, the product is not exactly singular
        for turned in (half, skew):
            self.refused(self.scaled([3, 2, 7], turned, scale=[1.1, 0, 1.3]), "node 'Above' has the scale (1.1, 0, 1.3)")

    def test_a_matrix_that_flattens_is_named(self):
        matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
        self.refused(self.scaled([1, 1, 1], matrix=matrix), "node 'Above' has a matrix")

    def test_the_first_frame_of_an_animated_scale_is_named(self):
        model = self.scaled([1, 1, 1])
        model.animate("shrink", (1, "scale", [0, 1], [(1, 1, 1), (0, 1, 1)]))
        self.refused(model, "frame 30", "node 'Box' has the scale (0, 1, 1)")

    def test_a_skinned_mesh_of_a_flat_node_is_refused_in_mesh_space_only(self):
        for method in ("lbs", "dqs"):
            model = self.scaled([0, 0, 0])
            primitive = model.json["meshes"][0]["primitives"][0]
            primitive["attributes"].update(JOINTS_0=model.add([(0, 0, 0, 0)] * 3, "B"),
                                           WEIGHTS_0=model.add([(1, 0, 0, 0)] * 3))
            model.json["skins"] = [{"joints": [model.node(name="bone")]}]
            model.json["nodes"][1]["skin"] = 0
            self.refused(model, "node 'Box' has the scale (0, 0, 0)", method=method)

    def test_small_and_unequal_scales_are_baked(self):
        for model in (self.scaled([1e-6, 1e-6, 1e-6]), self.scaled([1, 1, 1e-6], scale=[1, 1, 1e-5]),
                      self.scaled([1, 1, 1], [0.182574, 0.365148, 0.547723, 0.730297], scale=[1, 1e-6, 1])):
            self.succeed("bake", model.write(self.folder / "m.gltf"), "-o", "o.pc2", "--space", "mesh")

    def test_the_cases_of_the_shared_folder(self):
        cases = self.require_case("12-space-mesh")
        for name in ("rigid_zero", "skinned_node_flat", "skinned_node_restzero", "skinned_node_zero"):
            self.refused(cases / f"{name}.glb", "node 'Box'")
        self.succeed("bake", cases / "skinned_node_moves.glb", "-o", "o.pc2", "--space", "mesh")


class Seams(Warnings):
    """Two triangles share the edge x = 0; a joint lifts by 1 along z from 0 s to 1 s."""

    def seam(self, left, right, joints=((0, 1), (0, 1)), lift=1.0, morph=None):
        model = Model()
        corners = [(0, 0, 0), (0, 1, 0), (-1, 0, 0), (0, 0, 0), (0, 1, 0), (1, 0, 0)]
        rows = [(*joints[side], 0, 0) for side in (0, 0, 0, 1, 1, 1)]
        weights = [(*(left if v < 3 else right), 0, 0) for v in range(6)]
        weights[1] = weights[4] = (1, 0, 0, 0)  # the upper corner stays closed
        if joints[1] != joints[0]:
            weights[4] = (0, 1, 0, 0)
        primitive = {"attributes": {"POSITION": model.add(corners), "JOINTS_0": model.add(rows, "B"),
                                    "WEIGHTS_0": model.add(weights)},
                     "indices": model.add([0, 1, 2, 3, 5, 4], "H")}
        if morph is not None:
            primitive["targets"] = [{"POSITION": model.add([morph if v == 3 else (0, 0, 0) for v in range(6)])}]
        model.node(name="cloth", mesh=model.mesh(primitive), skin=0)
        still, moving = model.node(name="still"), model.node(name="moving")
        model.json["skins"] = [{"joints": [still, moving]}]
        channels = [(moving, "translation", [0, 1], [(0, 0, 0), (0, 0, lift)])]
        if morph is not None:
            channels.append((0, "weights", [0, 1], [0, 1]))
        model.animate("lift", *channels)
        return model

    def crack(self, model):
        """The widest crack of inspect and of the report, which agree."""
        path = model if not isinstance(model, Model) else model.write(self.folder / "m.gltf")
        surface = strict_json(self.succeed("inspect", path, "--json").out)["meshes"][0]["surface"]
        done = self.succeed("bake", path, "--json")
        topology = strict_json(done.out)["meshes"][0]["topology"]
        self.assertEqual(surface["cracked_positions"], topology["cracked_positions"])
        of_report, of_inspect = topology.get("widest_crack"), surface["widest_crack"]
        self.assertEqual(of_report is None, of_inspect is None)
        if of_inspect is not None:
            self.assertEqual((of_report["gap_m"], of_report["at"]["edge"], of_report["at"]["frame"], of_report["clip"]),
                             tuple(of_inspect[key] for key in ("gap_m", "vertices", "frame", "clip")))
        return of_inspect, done.err, self.succeed("inspect", path).out

    def test_the_vertices_the_gap_and_the_frame_are_named(self):
        for left, right, gap in (((0.5, 0.5), (0.25, 0.75), 0.25), ((1, 0), (0, 1), 1), ((0.75, 0.25), (1, 0), 0.25)):
            found, warned, inspected = self.crack(self.seam(left, right))
            self.assertEqual((found["vertices"], found["clip"], found["frame"]), ([0, 3], "lift", 30))
            self.assertAlmostEqual(found["gap_m"], gap, 12)
            for text in (warned, inspected):
                self.assertIn("SEAM_OPENS", text)
                self.assertIn(f"vertices 0 / 3 of mesh 'cloth' opens by {gap:.3g} m in frame 30 of clip 'lift'", text)

    def test_equal_weights_in_another_order_of_joints_are_no_crack(self):
        for left, right in (((0.4, 0.6), (0.6, 0.4)), ((0.5, 0.5), (0.5, 0.5)), ((0.25, 0.75), (0.75, 0.25))):
            found, warned, inspected = self.crack(self.seam(left, right, joints=((0, 1), (1, 0))))
            self.assertIsNone(found)
            self.assertNotIn("SEAM_OPENS", warned + inspected)

    def test_a_gap_below_a_thousandth_of_the_diagonal_is_a_number_and_no_warning(self):
        found, warned, inspected = self.crack(self.seam((0.5, 0.5), (0.499, 0.501)))
        self.assertAlmostEqual(found["gap_m"], 0.001, 6)
        self.assertNotIn("SEAM_OPENS", warned + inspected)

    def test_a_seam_that_the_clip_does_not_open_is_no_warning(self):
        found, warned, inspected = self.crack(self.seam((0.5, 0.5), (0.25, 0.75), lift=0.0))
        self.assertIsNone(found)
        self.assertNotIn("SEAM_OPENS", warned + inspected)

    def test_morph_targets_open_a_cracked_position_too(self):
        found, _, _ = self.crack(self.seam((0.5, 0.5), (0.25, 0.75), morph=(0, 0, 2)))
        self.assertAlmostEqual(found["gap_m"], 2.25, 12)

    def test_the_bake_reports_the_clip_that_opens_the_seam_most(self):
        model = self.seam((0.5, 0.5), (0.25, 0.75))
        model.animate("jump", (2, "translation", [0, 0.5, 1], [(0, 0, 0), (0, 0, 4), (0, 0, 0)]))
        path = model.write(self.folder / "m.gltf")
        topology = strict_json(self.succeed("bake", path, "--clip", "all", "--json").out)["meshes"][0]["topology"]
        self.assertEqual((topology["widest_crack"]["clip"], topology["widest_crack"]["at"]["frame"]), ("jump", 15))
        self.assertAlmostEqual(topology["widest_crack"]["gap_m"], 1, 12)

    def test_the_case_of_the_shared_folder(self):
        cases = self.require_case("b02-crack")
        found, warned, inspected = self.crack(cases / "crack.glb")
        self.assertEqual((found["vertices"], found["frame"], f"{found['gap_m']:.3f}"), ([3, 6], 30, "0.583"))
        self.assertIn("opens by 0.583 m in frame 30", warned)
        self.assertIn("opens by 0.583 m in frame 30", inspected)


if __name__ == "__main__":
    main()
