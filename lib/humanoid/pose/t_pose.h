// The T-pose of a humanoid: the rotation of each bone that brings a character from its rest pose
// into the pose in which one rotation means the same on every character.
//
// Directions and tolerances are those of the avatar set-up of Unity ("Humanoid Avatars", Unity
// Manual). Unity stops at the tolerance; here a bone goes to the direction, so that the result does
// not depend on how crooked the rest pose is.

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "humanoid/map/human_map.h"
#include "humanoid/pose/character_frame.h"
#include "math/scalar.h"

namespace skinbake {

// A bone of the map in the T-pose.
struct TPosedBone {
  std::string_view bone;
  NodeIndex node = -1;
  // The angle between the bone's directions at rest and in the T-pose, in degrees; none: the T-pose
  // does not give a direction, or the rig does not have the child bone.
  std::optional<double> degrees_off;
  double tolerance_deg = 0;  // within which a rest pose counts as a T-pose
  // The bone's own correction: a rotation of the node and everything below it about the node, in
  // the frame of the scene, after the corrections of the bones above it.
  Quat<double> correction{1, 0, 0, 0};
  // All corrections together: the rotation of the node in the T-pose is total * (rotation at rest).
  Quat<double> total{1, 0, 0, 0};
  // Whether the rig says how the bone rolls about its own direction, by a bent knee or elbow or by
  // the fingers. Only upper legs, upper arms and hands are asked.
  std::optional<bool> is_roll_known;
};

struct TPose {
  CharacterFrame frame;                 // at rest
  std::vector<TPosedBone> bones;        // in the order of kHumanBones
  std::vector<Vec3<double>> positions;  // [node] in the T-pose, in the scene
};

// Precondition: the map is complete. Nodes that are not bones follow their parent. Rotations are
// not finite if rest positions are not.
TPose t_pose(const NodeTree& tree, const HumanMap& map);

}  // namespace skinbake
