// The T-pose of a humanoid, and the frame of a character at rest.

#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "humanoid/map/human_map.h"
#include "humanoid/pose/human_pose.h"
#include "math/scalar.h"
#include "skinbake/rig.h"

namespace skinbake {

// ---- The frame of a character: which way is left, up and forward for it at rest.

// Orthogonal unit vectors in the scene. The left is +X of a character that faces +Z.
struct CharacterFrame {
  Vec3<double> left{1, 0, 0}, up{0, 1, 0}, forward{0, 0, 1};

  // A direction whose components are along left, up and forward, in the scene.
  Vec3<double> in_scene(const Vec3<double>& d) const {
    return d.x * left + d.y * up + d.z * forward;
  }
};

// The frame from the rest positions of upper arms and upper legs: across is the mean of their
// directions from left to right, up is the direction from the legs to the arms, or the axis of the
// scene that is within 30 degrees of it. Precondition: the map is complete. The result is not
// finite if these positions coincide or are not finite.
CharacterFrame character_frame(const NodeTree& tree, const HumanMap& map);

// The frame turned by the smallest rotation that makes +Y its up.
CharacterFrame upright(const CharacterFrame& frame);

// ---- The foot on which a body stands: the lower one.

// The height of the lower foot's joint along y. `place_of` returns the place of a node in the
// scene. None: the body has no feet. `nodes` is [bone of kHumanBones]; -1: not mapped.
template <class PlaceOf>
std::optional<double> lower_foot_m(const std::array<NodeIndex, kHumanBones.size()>& nodes,
                                   const PlaceOf& place_of) {
  std::optional<double> lower;
  for (const char* foot : {"leftFoot", "rightFoot"}) {
    const NodeIndex node = nodes[human_bone_index(foot)];
    if (node < 0) continue;
    const double height = place_of(node).y;
    if (!lower || height < *lower) lower = height;
  }
  return lower;
}

// ---- The T-pose of a humanoid: the rotation of each bone that brings a character from its rest
// pose into the pose in which one rotation means the same on every character.
//
// Unity's avatar set-up has the same directions and tolerances ("Humanoid Avatars", Unity Manual).
// Unity stops at the tolerance; here a bone goes to the direction, so that the result does not
// depend on how crooked the rest pose is.

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
