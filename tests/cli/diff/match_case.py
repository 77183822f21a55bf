"""What the tests of skinbake diff --match share."""

import struct

from changed_gltf import ChangedGltf
from diff_case import DiffCase
from support import RIGS

ARM = RIGS / "two_joints.gltf"  # a small rig, and few points: these tests run with sanitizers too
SURFACE = ("--match", "surface", "--sampling", "0.05")
AUTO = ("--match", "auto", "--sampling", "0.05")


class MatchTest(DiffCase):
    A, B = ARM, "b.gltf"

    def setUp(self):
        super().setUp()
        self.arm = ChangedGltf(ARM)

    def save(self, changed, name="b.gltf"):
        return changed.save(self.folder / name)

    def moved(self, rig, move):
        """A copy whose positions are move(x, y, z)."""
        copy = rig.copy()
        position = copy.primitive["attributes"]["POSITION"]
        copy.replace(position, [struct.pack("<3f", *move(*struct.unpack("<3f", row))) for row in copy.rows(position)])
        return copy

    def stiff(self):
        """A split copy that the first joint moves alone."""
        stiff = self.arm.split()
        attributes = stiff.primitive["attributes"]
        count = len(stiff.rows(attributes["JOINTS_0"]))
        stiff.replace(attributes["JOINTS_0"], [bytes(4)] * count)
        stiff.replace(attributes["WEIGHTS_0"], [struct.pack("<4f", 1, 0, 0, 0)] * count)
        return stiff
