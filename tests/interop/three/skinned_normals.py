"""Computes skinned normals independently of skinbake.

three.js moves the joints (palettes of the shared evaluator). Two tangents span the plane of a vertex. The
blended matrix moves both, and the normal is their cross product.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common
import models

np = common.numpy()

TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5126: "<f4"}


class Model:
    def __init__(self, path):
        self.gltf, self.buffers = models.read(path)

    def array(self, index):
        """[element][component] of an accessor, float64."""
        accessor = self.gltf["accessors"][index]
        if "sparse" in accessor or "bufferView" not in accessor:
            raise ValueError("sparse accessors are not read here")
        view = self.gltf["bufferViews"][accessor["bufferView"]]
        kind, width = np.dtype(TYPES[accessor["componentType"]]), models.COMPONENTS[accessor["type"]]
        values = np.ndarray((accessor["count"], width), kind, self.buffers[view["buffer"]],
                            view.get("byteOffset", 0) + accessor.get("byteOffset", 0),
                            (view.get("byteStride", kind.itemsize * width), kind.itemsize)).astype(np.float64)
        return np.maximum(values / np.iinfo(kind).max, -1) if accessor.get("normalized") else values


def blended(model, attributes, palette):
    """[frame][vertex][3][3] of a skinned part."""
    sets = range(sum(name.startswith("JOINTS_") for name in attributes))
    joints = np.concatenate([model.array(attributes[f"JOINTS_{s}"]) for s in sets], axis=1).astype(int)
    weights = np.concatenate([model.array(attributes[f"WEIGHTS_{s}"]) for s in sets], axis=1)
    weights /= weights.sum(axis=1, keepdims=True)
    linear = np.swapaxes(palette.reshape(*palette.shape[:2], 4, 4)[:, :, :3, :3], 2, 3)  # column-major
    return np.einsum("vk,fvkij->fvij", weights, linear[:, joints])


def followed(positions, posed):
    """The same of a rigid part: the matrix that takes its vertices to the positions of three.js."""
    corners = np.hstack([positions, np.ones((len(positions), 1))])
    matrices = []
    for frame in posed:
        fit, _, rank, _ = np.linalg.lstsq(corners, frame, rcond=None)
        if rank < 4 or np.abs(corners @ fit - frame).max() > 1e-6 * np.abs(frame).max():
            raise ValueError("a part is flat, or does not follow its node")
        matrices.append(np.broadcast_to(fit[:3].T, (len(positions), 3, 3)))
    return np.array(matrices)


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def turned(normals, matrices):
    """The normals of the planes after the matrices, [frame][vertex][axis]."""
    least = np.eye(3)[np.abs(normals).argmin(axis=1)]
    first = unit(np.cross(normals, least))
    second = np.cross(unit(normals), first)
    return unit(np.cross(*(np.einsum("fvij,vj->fvi", matrices, tangent) for tangent in (first, second))))


def evaluate(rig, fps, folder):
    """[frame][vertex][axis] of clip 0, vertices by node, then by primitive."""
    common.evaluate(rig, "--clip", 0, "--fps", fps, "--palette", "--out", folder)
    oracle, model, parts = json.loads((folder / "oracle.json").read_text()), Model(rig), []
    for part in sorted(oracle["parts"], key=lambda part: (part["node"], part["primitive"])):
        attributes = model.gltf["meshes"][part["mesh"]]["primitives"][part["primitive"]]["attributes"]
        if part["skinned"]:
            about = oracle["palettes"][part["skin"]]
            palette = np.fromfile(folder / about["file"], "<f8").reshape(oracle["frames"], about["joints"], 16)
            matrices = blended(model, attributes, palette)
        else:
            posed = np.fromfile(folder / part["file"], "<f8").reshape(oracle["frames"], part["vertexCount"], 3)
            matrices = followed(model.array(attributes["POSITION"]), posed)
        parts.append(turned(model.array(attributes["NORMAL"]), matrices))
    return np.concatenate(parts, axis=1)
