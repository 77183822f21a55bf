// A joint's rigid motion as quaternion and as matrix, for methods that blend rotations as
// quaternions and positions by matrices; and the blend of rotations.

#if defined(SKINBAKE_METHODS_POSED_JOINT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_METHODS_POSED_JOINT_INL_H_
#undef SKINBAKE_METHODS_POSED_JOINT_INL_H_
#else
#define SKINBAKE_METHODS_POSED_JOINT_INL_H_
#endif

#include "methods/pose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

template <class Real>
struct PosedJoint {
  Quat<Real> rotation;
  Affine<Real> matrix;
};

template <class R>
struct Elements<PosedJoint<R>> {
  using Real = R;
  static constexpr std::size_t kCount = 16;
  static HWY_INLINE PosedJoint<R> load_from(const Scalar<R>* p) {
    ElementReader<R> in{p};
    return {in.quat(), in.affine()};
  }
  static HWY_INLINE void store_to(const PosedJoint<R>& joint, Scalar<R>* p) {
    store_elements<kCount>(&joint.rotation.w, p);
  }
};

template <class Real>
HWY_INLINE PosedJoint<Real> posed_joint(const Rigid<Real>& rigid) {
  return {rigid.rotation, to_affine(rigid.rotation, rigid.translation)};
}

// sum + w q, q turned to the hemisphere of the pivot: q and -q are the same rotation.
template <class Real>
HWY_INLINE Quat<Real> add_rotation(double weight, const Quat<Real>& q, const Quat<Real>& pivot,
                                   const Quat<Real>& sum) {
  return fma(copysign(splat<Real>(weight), dot(pivot, q)), q, sum);
}

template <class Real>
HWY_INLINE Quat<Real> normalized(const Quat<Real>& q) {
  return (splat<Real>(1) / norm(q)) * q;
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
