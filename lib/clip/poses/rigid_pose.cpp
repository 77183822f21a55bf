// Rigid parts of joint transforms, and their rotations tracked through time.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "clip/poses/rigid_pose.h"
#include "math/rotation_parts.h"
#include "math/scalar.h"
#include "skinbake/error.h"

namespace skinbake {

RigidFactors::RigidFactors(const Rig& rig, const Vec3<double>& centre)
    : tree_(rig, centre), centre_(centre) {}

double RigidFactors::common_scale(const SampledPose& pose) const {
  std::vector<std::pair<double, double>> scales;  // scale, weight
  double total = 0;
  for (const JointIndex j : tree_.order) {
    scales.emplace_back(cbrt(determinant(pose.posed_from_rest[j])), tree_.weights[j]);
    total += tree_.weights[j];
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

void RigidFactors::factor(const SampledPose& pose, RigidPose& rigid, bool about_origin) const {
  const std::size_t joint_count = tree_.heads.size();
  const double k = common_scale(pose);
  rigid.common_scale = k;
  rigid.posed_from_scaled.assign(joint_count, {{1, 0, 0, 0}, {0, 0, 0}});
  rigid.scaled_from_rest.assign(joint_count, kIdentity);
  rigid.scaled_first.assign(joint_count, 0);
  std::vector<Affine<double>> rotations(joint_count, kIdentity);
  std::vector<bool> singular(joint_count);
  for (const JointIndex j : tree_.order) {
    const Affine<double>& m = pose.posed_from_rest[j];
    PolarFactors polar = polar_factors(m);
    const int parent = tree_.parents[j];
    singular[j] = polar.degenerate;
    if (parent >= 0 && singular[parent]) rigid.scaled_first[parent] = rigid.scaled_first[j] = 1;
    if (polar.degenerate) {  // a joint scaled to zero has the rotation of its parent
      if (parent >= 0) polar.rotation = rotations[parent];
      polar.stretch = stretch_of(polar.rotation, m);
    }
    rotations[j] = polar.rotation;
    const Vec3<double> c = about_origin ? -centre_ : tree_.heads[j];
    const Vec3<double> left = rotate(polar.stretch, c) - k * c;  // S c - k c
    rigid.posed_from_scaled[j] = {to_quat(polar.rotation),
                                  m.translation + rotate(polar.rotation, left)};
    rigid.scaled_from_rest[j] = {polar.stretch.x, polar.stretch.y, polar.stretch.z, -left};
  }
  chain(rigid);
}

void RigidFactors::chain(RigidPose& rigid) const {
  rigid.chained.assign(tree_.heads.size(), kIdentity);
  const double per_scale = 1 / rigid.common_scale;
  for (const JointIndex j : tree_.order) {
    const Rigid<double>& c = rigid.posed_from_scaled[j];
    const Affine<double>& s = rigid.scaled_from_rest[j];
    const Affine<double> stretch{per_scale * s.x, per_scale * s.y, per_scale * s.z, s.translation};
    const Affine<double> moved = to_affine(c.rotation, c.translation);
    rigid.chained[j] = rigid.scaled_first[j] != 0 ? moved : moved * stretch;
  }
}

Affine<double> relative_to_parent(const JointTree& tree, const RigidPose& rigid, JointIndex j) {
  return inverse(rigid.chained[static_cast<std::size_t>(tree.parents[j])]) * rigid.chained[j];
}

namespace {

// ‖S/k - 1‖ > neglected, from S S = A^T A: ‖S S/k^2 - 1‖ is about 2 ‖S/k - 1‖. `k2`: k^2.
bool stretches(const Affine<double>& a, double k2, double neglected) {
  const double xx = dot(a.x, a.x) / k2 - 1, yy = dot(a.y, a.y) / k2 - 1;
  const double zz = dot(a.z, a.z) / k2 - 1;
  const double xy = dot(a.x, a.y) / k2, yz = dot(a.y, a.z) / k2, zx = dot(a.z, a.x) / k2;
  const double off = xx * xx + yy * yy + zz * zz + 2 * (xy * xy + yz * yz + zx * zx);
  return !(sqrt(off) <= 2 * neglected);
}

bool is_scaled_alike(const Affine<double>& a, double neglected) {
  const double k2 = (dot(a.x, a.x) + dot(a.y, a.y) + dot(a.z, a.z)) / 3;
  return !stretches(a, k2, neglected);
}

}  // namespace

bool RigidFactors::is_stretched(const SampledPose& pose, double neglected) const {
  const double k = common_scale(pose);
  return std::any_of(tree_.order.begin(), tree_.order.end(), [&](JointIndex j) {
    const Affine<double>& a = pose.posed_from_rest[j];
    return (determinant(a) < 0) != (k < 0) || stretches(a, k * k, neglected);
  });
}

// In mesh space a joint has M^-1 A, with M of the mesh node. If M is a similarity, that has the
// stretch of A; otherwise it has another one at each instant.
bool RigidFactors::is_stretched(PoseSampler sampler, double neglected, Space space) const {
  if (sampler.has_scale_splines()) return true;
  SampledPose pose;
  const auto is_stretched_at = [&](double time_s) {
    sampler.sample(time_s, pose);
    return is_stretched(pose, neglected) ||
           (space == Space::kMesh && !is_scaled_alike(pose.scene_from_mesh, neglected));
  };
  if (sampler.keeps_stretch()) return is_stretched_at(0);
  if (sampler.may_stretch_between_keys(neglected)) return true;
  for (const double time_s : sampler.key_times()) {
    if (is_stretched_at(time_s)) return true;
  }
  return false;
}

namespace {

constexpr double kLeastRate_hz = 120;
constexpr double kMostSamplesPerFrame = 0x1p31;  // of frames of a year
constexpr double kNoTwist = 1e-12;  // for w^2 + (q . a)^2: below it the twist is undefined

// The joint relative to which j is tracked, or -1 for the first root.
int tracking_parent(const JointTree& tree, JointIndex j) {
  if (tree.parents[j] >= 0) return tree.parents[j];
  return j == tree.order.front() ? -1 : static_cast<int>(tree.order.front());
}

Quat<double> relative_rotation(const JointTree& tree, const RigidPose& rigid, JointIndex j) {
  const Quat<double>& q = rigid.posed_from_scaled[j].rotation;
  const int parent = tracking_parent(tree, j);
  if (parent < 0) return q;
  return conjugate(rigid.posed_from_scaled[static_cast<std::size_t>(parent)].rotation) * q;
}

// Adds whole turns to bring an angle to -pi … pi.
double wrapped(double angle) {
  constexpr double kTurn = 2 * std::numbers::pi;
  return angle - kTurn * std::floor(angle / kTurn + 0.5);
}

}  // namespace

void TrackedJoints::sign(const JointTree& tree, RigidPose& rigid) const {
  for (const JointIndex j : tree.order) {
    if (tracking_parent(tree, j) < 0) continue;
    if (dot(relative_rotation(tree, rigid, j), relative[j]) >= 0) continue;
    Quat<double>& q = rigid.posed_from_scaled[j].rotation;
    q = -1.0 * q;
  }
}

JointTracker::JointTracker(const RigidFactors& factors, const PoseSampler& sampler, double fps,
                           const std::atomic<bool>* cancelled)
    : factors_(factors),
      sampler_(sampler),
      samples_per_frame_(static_cast<std::int64_t>(
          std::min(std::ceil(kLeastRate_hz / fps), kMostSamplesPerFrame))),
      cancelled_(cancelled) {
  rate_hz_ = fps * static_cast<double>(samples_per_frame_);
}

const TrackedJoints& JointTracker::advance(std::int64_t frame) {
  while (sample_ < frame * samples_per_frame_) {
    if (cancelled_ != nullptr && cancelled_->load()) throw Cancelled();
    ++sample_;
    take_sample();
  }
  return state_;
}

void JointTracker::take_sample() {
  sampler_.sample(static_cast<double>(sample_) / rate_hz_, pose_);
  factors_.factor(pose_, rigid_);
  const JointTree& tree = factors_.tree();
  const bool first = sample_ == 0;
  if (first) {
    state_.relative.assign(tree.heads.size(), {1, 0, 0, 0});
    state_.twists.assign(tree.heads.size(), 0);
  }
  for (const JointIndex j : tree.order) {
    Quat<double> q = relative_rotation(tree, rigid_, j);
    const double agreement = first ? q.w : dot(q, state_.relative[j]);
    if (agreement < 0) q = -1.0 * q;
    state_.relative[j] = q;
    if (tree.parents[j] >= 0) {
      q = to_quat(polar_factors(relative_to_parent(tree, rigid_, j)).rotation);
    }
    const double along = dot(vector_part(q), tree.directions[j]);
    if (q.w * q.w + along * along < kNoTwist) continue;
    double& twist = state_.twists[j];
    twist += wrapped(2 * atan2(along, q.w) - twist);
  }
}

}  // namespace skinbake
