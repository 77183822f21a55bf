// Dual quaternion iterative blending: the motion in the joints' middle.
//
// Ladislav Kavan, Steven Collins, Jiri Zara, Carol O'Sullivan.
// Geometric Skinning with Approximate Dual Quaternion Blending. 2008. Algorithm 2.
//
//     b_0 = the dual quaternion linear blend
//     x   = sum_j w_j log(b_i^-1 q_j)          logarithms of the shorter way
//     b_i+1 = b_i exp(x)                        until x = 0: b is the weighted mean of the q_j
//
// The paper goes on until |x| is small; here always four steps, which leave 1e-6 up to relative
// turns of some 1.2 radians (three leave 6.5e-6). Beyond two radians it hardly converges: what four
// steps give is then the definition. For two joints it is a screw, at a steady rate: the angle of
// weight w is w times the whole. Where a joint passes half a turn against the mean, its logarithm
// jumps.

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
      for (int step = 0; step < kSteps; ++step) {
        const Joint reference = normalized(mean);
        mean = reference * exp(blended_log(influences, pose, reference));
      }
    }
    return to_affine(mean);
  }

 private:
  static constexpr int kSteps = 4;
};

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
