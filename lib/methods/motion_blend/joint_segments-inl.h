// Joint segments, from a joint's head to its tip, and distances from them.

#if defined(SKINBAKE_METHODS_JOINT_SEGMENTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_METHODS_JOINT_SEGMENTS_INL_H_
#undef SKINBAKE_METHODS_JOINT_SEGMENTS_INL_H_
#else
#define SKINBAKE_METHODS_JOINT_SEGMENTS_INL_H_
#endif

#include "methods/method.h"
#include "methods/pose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// head, tip - head, and one over its squared length (0: the segment is a point).
inline constexpr std::uint32_t kSegmentNumbers = 7;

HWY_INLINE void append_segment(const JointTree& tree, JointIndex joint,
                               std::vector<double>& numbers) {
  const Vec3<double> head = tree.heads[joint], along = tree.tips[joint] - head;
  const double length2 = dot(along, along);
  numbers.insert(numbers.end(), {head.x, head.y, head.z, along.x, along.y, along.z,
                                 length2 > 0 ? 1 / length2 : 0});
}

template <class Real>
struct JointSegment {
  Vec3<Real> head, along;
  Real inverse_length2;
};

template <class Real>
HWY_INLINE JointSegment<Real> segment_at(const Scalar<Real>* n) {
  const Vec3<Real> head{splat<Real>(n[0]), splat<Real>(n[1]), splat<Real>(n[2])};
  const Vec3<Real> along{splat<Real>(n[3]), splat<Real>(n[4]), splat<Real>(n[5])};
  return {head, along, splat<Real>(n[6])};
}

// The nearest point of the segment.
template <class Real>
HWY_INLINE Vec3<Real> foot(const JointSegment<Real>& segment, const Vec3<Real>& p) {
  const Real share = dot(p - segment.head, segment.along) * segment.inverse_length2;
  return fma(min(max(share, splat<Real>(0)), splat<Real>(1)), segment.along, segment.head);
}

// y, moved towards the segment until it is no farther from it than u.
template <class Real>
HWY_INLINE Vec3<Real> drawn_back(const JointSegment<Real>& segment, const Vec3<Real>& u,
                                 const Vec3<Real>& y) {
  const Vec3<Real> from = u - foot(segment, u), base = foot(segment, y), to = y - base;
  // The guard is for vertices on the segment: zero over zero.
  const Real tiny = splat<Real>(1e-30);
  const Real ratio = sqrt(dot(from, from) / max(dot(to, to), tiny));
  return fma(min(ratio, splat<Real>(1)), to, base);
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
