// Joint segments for metrics: the line from a joint to each of its child joints.

#pragma once

#include <cstdint>
#include <vector>

#include "clip/poses/skinning.h"
#include "skinbake/metrics.h"

namespace skinbake {

// Shorter segments are points. A fraction of D.
inline constexpr double kMinSegmentLength = 1e-6;

struct SegmentEnds {
  JointIndex joint = 0, child = 0;  // start and end
};

// Returns the segments that are longer than `least_length`, in the order of their children. A
// joint's parent is its nearest ancestor that is a joint of the rig. `positions` [joint] may
// contain positions that are not finite: those of singular inverse bind matrices.
std::vector<SegmentEnds> find_segments(const Rig& rig, const std::vector<Vec3<double>>& positions,
                                       double least_length);

// The bind baseline, whatever the baseline of the input. Segments are chosen in it.
BaselinePose bind_pose_of(const MetricInput& input);

// [joint] The positions of the joints in a baseline of the input's rig.
std::vector<Vec3<double>> joint_positions(const MetricInput& input, const BaselinePose& pose);

// Evaluates the joints of one frame after another, in the space of the frames' vertices. Not
// thread-safe: each block state has its own.
class JointPoser {
 public:
  explicit JointPoser(const MetricInput& input);

  // Evaluates a frame, counted from the start of the run. Returns posed_from_rest [joint].
  const std::vector<Affine<double>>& at(std::int64_t frame);
  // The position of a joint in the frame that was evaluated last.
  Vec3<double> position(JointIndex j) const;

 private:
  FrameRange frames_;
  Space space_;
  PoseSampler sampler_;
  SampledPose pose_;
  std::vector<Vec3<double>> bind_positions_;
};

}  // namespace skinbake
