// The driver: the loop over vertices. It handles lanes, morph targets, stretch, normals and stores;
// a method only defines how joints blend.

#if defined(SKINBAKE_BAKE_DRIVER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_BAKE_DRIVER_INL_H_
#undef SKINBAKE_BAKE_DRIVER_INL_H_
#else
#define SKINBAKE_BAKE_DRIVER_INL_H_
#endif

#include <type_traits>

#include "bake/kernels/kernels.h"
#include "bake/kernels/linear_driver-inl.h"
#include "bake/kernels/prepare-inl.h"
#include "methods/pose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// One vector attribute of a vertex at rest, with its morph targets. Field: positions, normals or
// tangents.
template <class Real, bool kMorphs = true, class Morph>
HWY_INLINE Vec3<Real> at_rest(const Scalar<Real>* base, const std::vector<Morph>& morphs,
                              std::vector<Scalar<Real>> Morph::*field,
                              const Scalar<Real>* morph_weights, VertexIndex v) {
  const std::size_t i = std::size_t{v} * 3;
  Vec3<Real> rest{splat<Real>(base[i]), splat<Real>(base[i + 1]), splat<Real>(base[i + 2])};
  for (std::size_t m = 0; kMorphs && m < morphs.size(); ++m) {
    const std::vector<Scalar<Real>>& delta = morphs[m].*field;
    if (delta.empty()) continue;
    const Real weight = load<Real>(morph_weights + m * kFramesPerBlock);
    rest =
        fma(weight,
            Vec3<Real>{splat<Real>(delta[i]), splat<Real>(delta[i + 1]), splat<Real>(delta[i + 2])},
            rest);
  }
  return rest;
}

// `blend` of methods that read the whole vertex, or only its influences.
template <class Method, class Real>
HWY_INLINE Affine<Real> blended(const Vertex<Real>& vertex, const PoseOf<Method>& pose) {
  if constexpr (requires { Method::blend(vertex, pose); }) {
    return Method::blend(vertex, pose);
  } else {
    return Method::blend(vertex.influences, pose);
  }
}

// The blend of the joints' stretches, which are affine.
template <class Real, class Pose>
HWY_INLINE Affine<Real> blended_stretch(Influences<Scalar<Real>> influences, const Pose& pose) {
  Affine<Real> sum = splat<Real>(influences[0].weight) * pose.stretch(influences[0].joint);
  for (std::size_t i = 1; i < influences.size(); ++i) {
    sum = fma(splat<Real>(influences[i].weight), pose.stretch(influences[i].joint), sum);
  }
  return sum;
}

// Variants of the loop. The first value of each enum is the common case. It is compiled separately,
// because registers that the other branches occupy would make it 1.5 times as slow.
enum class Rest { kConstant, kMoving };      // moving: by morph targets, or by stretched joints
enum class Out { kPositions, kNormalsToo };  // normals, and tangents if SkinTask::tangents is set

// A tangent, moved by the linear part of the map that moves its vertex.
template <class Method, class Real, Rest kRest>
HWY_INLINE Vec3<Real> moved_tangent(const SkinTask<Scalar<Real>>& task, VertexIndex v,
                                    const PoseOf<Method>& pose, int frame,
                                    const Affine<Real>& moved) {
  using PackedRig = PackedRig<Scalar<Real>>;
  Vec3<Real> tangent = at_rest<Real, kRest == Rest::kMoving>(
      task.rig->tangents.data(), task.rig->morphs, &PackedRig::Morph::tangents,
      task.joints->morph_weights.data() + frame, v);
  if constexpr (kIsRigid<Method>) {
    tangent = kRest == Rest::kMoving && task.stretched
                  ? rotate(blended_stretch<Real>(task.rig->influences_of(v), pose), tangent)
                  : pose.common_scale() * tangent;
  }
  return rotate(moved, tangent);
}

