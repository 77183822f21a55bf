// Shared parts of the methods that blend motions as dual quaternions: dqs, dib and lmb.

#if defined(SKINBAKE_METHODS_MOTION_BLEND_MOTION_BLEND_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_METHODS_MOTION_BLEND_MOTION_BLEND_INL_H_
#undef SKINBAKE_METHODS_MOTION_BLEND_MOTION_BLEND_INL_H_
#else
#define SKINBAKE_METHODS_MOTION_BLEND_MOTION_BLEND_INL_H_
#endif

#include "math/dual_quat-inl.h"
#include "methods/method.h"
#include "methods/pose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

inline constexpr std::uint32_t kMotionKeeps = kKeepsBindPose | kKeepsRigidMotion | kKeepsOrigin |
                                              kKeepsSingleJoint | kKeepsCommonMatrix |
                                              kKeepsOneMap | kKeepsDistances;
inline constexpr std::string_view kKavanSource =
    "Kavan, Collins, Zara, O'Sullivan. Geometric Skinning with Approximate Dual Quaternion "
    "Blending. 2008";
// MethodInfo::preserves of blends of logarithms.
inline constexpr std::string_view kLogPreserves =
    "as dqs, and the share of a turn is the weight; jumps at half a turn";

template <class Real>
struct MotionMethod {
  static constexpr bool kIsLinear = false;
  using Transform = Rigid<Real>;
  using Joint = DualQuat<Real>;

  static HWY_INLINE Joint joint(const Transform& posed_from_rest) {
    return to_dual_quat(posed_from_rest);
  }
};

// The weighted sum, not normalised, of the joints turned to the hemisphere of the heaviest.
template <class Real, class Part>
HWY_INLINE DualQuat<Real> linear_blend(Influences<Scalar<Real>> influences,
                                       const Pose<DualQuat<Real>, Part>& pose) {
  const DualQuat<Real> first = pose[influences[0].joint];
  DualQuat<Real> sum = splat<Real>(influences[0].weight) * first;
  for (std::size_t i = 1; i < influences.size(); ++i) {
    const DualQuat<Real> q = pose[influences[i].joint];
    const Real towards_first = dot(first.real, q.real);
    sum = fma(copysign(splat<Real>(influences[i].weight), towards_first), q, sum);
  }
  return sum;
}

// sum_j w_j log(reference^-1 q_j); each logarithm belongs to the shorter rotation. Precondition:
// the reference has unit length.
template <class Real, class Part>
HWY_INLINE MotionLog<Real> blended_log(Influences<Scalar<Real>> influences,
                                       const Pose<DualQuat<Real>, Part>& pose,
                                       const DualQuat<Real>& reference) {
  const DualQuat<Real> back = conjugate(reference);
  MotionLog<Real> sum = splat<Real>(influences[0].weight) * log(back * pose[influences[0].joint]);
  for (std::size_t i = 1; i < influences.size(); ++i) {
    sum = fma(splat<Real>(influences[i].weight), log(back * pose[influences[i].joint]), sum);
  }
  return sum;
}

// ---- Joint segments, from a joint's head to its tip, and distances from them.

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
