// Transforms of nodes in the rest pose, which the file's node transforms define.

#pragma once

#include <vector>

#include "math/scalar.h"
#include "skinbake/rig.h"

namespace skinbake {

// Composes translation, rotation and scale.
inline Affine<double> local_transform(const Vec3<double>& translation, const Quat<double>& rotation,
                                      const Vec3<double>& scale) {
  const Affine<double> m = to_affine(rotation, translation);
  return {scale.x * m.x, scale.y * m.y, scale.z * m.z, translation};
}

// The local transform of a node at rest, relative to Skeleton::base_of.
Affine<double> local_at_rest(const Node& node);

// scene_from_node at rest; the identity for node -1. Takes time proportional to the node's depth.
Affine<double> scene_at_rest(const Skeleton& skeleton, NodeIndex node);

// scene_from_node at rest of all nodes, in time proportional to their number: many joints of a long
// chain would take its square.
class RestScenes {
 public:
  explicit RestScenes(const Skeleton& skeleton);

  // The identity for node -1.
  const Affine<double>& scene_from_node(NodeIndex node) const {
    return node < 0 ? kIdentity : scenes_[static_cast<std::size_t>(node)];
  }

 private:
  std::vector<Affine<double>> scenes_;  // [node]
};

}  // namespace skinbake
