"""Hostile files for the program, made from good ones: prefixes, changed glTF documents, and damaged bytes.

Equal numbers give equal files, so that a failing attack can be repeated.
"""

import copy
import json
import random
import struct
import sys

from support import RIGS, SOURCE  # tests/cli

sys.path.insert(0, str(SOURCE / "tests/fuzz"))
from make_corpus import glb, read, text  # noqa: E402

# Values that readers must not trust: signs, limits of integers, numbers that are not finite, other types.
NUMBERS = (-1, 0, 1, 2, 3, 255, 65535, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 53, 2 ** 63, 10 ** 30, 0.5, -0.0, 1e-40,
           3e38, -1e308)
OTHERS = (None, True, "", "x", "../x", "data:;base64,AA==", "\0", "é" * 300, [], {}, [[]], {"": 0}, [0] * 17,
          5120, 5121, 5123, 5126, "SCALAR", "VEC3", "VEC4", "MAT4", "weights", "rotation", "STEP", "CUBICSPLINE")
# Numbers of every magnitude, for a rig that remains well formed.
SIZES = (0, 1, -1, 1e-40, 1e-20, -1e-9, 1e9, 1e19, -1e20, 3e38, 1e154, -1e200, 1e308)
WORDS = (b"\0\0\0\0", b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\x80", b"\1\0\0\0", b"\0\0\x80\x7f", b"\0\0\xc0\x7f")


def good_files(folder, run):
    """Small good files in the folder: rigs, caches, a sidecar and a report. {name: command that reads the file}

    `run` runs the program there. {} stands for the hostile file in a command.
    """
    document, data = read(RIGS / "two_joints.gltf")
    (folder / "rig.gltf").write_bytes(text(copy.deepcopy(document), data))
    (folder / "rig.glb").write_bytes(glb(copy.deepcopy(document), data))
    (folder / "core.gltf").write_bytes((RIGS / "core_line.gltf").read_bytes())
    run("bake", "rig.gltf", "-q", "--report", "report.json", "-o", "a.pc2", "-o", "a.mdd", "-o", "a.npy", "-o", "a.glb")
    bake = ("bake", "{}", "--threads", "1", "-o", "out.pc2", "--report", "out.json", "-q")
    convert = ("convert", "{}", "out.npy", "--fps", "30", "-q")
    return {"rig.gltf": bake, "rig.glb": bake, "core.gltf": bake,
            "a.pc2": convert, "a.mdd": convert, "a.npy": convert, "a.glb": convert,
            "a.pc2.json": ("diff", "a.pc2", "side.pc2", "--report", "out.json", "-q"),
            "report.json": ("report", "{}", "-o", "out.html")}


def slots(value):
    """Every place inside a JSON value: (container, key)."""
    found, left = [], [value]
    while left:
        here = left.pop()
        for key in list(here) if isinstance(here, dict) else range(len(here)):
            found.append((here, key))
            if isinstance(here[key], (dict, list)):
                left.append(here[key])
    return found


def changed_document(document, number):
    """The document with one to three changes of its structure."""
    chance = random.Random(number)
    document = copy.deepcopy(document)
    for _ in range(chance.choice((1, 1, 2, 3))):
        places = slots(document)
        if not places:
            break
        where, key = chance.choice(places)
        action = chance.randrange(6)
        if action == 0:
            del where[key]
        elif action == 1:
            other, other_key = chance.choice(places)
            where[key] = copy.deepcopy(other[other_key])
        elif action == 2 and isinstance(where, list):
            where.insert(key, copy.deepcopy(where[key]))
        elif action == 3 and isinstance(where[key], (int, float)):
            where[key] = where[key] + chance.choice((-1, 1, 4, -4))
        else:
            where[key] = copy.deepcopy(chance.choice(NUMBERS if chance.random() < 0.6 else OTHERS))
    return document


def changed_rig(number):
    """(name, bytes) of a rig whose JSON is changed and whose buffer is whole."""
    chance = random.Random(number)
    document, data = read(RIGS / chance.choice(("two_joints.gltf", "two_joints.gltf", "core_line.gltf")))
    if chance.random() < 0.3:
        data = damaged(data, number)
    buffer = {"byteLength": len(data)}
    document["buffers"] = [buffer]
    document = changed_document(document, number)
    try:
        return ("hostile.glb", glb(document, data)) if number % 2 else ("hostile.gltf", text(document, data))
    except (TypeError, UnicodeEncodeError):  # the change made the document something else
        return "hostile.gltf", json.dumps(document).encode()


def rig_of_any_numbers(number):
    """(name, bytes) of a rig that is well formed; some of its transforms, morph weights and floats are any numbers."""
    chance = random.Random(number)
    document, data = read(RIGS / "two_joints.gltf")
    for mesh in document["meshes"]:
        mesh["weights"] = [chance.choice((0, 0, 0.5))]
        for primitive in mesh["primitives"]:
            primitive["targets"] = [{"POSITION": primitive["attributes"]["POSITION"]}]
    for node in document["nodes"]:
        node.setdefault("translation", [0, 0, 0])
        node.setdefault("scale", [1, 1, 1])
    places = [(where, key) for part in ("nodes", "meshes") for item in document[part]
              for name in ("translation", "rotation", "scale", "weights") if name in item
              for where, key in slots(item[name])]
    for where, key in chance.sample(places, chance.randrange(3)):
        where[key] = chance.choice(SIZES)
    data = bytearray(data)
    floats = [view for accessor in document["accessors"] if accessor["componentType"] == 5126
              for view in (document["bufferViews"][accessor["bufferView"]],)]
    for _ in range(chance.randrange(4)):
        view = chance.choice(floats)
        at = view.get("byteOffset", 0) + 4 * chance.randrange(view["byteLength"] // 4)
        data[at:at + 4] = struct.pack("<f", max(-3e38, min(3e38, chance.choice(SIZES))))
    return "hostile.gltf", text(document, bytes(data))


def damaged(data, number):
    """The bytes with changed bits, words and lengths."""
    chance = random.Random(number)
    data = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5))):
        at = chance.randrange(len(data)) if chance.random() < 0.5 else chance.randrange(min(64, len(data)))
        action = chance.randrange(5)
        if action == 0:
            data[at] ^= 1 << chance.randrange(8)
        elif action == 1:
            data[at:at + 4] = chance.choice(WORDS)
        elif action == 2:
            data[at:at] = chance.randbytes(chance.randrange(1, 9))
        elif action == 3:
            del data[at:at + chance.randrange(1, 9)]
        else:
            data[at:at + 4] = struct.pack("<I", chance.getrandbits(chance.choice((4, 8, 16, 32))))
        if not data:
            data = bytearray(b"\0")
    return bytes(data)
