// The joints of a block of frames, and the kernels' tasks that skin vertices with them.

#pragma once

#include <optional>
#include <vector>

#include "bake/job.h"
#include "clip/poses/rigid_pose.h"

namespace skinbake {

// The joints of one block: sampled in double, stored for lanes, prepared for each method.
class BlockJoints {
 public:
  explicit BlockJoints(const Job& job);

  // Samples the joints and prepares them for each method. `tracked`: the tracked joints of each
  // frame; empty unless Job::needs_tracking.
  void sample(const Job& job, std::int64_t first_frame, int frame_count,
              std::span<const TrackedJoints> tracked);

  // [joint][frame] -1 where the joint mirrors, else 1.
  void find_sides(double* sides) const;

  // Prepares the sampled joints for each method. `sample` calls it; benchmarks measure it alone.
  void prepare(const Job& job);

  // The task that skins `vertices` with methods[m]; its output is not set. T is float, or double
  // for the runs of an exact reference and the methods that they relax.
  template <class T>
  SkinTask<T> skin_task(const Job& job, std::size_t m, VertexRange vertices) const;

  // The task of a method that relaxes; its sweep and arrays are not set.
  template <class T>
  RelaxTask<T> relax_task(const Job& job, std::size_t m, VertexRange vertices) const;

 private:
  // The joints for one scale pivot. Methods that are not rigid read the first set.
  struct Joints {
    RigidPose rigid;
    std::optional<JointBlock<float>> block;
    std::optional<JointBlock<double>> exact;

    template <class T>
    const JointBlock<T>& of() const {
      if constexpr (std::is_same_v<T, float>) return *block;
      if constexpr (std::is_same_v<T, double>) return *exact;
    }
  };
  // A method's own form of the joints (empty if it reads them as they are), and its parts.
  template <class T>
  struct MethodForm {
    AlignedArray<T> joints, parts;
  };
  struct MethodForms {
    MethodForm<float> block;
    MethodForm<double> exact;

    template <class T>
    const MethodForm<T>& of() const {
      if constexpr (std::is_same_v<T, float>) return block;
      if constexpr (std::is_same_v<T, double>) return exact;
    }
  };

  void sample_lane(const Job& job, int lane, bool repeated, const TrackedJoints* tracked);
  void pose_joints(const Job& job, std::size_t m, int lane, const TrackedJoints* tracked);
  void pose_joints(const Job& job, std::size_t m, const TrackedJoints* tracked, bool stretched);
  static bool prepares_exact(const Job& job, std::size_t m);
  const Joints& joints_of(const Job& job, std::size_t m) const;
  template <class T>
  const T* method_joints(const Job& job, std::size_t m) const;
  template <class T, class Task>
  void set_inputs(const Job& job, std::size_t m, VertexRange vertices, Task& task) const;
  template <class T>
  void prepare_method(const Job& job, std::size_t m, bool stretched, MethodForm<T>& form) const;

  PoseSampler sampler_;
  SampledPose pose_;
  Joints about_joints_, about_origin_;
  std::vector<MethodForms> method_forms_;  // [method]
  std::vector<double> posed_;              // output of MethodHooks::pose_joints
};

}  // namespace skinbake