// Skins one vertex, for the frames of one register. Rigid methods act on scaled points: they are
// scaled by the blended stretch if joints are stretched, otherwise by the common scale. (The sign
// of the common scale turns the normals of a mirrored rig.)
template <class Method, class Real, Rest kRest, Out kOut>
HWY_INLINE Vec3<Real> skin_vertex(const SkinTask<Scalar<Real>>& task, VertexIndex v,
                                  const PoseOf<Method>& pose, int frame, std::size_t out) {
  using T = Scalar<Real>;
  constexpr bool kMorphs = kRest == Rest::kMoving, kNormals = kOut == Out::kNormalsToo;
  const PackedRig<T>& rig = *task.rig;
  const T* morph_weights = task.joints->morph_weights.data() + frame;
  const Vec3<Real> rest = at_rest<Real, kMorphs>(rig.positions.data(), rig.morphs,
                                                 &PackedRig<T>::Morph::positions, morph_weights, v);
  const Vertex<Real> vertex = vertex_of<Real>(task, v, rest);
  const Affine<Real> moved = blended<Method>(vertex, pose);
  Vec3<Real> normal = rest;
  if constexpr (kNormals) {
    normal = at_rest<Real, kMorphs>(rig.normals.data(), rig.morphs, &PackedRig<T>::Morph::normals,
                                    morph_weights, v);
  }
  Vec3<Real> u = rest;
  if constexpr (kIsRigid<Method>) {
    if (kRest == Rest::kMoving && task.stretched) {
      const Affine<Real> stretch = blended_stretch<Real>(vertex.influences, pose);
      u = stretch * rest;
      if constexpr (kNormals) normal = transform_normal(stretch, normal);
    } else {
      u = pose.common_scale() * rest;
      if constexpr (kNormals) normal = pose.common_scale() * normal;
    }
  }
  if constexpr (kNormals) {
    store(transform_normal(moved, normal), task.normals + out);
    if (task.tangents != nullptr) {
      store(moved_tangent<Method, Real, kRest>(task, v, pose, frame, moved), task.tangents + out);
    }
  }
  if constexpr (requires { Method::move(vertex, pose, u, u); }) {
    return Method::move(vertex, pose, u, moved * u);
  } else {
    return moved * u;
  }
}

template <class Method, class Real, Rest kRest, Out kOut>
bool skin_vertices(const SkinTask<Scalar<Real>>& task) {
  const PoseArrays<Scalar<Real>> arrays = arrays_of(task);
  FiniteCheck<Real> finite{splat<Real>(0)};
  for (VertexIndex i = 0; i < task.vertices.count; ++i) {
    for (int frame = 0; frame < kFramesPerBlock; frame += kLanes<Real>) {
      const std::size_t out = std::size_t{i} * 3 * kFramesPerBlock + frame;
      const Vec3<Real> p = skin_vertex<Method, Real, kRest, kOut>(
          task, task.vertices.first + i, PoseOf<Method>(arrays, frame), frame, out);
      finite.add(p);
      store(p, task.positions + out);
      if constexpr (kOut == Out::kNormalsToo) finite.add(load_point<Real>(task.normals + out));
    }
  }
  return finite.holds();
}

template <template <class> class MethodOf, class Real>
bool skin(const SkinTask<Scalar<Real>>& task) {
  using Method = MethodOf<Real>;
  const bool constant = task.rig->morphs.empty() && !task.stretched;
  const bool normals = task.normals != nullptr;
  if constexpr (Method::kIsLinear) {
    if (task.rig->morphs.empty() && !normals) return move_constant_points<Real>(task);
  }
  if (constant && !normals) {
    return skin_vertices<Method, Real, Rest::kConstant, Out::kPositions>(task);
  }
  if (constant) return skin_vertices<Method, Real, Rest::kConstant, Out::kNormalsToo>(task);
  if (!normals) return skin_vertices<Method, Real, Rest::kMoving, Out::kPositions>(task);
  return skin_vertices<Method, Real, Rest::kMoving, Out::kNormalsToo>(task);
}

