// Dual quaternion iterative blending: the motion in the joints' middle.
//
// Ladislav Kavan, Steven Collins, Jiri Zara, Carol O'Sullivan.
// Geometric Skinning with Approximate Dual Quaternion Blending. 2008. Algorithm 2.
//
//     b_0 = the dual quaternion linear blend
//     x   = sum_j w_j log(b_i^-1 q_j)          logarithms of the shorter way
//     b_i+1 = b_i exp(x)                        until x = 0: b is the weighted mean of the q_j
//
// The paper goes on until |x| is small. Here for at most four steps, which leave 1e-6 up to
// relative turns of some 1.2 radians (three leave 6.5e-6); beyond two radians it hardly converges:
// what four steps give is then the definition. A frame whose step turned by no more than rounding
// stays where it is, whatever its neighbours in the lanes do. For two joints it is a screw, at a
// steady rate: the angle of weight w is w times the whole. Where a joint passes half a turn against
// the mean, its logarithm jumps.

#include <limits>

#include "methods/method.h"
#include "methods/motion_blend-inl.h"
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
      // Squares, over what rounding makes; 0: arrived. A turn that is right at once, as that of two
      // equal weights, leaves the shift to the steps that follow.
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
