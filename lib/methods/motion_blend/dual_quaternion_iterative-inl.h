// Dual quaternion iterative blending: the weighted mean of the joints' motions.
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

#include <limits>

#include "methods/method.h"
#include "methods/motion_blend/motion_blend-inl.h"
#include "methods/pose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

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

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
