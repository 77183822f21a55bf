#include "bake/block/block_joints.h"

#include <algorithm>

#include "math/scalar.h"

namespace skinbake {

namespace {

template <class T>
AlignedArray<T> rows(std::size_t count, std::size_t elements) {
  return AlignedArray<T>(count * elements * kFramesPerBlock);
}

}  // namespace

BlockJoints::BlockJoints(const Job& job) : sampler_(job.sampler) {
  const std::size_t joint_count = job.plan.rig->joints.size();
  const std::size_t morph_count = job.plan.rig->morph_weights.size();
  const auto allocate = [&](Joints& joints) {
    joints.block.emplace(joint_count, morph_count);
    joints.block->stretched = job.stretched;
    if (!job.needs_doubles()) return;
    joints.exact.emplace(joint_count, morph_count);
    joints.exact->stretched = job.exact_stretched;
  };
  allocate(about_joints_);
  if (job.needs_rigid(ScalePivot::kOrigin)) allocate(about_origin_);
  for (std::size_t m = 0; m < job.methods.size(); ++m) {
    const std::size_t part_count = job.methods[m].parts.part_count();
    const MethodKernels<float>& method = kernels<float>(job.methods[m].method);
    MethodForms& mine = method_forms_.emplace_back();
    mine.block = {rows<float>(joint_count, method.elements_per_joint),
                  rows<float>(part_count, method.elements_per_part)};
    if (!prepares_exact(job, m)) continue;
    mine.exact = {rows<double>(joint_count, method.elements_per_joint),
                  rows<double>(part_count, method.elements_per_part)};
  }
}

bool BlockJoints::prepares_exact(const Job& job, std::size_t m) {
  return job.is_exact() || job.methods[m].parts.part_count() > 0;
}

const BlockJoints::Joints& BlockJoints::joints_of(const Job& job, std::size_t m) const {
  return job.methods[m].pivot() == ScalePivot::kOrigin ? about_origin_ : about_joints_;
}

// Stores one frame in the blocks. A lane that repeats the last frame is not factored again.
void BlockJoints::sample_lane(const Job& job, int lane, bool repeated,
                              const TrackedJoints* tracked) {
  const auto set = [&](Joints& joints, bool rigid, bool about_origin) {
    if (!joints.block) return;
    if (rigid && !repeated) {
      job.rigid_factors.factor(pose_, joints.rigid, about_origin);
      if (tracked != nullptr) tracked->sign(job.rigid_factors.tree(), joints.rigid);
    }
    joints.block->set(lane, pose_);
    if (joints.exact) joints.exact->set(lane, pose_);
    if (!rigid) return;
    joints.block->set(lane, joints.rigid);
    if (joints.exact) joints.exact->set(lane, joints.rigid);
  };
  set(about_joints_, job.needs_rigid(ScalePivot::kJoint) || job.needs_rigid(ScalePivot::kVertex),
      false);
  set(about_origin_, true, true);
  for (std::size_t m = 0; m < job.methods.size(); ++m) pose_joints(job, m, lane, tracked);
}

// Stores the joints that MethodHooks::pose_joints computes, if the method has it.
void BlockJoints::pose_joints(const Job& job, std::size_t m, int lane,
                              const TrackedJoints* tracked) {
  if (hooks(job.methods[m].method).pose_joints == nullptr) return;
  const auto store = [&](auto& joints) {
    for (std::size_t i = 0; i < posed_.size(); ++i) {
      using T = std::remove_reference_t<decltype(joints[i])>;
      joints[i * kFramesPerBlock + static_cast<std::size_t>(lane)] = static_cast<T>(posed_[i]);
    }
  };
  MethodForms& to = method_forms_[m];
  pose_joints(job, m, tracked, job.stretched);
  store(to.block.joints);
  if (!prepares_exact(job, m)) return;
  if (job.stretched != job.exact_stretched) pose_joints(job, m, tracked, job.exact_stretched);
  store(to.exact.joints);
}

// Calls MethodHooks::pose_joints.
void BlockJoints::pose_joints(const Job& job, std::size_t m, const TrackedJoints* tracked,
                              bool stretched) {
  const Method& method = job.methods[m].method;
  const RigidPose& rigid = joints_of(job, m).rigid;
  posed_.assign(rigid.posed_from_scaled.size() * kernels<float>(method).elements_per_joint, 0);
  hooks(method).pose_joints({job.rigid_factors.tree(), method.values, stretched, rigid.common_scale,
                             rigid.posed_from_scaled, rigid.chained, rigid.scaled_first,
                             tracked == nullptr ? std::span<const double>() : tracked->twists},
                            posed_);
}

void BlockJoints::sample(const Job& job, std::int64_t first_frame, int frame_count,
                         std::span<const TrackedJoints> tracked) {
  for (int lane = 0; lane < kFramesPerBlock; ++lane) {
    const bool repeated = lane >= frame_count;
    if (!repeated) {
      sampler_.sample(job.plan.frames.time_s(first_frame + lane), pose_);
      if (job.plan.space == Space::kMesh) to_mesh_space(pose_);
    }
    const auto tracked_frame = static_cast<std::size_t>(std::min(lane, frame_count - 1));
    sample_lane(job, lane, repeated, tracked.empty() ? nullptr : &tracked[tracked_frame]);
  }
  prepare(job);
}

void BlockJoints::find_sides(double* sides) const {
  const JointBlock<float>& block = *about_joints_.block;
  for (std::size_t j = 0; j < block.joint_count; ++j) {
    const float* const m =
        block.posed_from_rest.data() + j * JointBlock<float>::kAffineElements * kFramesPerBlock;
    for (std::size_t frame = 0; frame < kFramesPerBlock; ++frame) {
      const auto column = [&](std::size_t first) {
        const float* const e = m + first * kFramesPerBlock + frame;
        return Vec3<double>{e[0], e[kFramesPerBlock], e[2 * kFramesPerBlock]};
      };
      const double volume = dot(column(0), cross(column(3), column(6)));
      sides[j * kFramesPerBlock + frame] = volume < 0 ? -1 : 1;
    }
  }
}

// Returns the joints that the method's kernels read: the method's own form, or an array of the
// block.
template <class T>
const T* BlockJoints::method_joints(const Job& job, std::size_t m) const {
  const JointBlock<T>& block = joints_of(job, m).of<T>();
  switch (kernels<T>(job.methods[m].method).joint_form) {
    case JointForm::kMatrix:
      return block.posed_from_rest.data();
    case JointForm::kRigid:
      return block.posed_from_scaled.data();
    case JointForm::kOwn:
      break;
  }
  return method_forms_[m].of<T>().joints.data();
}

template <class T>
void BlockJoints::prepare_method(const Job& job, std::size_t m, bool stretched,
                                 MethodForm<T>& form) const {
  const BoundMethod& method = job.methods[m];
  kernels<T>(method.method)
      .prepare({&joints_of(job, m).of<T>(), &method.parts, method.method.values,
                method_joints<T>(job, m), stretched, form.joints.data(), form.parts.data()});
}

void BlockJoints::prepare(const Job& job) {
  for (std::size_t m = 0; m < method_forms_.size(); ++m) {
    if (kernels<float>(job.methods[m].method).prepare == nullptr) continue;
    MethodForms& to = method_forms_[m];
    prepare_method<float>(job, m, job.stretched, to.block);
    if (!prepares_exact(job, m)) continue;
    // The baked parts do not depend on whether there is an exact reference.
    prepare_method<double>(job, m, job.stretched, to.exact);
    for (std::size_t i = 0; i < to.block.parts.size(); ++i) {
      to.block.parts[i] = static_cast<float>(to.exact.parts[i]);
    }
    if (to.exact.parts.size() == 0 || job.stretched == job.exact_stretched) continue;
    prepare_method<double>(job, m, job.exact_stretched, to.exact);
  }
}

// Sets the members that SkinTask and RelaxTask have in common.
template <class T, class Task>
void BlockJoints::set_inputs(const Job& job, std::size_t m, VertexRange vertices,
                             Task& task) const {
  const BoundMethod& method = job.methods[m];
  task.rig = &job.skins[method.skin].rig_of<T>();
  task.bind_data = &method.numbers_of<T>();
  task.joints = &joints_of(job, m).of<T>();
  task.parameters = method.method.values;
  task.vertices = vertices;
}

template <class T>
SkinTask<T> BlockJoints::skin_task(const Job& job, std::size_t m, VertexRange vertices) const {
  SkinTask<T> task;
  set_inputs<T>(job, m, vertices, task);
  task.method_joints = method_joints<T>(job, m);
  task.parts = method_forms_[m].of<T>().parts.data();
  task.stretched = task.joints->stretched && job.methods[m].pivot() != ScalePivot::kVertex;
  return task;
}

template <class T>
RelaxTask<T> BlockJoints::relax_task(const Job& job, std::size_t m, VertexRange vertices) const {
  RelaxTask<T> task;
  set_inputs<T>(job, m, vertices, task);
  return task;
}

template SkinTask<float> BlockJoints::skin_task(const Job& job, std::size_t m,
                                                VertexRange vertices) const;
template SkinTask<double> BlockJoints::skin_task(const Job& job, std::size_t m,
                                                 VertexRange vertices) const;
template RelaxTask<float> BlockJoints::relax_task(const Job& job, std::size_t m,
                                                  VertexRange vertices) const;
template RelaxTask<double> BlockJoints::relax_task(const Job& job, std::size_t m,
                                                   VertexRange vertices) const;

}  // namespace skinbake