// One sweep of a method that relaxes, over some vertices.
template <class Method, class Real>
bool relax(const RelaxTask<Scalar<Real>>& task) {
  using T = Scalar<Real>;
  PoseArrays<T> arrays;
  arrays.common_scale = task.joints->common_scale.data();
  arrays.parameters = task.parameters.data();
  const PackedRig<T>& rig = *task.rig;
  const T* morph_weights = task.joints->morph_weights.data();
  // Only the last sweep uses morph targets, and only the last sweep has `rest`.
  const std::vector<typename PackedRig<T>::Morph> none;
  const auto& morphs = task.surface.rest == nullptr ? none : rig.morphs;
  FiniteCheck<Real> finite{splat<Real>(0)};
  for (VertexIndex i = 0; i < task.vertices.count; ++i) {
    const VertexIndex v = task.vertices.first + i;
    for (int frame = 0; frame < kFramesPerBlock; frame += kLanes<Real>) {
      const Vec3<Real> rest = at_rest<Real>(
          rig.positions.data(), morphs, &PackedRig<T>::Morph::positions, morph_weights + frame, v);
      const Vec3<Real> p = Method::relax(vertex_of<Real>(task, v, rest),
                                         Surface<Real>(task.surface, arrays, frame, task.sweep));
      finite.add(p);
      store(p, task.to + std::size_t{v} * 3 * kFramesPerBlock + frame);
    }
  }
  return finite.holds();
}

// Writes vertices at rest, with their morph targets: relax() smooths them too.
template <class Real>
void place_rest(const RelaxTask<Scalar<Real>>& task) {
  using T = Scalar<Real>;
  const PackedRig<T>& rig = *task.rig;
  for (VertexIndex i = 0; i < task.vertices.count; ++i) {
    const VertexIndex v = task.vertices.first + i;
    for (int frame = 0; frame < kFramesPerBlock; frame += kLanes<Real>) {
      store(at_rest<Real>(rig.positions.data(), rig.morphs, &PackedRig<T>::Morph::positions,
                          task.joints->morph_weights.data() + frame, v),
            task.to + std::size_t{v} * 3 * kFramesPerBlock + frame);
    }
  }
}

template <template <class> class MethodOf, class T>
constexpr MethodKernels<T> kernels_of() {
  using Method = MethodOf<Lanes<T>>;
  if constexpr (requires { &MethodOf<double>::sweep_count; }) {
    return {JointForm::kOwn, 0, 0, nullptr, nullptr, relax<Method, Lanes<T>>, place_rest<Lanes<T>>};
  } else {
    constexpr JointForm kForm = joint_form<Method>();
    return {kForm,
            kForm == JointForm::kOwn ? Elements<typename Method::Joint>::kCount : 0,
            part_elements<Method>(),
            prepare<MethodOf, Lanes<T>>,
            skin<MethodOf, Lanes<T>>,
            nullptr,
            nullptr};
  }
}

// The hooks of Method<double>.
template <class Method>
constexpr MethodHooks hooks_of() {
  MethodHooks hooks{};
  hooks.is_rigid = kIsRigid<Method>;
  if constexpr (requires { &Method::bind; }) hooks.bind = &Method::bind;
  if constexpr (requires { &Method::bind_form; }) hooks.bind_form = &Method::bind_form;
  if constexpr (requires { &Method::bind_size; }) hooks.bind_size = &Method::bind_size;
  if constexpr (requires { &Method::pose_joints; }) hooks.pose_joints = &Method::pose_joints;
  if constexpr (requires { &Method::scale_pivot; }) hooks.scale_pivot = &Method::scale_pivot;
  if constexpr (requires { &Method::is_tracked; }) hooks.is_tracked = &Method::is_tracked;
  if constexpr (requires { &Method::base; }) hooks.base = &Method::base;
  if constexpr (requires { &Method::sweep_count; }) hooks.sweep_count = &Method::sweep_count;
  return hooks;
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
