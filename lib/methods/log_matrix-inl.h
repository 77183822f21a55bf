// Log-matrix blending: motions are blended as their logarithms.
//
// Marc Alexa. Linear Combination of Transformations. 2002.
// Frederic Cordier, Nadia Magnenat-Thalmann. A Data-Driven Approach for Real-Time Clothes
// Simulation. 2004.
//
//     p' = exp(sum_j w_j log C_j) p                       plain=1, as published
//     p' = C_ref exp(sum_j w_j log(C_ref^-1 C_j)) p       [ours] relative to a motion in the middle
//
// The plain form depends on where the world's origin is and which way it faces: it does not follow
// a rigid motion of all joints, and flips where one passes half a turn against the bind pose. The
// relative form does neither; ref=dlb takes the dual quaternion linear blend for C_ref (and is one
// step of `dib`), ref=max-weight the heaviest joint. Logarithms are of rigid motions, the shorter
// way, and are written as dual quaternions; scale is blended first (clip/rigid_pose.h).

#include "methods/method.h"
#include "methods/motion_blend-inl.h"
#include "methods/pose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

template <class Real>
struct LogMatrix : MotionMethod<Real> {
  enum Parameter { kRef, kPlain };
  static constexpr double kDlb = 0;  // of ref

  static constexpr MethodParameter kParameters[] = {
      {.name = "ref",
       .help = "what logarithms are relative to: the dual quaternion blend or the heaviest joint",
       .choices = "dlb|max-weight"},
      {.name = "plain",
       .help = "1: relative to nothing, as published; for comparison",
       .choices = "0|1"}};
  static constexpr MethodSetting kSettings[] = {
      {.setting = "plain=1", .loses = kKeepsRigidMotion | kKeepsOrigin}};
  static constexpr MethodInfo kInfo{
      .id = "lmb",
      .title = "log-matrix blend",
      .source =
          "Alexa. Linear Combination of Transformations. 2002; Cordier, Magnenat-Thalmann. A "
          "Data-Driven Approach for Real-Time Clothes Simulation. 2004",
      .preserves = kLogPreserves,
      .keeps = kMotionKeeps,
      .parameters = kParameters,
      .settings = kSettings};

  using typename MotionMethod<Real>::Joint;
  using Part = Numbers<Real, 3>;  // the middle of the mesh, at the common scale

  // Joints act on points relative to the middle of the mesh (centring); plain logarithms are of
  // their action on points as they were modelled.
  static Bound bind(const BindInput& input) {
    Bound bound;
    if (input.parameters[kPlain] == 0) return bound;
    bound.first_part_joint = {0, 0};
    bound.numbers_per_part = 3;
    bound.part_numbers = {input.centre.x, input.centre.y, input.centre.z};
    return bound;
  }

  static HWY_INLINE Part part(const PartOf& of, const Pose<Joint, Part>& pose) {
    const Real k = pose.common_scale();
    return {{k * splat<Real>(of.numbers[0]), k * splat<Real>(of.numbers[1]),
             k * splat<Real>(of.numbers[2])}};
  }

  static HWY_INLINE Affine<Real> blend(const Vertex<Real>& vertex, const Pose<Joint, Part>& pose) {
    const auto influences = vertex.influences;
    if (influences.size() == 1) return to_affine(pose[influences[0].joint]);
    if (pose.parameter(kPlain) == 1) return plain(influences, pose);
    const Joint reference = pose.parameter(kRef) == kDlb
                                ? normalized(linear_blend(influences, pose))
                                : pose[influences[0].joint];
    return to_affine(reference * exp(blended_log(influences, pose, reference)));
  }

 private:
  static HWY_INLINE Affine<Real> plain(Influences<Scalar<Real>> influences,
                                       const Pose<Joint, Part>& pose) {
    const Part middle = pose.part(0);
    const Real zero = splat<Real>(0), half = splat<Real>(0.5);
    const Joint there{{splat<Real>(1), zero, zero, zero},
                      {zero, half * middle[0], half * middle[1], half * middle[2]}};
    MotionLog<Real> sum{{zero, zero, zero}, {zero, zero, zero}};
    for (const PackedInfluence<Scalar<Real>>& i : influences) {
      sum = fma(splat<Real>(i.weight), log(pose[i.joint] * conjugate(there)), sum);
    }
    return to_affine(exp(sum) * there);
  }
};

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
