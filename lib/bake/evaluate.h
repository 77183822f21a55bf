// Evaluates blocks of one rig: joints once per block, vertices tile by tile.

#pragma once

#include <optional>
#include <vector>

#include "bake/bind.h"
#include "bake/kernels.h"
#include "clip/joint_tracker.h"
#include "rig/corner_groups.h"
#include "skinbake/bake.h"
#include "skinbake/normals.h"

namespace skinbake {

// The normals that a sink wants, if any.
std::optional<NormalKind> wanted_normals(const FrameSink* sink);

// Everything about a plan that is the same for all blocks.
struct Job {
  explicit Job(const BakePlan& bake_plan);

  // A method of the plan, bound to its rig.
  struct Evaluated {
    Method method;
    Bound bound;
    BoundNumbers<float> numbers;
    BoundNumbers<double> exact_numbers;  // empty unless is_exact()
    std::size_t base = 0;                // of a method that relaxes: which of `methods` it relaxes

    ScalePivot pivot() const;
    int sweep_count() const;  // 0: it does not relax
  };

  // Whether a method wants rigid joints with that pivot.
  bool needs_rigid(ScalePivot pivot) const;
  // Whether joints are wanted in double: for the exact reference, or for a method's parts.
  bool needs_doubles() const;
  // Whether a method wants its joints followed through time.
  bool needs_tracking() const;
  // Whether a run's normals are made: a sink wants such ones, and there are some.
  bool makes_normals(std::size_t r, NormalKind kind) const;
  bool is_exact() const { return plan.reference.kind == Reference::Kind::kExact; }
  bool has_method_reference() const { return plan.reference.kind == Reference::Kind::kMethod; }

  const BakePlan& plan;
  Vec3<double> centre;
  RigidFactors rigid_factors;
  PoseSampler sampler;
  bool stretched;
  Binding<float> binding;
  std::optional<Binding<double>> exact_binding;
  // Those of the runs, then the reference and what these relax, unless they are runs already.
  std::vector<Evaluated> methods;
  std::size_t reference = 0;  // if has_method_reference(): which of `methods`
  CornerGroups corners;       // if a sink wants geometric normals

 private:
  void add(const Method& method);
  std::size_t find_or_add(const Method& method);
};

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
