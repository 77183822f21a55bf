// Bones as metrics see them: from the nearest ancestor that is a joint of the skin to the joint.

#pragma once

#include <vector>

#include "clip/forward_kinematics.h"
#include "skinbake/metrics.h"

namespace skinbake {

struct Bone {
  JointIndex joint = 0, child = 0;  // where it starts and ends
};

// The pairs whose places are further apart than `least_length`, in the order of the children.
// Places are [joint]; those of joints whose inverse bind matrix is singular are not finite.
std::vector<Bone> bones_of(const Rig& rig, const std::vector<Vec3<double>>& places,
                           double least_length);

// The joints' places at the baseline.
std::vector<Vec3<double>> baseline_places(const MetricInput& input);

// The joints of one frame after another, in the space of the positions. One for each thread.
class JointPoser {
 public:
  explicit JointPoser(const MetricInput& input);

  // posed_from_rest of every joint at a position in the run.
  const std::vector<Affine<double>>& at(std::int64_t frame);
  // Their places, after at().
  Vec3<double> place(JointIndex j) const;

 private:
  FrameRange frames_;
  Space space_;
  PoseSampler sampler_;
  SampledPose pose_;
  std::vector<Vec3<double>> bind_places_;
};

}  // namespace skinbake
