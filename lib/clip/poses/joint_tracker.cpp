#include "clip/poses/joint_tracker.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/polar.h"
#include "math/scalar.h"
#include "skinbake/error.h"

namespace skinbake {

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
