#!/usr/bin/env python3
"""Measures how well clips keep their poses on other characters, from the files that `skinbake retarget` writes.

    retargeted_poses.py [PATTERN…]      only the pairs of clip and character whose names contain a PATTERN

NumPy evaluates both files in double precision, and shares nothing with skinbake except the maps of bones. Arms and
legs are compared by their directions in the frames of the characters. Feet are compared by the heights of their soles
above the ground, in per cent of the character's height, where a sole of the clip's own character is lowest.
Translations of bones other than the hips are not retargeted, because a human body does not stretch: 'stretch' is the
greatest of them, in per cent of the size.

Exit status: 0 within the bounds, 1 not, 77 skipped because something is not installed (never if CI=true).
"""

import itertools
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common
import vrm_models

np = common.numpy()

FPS = 10
LIMB_DEGREES = 2
SOLE_PERCENT = 2
ON_GROUND_PERCENT = 1  # a sole no more than this above its lowest place in the clip is on the ground
ASSETS = common.SHARED / "assets"
WALKER = common.RIGS / "walker.glb"
KNIGHT = ASSETS / "KayKit_Knight.glb"
MAN = ASSETS / "CesiumMan.glb"
# Files of clips, and the clip.
CLIPS = ((WALKER, "walk"), (MAN, "#0"), (KNIGHT, "Walking_A"),
         (ASSETS / "manny" / "Med_MovementBasic.glb", "Rig_Medium|Running_A"), (ASSETS / "test.vrma", "#0"))
CHARACTERS = (WALKER, MAN, KNIGHT, ASSETS / "manny" / "manny_med_mod.gltf", ASSETS / "Godette_vrm0.vrm",
              ASSETS / "debug_robot_vrm1.vrm")
LIMBS = [(side + bone, side + child) for side in ("left", "right")
         for bone, child in (("UpperArm", "LowerArm"), ("LowerArm", "Hand"), ("UpperLeg", "LowerLeg"),
                             ("LowerLeg", "Foot"))]
FEET = ("leftFoot", "rightFoot")
REST_POSES = ["--t-pose", "auto", "--clip-t-pose", "auto"]


def unit(v):
    return v / np.linalg.norm(v)


class Animation:
    """The clip of a file as a function of time: TRS of nodes, interpolated as glTF 2.0, appendix C, has it."""

    def __init__(self, model, index):
        self.model, self.channels = model, []
        animation = model.gltf["animations"][index]
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            path = channel["target"]["path"]
            if path in ("translation", "rotation", "scale"):
                self.channels.append((channel["target"]["node"], path, sampler.get("interpolation", "LINEAR"),
                                      model.floats(sampler["input"]).ravel().astype(float),
                                      model.floats(sampler["output"]).astype(float)))
        self.duration = max(times[-1] for _, _, _, times, _ in self.channels)

    def stretch(self, bones):
        """The greatest translation of a bone other than the hips from its place at rest, in metres."""
        stretch = 0.0
        for node, path, _, _, values in self.channels:
            if path == "translation" and node in bones.values() and node != bones["hips"]:
                rest = self.model.nodes[node].get("translation", [0, 0, 0])
                stretch = max(stretch, float(np.linalg.norm(values - rest, axis=1).max()))
        return stretch

    def globals_at(self, t):
        posed = self.model.copy()
        for node, path, kind, times, values in self.channels:
            posed.nodes[node][path] = sampled(kind, times, values, t, path == "rotation").tolist()
        return posed.globals()


def sampled(kind, times, values, t, is_rotation):
    if kind == "CUBICSPLINE":
        raise SystemExit("failed: a clip with splines; choose another")
    t = min(max(t, times[0]), times[-1])
    i = min(int(np.searchsorted(times, t, side="right")) - 1, len(times) - 1)
    if kind == "STEP" or i == len(times) - 1:
        return values[i]
    s = (t - times[i]) / (times[i + 1] - times[i])
    a, b = values[i], values[i + 1]
    if not is_rotation:
        return (1 - s) * a + s * b
    b = -b if a @ b < 0 else b
    angle = np.arccos(min(1.0, a @ b))
    return a if angle < 1e-9 else (np.sin((1 - s) * angle) * a + np.sin(s * angle) * b) / np.sin(angle)


