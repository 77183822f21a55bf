// The methods dib and lmb, which blend motions by their logarithms.

#include <limits>

#include "methods/method.h"
#include "methods/motion_blend/motion_blend-inl.h"
#include "methods/pose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// ---- Dual quaternion iterative blending: the weighted mean of the joints' motions.
//
// Ladislav Kavan, Steven Collins, Jiri Zara, Carol O'Sullivan.
// Geometric Skinning with Approximate Dual Quaternion Blending. 2008. Algorithm 2.
//
//     b_0 = the dual quaternion linear blend
//     x   = sum_j w_j log(b_i^-1 q_j)          logarithms of the shorter rotations
//     b_i+1 = b_i exp(x)                        until x = 0: b is the weighted mean of the q_j
//
// The paper iterates until |x| is small. Here there are at most four steps, which leave an error of
// 1e-6 for relative rotations up to 1.2 radians (three steps leave 6.5e-6). Beyond two radians the
// iteration hardly converges, and the result of four steps is the definition. A frame whose step is
// below rounding error is not changed further, independently of the other lanes. For two joints the
// mean is a screw motion at a steady rate: weight w gives w times the angle. Where a joint passes
// half a turn relative to the mean, its logarithm jumps.

template <class Real>
struct DualQuaternionIterative : MotionMethod<Real> {
  static constexpr MethodInfo kInfo{.id = "dib",
                                    .title = "dual quaternion iterative blend",
                                    .source = kKavanSource,
                                    .preserves = kLogPreserves,
                                    .keeps = kMotionKeeps};

  using typename MotionMethod<Real>::Joint;

  static HWY_INLINE Affine<Real> blend(Influences<Scalar<Real>> influences,
                                       const Pose<Joint>& pose) {
    Joint mean = linear_blend(influences, pose);
    if (influences.size() > 1) {
      // The amount by which the squares of a step exceed rounding error; 0: converged. The rotation
      // may converge before the translation, as it does for two equal weights.
      Real excess = splat<Real>(1);
      const Real rounding = splat<Real>(kArrived * kArrived);
      for (int step = 0; step < kSteps; ++step) {
        const auto open = less(splat<Real>(0), excess);
        if (!any(open)) break;
        const Joint reference = normalized(mean);
        const MotionLog<Real> x = blended_log(influences, pose, reference);
        mean = select(open, reference * exp(x), mean);
        const Real turn = dot(x.turn, x.turn) - rounding;
        const Real shift = fma(-rounding, dot(mean.dual, mean.dual), dot(x.shift, x.shift));
        excess = select(open, max(turn, shift), splat<Real>(0));
      }
    }
    return to_affine(mean);
  }

 private:
  static constexpr int kSteps = 4;
  static constexpr double kArrived = 8 * std::numeric_limits<Scalar<Real>>::epsilon();
};

// ---- Log-matrix blending: motions are blended by their logarithms.
//
// Marc Alexa. Linear Combination of Transformations. 2002.
// Frederic Cordier, Nadia Magnenat-Thalmann. A Data-Driven Approach for Real-Time Clothes
// Simulation. 2004.
//
//     p' = exp(sum_j w_j log C_j) p                       plain=1, as published
//     p' = C_ref exp(sum_j w_j log(C_ref^-1 C_j)) p       [ours] relative to a reference motion
//
// The plain form depends on the world's origin and orientation: it does not follow a rigid motion
// of all joints, and it jumps where a joint passes half a turn relative to the bind pose. The
// relative form follows rigid motions. ref=dlb uses the dual quaternion linear blend for C_ref (one
// step of `dib`), ref=max-weight the heaviest joint. Logarithms belong to the shorter rigid
// motions, represented as dual quaternions. Scale is blended first (clip/poses/rigid_pose.h).

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

  // Joints act on points relative to the centre of the mesh; plain logarithms need their action on
  // points in model space. The part is the centre.
  static BindData bind(const BindInput& input) {
    BindData bind_data;
    if (input.parameters[kPlain] == 0) return bind_data;
    bind_data.first_part_joint = {0, 0};
    bind_data.numbers_per_part = 3;
    bind_data.part_numbers = {input.centre.x, input.centre.y, input.centre.z};
    return bind_data;
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
