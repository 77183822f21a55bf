// Where nodes are at the file's own transforms.

#pragma once

#include "math/scalar.h"
#include "skinbake/rig.h"

namespace skinbake {

// Translation, rotation and scale as a matrix.
inline Affine<double> local_transform(const Vec3<double>& translation, const Quat<double>& rotation,
                                      const Vec3<double>& scale) {
  const Affine<double> m = to_affine(rotation, translation);
  return {scale.x * m.x, scale.y * m.y, scale.z * m.z, translation};
}

// The node's own transform at rest, relative to its base.
Affine<double> local_at_rest(const Node& node);

// scene_from_node at rest; of -1 the identity. For a few nodes: its time grows with the depth.
Affine<double> scene_at_rest(const Skeleton& skeleton, NodeIndex node);

}  // namespace skinbake