class Character:
    """A body at rest: its bones, its frame, the heights of its feet's joints, its size from the lower foot to the head's
    joint, and to the top of its meshes. A file of clips may be without meshes."""

    def __init__(self, path):
        humanoid = json.loads(output_of("inspect", path, "--json"))["humanoid"]
        self.bones = {row["bone"]: row["node"] for row in humanoid["bones"]}
        self.model = vrm_models.Model.read(path)
        rest = self.model.globals()
        self.frame = self.frame_of(rest)
        self.feet = {foot: self.height(rest, foot) for foot in FEET}
        self.size = self.height(rest, "head") - min(self.feet.values())
        self.top = max([self.size, *self.tops_of_meshes(rest)])

    def place(self, places, bone):
        return places[self.bones[bone]][:3, 3]

    def height(self, places, bone):
        return float(self.frame[1] @ self.place(places, bone))

    def frame_of(self, places):
        """Rows: the character's left, up, forward."""
        at = {bone: self.place(places, bone) for bone in ("leftUpperLeg", "rightUpperLeg", "leftUpperArm",
                                                          "rightUpperArm")}
        up = unit((at["leftUpperArm"] + at["rightUpperArm"]) - (at["leftUpperLeg"] + at["rightUpperLeg"]))
        nearest = np.zeros(3)
        nearest[np.argmax(abs(up))] = np.sign(up[np.argmax(abs(up))])
        up = nearest if up @ nearest > np.cos(np.radians(30)) else up
        left = unit(unit(at["leftUpperLeg"] - at["rightUpperLeg"]) + unit(at["leftUpperArm"] - at["rightUpperArm"]))
        left = unit(left - up * (up @ left))
        return np.array([left, up, np.cross(left, up)])

    def tops_of_meshes(self, rest):
        """The heights of the bounding boxes of skinned meshes above the lower foot, in the bind pose."""
        for node in self.model.nodes:
            if "mesh" not in node or "skin" not in node:
                continue
            skin = self.model.gltf["skins"][node["skin"]]
            bind = self.model.floats(skin["inverseBindMatrices"])[0].reshape(4, 4).T
            scene_from_mesh = rest[skin["joints"][0]] @ bind
            for primitive in self.model.gltf["meshes"][node["mesh"]]["primitives"]:
                box = self.model.gltf["accessors"][primitive["attributes"]["POSITION"]]
                for corner in itertools.product(*zip(box["min"], box["max"])):
                    place = (scene_from_mesh @ [*corner, 1])[:3]
                    yield float(self.frame[1] @ place) - min(self.feet.values())

    def limbs(self, places):
        return [self.frame @ unit(self.place(places, child) - self.place(places, bone)) for bone, child in LIMBS]

    def sole_heights(self, places):
        """How far each foot's joint is above its place at rest, in sizes of the character."""
        return [(self.height(places, foot) - self.feet[foot]) / self.size for foot in FEET]


def output_of(*arguments):
    done = common.run([common.PROGRAM, *arguments])
    if done.returncode != 0:
        print(f"failed: skinbake {' '.join(str(a) for a in arguments)}: {done.stdout}")
        sys.exit(1)
    return done.stdout


def degrees(a, b):
    return float(np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b)))


def measured(clip_path, clip, character_path, folder):
    """(greatest angle of a limb, its bone, greatest height of a sole on the ground, soles on the ground, stretch)."""
    out = folder / "out.glb"
    output_of("retarget", f"{clip_path}#{clip}", character_path, "--mode", "humanoid", *REST_POSES,
              "--fps", FPS, "-o", out, "-q")
    source, target = Character(clip_path), Character(character_path)
    index = clip_index(source.model, clip)
    played, retargeted = Animation(source.model, index), Animation(vrm_models.Model.read(out), -1)
    stretch = played.stretch(source.bones) / source.size
    limb, bone, sole, on_ground = 0.0, "", 0.0, 0
    heights = []
    for frame in range(int(played.duration * FPS) + 1):
        a, b = played.globals_at(frame / FPS), retargeted.globals_at(frame / FPS)
        for (name, _), u, v in zip(LIMBS, source.limbs(a), target.limbs(b)):
            if degrees(u, v) > limb:
                limb, bone = degrees(u, v), name
        heights += zip(source.sole_heights(a), target.sole_heights(b))
    ground = min(u for u, _ in heights)
    for u, v in heights:
        if u <= ground + ON_GROUND_PERCENT / 100:
            sole, on_ground = max(sole, 100 * abs(v - u) * target.size / target.top), on_ground + 1
    return limb, bone, sole, on_ground, 100 * stretch


def clip_index(model, clip):
    names = [animation.get("name") for animation in model.gltf["animations"]]
    return names.index(clip) if clip in names else int(clip[1:])


def main():
    patterns = common.patterns(__doc__)
    common.need_program()
    common.need_shared()
    failed = 0
    print(f"{'clip':24} {'character':20} {'limb':>6}  {'of':14} {'sole':>6}  {'on ground':>7} {'stretch':>7}")
    with tempfile.TemporaryDirectory(prefix="skinbake-pairs-") as folder:
        for path, clip in CLIPS:
            for character in CHARACTERS:
                if not common.is_chosen(f"{path.name} {character.name}", patterns):
                    continue
                limb, bone, sole, on_ground, stretch = measured(path, clip, character, pathlib.Path(folder))
                good = limb <= LIMB_DEGREES and sole <= SOLE_PERCENT
                failed += not good
                print(f"{path.stem:24} {character.stem:20} {limb:5.2f}°  {bone:14} {sole:5.2f}%  {on_ground:7} {stretch:7.1f}%"
                      f"{'' if good else '  OUT OF BOUNDS'}", flush=True)
    print(f"{failed} pairs out of bounds ({LIMB_DEGREES}°, {SOLE_PERCENT} % of the height)")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
