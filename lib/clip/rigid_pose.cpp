#include "clip/rigid_pose.h"

#include <algorithm>

#include "math/polar.h"
#include "math/scalar.h"

namespace skinbake {

namespace {

constexpr double kSameStretch = 1e-5;  // ‖S_j / k - 1‖ that is not worth a second blend

bool is_finite(const Vec3<double>& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

std::vector<double> joint_weights(const Rig& rig) {
  std::vector<double> weights(rig.joints.size());
  for (const Influence& i : rig.influences) weights[i.joint] += i.weight;
  return weights;
}

}  // namespace

RigidFactors::RigidFactors(const Rig& rig, const Vec3<double>& centre)
    : weights_(joint_weights(rig)) {
  const std::vector<Node>& nodes = rig.skeleton->nodes;
  std::vector<int> joint_of_node(nodes.size(), -1);
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    if (weights_[j] > 0) joint_of_node[rig.joints[j].node] = static_cast<int>(j);
  }
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    // Where the inverse bind matrix is singular the joint has no place; any will do.
    const Vec3<double> place = inverse(rig.joints[j].joint_from_model).translation;
    pivots_.push_back(is_finite(place) ? place - centre : Vec3<double>{0, 0, 0});
    NodeIndex n = nodes[rig.joints[j].node].parent;
    while (n >= 0 && joint_of_node[n] < 0) n = nodes[n].parent;
    skinned_ancestor_.push_back(n < 0 ? -1 : joint_of_node[n]);
  }
  for (const NodeIndex n : rig.skeleton->order) {
    if (joint_of_node[n] >= 0) order_.push_back(static_cast<JointIndex>(joint_of_node[n]));
  }
  // Two joints may name one node; the others come last, when their ancestors are done.
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    if (weights_[j] > 0 && joint_of_node[rig.joints[j].node] != static_cast<int>(j)) {
      order_.push_back(static_cast<JointIndex>(j));
    }
  }
}

double RigidFactors::common_scale(const SampledPose& pose) const {
  std::vector<std::pair<double, double>> scales;  // scale, weight
  double total = 0;
  for (const JointIndex j : order_) {
    scales.emplace_back(cbrt(determinant(pose.posed_from_rest[j])), weights_[j]);
    total += weights_[j];
  }
  std::sort(scales.begin(), scales.end());
  double sum = 0, median = 1;
  for (const auto& [scale, weight] : scales) {
    median = scale;
    sum += weight;
    if (sum >= total / 2) break;
  }
  return std::fabs(median) <= 1e-12 ? 1 : median;
}

void RigidFactors::factor(const SampledPose& pose, RigidPose& rigid) const {
  const std::size_t joint_count = pivots_.size();
  const double k = common_scale(pose);
  rigid.common_scale = k;
  rigid.posed_from_scaled.assign(joint_count, {{1, 0, 0, 0}, {0, 0, 0}});
  rigid.scaled_from_rest.assign(joint_count, kIdentity);
  std::vector<Affine<double>> rotations(joint_count, kIdentity);
  for (const JointIndex j : order_) {
    const Affine<double>& m = pose.posed_from_rest[j];
    PolarFactors polar = polar_factors(m);
    if (polar.degenerate) {  // a joint scaled to nothing turns as the one above it
      if (skinned_ancestor_[j] >= 0) polar.rotation = rotations[skinned_ancestor_[j]];
      polar.stretch = stretch_of(polar.rotation, m);
    }
    rotations[j] = polar.rotation;
    const Vec3<double> c = pivots_[j];
    const Vec3<double> left = rotate(polar.stretch, c) - k * c;  // S c - k c
    rigid.posed_from_scaled[j] = {to_quat(polar.rotation),
                                  m.translation + rotate(polar.rotation, left)};
    rigid.scaled_from_rest[j] = {polar.stretch.x, polar.stretch.y, polar.stretch.z, -left};
  }
}

// ‖S/k - 1‖ > 1e-5 without the square root: S S = A^T A.
bool RigidFactors::is_stretched(const SampledPose& pose) const {
  const double k = common_scale(pose);
  return std::any_of(order_.begin(), order_.end(), [&](JointIndex j) {
    const Affine<double>& a = pose.posed_from_rest[j];
    if ((determinant(a) < 0) != (k < 0)) return true;
    const double k2 = k * k;
    const double xx = dot(a.x, a.x) / k2 - 1, yy = dot(a.y, a.y) / k2 - 1;
    const double zz = dot(a.z, a.z) / k2 - 1;
    const double xy = dot(a.x, a.y) / k2, yz = dot(a.y, a.z) / k2, zx = dot(a.z, a.x) / k2;
    const double off = xx * xx + yy * yy + zz * zz + 2 * (xy * xy + yz * yz + zx * zx);
    return !(sqrt(off) <= 2 * kSameStretch);
  });
}

bool RigidFactors::is_stretched(PoseSampler sampler) const {
  if (sampler.has_scale_splines()) return true;
  SampledPose pose;
  for (const double time : sampler.key_times()) {
    sampler.sample(time, pose);
    if (is_stretched(pose)) return true;
  }
  return false;
}

}  // namespace skinbake
