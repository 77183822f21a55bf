// A skeleton in the T-pose, from which the poses of its humanoid are read and written.

#pragma once

#include <array>
#include <string>
#include <vector>

#include "humanoid/human_bones.h"
#include "skinbake/clip.h"
#include "skinbake/humanoid.h"

namespace skinbake {

struct TPosedSkeleton {
  std::array<NodeIndex, kHumanBones.size()> nodes;  // [bone of kHumanBones]; -1: not mapped
  std::vector<Quat<double>> locals;                 // [node] relative to Skeleton::base_of
  std::vector<Quat<double>> turns;                  // [node] in the scene: W
  Quat<double> scene_from_character;                // B: x left, y up, z forward
  double ground_m = 0;       // the height at which the character stands, along y
  double hips_height_m = 0;  // of the hips above the ground
  double ankle_m = 0;        // of the lower foot's joint above the ground; 0: without feet
};

// The length that is one height of the hips in poses of this body alone, in metres: hips that are
// not above the ground do not have a height, so that their places are in metres.
double hips_unit_m(const TPosedSkeleton& body);

// A place of the hips in the scene as HumanPose has it: in the character's frame, in lengths of
// `unit_m` above the ground.
Vec3<double> hips_place(const TPosedSkeleton& body, Vec3<double> in_scene, double unit_m);

// A bone, or a node above one.
struct BoneStep {
  NodeIndex node = -1;
  int above = -1;  // index of the step of the node above
  int bone = -1;   // index in kHumanBones
};

// The steps from the scene to all bones, parents first. `nodes` is [bone of kHumanBones].
std::vector<BoneStep> steps_to_bones(const Skeleton& skeleton,
                                     const std::array<NodeIndex, kHumanBones.size()>& nodes);

// The product of the local rotations from the scene to each node. A node with a matrix has the
// rotation of its polar decomposition. Shape [node].
std::vector<Quat<double>> scene_rotations(const Skeleton& skeleton,
                                          const std::vector<Quat<double>>& locals);

// A node's local rotation at rest.
Quat<double> rotation_at_rest(const Node& node);

// In the T-pose: the rest pose, with its bones turned if `is_corrected`.
// Throws Error (kInput, HUMANOID_INCOMPLETE) if the T-pose or the frame of the character needs
// bones that the map does not have, and Error (kInput, HUMANOID_NOT_FINITE) if the rest pose does
// not determine them. `file` is the file in the message.
TPosedSkeleton t_posed(const Skeleton& skeleton, const HumanoidMap& map, bool is_corrected,
                       const std::string& file);

// The same for a file with clips. Throws also Error (kUsage, T_POSE_INVALID) if the clip of the
// choice does not exist or does not rotate a node, or if the time is not within the clip.
TPosedSkeleton t_posed(const Skeleton& skeleton, const HumanoidMap& map,
                       const std::vector<Clip>& clips, const TPoseChoice& choice,
                       const std::string& file);

}  // namespace skinbake
