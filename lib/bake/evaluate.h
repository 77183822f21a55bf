// The joints of a block of frames, and what kernels are given to skin vertices with them.

#pragma once

#include <optional>
#include <vector>

#include "bake/job.h"
#include "clip/joint_tracker.h"

namespace skinbake {

// The joints of one block: sampled in double, stored for lanes, prepared for each method.
class BlockJoints {
 public:
  explicit BlockJoints(const Job& job);

  // `tracked`: the joints as they were followed, one for each frame; empty unless
  // Job::needs_tracking.
  void sample(const Job& job, std::int64_t first_frame, int frame_count,
              std::span<const TrackedJoints> tracked);

  // [joint][frame] -1 where the joint mirrors, else 1.
  void find_sides(double* sides) const;

  // The methods' own forms of the joints, and their parts; part of `sample`.
  void prepare(const Job& job);

  // What a kernel needs to skin `vertices` with methods[m]; output not yet set.
  SkinTask<float> task(const Job& job, std::size_t m, VertexRange vertices) const;
  // The same in double, for the runs' methods and what they relax.
  SkinTask<double> exact_task(const Job& job, std::size_t m, VertexRange vertices) const;
  // The same for a method that relaxes; sweep and arrays not yet set.
  RelaxTask<float> relax_task(const Job& job, std::size_t m, VertexRange vertices) const;
  RelaxTask<double> exact_relax_task(const Job& job, std::size_t m, VertexRange vertices) const;

 private:
  // The joints for one way to factor scales; of methods that are not rigid, the first.
  struct Joints {
    RigidPose rigid;
    std::optional<JointBlock<float>> block;
    std::optional<JointBlock<double>> exact;
  };
  // What a method makes of them.
  struct Prepared {
    AlignedArray<float> joints, parts;
    AlignedArray<double> exact_joints, exact_parts;
  };

  void sample_lane(const Job& job, int lane, bool repeated, const TrackedJoints* tracked);
  void pose_joints(const Job& job, std::size_t m, int lane, const TrackedJoints* tracked);
  static bool prepares_exact(const Job& job, std::size_t m);
  const Joints& joints_of(const Job& job, std::size_t m) const;

  PoseSampler sampler_;
  SampledPose pose_;
  Joints about_joints_, about_origin_;
  std::vector<Prepared> prepared_;
  std::vector<double> posed_;  // of one method and frame
};

}  // namespace skinbake
