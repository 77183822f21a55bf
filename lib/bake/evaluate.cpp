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
    joints.exact->stretched = job.stretched;
  };
  allocate(about_joints_);
  if (job.needs_rigid(ScalePivot::kOrigin)) allocate(about_origin_);
  for (std::size_t m = 0; m < job.methods.size(); ++m) {
    const Bound& bound = job.methods[m].bound;
    const MethodKernels<float>& kernels = float_kernels(job.methods[m].method);
    Prepared& mine = prepared_.emplace_back();
    mine.joints = rows<float>(joint_count, kernels.elements_per_joint);
    mine.parts = rows<float>(bound.part_count(), kernels.elements_per_part);
    if (!prepares_exact(job, m)) continue;
    mine.exact_joints = rows<double>(joint_count, kernels.elements_per_joint);
    mine.exact_parts = rows<double>(bound.part_count(), kernels.elements_per_part);
  }
}

bool BlockJoints::prepares_exact(const Job& job, std::size_t m) {
  return job.is_exact() || job.methods[m].bound.part_count() > 0;
}

const BlockJoints::Joints& BlockJoints::joints_of(const Job& job, std::size_t m) const {
  return job.methods[m].pivot() == ScalePivot::kOrigin ? about_origin_ : about_joints_;
}

// One frame into the blocks; a lane that repeats the last frame is not factored again.
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

// For a method that finds its form of the joints itself.
void BlockJoints::pose_joints(const Job& job, std::size_t m, int lane,
                              const TrackedJoints* tracked) {
  const Job::Evaluated& of = job.methods[m];
  const auto pose = hooks(of.method).pose_joints;
  if (pose == nullptr) return;
  const RigidPose& rigid = joints_of(job, m).rigid;
  const std::size_t numbers =
      rigid.posed_from_scaled.size() * float_kernels(of.method).elements_per_joint;
  posed_.assign(numbers, 0);
  pose({job.rigid_factors.tree(), of.method.values, rigid.common_scale, rigid.posed_from_scaled,
        tracked == nullptr ? std::span<const double>() : tracked->twists},
       posed_);
  Prepared& to = prepared_[m];
  for (std::size_t i = 0; i < numbers; ++i) {
    const std::size_t place = i * kFramesPerBlock + static_cast<std::size_t>(lane);
    to.joints[place] = static_cast<float>(posed_[i]);
    if (prepares_exact(job, m)) to.exact_joints[place] = posed_[i];
  }
}

void BlockJoints::sample(const Job& job, std::int64_t first_frame, int frame_count,
                         std::span<const TrackedJoints> tracked) {
  for (int lane = 0; lane < kFramesPerBlock; ++lane) {
    const bool repeated = lane >= frame_count;
    if (!repeated) {
      sampler_.sample(job.plan.frames.time_s(first_frame + lane), pose_);
      if (job.plan.space == Space::kMesh) to_mesh_space(pose_);
    }
    const auto of_lane = static_cast<std::size_t>(std::min(lane, frame_count - 1));
    sample_lane(job, lane, repeated, tracked.empty() ? nullptr : &tracked[of_lane]);
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

void BlockJoints::prepare(const Job& job) {
  for (std::size_t m = 0; m < prepared_.size(); ++m) {
    const Job::Evaluated& of = job.methods[m];
    const Joints& joints = joints_of(job, m);
    Prepared& to = prepared_[m];
    if (float_kernels(of.method).prepare == nullptr) continue;
    float_kernels(of.method).prepare(
        {&*joints.block, &of.bound, of.method.values, to.joints.data(), to.parts.data()});
    if (!prepares_exact(job, m)) continue;
    double_kernels(of.method).prepare({&*joints.exact, &of.bound, of.method.values,
                                       to.exact_joints.data(), to.exact_parts.data()});
    for (std::size_t i = 0; i < to.parts.size(); ++i) {
      to.parts[i] = static_cast<float>(to.exact_parts[i]);
    }
  }
}

SkinTask<float> BlockJoints::task(const Job& job, std::size_t m, VertexRange vertices) const {
  const Job::Evaluated& of = job.methods[m];
  const Prepared& prepared = prepared_[m];
  return {&job.skins[of.skin].binding,
          &of.numbers,
          &*joints_of(job, m).block,
          prepared.joints.data(),
          prepared.parts.data(),
          of.method.values,
          job.stretched && of.pivot() != ScalePivot::kVertex,
          vertices,
          nullptr,
          nullptr};
}

SkinTask<double> BlockJoints::exact_task(const Job& job, std::size_t m,
                                         VertexRange vertices) const {
  const Job::Evaluated& of = job.methods[m];
  const Prepared& prepared = prepared_[m];
  return {&*job.skins[of.skin].exact_binding,
          &of.exact_numbers,
          &*joints_of(job, m).exact,
          prepared.exact_joints.data(),
          prepared.exact_parts.data(),
          of.method.values,
          job.stretched && of.pivot() != ScalePivot::kVertex,
          vertices,
          nullptr,
          nullptr};
}

RelaxTask<float> BlockJoints::relax_task(const Job& job, std::size_t m,
                                         VertexRange vertices) const {
  const Job::Evaluated& of = job.methods[m];
  return {&job.skins[of.skin].binding,
          &of.numbers,
          &*joints_of(job, m).block,
          of.method.values,
          0,
          vertices,
          nullptr,
          nullptr};
}

RelaxTask<double> BlockJoints::exact_relax_task(const Job& job, std::size_t m,
                                                VertexRange vertices) const {
  const Job::Evaluated& of = job.methods[m];
  return {&*job.skins[of.skin].exact_binding,
          &of.exact_numbers,
          &*joints_of(job, m).exact,
          of.method.values,
          0,
          vertices,
          nullptr,
          nullptr};
}

}  // namespace skinbake
