// Evaluates blocks of one rig: joints once per block, vertices tile by tile.

#pragma once

#include <optional>
#include <vector>

#include "bake/kernels.h"
#include "skinbake/bake.h"

namespace skinbake {

// Everything about a plan that is the same for all blocks.
struct Job {
  explicit Job(const BakePlan& bake_plan);

  bool needs_rigid() const;
  bool is_exact() const { return plan.reference.kind == Reference::Kind::kExact; }
  bool has_method_reference() const { return plan.reference.kind == Reference::Kind::kMethod; }

  // The methods that are evaluated in float: those of the runs, then the reference.
  std::vector<Method> float_methods() const;

  const BakePlan& plan;
  Vec3<double> centre;
  RigidFactors rigid_factors;
  PoseSampler sampler;
  bool stretched;
  Binding<float> binding;
  std::optional<Binding<double>> exact_binding;
};

// The joints of one block: sampled in double, stored for lanes, prepared for each method.
class BlockJoints {
 public:
  explicit BlockJoints(const Job& job);

  void sample(const Job& job, std::int64_t first_frame, int frame_count);

  // What a kernel needs to skin `vertices` with float_methods()[m]; output not yet set.
  SkinTask<float> task(const Job& job, std::size_t m, VertexRange vertices) const;
  // The same in double, for the runs' methods.
  SkinTask<double> exact_task(const Job& job, std::size_t m, VertexRange vertices) const;

 private:
  PoseSampler sampler_;
  SampledPose pose_;
  RigidPose rigid_;
  JointBlock<float> joints_;
  std::optional<JointBlock<double>> exact_joints_;
  std::vector<AlignedArray<float>> prepared_;
  std::vector<AlignedArray<double>> exact_prepared_;
};

}  // namespace skinbake
