"""Makes VRM models and VRM animations out of other models, for comparisons with three-vrm."""

import copy
import json
import math

import common
import models

np = common.numpy()


class Model:
    """The JSON of a glTF file and its bytes in one buffer, without images and materials."""

    def __init__(self, gltf, buffers):
        self.gltf, self.binary = gltf, bytearray()
        starts = [models.append(self.binary, buffer) for buffer in buffers]
        for view in gltf.get("bufferViews", []):
            view["byteOffset"] = view.get("byteOffset", 0) + starts[view["buffer"]]
            view["buffer"] = 0
        gltf["buffers"] = [{}]
        for key in ("images", "textures", "samplers", "materials"):
            gltf.pop(key, None)
        for mesh in gltf.get("meshes", []):
            for primitive in mesh["primitives"]:
                primitive.pop("material", None)

    @classmethod
    def read(cls, path):
        return cls(*models.read(path))

    def copy(self):
        return copy.deepcopy(self)

    def write(self, path):
        models.write_glb(path, copy.deepcopy(self.gltf), self.binary or bytes(4))
        return path

    @property
    def nodes(self):
        return self.gltf["nodes"]

    def accessor(self, rows):
        """The index of a new accessor of floats, one row of numbers per element."""
        rows = np.asarray(rows, "<f4")
        kind = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}[1 if rows.ndim == 1 else rows.shape[1]]
        start = models.append(self.binary, rows.tobytes())
        views, accessors = self.gltf.setdefault("bufferViews", []), self.gltf.setdefault("accessors", [])
        views.append({"buffer": 0, "byteOffset": start, "byteLength": rows.nbytes})
        accessors.append({"bufferView": len(views) - 1, "componentType": 5126, "count": len(rows), "type": kind})
        if rows.ndim == 1:
            accessors[-1].update(min=[float(rows.min())], max=[float(rows.max())])
        return len(accessors) - 1

    def floats(self, index):
        accessor = self.gltf["accessors"][index]
        view = self.gltf["bufferViews"][accessor["bufferView"]]
        width = models.COMPONENTS[accessor["type"]]
        start = view["byteOffset"] + accessor.get("byteOffset", 0)
        rows = np.frombuffer(bytes(self.binary), "<f4", accessor["count"] * width, start)
        return rows.reshape(-1, width)

    def parents(self):
        return {child: n for n, node in enumerate(self.nodes) for child in node.get("children", [])}

    def globals(self):
        """The global matrices of all nodes at rest."""
        parents = self.parents()

        def of(n):
            local = local_matrix(self.nodes[n])
            return of(parents[n]) @ local if n in parents else local
        return [of(n) for n in range(len(self.nodes))]

    def put(self, n, above, place):
        """Gives a node the place in the scene, below a node at `above`."""
        local = np.linalg.inv(above) @ place
        scale = np.linalg.norm(local[:3, :3], axis=0)
        node = self.nodes[n]
        node.pop("matrix", None)
        node.update(translation=local[:3, 3].tolist(), scale=scale.tolist(),
                    rotation=quaternion(local[:3, :3] / scale).tolist())

    def below_new_root(self, matrix):
        """Puts all roots of the scene below a new node with this rotation."""
        scene = self.gltf["scenes"][self.gltf.get("scene", 0)]
        self.nodes.append({"name": "new_root", "children": scene["nodes"],
                           "rotation": quaternion(matrix[:3, :3]).tolist()})
        scene["nodes"] = [len(self.nodes) - 1]

    def turned(self, degrees):
        """Turns the whole scene about the vertical axis."""
        self.below_new_root(rotation((0, 1, 0), degrees))
        return self

    def with_random_axes(self, rng):
        """Turns the local axes of all nodes without a mesh, also those of a new root; the rest pose stays."""
        before = self.globals()
        self.below_new_root(np.eye(4))
        turns = [np.eye(4) if "mesh" in node else random_rotation(rng, 180) for node in self.nodes]
        after = [place @ turn for place, turn in zip([*before, np.eye(4)], turns)]
        parents = self.parents()
        for n in range(len(self.nodes)):
            self.put(n, after[parents[n]] if n in parents else np.eye(4), after[n])
        for skin in self.gltf.get("skins", []):
            bind = self.floats(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
            bind = [np.linalg.inv(turns[j]) @ m for j, m in zip(skin["joints"], bind)]
            skin["inverseBindMatrices"] = self.accessor([m.T.reshape(16) for m in bind])
        return self

    def with_names(self):
        """Gives every node a name of its own: three.js finds nodes by their names."""
        for n, node in enumerate(self.nodes):
            node["name"] = f"node_{n}"
        return self

    def with_extension(self, name, content):
        self.gltf.setdefault("extensions", {})[name] = content
        used = self.gltf.setdefault("extensionsUsed", [])
        if name not in used:
            used.append(name)
        return self

    def with_vrm_1(self, bones, **others):
        """Makes a VRM 1.0 model; bones: name to node."""
        self.gltf.pop("animations", None)
        return self.with_names().with_extension("VRMC_vrm", {
            "specVersion": "1.0", "meta": {"name": "test", "authors": ["test"], "licenseUrl": ""},
            "humanoid": {"humanBones": {bone: {"node": node} for bone, node in bones.items()}}, **others})

    def bones(self, extension):
        """The bones of a VRM extension: name to node."""
        bones = self.gltf["extensions"][extension]["humanoid"]["humanBones"]
        return {bone: entry["node"] for bone, entry in bones.items()}

    def clip(self, index, bones):
        """A VRM animation: the rotations of the bones, and the translation of the hips, of an animation."""
        model = self.copy().with_names()
        for key in ("meshes", "skins"):
            model.gltf.pop(key, None)
        for node in model.nodes:
            node.pop("mesh", None)
            node.pop("skin", None)
        nodes = set(bones.values())
        animation = model.gltf["animations"][index]
        animation["channels"] = [
            c for c in animation["channels"]
            if c["target"].get("node") in nodes and c["target"]["path"] == "rotation"
            or c["target"].get("node") == bones["hips"] and c["target"]["path"] == "translation"]
        model.gltf["animations"] = [animation]
        return model.with_extension("VRMC_vrm_animation", {"specVersion": "1.0", "humanoid": {
            "humanBones": {bone: {"node": node} for bone, node in bones.items() if "Eye" not in bone}}})


def made_clip(body, bones, rng, expressions=(), looks=False):
    """A VRM animation of one second that rotates every bone of a body, whose rest pose it has with other axes, moves
    the hips, and drives expressions and the direction of the eyes."""
    places, parents = body.globals(), body.parents()
    bones = {bone: node for bone, node in bones.items() if "Eye" not in bone}
    bone_of = {node: bone for bone, node in bones.items()}
    made = Model({"asset": {"version": "2.0"}, "scene": 0, "nodes": [{"name": "above_hips"}]}, [])
    place = {None: random_rotation(rng, 180, translation=(0.1, 0.2, 0.3))}
    made.put(0, np.eye(4), place[None])
    node_of, animation = {None: 0}, {"channels": [], "samplers": []}

    def above(bone):
        node = parents.get(bones[bone])
        while node is not None and node not in bone_of:
            node = parents.get(node)
        return bone_of.get(node)

    def add(node, path, times, rows):
        animation["samplers"].append({"input": made.accessor(times), "output": made.accessor(rows)})
        animation["channels"].append({"sampler": len(animation["samplers"]) - 1,
                                      "target": {"node": node, "path": path}})

    def add_bone(bone):
        if bone in node_of:
            return
        parent = above(bone)
        if parent is not None:
            add_bone(parent)
        place[bone] = random_rotation(rng, 180, translation=places[bones[bone]][:3, 3])
        made.nodes.append({"name": f"of {bone}"})
        node_of[bone] = len(made.nodes) - 1
        made.nodes[node_of[parent]].setdefault("children", []).append(node_of[bone])
        made.put(node_of[bone], place[parent], place[bone])
        rest = np.linalg.inv(place[parent]) @ place[bone]
        times = [0, *sorted(rng.uniform(0.1, 0.9, 2)), 1]
        add(node_of[bone], "rotation", times,
            [quaternion((rest @ random_rotation(rng, 50))[:3, :3]) for _ in times])
        if bone == "hips":
            moved = [place[bone][:3, 3] + rng.uniform(-0.3, 0.3, 3) for _ in times]
            add(node_of[bone], "translation", times,
                [(np.linalg.inv(place[None]) @ [*point, 1])[:3] for point in moved])

    for bone in bones:
        add_bone(bone)

    def add_root(name):
        made.nodes.append({"name": name})
        return len(made.nodes) - 1

    extension = {"specVersion": "1.0",
                 "humanoid": {"humanBones": {b: {"node": n} for b, n in node_of.items() if b is not None}}}
    for kind, name in expressions:
        node = add_root(f"expression {name}")
        extension.setdefault("expressions", {}).setdefault(kind, {})[name] = {"node": node}
        times = [0, *sorted(rng.uniform(0.1, 0.9, 3)), 1]
        add(node, "translation", times, [[rng.uniform(), rng.uniform(), 0] for _ in times])
    if looks:
        extension["lookAt"] = {"node": add_root("look at")}
        times = np.linspace(0, 1, 6)
        add(extension["lookAt"]["node"], "rotation", times,
            [quaternion((rotation((0, 1, 0), rng.uniform(-80, 80)) @ rotation((1, 0, 0), rng.uniform(-60, 60)))[:3, :3])
             for _ in times])
    made.gltf["scenes"] = [{"nodes": [n for n in range(len(made.nodes)) if n not in made.parents()]}]
    made.gltf["animations"] = [animation]
    return made.with_extension("VRMC_vrm_animation", extension)


def local_matrix(node):
    if "matrix" in node:
        return np.array(node["matrix"]).reshape(4, 4).T
    m = np.eye(4)
    x, y, z, w = node.get("rotation", (0, 0, 0, 1))
    m[:3, :3] = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                 [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                 [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    m[:3, :3] = m[:3, :3] @ np.diag(node.get("scale", (1, 1, 1)))
    m[:3, 3] = node.get("translation", (0, 0, 0))
    return m


def rotation(axis, degrees, translation=(0, 0, 0)):
    half = math.radians(degrees) / 2
    return local_matrix({"rotation": [*(np.array(axis) * math.sin(half)), math.cos(half)], "translation": translation})


def random_rotation(rng, most_degrees, translation=(0, 0, 0)):
    axis = rng.normal(size=3)
    return rotation(axis / np.linalg.norm(axis), rng.uniform(-most_degrees, most_degrees), translation)


def quaternion(m):
    """x y z w of a rotation matrix: the eigenvector of the largest eigenvalue (Bar-Itzhack, 2000)."""
    k = np.array([[m[0, 0] - m[1, 1] - m[2, 2], 0, 0, 0],
                  [m[0, 1] + m[1, 0], m[1, 1] - m[0, 0] - m[2, 2], 0, 0],
                  [m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], m[2, 2] - m[0, 0] - m[1, 1], 0],
                  [m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], m[0, 0] + m[1, 1] + m[2, 2]]])
    return np.linalg.eigh(k)[1][:, 3]


def humanoid_of(path):
    """The nodes of the bones that skinbake finds in a file, and the direction that the character faces."""
    done = common.run([common.PROGRAM, "inspect", "--json", path])
    if done.returncode != 0:
        raise ValueError(f"skinbake inspect {path}: exit {done.returncode}: {done.stdout.strip()}")
    humanoid = json.loads(done.stdout)["humanoid"]
    if humanoid is None:
        return None, None
    return {bone["bone"]: bone["node"] for bone in humanoid["bones"]}, humanoid["facing"]
