// Prepares the joints and parts of a block in the method's form, before its vertices are skinned.

#if defined(SKINBAKE_BAKE_PREPARE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_BAKE_PREPARE_INL_H_
#undef SKINBAKE_BAKE_PREPARE_INL_H_
#else
#define SKINBAKE_BAKE_PREPARE_INL_H_
#endif

#include <type_traits>

#include "bake/kernels/kernels.h"
#include "methods/pose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

template <class Transform>
inline constexpr bool kIsRigidTransform = false;
template <class Real>
inline constexpr bool kIsRigidTransform<Rigid<Real>> = true;

// Rigid methods read rigid joints; the driver scales points before they are moved.
template <class Method>
inline constexpr bool kIsRigid = kIsRigidTransform<typename Method::Transform>;

template <class Method>
inline constexpr bool kHasParts = requires {
  typename Method::Part;
};

// Without `joint` and `pose_joints` a method reads the block's transforms as they are.
template <class Method>
constexpr JointForm joint_form() {
  if constexpr (
      requires { &Method::joint; } || requires { &Method::pose_joints; }) {
    return JointForm::kOwn;
  } else {
    static_assert(std::is_same_v<typename Method::Joint, typename Method::Transform>);
    return kIsRigid<Method> ? JointForm::kRigid : JointForm::kMatrix;
  }
}

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
  return {task.method_joints,
          task.parts,
          task.joints->scaled_from_rest.data(),
          task.joints->common_scale.data(),
          task.joints->stretched,
          task.parameters.data()};
}

// The data of a vertex that a method reads. Task: SkinTask or RelaxTask.
template <class Real, class Task>
HWY_INLINE Vertex<Real> vertex_of(const Task& task, VertexIndex v, const Vec3<Real>& rest) {
  const BindNumbers<Scalar<Real>>& bind_data = *task.bind_data;
  if (bind_data.first_entry.empty()) return {task.rig->influences_of(v), {}, nullptr, rest, v};
  const std::uint32_t first = bind_data.first_entry[v], last = bind_data.first_entry[v + 1];
  return {task.rig->influences_of(v),
          {bind_data.indices.data() + first, bind_data.indices.data() + last},
          bind_data.numbers.data() + std::size_t{first} * bind_data.numbers_per_entry,
          rest,
          v};
}

// The parts, from joints that are prepared.
template <class Method>
void prepare_parts(const PrepareTask<double>& task) {
  using Part = typename Method::Part;
  PoseArrays<double> arrays;
  arrays.joints = task.method_joints;
  arrays.common_scale = task.joints->common_scale.data();
  arrays.stretches = task.joints->scaled_from_rest.data();
  arrays.stretched = task.stretched;
  arrays.parameters = task.parameters.data();
  const BindData& bind_data = *task.bind_data;
  for (std::size_t i = 0; i < bind_data.part_count(); ++i) {
    const PartOf of{{bind_data.part_joints.data() + bind_data.first_part_joint[i],
                     bind_data.part_joints.data() + bind_data.first_part_joint[i + 1]},
                    {bind_data.part_numbers.data() + i * bind_data.numbers_per_part,
                     bind_data.numbers_per_part}};
    double* to = task.parts + i * Elements<Part>::kCount * kFramesPerBlock;
    for (int frame = 0; frame < kFramesPerBlock; frame += kLanes<DoubleLanes>) {
      Elements<Part>::store_to(Method::part(of, PoseOf<Method>(arrays, frame)), to + frame);
    }
  }
}

// Method::joint for every joint, all 16 frames; then the parts, always in double, because they
// solve linear systems.
template <class Method, class Real>
void prepare(const PrepareTask<Scalar<Real>>& task) {
  if constexpr (requires { &Method::joint; }) {
    const JointBlock<Scalar<Real>>& joints = *task.joints;
    using Source = Elements<typename Method::Transform>;
    using Target = Elements<typename Method::Joint>;
    const Scalar<Real>* from = joints.posed_from_rest.data();
    if constexpr (kIsRigid<Method>) from = joints.posed_from_scaled.data();
    for (std::size_t j = 0; j < joints.joint_count; ++j) {
      for (int frame = 0; frame < kFramesPerBlock; frame += kLanes<Real>) {
        const auto transform =
            Source::load_from(from + j * Source::kCount * kFramesPerBlock + frame);
        Target::store_to(Method::joint(transform),
                         task.own_joints + j * Target::kCount * kFramesPerBlock + frame);
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
