// The driver of methods whose blend is a weighted sum of the joints' matrices, for points without
// morph targets:
//
//     p' = sum_j (w_j p_x) x_j + (w_j p_y) y_j + (w_j p_z) z_j + w_j t_j    M_j = [x_j y_j z_j|t_j]
//
// The terms in brackets do not change from frame to frame; PackedRig stores them as moments.
// Reading the joints' matrices takes most of the time. A joint is therefore read once for a bundle
// of vertices, and stays in registers while it is added to the sums of the vertices that it moves.
// The joints of every vertex are added in ascending order.

#if defined(SKINBAKE_BAKE_LINEAR_DRIVER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_BAKE_LINEAR_DRIVER_INL_H_
#undef SKINBAKE_BAKE_LINEAR_DRIVER_INL_H_
#else
#define SKINBAKE_BAKE_LINEAR_DRIVER_INL_H_
#endif

#include <algorithm>
#include <cassert>

#include "bake/kernels/kernels.h"
#include "bake/kernels/lane_checks-inl.h"
#include "methods/pose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// Adds a joint to the points that it moves, for the frames of one register. `sums`: the points of
// the bundle, at the register's first frame.
template <class Real>
HWY_INLINE void add_joint(const Affine<Real>& joint, const Moment<Scalar<Real>>* first,
                          const Moment<Scalar<Real>>* last, Scalar<Real>* sums) {
  for (const Moment<Scalar<Real>>* m = first; m < last; ++m) {
    Scalar<Real>* point = sums + std::size_t{m->vertex} * 3 * kFramesPerBlock;
    Vec3<Real> sum{load<Real>(point), load<Real>(point + kFramesPerBlock),
                   load<Real>(point + 2 * kFramesPerBlock)};
    sum = fma(splat<Real>(m->w), joint.translation, sum);
    sum = fma(splat<Real>(m->x), joint.x, sum);
    sum = fma(splat<Real>(m->y), joint.y, sum);
    sum = fma(splat<Real>(m->z), joint.z, sum);
    store(sum, point);
  }
}

// Moves a bundle, for the frames of one register.
template <class Real>
HWY_INLINE void move_bundle(const SkinTask<Scalar<Real>>& task, VertexIndex first, int frame,
                            Scalar<Real>* sums) {
  using Matrix = Elements<Affine<Real>>;
  const PackedRig<Scalar<Real>>& rig = *task.rig;
  const VertexIndex bundle = first / kVerticesPerBundle;
  std::uint32_t from = rig.first_influence[first];
  for (std::uint32_t r = rig.first_run[bundle]; r < rig.first_run[bundle + 1]; ++r) {
    const MomentRun run = rig.runs[r];
    const Affine<Real> joint = Matrix::load_from(
        task.method_joints + std::size_t{run.joint} * Matrix::kCount * kFramesPerBlock + frame);
    add_joint(joint, &rig.moments[from], rig.moments.data() + run.end, sums + frame);
    from = run.end;
  }
}

template <class Real>
bool move_constant_points(const SkinTask<Scalar<Real>>& task) {
  // Only whole bundles can be moved.
  assert(task.vertices.first % kVerticesPerBundle == 0);
  assert(task.vertices.count % kVerticesPerBundle == 0 ||
         task.vertices.first + task.vertices.count + 1 == task.rig->first_influence.size());
  FiniteCheck<Real> finite{splat<Real>(0)};
  for (VertexIndex i = 0; i < task.vertices.count; i += kVerticesPerBundle) {
    Scalar<Real>* sums = task.positions + std::size_t{i} * 3 * kFramesPerBlock;
    const std::size_t count = std::min(kVerticesPerBundle, task.vertices.count - i);
    std::fill_n(sums, count * 3 * kFramesPerBlock, Scalar<Real>{0});
    for (int frame = 0; frame < kFramesPerBlock; frame += kLanes<Real>) {
      move_bundle<Real>(task, task.vertices.first + i, frame, sums);
    }
    for (std::size_t n = 0; n < count * 3 * kFramesPerBlock; n += 3 * kLanes<Real>) {
      finite.add({load<Real>(sums + n), load<Real>(sums + n + kLanes<Real>),
                  load<Real>(sums + n + 2 * kLanes<Real>)});
    }
  }
  return finite.holds();
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
