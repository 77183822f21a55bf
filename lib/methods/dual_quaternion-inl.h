// Dual quaternion skinning.
//
// Ladislav Kavan, Steven Collins, Jiri Zara, Carol O'Sullivan.
// Geometric Skinning with Approximate Dual Quaternion Blending. 2008. Algorithm 1.
//
//     b  = sum_j s_j w_j q_j      q_j  unit dual quaternion of joint j, posed from rest
//     p' = (b / |b|) p            s_j  +1 or -1: turns q_j to the heaviest joint's hemisphere
//
// Keeps the radius of a twist that linear blending collapses; bulges at large bends. With the sign
// towards one pivot every term of b has a component of at least its weight along the pivot, so |b|
// never vanishes.
//
// A dual quaternion is rigid: scale and shear are blended first, about the joints
// (clip/rigid_pose.h); the driver composes the two.

#include "methods/method.h"
#include "methods/pose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

template <class Real>
struct DualQuaternion {
  static constexpr MethodInfo kInfo{
      .id = "dqs",
      .title = "dual quaternion linear blend",
      .source =
          "Kavan, Collins, Zara, O'Sullivan. Geometric Skinning with Approximate Dual "
          "Quaternion Blending. 2008",
      .preserves = "rest pose, rigid motion of all joints, radius in twists; bulges in bends",
      .keeps = kKeepsBindPose | kKeepsRigidMotion | kKeepsOrigin | kKeepsSingleJoint |
               kKeepsCommonMatrix | kKeepsOneMap | kKeepsDistances};

  static constexpr bool kIsLinear = false;
  using Transform = Rigid<Real>;
  using Joint = DualQuat<Real>;

  static HWY_INLINE Joint joint(const Transform& posed_from_rest) {
    return to_dual_quat(posed_from_rest);
  }

  // Influences descend by weight, so the first is the pivot.
  static HWY_INLINE Affine<Real> blend(Influences<Scalar<Real>> influences,
                                       const Pose<Joint>& pose) {
    const Joint first = pose[influences[0].joint];
    Joint sum = splat<Real>(influences[0].weight) * first;
    for (std::size_t i = 1; i < influences.size(); ++i) {
      const Joint q = pose[influences[i].joint];
      const Real towards_pivot = dot(first.real, q.real);
      sum = fma(copysign(splat<Real>(influences[i].weight), towards_pivot), q, sum);
    }
    return to_affine(sum);
  }
};

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
