// Bones as segments, for what measures distances from them.

#if defined(SKINBAKE_METHODS_BONES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_METHODS_BONES_INL_H_
#undef SKINBAKE_METHODS_BONES_INL_H_
#else
#define SKINBAKE_METHODS_BONES_INL_H_
#endif

#include "methods/method.h"
#include "methods/pose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// head, tip - head, and one over its squared length (0: the bone is a point).
inline constexpr std::uint32_t kBoneNumbers = 7;

HWY_INLINE void append_bone(const JointTree& tree, JointIndex joint, std::vector<double>& numbers) {
  const Vec3<double> head = tree.heads[joint], along = tree.tips[joint] - head;
  const double length2 = dot(along, along);
  numbers.insert(numbers.end(), {head.x, head.y, head.z, along.x, along.y, along.z,
                                 length2 > 0 ? 1 / length2 : 0});
}

template <class Real>
struct Bone {
  Vec3<Real> head, along;
  Real inverse_length2;
};

template <class Real>
HWY_INLINE Bone<Real> bone_of(const Scalar<Real>* n) {
  const Vec3<Real> head{splat<Real>(n[0]), splat<Real>(n[1]), splat<Real>(n[2])};
  const Vec3<Real> along{splat<Real>(n[3]), splat<Real>(n[4]), splat<Real>(n[5])};
  return {head, along, splat<Real>(n[6])};
}

// The nearest point of the bone.
template <class Real>
HWY_INLINE Vec3<Real> foot(const Bone<Real>& bone, const Vec3<Real>& p) {
  const Real share = dot(p - bone.head, bone.along) * bone.inverse_length2;
  return fma(min(max(share, splat<Real>(0)), splat<Real>(1)), bone.along, bone.head);
}

// y, drawn to the bone until it is no farther than u.
template <class Real>
HWY_INLINE Vec3<Real> drawn_back(const Bone<Real>& bone, const Vec3<Real>& u, const Vec3<Real>& y) {
  const Vec3<Real> from = u - foot(bone, u), base = foot(bone, y), to = y - base;
  // The guard is for vertices on the bone: zero over zero.
  const Real tiny = splat<Real>(1e-30);
  const Real ratio = sqrt(dot(from, from) / max(dot(to, to), tiny));
  return fma(min(ratio, splat<Real>(1)), to, base);
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
