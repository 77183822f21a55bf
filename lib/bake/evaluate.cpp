#include "bake/evaluate.h"

#include <algorithm>

#include "math/scalar.h"

namespace skinbake {

namespace {

// A pose in the space of the mesh's own node.
void to_mesh_space(SampledPose& pose) {
  const Affine<double> mesh_from_scene = inverse(pose.scene_from_mesh);
  for (Affine<double>& m : pose.posed_from_rest) m = mesh_from_scene * m;
}

template <class T>
std::vector<AlignedArray<T>> prepared_arrays(std::span<const MethodKernels<T>> kernels,
                                             std::span<const Method> methods, std::size_t joints) {
  std::vector<AlignedArray<T>> arrays;
  for (const Method& method : methods) {
    arrays.emplace_back(joints * kernels[method.index].elements_per_joint * kFramesPerBlock);
  }
  return arrays;
}

}  // namespace

Job::Job(const BakePlan& bake_plan)
    : plan(bake_plan),
      centre(centre_of(*plan.rig->mesh)),
      rigid_factors(*plan.rig, centre),
      sampler(*plan.rig, plan.clip, centre),
      stretched(needs_rigid() && rigid_factors.is_stretched(sampler)),
      binding(*plan.rig, centre) {
  if (is_exact()) exact_binding.emplace(*plan.rig, centre);
}

std::vector<Method> Job::float_methods() const {
  std::vector<Method> methods;
  for (const MethodRun& run : plan.runs) methods.push_back(run.method);
  if (has_method_reference()) methods.push_back(plan.reference.method);
  return methods;
}

bool Job::needs_rigid() const {
  const auto kernels = float_kernels();
  const std::vector<Method> methods = float_methods();
  return std::any_of(methods.begin(), methods.end(),
                     [&](const Method& m) { return kernels[m.index].is_rigid; });
}

BlockJoints::BlockJoints(const Job& job)
    : sampler_(job.sampler),
      joints_(job.plan.rig->joints.size(), job.plan.rig->morph_weights.size()) {
  const std::size_t joint_count = job.plan.rig->joints.size();
  const std::vector<Method> methods = job.float_methods();
  prepared_ = prepared_arrays(float_kernels(), std::span<const Method>(methods), joint_count);
  if (!job.is_exact()) return;
  exact_joints_.emplace(joint_count, job.plan.rig->morph_weights.size());
  exact_prepared_ = prepared_arrays(double_kernels(),
                                    std::span(methods).first(job.plan.runs.size()), joint_count);
}

void BlockJoints::sample(const Job& job, std::int64_t first_frame, int frame_count) {
  for (int lane = 0; lane < kFramesPerBlock; ++lane) {
    if (lane < frame_count) {  // later lanes repeat the last frame
      sampler_.sample(job.plan.frames.time_s(first_frame + lane), pose_);
      if (job.plan.space == Space::kMesh) to_mesh_space(pose_);
      if (job.needs_rigid()) job.rigid_factors.factor(pose_, rigid_);
    }
    joints_.set(lane, pose_);
    if (exact_joints_) exact_joints_->set(lane, pose_);
    if (!job.needs_rigid()) continue;
    joints_.set(lane, rigid_);
    if (exact_joints_) exact_joints_->set(lane, rigid_);
  }
  const std::vector<Method> methods = job.float_methods();
  for (std::size_t m = 0; m < prepared_.size(); ++m) {
    float_kernels()[methods[m].index].prepare(joints_, prepared_[m].data());
  }
  for (std::size_t m = 0; m < exact_prepared_.size(); ++m) {
    double_kernels()[methods[m].index].prepare(*exact_joints_, exact_prepared_[m].data());
  }
}

SkinTask<float> BlockJoints::task(const Job& job, std::size_t m, VertexRange vertices) const {
  return {&job.binding, &joints_, prepared_[m].data(), job.stretched, vertices, nullptr, nullptr};
}

SkinTask<double> BlockJoints::exact_task(const Job& job, std::size_t m,
                                         VertexRange vertices) const {
  return {&*job.exact_binding,
          &*exact_joints_,
          exact_prepared_[m].data(),
          job.stretched,
          vertices,
          nullptr,
          nullptr};
}

}  // namespace skinbake
