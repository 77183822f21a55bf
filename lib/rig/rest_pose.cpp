// Parts of node matrices, and global transforms in the rest pose.

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/rotation_parts.h"
#include "rig/rest_pose.h"

namespace skinbake {

// ---- The columns of a matrix without shear are the axes of its rotation times the scales: M = R S
// with S diagonal. A mirroring matrix has a negative determinant; the scale of x then is negative.

namespace {

// Exporters multiply matrices in float: the parts may differ from the matrix by this fraction.
constexpr double kTolerance = 1e-5;

double greatest_of(const Vec3<double>& a) {
  return std::max({std::abs(a.x), std::abs(a.y), std::abs(a.z)});
}

}  // namespace

bool split_matrix(Node& node) {
  if (!node.matrix) return false;
  const Affine<double>& m = *node.matrix;
  Vec3<double> scale{norm(m.x), norm(m.y), norm(m.z)};
  if (dot(m.x, cross(m.y, m.z)) < 0) scale.x = -scale.x;
  const double least = std::min({std::abs(scale.x), scale.y, scale.z});
  if (!(least > 0) || !std::isfinite(scale.x) || !std::isfinite(scale.y) || !std::isfinite(scale.z))
    return false;
  const Affine<double> axes{
      (1 / scale.x) * m.x, (1 / scale.y) * m.y, (1 / scale.z) * m.z, {0, 0, 0}};
  const PolarFactors factors = polar_factors(axes);
  if (factors.degenerate) return false;
  const Quat<double> rotation = to_quat(factors.rotation);
  const Affine<double> again = local_transform(m.translation, rotation, scale);
  const bool is_equal = greatest_of(again.x - m.x) <= kTolerance * std::abs(scale.x) &&
                        greatest_of(again.y - m.y) <= kTolerance * scale.y &&
                        greatest_of(again.z - m.z) <= kTolerance * scale.z;
  if (!is_equal) return false;
  node.translation = m.translation;
  node.rotation = rotation;
  node.scale = scale;
  node.matrix.reset();
  return true;
}

Affine<double> local_at_rest(const Node& node) {
  return node.matrix ? *node.matrix : local_transform(node.translation, node.rotation, node.scale);
}

Affine<double> scene_at_rest(const Skeleton& skeleton, NodeIndex node) {
  Affine<double> scene = kIdentity;
  for (; node >= 0; node = skeleton.base_of(node)) {
    scene = local_at_rest(skeleton.nodes[static_cast<std::size_t>(node)]) * scene;
  }
  return scene;
}

const Affine<double>& RestScenes::scene_from_node(NodeIndex node) {
  std::vector<NodeIndex> unknown;  // from the node upwards
  NodeIndex known = node;
  for (; known >= 0 && !scenes_.contains(known); known = skeleton_.base_of(known)) {
    unknown.push_back(known);
  }
  const Affine<double>* scene = known < 0 ? &kIdentity : &scenes_.at(known);
  for (auto below = unknown.rbegin(); below != unknown.rend(); ++below) {
    const Node& at = skeleton_.nodes[static_cast<std::size_t>(*below)];
    scene = &scenes_.emplace(*below, *scene * local_at_rest(at)).first->second;
  }
  return *scene;
}

}  // namespace skinbake
