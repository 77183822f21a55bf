#!/usr/bin/env python3
"""A tool that joins vertices of two joints, because they are at one place at rest, is found in motion."""

import json
import struct

from glb_files import packed
from support import CliTest, main, require_shared

CORNERS = [(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)]


def flaps(path, apart=(0, 0.5, 0), joined=None, uvs=False, order=None):
    """Two squares that touch along an edge, each of a joint; the joints move apart in a second.

    joined: the joint that gets the vertices of the edge; none: each square has its own. order: of the vertices.
    """
    squares = [[(x + side, y, z) for x, y, z in CORNERS] for side in (0, 1)]
    points = squares[0] + squares[1]  # 4 is at the place of 1, and 7 of 2
    joints = [0] * 4 + [1] * 4
    index = list(range(8))
    if joined is not None:
        index[4], index[7] = 1, 2
        joints[1] = joints[2] = joined
    order = order or sorted(set(index))
    place = {old: new for new, old in enumerate(order)}
    triangles = [place[index[v]] for side in (0, 4) for v in (side, side + 1, side + 2, side, side + 2, side + 3)]
    kept = len(order)
    attributes = {"POSITION": ("f", 3, "VEC3", [x for v in order for x in points[v]]),
                  "JOINTS_0": ("B", 4, "VEC4", [x for v in order for x in (joints[v], 0, 0, 0)]),
                  "WEIGHTS_0": ("f", 4, "VEC4", [1, 0, 0, 0] * kept)}
    if uvs:
        attributes["TEXCOORD_0"] = ("f", 2, "VEC2", [x for v in order for x in points[v][::2]])
    back = [-x for x in apart]
    arrays = [*attributes.values(), ("H", 1, "SCALAR", triangles), ("f", 1, "SCALAR", [0, 1]),
              ("f", 3, "VEC3", [0, 0, 0, *apart]), ("f", 3, "VEC3", [0, 0, 0, *back])]
    data, views, accessors = b"", [], []
    for kind, width, shape, numbers in arrays:
        part = struct.pack(f"<{len(numbers)}{kind}", *numbers)
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(part)})
        accessors.append({"bufferView": len(views) - 1, "componentType": {"f": 5126, "B": 5121, "H": 5123}[kind],
                          "count": len(numbers) // width, "type": shape})
        data += part + b"\0" * (-len(part) % 4)
    first = len(attributes)
    channels = [{"sampler": s, "target": {"node": s, "path": "translation"}} for s in (0, 1)]
    path.write_bytes(packed({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1, 2]}],
        "nodes": [{"name": "flap1"}, {"name": "flap2"}, {"name": "plane", "mesh": 0, "skin": 0}],
        "meshes": [{"primitives": [{"attributes": {name: i for i, name in enumerate(attributes)}, "indices": first}]}],
        "skins": [{"joints": [0, 1]}],
        "animations": [{"name": "open", "samplers": [{"input": first + 1, "output": first + 2 + s} for s in (0, 1)],
                        "channels": channels}],
        "buffers": [{"byteLength": len(data)}], "bufferViews": views, "accessors": accessors}, data))


class JoinedBones(CliTest):
    def diff(self, a, b):
        """(at rest, in motion, the frame, the joint) of the largest distance from A to B, and the exit code."""
        done = self.run_program("diff", a, b, "--match", "auto", "--fail", "error.max=1mm", "--report", "r.json", "-q")
        to_b, _ = self.json("r.json")["meshes"]
        surface = to_b["runs"][0]["surface"]
        at = surface["max_at"]
        return surface["at_rest"], surface["max"], at["frame"], at["joint"], done.code

    def check_joined(self, a, b, most, joint):
        at_rest, in_motion, frame, of_joint, code = self.diff(a, b)
        self.assertEqual((at_rest, frame, of_joint, code), (0, 30, joint, 1))
        self.assertAlmostEqual(in_motion, most, delta=1e-5)

    def test_vertices_that_lose_their_joint_are_found_in_motion(self):
        for apart, joined, uvs in (((0, 0.5, 0), 0, False), ((0, 0.25, 0), 1, False), ((0, 0.5, 0), 0, True)):
            flaps(self.folder / "a.glb", apart, uvs=uvs)
            flaps(self.folder / "b.glb", apart, joined, uvs)
            self.check_joined("a.glb", "b.glb", 2 * apart[1], f"flap{2 - joined}")

    def test_another_order_of_the_vertices_is_no_difference(self):
        flaps(self.folder / "a.glb")
        for order in ([7, 6, 5, 4, 3, 2, 1, 0], [4, 1, 7, 2, 0, 3, 5, 6]):
            flaps(self.folder / "b.glb", order=order)
            done = self.succeed("diff", "a.glb", "b.glb", "--match", "auto", "--fail", "error.max=1mm")
            self.assertIn("at rest 0 %, in motion 0 % of the diagonal", done.out)

    def test_the_shared_cases(self):
        cases = require_shared(self, "cases/b06-joined-bones")
        for a in ("a", "aw", "ap"):  # the tools that wrote aw and ap keep the vertices apart
            self.check_joined(cases / f"{a}.glb", cases / "b.glb", 1, "flap2")
            self.succeed("diff", cases / "a.glb", cases / f"{a}.glb", "--match", "auto", "--fail", "error.max=0.01mm")


if __name__ == "__main__":
    main()
