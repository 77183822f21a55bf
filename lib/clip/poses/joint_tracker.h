// Tracks the rotations of joints over time: the sign of the quaternion (q or -q) and the number of
// whole turns.
//
// A single pose determines neither: a forearm that is twisted by 270 degrees looks like one twisted
// by -90. The clip is therefore sampled from its start, in steps of at most 1/120 s that do not
// depend on the frames of the run, and the rotation of every joint relative to its parent is kept
// continuous:
//
//     q       parent^-1 joint, of their rotations. First sample: the sign with w >= 0; later
//             samples: the sign nearest to the previous q
//     twist   2 atan2(p . a, w) about the direction a of the joint's segment, plus the whole turns
//             that bring it nearest to the previous twist. If the twist is undefined (a swing of
//             half a turn), the previous one. p is the rotation of parent^-1 joint, of their
//             matrices: a stretch of the parent turns the joint relative to it
//
// The rotations of all other roots are tracked relative to the first root.

#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "clip/poses/rigid_pose.h"

namespace skinbake {

// Shapes [joint].
struct TrackedJoints {
  std::vector<Quat<double>> relative;  // of unit length
  std::vector<double> twists;          // radians

  // Sets the signs of the rotations to the tracked signs.
  void sign(const JointTree& tree, RigidPose& rigid) const;
};

class JointTracker {
 public:
  // `cancelled` may be null. Otherwise `advance` throws Cancelled when it is true. All arguments
  // except the sampler, which is copied, must outlive the tracker.
  JointTracker(const RigidFactors& factors, const PoseSampler& sampler, double fps,
               const std::atomic<bool>* cancelled);

  // Tracks the joints up to a frame number. Precondition: frames do not descend.
  const TrackedJoints& advance(std::int64_t frame);

 private:
  void take_sample();

  const RigidFactors& factors_;
  PoseSampler sampler_;
  double rate_hz_;
  std::int64_t samples_per_frame_;
  std::int64_t sample_ = -1;  // number of the last sample
  const std::atomic<bool>* cancelled_;
  SampledPose pose_;
  RigidPose rigid_;
  TrackedJoints state_;
};

}  // namespace skinbake
