// Joints and parts of a block, in the method's own form: once per block, before its vertices.

#if defined(SKINBAKE_BAKE_PREPARE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_BAKE_PREPARE_INL_H_
#undef SKINBAKE_BAKE_PREPARE_INL_H_
#else
#define SKINBAKE_BAKE_PREPARE_INL_H_
#endif

#include <type_traits>

#include "bake/kernels.h"
#include "methods/pose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

template <class Transform>
inline constexpr bool kIsRigidTransform = false;
template <class Real>
inline constexpr bool kIsRigidTransform<Rigid<Real>> = true;

// Rigid methods are given rigid joints; points are scaled before they are moved.
template <class Method>
inline constexpr bool kIsRigid = kIsRigidTransform<typename Method::Transform>;

template <class Method>
inline constexpr bool kHasParts = requires {
  typename Method::Part;
};

template <class Method, bool = kHasParts<Method>>
struct PoseOfMethod {
  using Type = Pose<typename Method::Joint>;
};
template <class Method>
struct PoseOfMethod<Method, true> {
  using Type = Pose<typename Method::Joint, typename Method::Part>;
};
template <class Method>
using PoseOf = typename PoseOfMethod<Method>::Type;

template <class Method>
constexpr std::size_t part_elements() {
  if constexpr (kHasParts<Method>) return Elements<typename Method::Part>::kCount;
  return 0;
}

template <class T>
HWY_INLINE PoseArrays<T> arrays_of(const SkinTask<T>& task) {
  return {task.prepared,
          task.parts,
          task.joints->scaled_from_rest.data(),
          task.joints->common_scale.data(),
          task.joints->stretched,
          task.parameters.data()};
}

// Task: SkinTask or RelaxTask.
template <class Real, class Task>
HWY_INLINE Vertex<Real> vertex_of(const Task& task, VertexIndex v, const Vec3<Real>& rest) {
  const BoundNumbers<Scalar<Real>>& bound = *task.bound;
  if (bound.first_entry.empty()) return {task.binding->influences_of(v), {}, nullptr, rest, v};
  const std::uint32_t first = bound.first_entry[v], last = bound.first_entry[v + 1];
  return {task.binding->influences_of(v),
          {bound.indices.data() + first, bound.indices.data() + last},
          bound.numbers.data() + std::size_t{first} * bound.numbers_per_entry,
          rest,
          v};
}

// The parts, from the joints that are prepared already.
template <class Method>
void prepare_parts(const PrepareTask<double>& task) {
  using Part = typename Method::Part;
  PoseArrays<double> arrays;
  arrays.joints = task.prepared;
  arrays.common_scale = task.joints->common_scale.data();
  arrays.stretches = task.joints->scaled_from_rest.data();
  arrays.stretched = task.joints->stretched;
  arrays.parameters = task.parameters.data();
  const Bound& bound = *task.bound;
  for (std::size_t i = 0; i < bound.part_count(); ++i) {
    const PartOf of{
        {bound.part_joints.data() + bound.first_part_joint[i],
         bound.part_joints.data() + bound.first_part_joint[i + 1]},
        {bound.part_numbers.data() + i * bound.numbers_per_part, bound.numbers_per_part}};
    double* to = task.parts + i * Elements<Part>::kCount * kFramesPerBlock;
    for (int frame = 0; frame < kFramesPerBlock; frame += kLanes<DoubleLanes>) {
      Elements<Part>::store_to(Method::part(of, PoseOf<Method>(arrays, frame)), to + frame);
    }
  }
}

// Method::joint for every joint, all 16 frames; then the parts, which are found in double whatever
// the lanes are: they solve for things.
template <template <class> class MethodOf, class Real>
void prepare(const PrepareTask<Scalar<Real>>& task) {
  using Method = MethodOf<Real>;
  const JointBlock<Scalar<Real>>& joints = *task.joints;
  if constexpr (!requires { &MethodOf<double>::pose_joints; }) {
    using Source = Elements<typename Method::Transform>;
    using Target = Elements<typename Method::Joint>;
    const Scalar<Real>* from = joints.posed_from_rest.data();
    if constexpr (kIsRigid<Method>) from = joints.posed_from_scaled.data();
    for (std::size_t j = 0; j < joints.joint_count; ++j) {
      for (int frame = 0; frame < kFramesPerBlock; frame += kLanes<Real>) {
        const auto transform =
            Source::load_from(from + j * Source::kCount * kFramesPerBlock + frame);
        Target::store_to(Method::joint(transform),
                         task.prepared + j * Target::kCount * kFramesPerBlock + frame);
      }
    }
  }
  if constexpr (kHasParts<Method> && std::is_same_v<Real, DoubleLanes>) {
    prepare_parts<Method>(task);
  }
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
