#!/usr/bin/env python3
"""Compares the candy-wrapper index of every bone with NumPy, which evaluates its definition in lib/metrics/README.md.

    candy_wrapper.py [MODEL [METHOD]]      default: CesiumMan.glb of the shared assets, dqs

The frames are those that skinbake bakes; everything else is computed here from the file: the bind pose, the welded
points, the loops of the cross sections and their areas. The model has one skinned mesh of closed surfaces, whose
weights and positions are floats.
Exit status: 0 every index agrees, 1 some do not, 77 skipped because something is not installed (never if CI=true).
"""

import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common
import vrm_models

np = common.numpy()

STATIONS = 16
# Both compute in double precision from float32 numbers of size 1, with the error of those times the ratio of an area.
TOLERANCE = 1e-6


class Character:
    """The bind pose, triangles of welded points and bones of the first skinned mesh of a model."""

    def __init__(self, path):
        model = vrm_models.Model.read(path)
        primitive = model.gltf["meshes"][0]["primitives"][0]
        attributes, skin = primitive["attributes"], model.gltf["skins"][0]
        positions = model.floats(attributes["POSITION"]).astype(float)
        joints = self.integers(model, attributes["JOINTS_0"])
        weights = model.floats(attributes["WEIGHTS_0"]).astype(float)
        weights /= weights.sum(axis=1, keepdims=True)
        inverse_binds = [m.reshape(4, 4).T.astype(float) for m in model.floats(skin["inverseBindMatrices"])]
        self.nodes, self.parents = skin["joints"], model.parents()
        self.names = [node.get("name") or f"#{n}" for n, node in enumerate(model.nodes)]
        # The joint with the greatest weight carries the bind pose to its place.
        heaviest = np.bincount(joints.ravel(), weights.ravel()).argmax()
        to_scene = model.globals()[self.nodes[heaviest]] @ inverse_binds[heaviest]
        self.bind = positions @ to_scene[:3, :3].T + to_scene[:3, 3]
        self.places = [(to_scene @ np.linalg.inv(matrix))[:3, 3] for matrix in inverse_binds]
        welded = self.welded(positions, joints, weights)
        triangles = welded[self.integers(model, primitive["indices"]).reshape(-1, 3)]
        a, b, c = triangles.T
        self.triangles = triangles[(a != b) & (b != c) & (c != a)]

    @staticmethod
    def integers(model, index):
        accessor = model.gltf["accessors"][index]
        view = model.gltf["bufferViews"][accessor["bufferView"]]
        start, width = view["byteOffset"] + accessor.get("byteOffset", 0), 4 if accessor["type"] == "VEC4" else 1
        kind = {5121: "u1", 5123: "<u2", 5125: "<u4"}[accessor["componentType"]]
        return np.frombuffer(bytes(model.binary), kind, accessor["count"] * width, start).reshape(-1, width)

    @staticmethod
    def welded(positions, joints, weights):
        first = {}
        kinds = [(tuple(p + 0.0), tuple(sorted((int(j), round(w, 6)) for j, w in zip(js, ws) if w > 0)))
                 for p, js, ws in zip(positions, joints, weights)]
        return np.array([first.setdefault(kind, v) for v, kind in enumerate(kinds)])

    def bones(self):
        """(child's node, start, end) of each pair of a joint and its nearest ancestor that is a joint."""
        joint_of = {node: j for j, node in enumerate(self.nodes)}
        for j, node in enumerate(self.nodes):
            above = self.parents.get(node)
            while above is not None and above not in joint_of:
                above = self.parents.get(above)
            if above is not None:
                yield node, self.places[joint_of[above]], self.places[j]

    def loops(self, origin, direction):
        """The cut edges of each loop of a plane, in order: vertices and the place between them."""
        heights = (self.bind - origin) @ direction
        above = heights >= 0
        corners_above, neighbours = above[self.triangles].sum(axis=1), {}
        for triangle in self.triangles[(corners_above > 0) & (corners_above < 3)]:
            one, other = [tuple(sorted(edge)) for edge in zip(triangle, np.roll(triangle, -1))
                          if above[edge[0]] != above[edge[1]]]
            neighbours.setdefault(one, []).append(other)
            neighbours.setdefault(other, []).append(one)
        while neighbours:
            loop, edge = [], next(iter(neighbours))
            while edge is not None:
                loop.append(edge)
                edge = next((e for e in neighbours.pop(edge) if e in neighbours), None)
            a, b = np.array(loop).T
            yield a, b, (heights[a] / (heights[a] - heights[b]))[:, None]


def points_of(loop, positions):
    a, b, place = loop
    return (1 - place) * positions[a] + place * positions[b]


def area(points):
    relative = points - points[0]
    return np.linalg.norm(np.cross(relative, np.roll(relative, -1, axis=0)).sum(axis=0)) / 2


def winds_about(points, origin, direction):
    """Whether the loop goes around the bone."""
    side = np.cross(direction, np.eye(3)[np.abs(direction).argmin()])
    angles = np.arctan2((points - origin) @ np.cross(direction, side), (points - origin) @ side)
    turns = (np.diff(np.append(angles, angles[0])) + np.pi) % (2 * np.pi) - np.pi
    return abs(turns.sum()) > np.pi


def index_of(character, start, end, frames, baseline):
    """The greatest loss of area over the stations of a bone and the frames; None without a loop."""
    direction = (end - start) / np.linalg.norm(end - start)
    worst = None
    for k in range(STATIONS):
        origin = start + (end - start) * (k + 0.5) / STATIONS
        around = [loop for loop in character.loops(origin, direction)
                  if winds_about(points_of(loop, character.bind), origin, direction)]
        if not around:
            continue
        loop = min(around, key=lambda each: area(points_of(each, character.bind)))
        before = area(points_of(loop, baseline))
        loss = 1 - min(area(points_of(loop, frame)) for frame in frames) / before
        worst = loss if worst is None else max(worst, loss)
    return worst


def check(model, method, folder):
    """The greatest difference of an index; prints a line for each baseline."""
    character = Character(model)
    greatest = 0.0
    for baseline in ("bind", "first-frame"):
        done = common.run([common.PROGRAM, "bake", model, "--method", method, "--baseline", baseline, "-q", "-o",
                           folder / "frames.npy", "--metrics", "candy_wrapper", "--report", folder / "report.json"])
        if done.returncode != 0:
            sys.exit(f"{model}: {done.stdout.strip()}")
        frames = np.load(folder / "frames.npy").astype(float)
        report = json.loads((folder / "report.json").read_text())["meshes"][0]["runs"][0]["candy_wrapper"]
        reported = {bone["child"]: bone["index"] for bone in report["bones"]}
        reference = character.bind if baseline == "bind" else frames[0]
        differences = []
        for node, start, end in character.bones():
            computed = index_of(character, start, end, frames, reference)
            if computed is not None:
                differences.append(abs(computed - reported.pop(character.names[node])))
        if reported:
            sys.exit(f"{model}: bones without a section of NumPy's: {', '.join(reported)}")
        print(f"{model.name}, {method}, {baseline}: worst {report['worst']:.6f}; {len(differences)} bones differ by at "
              f"most {max(differences):.1e} from NumPy's")
        greatest = max(greatest, *differences)
    return greatest


def main():
    common.need_program()
    if len(sys.argv) < 2:
        common.need_shared()
    model = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else common.SHARED / "assets" / "CesiumMan.glb"
    method = sys.argv[2] if len(sys.argv) > 2 else "dqs"
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(0 if check(model, method, pathlib.Path(folder)) <= TOLERANCE else 1)


main()
