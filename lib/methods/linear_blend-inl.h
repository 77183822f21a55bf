// Linear blend skinning.
//
// Nadia Magnenat-Thalmann, Richard Laperriere, Daniel Thalmann. Joint-Dependent Local Deformations
// for Hand Animation and Object Grasping. 1988.
//
//     p' = (sum_j w_j M_j) p        M_j  matrix of joint j, posed from rest
//
// A sum of rotations is not a rotation: at weight 1/2 a twist by a leaves cos(a/2) of the radius.

#include "methods/method.h"
#include "methods/pose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

template <class Real>
struct LinearBlend {
  static constexpr MethodInfo kInfo{
      .id = "lbs",
      .title = "linear blend",
      .source =
          "Magnenat-Thalmann, Laperriere, Thalmann. Joint-Dependent Local Deformations for "
          "Hand Animation and Object Grasping. 1988",
      .preserves = "rest pose, affine motion of all joints; loses volume in twists and bends",
      .keeps = kKeepsBindPose | kKeepsRigidMotion | kKeepsOrigin | kKeepsSingleJoint |
               kKeepsCommonMatrix | kKeepsOneMap | kContinuity};

  static constexpr bool kIsLinear = true;
  using Transform = Affine<Real>;
  using Joint = Transform;  // read as it is: no joint()

  static HWY_INLINE Affine<Real> blend(Influences<Scalar<Real>> influences,
                                       const Pose<Joint>& pose) {
    Affine<Real> sum = splat<Real>(influences[0].weight) * pose[influences[0].joint];
    for (std::size_t i = 1; i < influences.size(); ++i) {
      sum = fma(splat<Real>(influences[i].weight), pose[influences[i].joint], sum);
    }
    return sum;
  }
};

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
