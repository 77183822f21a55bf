#!/usr/bin/env python3
"""Compares `--influences N:fit` with a search by brute force in NumPy.

The motion of each joint alone is baked from a copy of the model whose vertices have that joint only. NumPy then
blends them, tries every set of at most N influences of each vertex by the bordered system of the minimum under
sum w = 1, and keeps the largest influences where the weights that were fitted to alternate half seconds are farther
on the others. The positions that the program bakes must be those of NumPy.

The check also prints the distances of three characters, on the frames that the fit learned from and on those that were
left out, in % of the bounding box's diagonal: the table of lib/fit/README.md.
Exit status: 0 they are, 1 they are not, 77 skipped because something is not installed (never if CI=true).
"""

import itertools
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common
import models

numpy = common.numpy()

MODEL = "CesiumMan.glb"
CLIP = "#0"
FPS = 30
RIDGE = 1e-2
BOUND_M = 4e-6  # of the positions; motions of single joints are float32, of 2 m


def accessor(gltf, buffers, index):
    """A matrix [element][component] of a plain accessor."""
    about = gltf["accessors"][index]
    view = gltf["bufferViews"][about["bufferView"]]
    size, count = models.COMPONENT_SIZE[about["componentType"]], models.COMPONENTS[about["type"]]
    kind = {5121: "u1", 5123: "<u2", 5126: "<f4"}[about["componentType"]]
    first = view.get("byteOffset", 0) + about.get("byteOffset", 0)
    stride = view.get("byteStride", size * count)
    return numpy.ndarray((about["count"], count), kind, buffers[view["buffer"]], first, (stride, size)), first, stride


def bake(model, target, *options):
    done = common.run([common.PROGRAM, "bake", model, "--clip", CLIP, "--fps", FPS, *options, "-q", "-o", target])
    if done.returncode != 0:
        raise SystemExit(f"skinbake bake: exit {done.returncode}: {done.stdout.strip()}")
    return numpy.load(target).astype(float)


def motions(model, folder):
    """{joint: positions [frame][vertex][axis]} of the mesh that follows one joint alone, and the weights [vertex][joint]."""
    gltf, buffers = models.read(model)
    attributes = gltf["meshes"][0]["primitives"][0]["attributes"]
    joints, joints_at, joint_stride = accessor(gltf, buffers, attributes["JOINTS_0"])
    weights, weights_at, weight_stride = accessor(gltf, buffers, attributes["WEIGHTS_0"])
    by_joint = numpy.zeros((len(weights), len(gltf["skins"][0]["joints"])))
    for slot in range(4):
        numpy.add.at(by_joint, (numpy.arange(len(weights)), joints[:, slot]), weights[:, slot])
    by_joint /= by_joint.sum(axis=1, keepdims=True)
    moved = {}
    for joint in numpy.flatnonzero(by_joint.any(axis=0)):
        binary = bytearray(buffers[0])
        alone = numpy.ndarray(joints.shape, joints.dtype, binary, joints_at, (joint_stride, joints.itemsize))
        whole = numpy.ndarray(weights.shape, weights.dtype, binary, weights_at, (weight_stride, 4))
        alone[:], whole[:] = (joint, 0, 0, 0), (1, 0, 0, 0)
        copy = folder / "alone.glb"
        models.write_glb(copy, gltf, binary)
        moved[joint] = bake(copy, folder / "alone.npy")
    return moved, by_joint


def least(gram, prior, most):
    """The weights of the least w^T gram w + r |w - prior|^2 with at most `most` of them."""
    count = len(prior)
    ridge = RIDGE * numpy.trace(gram) / count
    best, lowest = None, numpy.inf
    for size in range(1, most + 1):
        for chosen in itertools.combinations(range(count), size):
            at = numpy.ix_(chosen, chosen)
            bordered = numpy.ones((size + 1, size + 1))
            bordered[:size, :size] = gram[at] + ridge * numpy.eye(size)
            bordered[size, size] = 0
            right = numpy.append(ridge * prior[list(chosen)], 1)
            w = numpy.zeros(count)
            w[list(chosen)] = numpy.linalg.lstsq(bordered, right, rcond=None)[0][:size]
            value = w @ gram @ w + ridge * ((w - prior) ** 2).sum()
            if w.min() >= 0 and value < lowest:
                best, lowest = w, value
    return best


