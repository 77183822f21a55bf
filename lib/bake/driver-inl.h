// The driver: the loop over vertices and influences. It owns lanes, morph targets, stretch,
// normals and stores; a method only says how joints blend.

#if defined(SKINBAKE_BAKE_DRIVER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_BAKE_DRIVER_INL_H_
#undef SKINBAKE_BAKE_DRIVER_INL_H_
#else
#define SKINBAKE_BAKE_DRIVER_INL_H_
#endif

#include <type_traits>

#include "bake/kernels.h"
#include "bake/linear_driver-inl.h"
#include "methods/pose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// Rigid methods are given rigid joints; points are stretched before they are moved.
template <class Method>
inline constexpr bool kIsRigid =
    !std::is_same_v<typename Method::Transform,
                    Affine<typename Elements<typename Method::Joint>::Real>>;

// Method::joint for every joint, all 16 frames.
template <template <class> class MethodOf, class Real>
void prepare(const JointBlock<Scalar<Real>>& joints, Scalar<Real>* prepared) {
  using Method = MethodOf<Real>;
  using Source = Elements<typename Method::Transform>;
  using Target = Elements<typename Method::Joint>;
  const Scalar<Real>* from = joints.posed_from_rest.data();
  if constexpr (kIsRigid<Method>) from = joints.posed_from_scaled.data();
  for (std::size_t j = 0; j < joints.joint_count; ++j) {
    for (int frame = 0; frame < kFramesPerBlock; frame += kLanes<Real>) {
      const auto transform = Source::load_from(from + j * Source::kCount * kFramesPerBlock + frame);
      Target::store_to(Method::joint(transform),
                       prepared + j * Target::kCount * kFramesPerBlock + frame);
    }
  }
}

// One vector attribute of a vertex at rest, with its morph targets. Field: positions or normals.
template <class Real, class Morph>
HWY_INLINE Vec3<Real> at_rest(const Scalar<Real>* base, const std::vector<Morph>& morphs,
                              std::vector<Scalar<Real>> Morph::*field,
                              const Scalar<Real>* morph_weights, VertexIndex v) {
  const std::size_t i = std::size_t{v} * 3;
  Vec3<Real> rest{splat<Real>(base[i]), splat<Real>(base[i + 1]), splat<Real>(base[i + 2])};
  for (std::size_t m = 0; m < morphs.size(); ++m) {
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

// The transform of a vertex from rest to its pose, of method and stretch together. Where nothing is
// stretched a rigid method acts on scaled points: the caller scales them, three numbers, not nine.
template <class Method, bool kStretched, class Real>
HWY_INLINE Affine<Real> posed_from_rest(Influences<Scalar<Real>> influences,
                                        const Pose<typename Method::Joint>& pose,
                                        const Pose<Affine<Real>>& stretches) {
  const Affine<Real> moved = Method::blend(influences, pose);
  if constexpr (!kStretched) {
    return moved;
  } else {
    Affine<Real> stretch = splat<Real>(influences[0].weight) * stretches[influences[0].joint];
    for (std::size_t i = 1; i < influences.size(); ++i) {
      stretch = fma(splat<Real>(influences[i].weight), stretches[influences[i].joint], stretch);
    }
    return moved * stretch;
  }
}

// kMorphs and kNormals are compiled apart so that the plain case pays for neither.
template <class Method, bool kStretched, bool kMorphs, bool kNormals, class Real>
bool skin_vertices(const SkinTask<Scalar<Real>>& task) {
  using T = Scalar<Real>;
  const Binding<T>& binding = *task.binding;
  const auto none = std::vector<typename Binding<T>::Morph>();
  const auto& morphs = kMorphs ? binding.morphs : none;
  FiniteCheck<Real> finite{splat<Real>(0)};
  for (VertexIndex i = 0; i < task.vertices.count; ++i) {
    const VertexIndex v = task.vertices.first + i;
    const Influences<T> influences = binding.influences_of(v);
    for (int frame = 0; frame < kFramesPerBlock; frame += kLanes<Real>) {
      const T* morph_weights = task.joints->morph_weights.data() + frame;
      const Affine<Real> m = posed_from_rest<Method, kStretched, Real>(
          influences, Pose<typename Method::Joint>(task.prepared + frame),
          Pose<Affine<Real>>(task.joints->scaled_from_rest.data() + frame));
      // The common scale of a rigid method; its sign turns the normals of a mirrored rig.
      const auto scaled = [&](const Vec3<Real>& rest) HWY_ATTR {
        if constexpr (!kIsRigid<Method> || kStretched) return rest;
        return load<Real>(task.joints->common_scale.data() + frame) * rest;
      };
      const std::size_t out = std::size_t{i} * 3 * kFramesPerBlock + frame;
      const Vec3<Real> p =
          m * scaled(at_rest<Real>(binding.positions.data(), morphs, &Binding<T>::Morph::positions,
                                   morph_weights, v));
      finite.add(p);
      store(p, task.positions + out);
      if constexpr (kNormals) {
        const Vec3<Real> n = scaled(at_rest<Real>(binding.normals.data(), morphs,
                                                  &Binding<T>::Morph::normals, morph_weights, v));
        store(transform_normal(m, n), task.normals + out);
      }
    }
  }
  return finite.holds();
}

template <class Method, bool kStretched, class Real>
bool skin_any(const SkinTask<Scalar<Real>>& task) {
  const bool morphs = !task.binding->morphs.empty();
  const bool normals = task.normals != nullptr;
  if constexpr (Method::kIsLinear) {
    if (!morphs && !normals) return move_constant_points<Real>(task);
  }
  if (morphs) {
    return normals ? skin_vertices<Method, kStretched, true, true, Real>(task)
                   : skin_vertices<Method, kStretched, true, false, Real>(task);
  }
  return normals ? skin_vertices<Method, kStretched, false, true, Real>(task)
                 : skin_vertices<Method, kStretched, false, false, Real>(task);
}

template <template <class> class MethodOf, class Real>
bool skin(const SkinTask<Scalar<Real>>& task) {
  using Method = MethodOf<Real>;
  if constexpr (kIsRigid<Method>) {
    if (task.stretched) return skin_any<Method, true, Real>(task);
  }
  return skin_any<Method, false, Real>(task);
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
