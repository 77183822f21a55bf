// The joints of a block, the sweeps of methods that smooth, and the block that is computed.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "bake/block/baked_block.h"
#include "bake/normals.h"
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
      sampler_.sample(job.plan.frames.sample_time_s(first_frame + lane), pose_);
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

namespace {

// One method, one block.
template <class T>
class Relaxation {
 public:
  Relaxation(const Job& job, const BlockJoints& joints, std::size_t m, RelaxBuffers<T>& buffers)
      : job_(job),
        joints_(joints),
        m_(m),
        method_(job.methods[m]),
        vertices_(job.plan.rig->mesh->vertex_count()),
        buffers_(buffers) {
    for (AlignedArray<T>* array : {&buffers.base, &buffers.first, &buffers.from, &buffers.to}) {
      allocate(*array);
    }
    if (job.rig().morphs.empty()) return;
    for (AlignedArray<T>* array : {&buffers.rest_base, &buffers.rest}) allocate(*array);
  }

  // Leaves the result in `from`. True if all positions are finite.
  bool run() {
    SurfaceArrays<T> surface;
    if (buffers_.rest_base.size() > 0) {
      evaluate_rest();
      displace(buffers_.rest_base);
      std::swap(buffers_.from, buffers_.rest);
      surface.rest_base = buffers_.rest_base.data();
      surface.rest = buffers_.rest.data();
    }
    evaluate_base();
    displace(buffers_.base);
    surface.base = buffers_.base.data();
    surface.from = buffers_.from.data();
    relax(method_.sweep_count() - 1, surface, buffers_.to);
    std::swap(buffers_.from, buffers_.to);
    return is_finite_;
  }

 private:
  void allocate(AlignedArray<T>& array) const {
    if (array.size() == 0) array = AlignedArray<T>(std::size_t{vertices_} * kNumbersPerVertex);
  }

  void evaluate_base() {
    for_each_tile(vertices_, [&](VertexRange tile) {
      auto task = joints_.template skin_task<T>(job_, method_.base, tile);
      task.positions = buffers_.base.data() + std::size_t{tile.first} * kNumbersPerVertex;
      if (!kernels<T>(job_.methods[method_.base].method).skin(task)) is_finite_ = false;
    });
  }

  void evaluate_rest() {
    for_each_tile(vertices_, [&](VertexRange tile) {
      auto task = joints_.template relax_task<T>(job_, m_, tile);
      task.to = buffers_.rest_base.data();
      kernels<T>(method_.method).place_rest(task);
    });
  }

  // All sweeps but the last: leaves the displacements from `base` in `from`.
  void displace(const AlignedArray<T>& base) {
    SurfaceArrays<T> surface;
    surface.base = base.data();
    const int last = method_.sweep_count() - 1;
    for (int sweep = 0; sweep < last; ++sweep) {
      relax(sweep, surface, sweep == 0 ? buffers_.first : buffers_.to);
      if (sweep > 0) std::swap(buffers_.from, buffers_.to);
      surface.first = buffers_.first.data();
      surface.from = sweep == 0 ? surface.first : buffers_.from.data();
    }
    if (last == 1) std::swap(buffers_.first, buffers_.from);
  }

  void relax(int sweep, const SurfaceArrays<T>& surface, AlignedArray<T>& to) {
    for_each_tile(vertices_, [&](VertexRange tile) {
      auto task = joints_.template relax_task<T>(job_, m_, tile);
      task.sweep = sweep;
      task.surface = surface;
      task.to = to.data();
      if (!kernels<T>(method_.method).relax(task)) is_finite_ = false;
    });
  }

  const Job& job_;
  const BlockJoints& joints_;
  std::size_t m_;
  const BoundMethod& method_;
  VertexIndex vertices_;
  RelaxBuffers<T>& buffers_;
  std::atomic<bool> is_finite_ = true;
};

}  // namespace

template <class T>
const T* relaxed_positions(const Job& job, const BlockJoints& joints, std::size_t m,
                           RelaxBuffers<T>& buffers, bool& is_finite) {
  is_finite = Relaxation<T>(job, joints, m, buffers).run();
  return buffers.from.data();
}

template const float* relaxed_positions(const Job& job, const BlockJoints& joints, std::size_t m,
                                        RelaxBuffers<float>& buffers, bool& is_finite);
template const double* relaxed_positions(const Job& job, const BlockJoints& joints, std::size_t m,
                                         RelaxBuffers<double>& buffers, bool& is_finite);

BakedBlock::BakedBlock(const Job& job) : joints(job), relaxed(job.methods.size()) {
  const std::size_t groups = std::max(job.corners.count, job.corners_without_normals.count);
  if (groups > 0) {
    corner_sums = AlignedArray<double>(groups * kGroupScratch);
    sides = AlignedArray<double>(job.plan.rig->joints.size() * kFramesPerBlock);
  }
  if (job.has_reference_frames()) reference.emplace(*job.plan.reference.frames);
}

void BakedBlock::add_runs(const Job& job, const SinksOfRuns& sinks) {
  for (std::size_t r = 0; r < sinks.size(); ++r) {
    Run& run = runs.emplace_back();
    add_room_for_normals(job, r, sinks[r], states[r], run);
    const bool needs_whole = run.geometric.size() > 0 || run.fills_skinned ||
                             std::any_of(sinks[r].begin(), sinks[r].end(),
                                         [](const FrameSink* s) { return s->needs_whole_block(); });
    const bool has_whole = job.methods[r].sweep_count() > 0;
    if (needs_whole && !has_whole) {
      run.whole = AlignedArray<float>(job.plan.rig->mesh->vertex_count() * kNumbersPerVertex);
    }
  }
}

void BakedBlock::find_bad(const char* name, VertexRange of, const float* points) {
  const std::lock_guard lock(bad_mutex);
  for (VertexIndex i = 0; i < of.count; ++i) {
    for (std::size_t n = 0; n < kNumbersPerVertex; ++n) {
      if (std::isfinite(points[i * kNumbersPerVertex + n])) continue;
      const auto frame = static_cast<std::int64_t>(n % kFramesPerBlock);
      const VertexIndex vertex = of.first + i;
      if (bad.frame >= 0 && std::pair(bad.frame, bad.vertex) <= std::pair(frame, vertex)) continue;
      bad = {name, frame, vertex};
    }
  }
}

}  // namespace skinbake
