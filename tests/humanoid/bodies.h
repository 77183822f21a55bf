// Skeletons of a human body, for tests: a T-pose that faces +Z, 1.7 m high.

#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "humanoid/human_bones.h"
#include "math/scalar.h"
#include "skinbake/rig.h"

namespace skinbake::test {

// The position of a bone in the scene, in metres. The left is +X.
inline Vec3<double> t_pose_position(std::string_view bone) {
  static const std::map<std::string_view, Vec3<double>> positions{
      {"hips", {0, 0.95, 0}},
      {"spine", {0, 1.05, 0}},
      {"chest", {0, 1.2, 0}},
      {"upperChest", {0, 1.3, 0}},
      {"neck", {0, 1.45, 0}},
      {"head", {0, 1.53, 0}},
      {"jaw", {0, 1.55, 0.04}},
      {"Eye", {0.03, 1.6, 0.08}},
      {"UpperLeg", {0.1, 0.9, 0}},
      {"LowerLeg", {0.1225, 0.45, 0}},
      {"Foot", {0.14, 0.1, -0.0525}},
      {"Toes", {0.147, 0.02, 0.0875}},
      {"Shoulder", {0.05, 1.42, 0}},
      {"UpperArm", {0.18, 1.42, 0}},
      {"LowerArm", {0.46, 1.42, 0}},
      {"Hand", {0.72, 1.42, 0}},
      {"ThumbMetacarpal", {0.74, 1.42, 0.03}},
      {"ThumbProximal", {0.76, 1.42, 0.05}},
      {"ThumbDistal", {0.78, 1.42, 0.07}},
      {"IndexProximal", {0.81, 1.42, 0.03}},
      {"IndexIntermediate", {0.85, 1.42, 0.03}},
      {"IndexDistal", {0.87, 1.42, 0.03}},
      {"MiddleProximal", {0.81, 1.42, 0.01}},
      {"MiddleIntermediate", {0.86, 1.42, 0.01}},
      {"MiddleDistal", {0.89, 1.42, 0.01}},
      {"RingProximal", {0.81, 1.42, -0.01}},
      {"RingIntermediate", {0.85, 1.42, -0.01}},
      {"RingDistal", {0.88, 1.42, -0.01}},
      {"LittleProximal", {0.8, 1.42, -0.03}},
      {"LittleIntermediate", {0.83, 1.42, -0.03}},
      {"LittleDistal", {0.85, 1.42, -0.03}}};
  const SidedBone sided = without_side(bone);
  Vec3<double> position = positions.at(sided.bone);
  if (sided.side == BodySide::kRight) position.x = -position.x;
  return position;
}

// Builds a skeleton node by node. Nodes are given by their positions in the scene; all rotations
// are the identity.
class BodyBuilder {
 public:
  NodeIndex add(const std::string& name, NodeIndex parent, const Vec3<double>& position) {
    Node node;
    node.name = name;
    node.parent = parent;
    const Vec3<double> origin =
        parent < 0 ? Vec3<double>{0, 0, 0} : positions_[static_cast<std::size_t>(parent)];
    node.translation = position - origin;
    positions_.push_back(position);
    skeleton.order.push_back(static_cast<NodeIndex>(skeleton.nodes.size()));
    skeleton.nodes.push_back(node);
    return skeleton.order.back();
  }

  // Adds a bone below the node of its nearest ancestor in the human skeleton that was added.
  NodeIndex add_bone(const std::string& bone, const std::string& name, NodeIndex root = -1) {
    std::string_view above = human_bone(bone)->parent;
    while (!above.empty() && !nodes.contains(std::string(above))) above = human_bone(above)->parent;
    const NodeIndex parent = above.empty() ? root : nodes.at(std::string(above));
    return nodes[bone] = add(name, parent, t_pose_position(bone));
  }

  Skeleton skeleton;
  std::map<std::string, NodeIndex> nodes;  // by bone

 private:
  std::vector<Vec3<double>> positions_;
};

}  // namespace skinbake::test