def fitted(moved, own, most):
    """The positions [frame][axis] of one vertex. moved: [candidate][frame][axis]; own: its weights, descending."""
    target = numpy.einsum("c,cfa->fa", own, moved)
    if len(own) <= most:
        return target
    distances = moved - target
    block = (numpy.arange(len(target)) / FPS / 0.5).astype(int) % 2
    gram = {part: numpy.einsum("cfa,dfa->cd", distances[:, block == part], distances[:, block == part])
            for part in (0, 1)}
    largest = numpy.where(numpy.arange(len(own)) < most, own, 0)
    largest /= largest.sum()
    squares = {name: [] for name in ("fit", "largest")}
    for part in (0, 1):
        for name, weights in (("fit", least(gram[1 - part], own, most)), ("largest", largest)):
            apart = numpy.einsum("c,cfa->fa", weights, distances[:, block == part])
            squares[name].append((apart ** 2).sum(axis=1))
    fit, other = (numpy.concatenate(squares[name]) for name in ("fit", "largest"))
    better = fit.sum() < other.sum()
    return numpy.einsum("c,cfa->fa", least(gram[0] + gram[1], own, most) if better else largest, moved)


def check(model, moved, weights, most, folder):
    ours = bake(model, folder / "fit.npy", "--influences", f"{most}:fit={CLIP}")
    worst, beyond, compared = 0.0, 0, 0
    for v, row in enumerate(weights):
        joints = sorted(numpy.flatnonzero(row), key=lambda j: (-row[j], j))
        if len(joints) <= most:
            continue
        expected = fitted(numpy.array([moved[j][:, v] for j in joints]), row[joints], most)
        apart = numpy.linalg.norm(ours[:, v] - expected, axis=1).max()
        worst, compared = max(worst, apart), compared + 1
        beyond += apart > BOUND_M
    print(f"{MODEL}: {most} kept: {compared} vertices, largest difference {worst:.2g} m, {beyond} beyond {BOUND_M:g} m")
    return beyond == 0 and compared > 0


def print_distances(folder):
    """A row for each character and number of influences: rms / max by the largest weights and by the fit."""
    print(f"{'rig':16} kept  largest, all frames   fit, all frames  largest, left out     fit, left out")
    for name in ("CesiumMan.glb", "Fox.glb", "Bunny.gltf"):
        for most in (2, 3):
            report = folder / "report.json"
            done = common.run([common.PROGRAM, "bake", common.SHARED / "assets" / name, "--clip", "all", "--influences",
                               f"{most}:fit", "--metrics", "error", "--report", report, "-q"])
            if done.returncode != 0:
                raise SystemExit(f"skinbake bake: exit {done.returncode}: {done.stdout.strip()}")
            meshes = json.loads(report.read_text())["meshes"]
            mesh = max(meshes, key=lambda one: one["vertex_count"])
            fit, percent = mesh["modifiers"][0]["fit"], 100 / mesh["bbox_diagonal_m"]
            cells = [fit[frames][by] for frames in ("trained", "left_out") for by in ("largest", "fit")]
            texts = [f"{cell['rms'] * percent:.3f} / {cell['max'] * percent:.2f}" for cell in cells]
            print(f"{name:16} {most:4}" + "".join(f"{text:>19}" for text in texts))


def main():
    common.need_program()
    common.need_shared()
    model = common.SHARED / "assets" / MODEL
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        moved, weights = motions(model, folder)
        print_distances(folder)
        results = [check(model, moved, weights, most, folder) for most in (1, 2, 3)]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
