// Joints followed through time: which of q and -q, and how many turns.
//
// A rotation says neither; a forearm that is turned by 270 degrees looks like one turned back
// by 90. The clip is therefore followed from its beginning, in steps of at most 1/120 s, whatever
// frames are asked for, and every joint's turn against its parent is kept continuous:
//
//     q       of parent^-1 joint, at the first sample with w >= 0, then nearest to the one before
//     twist   2 atan2(q . a, w) about the joint's bone a, plus the whole turns that bring it
//             nearest to the one before; where there is no telling (a swing of half a turn), the
//             one before
//
// Roots after the first are followed against the first.

#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "clip/rigid_pose.h"

namespace skinbake {

// Shapes [joint].
struct TrackedJoints {
  std::vector<Quat<double>> relative;  // of unit length
  std::vector<double> twists;          // radians

  // Gives the rotations the signs that they were followed with.
  void sign(const JointTree& tree, RigidPose& rigid) const;
};

class JointTracker {
 public:
  // `cancelled` may be null; else advance throws Cancelled when it says so.
  JointTracker(const RigidFactors& factors, const PoseSampler& sampler, double fps,
               const std::atomic<bool>* cancelled);

  // Follows the joints to a frame. Frames must not descend.
  const TrackedJoints& advance(std::int64_t frame);

 private:
  void take_sample();

  const RigidFactors& factors_;
  PoseSampler sampler_;
  double rate_hz_;
  std::int64_t samples_per_frame_;
  std::int64_t sample_ = -1;  // the last one taken
  const std::atomic<bool>* cancelled_;
  SampledPose pose_;
  RigidPose rigid_;
  TrackedJoints state_;
};

}  // namespace skinbake
