// Transforms of nodes in the rest pose, and their translations, rotations and scales.

#pragma once

#include <unordered_map>

#include "math/scalar.h"
#include "skinbake/rig.h"

namespace skinbake {

// ---- Splits the matrix of a node into the translation, rotation and scale that an animation can
// move.

// Replaces the node's matrix by its parts. Returns false, and changes nothing, if the node does not
// have a matrix, or if the matrix has shear or a scale of zero, which no parts express.
bool split_matrix(Node& node);

// ---- Transforms of nodes in the rest pose, which the file's node transforms define.

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

// scene_from_node at rest of the requested nodes, each computed once: many joints of a
// long chain would take the square of its length, and all nodes for each of many meshes the square
// of their number. Not thread-safe.
class RestScenes {
 public:
  explicit RestScenes(const Skeleton& skeleton) : skeleton_(skeleton) {}

  // The identity for node -1. The result stays valid.
  const Affine<double>& scene_from_node(NodeIndex node);

 private:
  const Skeleton& skeleton_;
  std::unordered_map<NodeIndex, Affine<double>> scenes_;
};

}  // namespace skinbake
