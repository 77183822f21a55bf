// The driver of methods that are a weighted sum of the joints' matrices, on points that do not
// morph:
//
//     p' = sum_j (w_j p_x) x_j + (w_j p_y) y_j + (w_j p_z) z_j + w_j t_j       M_j = [x_j y_j z_j |
//     t_j]
//
// The brackets are constant: they are the moments of Binding. What is left to do is to read each
// joint's matrix and to multiply it into three sums, and the reading is what takes the time; so
// neighbours that have the same joints are moved together, and read each matrix once.
// A vertex's sums are the same in a group of any size.

#if defined(SKINBAKE_BAKE_LINEAR_DRIVER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_BAKE_LINEAR_DRIVER_INL_H_
#undef SKINBAKE_BAKE_LINEAR_DRIVER_INL_H_
#else
#define SKINBAKE_BAKE_LINEAR_DRIVER_INL_H_
#endif

#include <cassert>

#include "bake/kernels.h"
#include "bake/lane_checks-inl.h"
#include "methods/pose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// One column of a joint's matrix, for one axis of a group of points: sum += moment * column.
template <std::size_t kCount, class Real>
HWY_INLINE void add_column(const Vec3<Real>& column, Scalar<Real> Moment<Scalar<Real>>::*field,
                           const Moment<Scalar<Real>>* const (&moments)[kCount],
                           std::size_t influence, Vec3<Real> (&sums)[kCount]) {
  for (std::size_t g = 0; g < kCount; ++g) {
    sums[g] = fma(splat<Real>(moments[g][influence].*field), column, sums[g]);
  }
}

// kCount vertices from v on, which have the same joints; one register's frames.
template <std::size_t kCount, class Real>
HWY_INLINE void move_group(const SkinTask<Scalar<Real>>& task, VertexIndex v, int frame,
                           FiniteCheck<Real>& finite) {
  using T = Scalar<Real>;
  const Binding<T>& binding = *task.binding;
  const Moment<T>* moments[kCount];
  Vec3<Real> sums[kCount];
  for (std::size_t g = 0; g < kCount; ++g) {
    moments[g] = binding.moments_of(v + static_cast<VertexIndex>(g)).data();
    sums[g] = {splat<Real>(0), splat<Real>(0), splat<Real>(0)};
  }
  const std::size_t influence_count = binding.moments_of(v).size();
  PoseArrays<T> arrays;
  arrays.joints = task.prepared;
  const Pose<Affine<Real>> pose(arrays, frame);
  for (std::size_t i = 0; i < influence_count; ++i) {
    const Affine<Real> joint = pose[moments[0][i].joint];
    add_column<kCount>(joint.translation, &Moment<T>::w, moments, i, sums);
    add_column<kCount>(joint.x, &Moment<T>::x, moments, i, sums);
    add_column<kCount>(joint.y, &Moment<T>::y, moments, i, sums);
    add_column<kCount>(joint.z, &Moment<T>::z, moments, i, sums);
  }
  for (std::size_t g = 0; g < kCount; ++g) {
    finite.add(sums[g]);
    store(sums[g], task.positions +
                       (v - task.vertices.first + g) * std::size_t{3} * kFramesPerBlock + frame);
  }
}

template <class Real>
bool move_constant_points(const SkinTask<Scalar<Real>>& task) {
  FiniteCheck<Real> finite{splat<Real>(0)};
  const VertexIndex end = task.vertices.first + task.vertices.count;
  for (VertexIndex v = task.vertices.first; v < end;) {
    const std::uint8_t size = task.binding->group_sizes[v];
    assert(size > 0);  // a range does not begin inside a group
    for (int frame = 0; frame < kFramesPerBlock; frame += kLanes<Real>) {
      if (size == 4) {
        move_group<4, Real>(task, v, frame, finite);
      } else if (size == 2) {
        move_group<2, Real>(task, v, frame, finite);
      } else {
        move_group<1, Real>(task, v, frame, finite);
      }
    }
    v += size;
  }
  return finite.holds();
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
