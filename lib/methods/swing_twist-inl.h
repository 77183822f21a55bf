// Joint-chain swing-twist [ours]: every joint's rotation is distributed over the vertices below it,
// its swing and its twist separately.
//
// After the idea of Ladislav Kavan, Olga Sorkine. Elasticity-Inspired Deformers for Character
// Articulation. 2012, whose formula is different.
//
//     D_j = N_parent^-1 N_j = T(c + tau) swing twist stretch T(-c)
//     P_j = T(c + W tau) swing(W) twist(W phi) ((1 - W) 1 + W stretch) T(-c)
//     f_j(p) = p + sum_{children c of j, W_c > 0} (P_c f_c(p) - p)
//     p' = sum_{roots r} W_r N_r f_r(p)                              in f_r weights are over W_r
//
//     N_j  the joint's matrix, for points at the common scale (clip/poses/rigid_pose.h)
//     c    the joint's head, at the common scale      W_j  sum of the weights of j's subtree
//     a    direction of its bone, the twist's axis    phi  angle of the twist, tracked in time
//
//     swing(W) = exp(W log swing)           beta=0
//     swing(W) = (1 - W) 1 + W swing        beta=1, bulges less; other beta: weighted mean of both
//
// Since weights are not relative to the parent's, the method equals linear blending to first order
// in the angles. Twists may have any number of turns, because only W phi is used. If the joints of
// a vertex are on several branches of the tree, its map is not rigid.
//
// The stretch is a part of D, so that a squash of the whole rig squashes the result. Only the
// stretches of a parent without size, and of its children, are blended first, about the joints: its
// matrix does not have an inverse.
//
// The bind compiles f of each vertex into a program: a list of entries that are executed in order
// on a stack of maps (bind/swing_twist_bind.h).

#include "math/dual_quat-inl.h"
#include "math/elementary-inl.h"
#include "methods/bind/swing_twist_bind.h"
#include "methods/method.h"
#include "methods/pose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

template <class Real>
struct SwingTwist : SwingTwistNumbers {
  enum Parameter { kBeta };

  static constexpr MethodParameter kParameters[] = {
      {.name = "beta",
       .help = "0: swings keep the radius; 1: they are blended linearly, and bulge less",
       .lowest = 0,
       .highest = 1}};
  static constexpr MethodInfo kInfo{
      .id = "jst",
      .title = "joint-chain swing-twist",
      .source =
          "ours, after Kavan, Sorkine. Elasticity-Inspired Deformers for Character Articulation. "
          "2012",
      .preserves = "rest pose, radius and share of twists of any number of turns",
      .keeps = kKeepsBindPose | kKeepsRigidMotion | kKeepsOrigin | kKeepsSingleJoint |
               kKeepsCommonMatrix | kKeepsOneMap | kKeepsHalfTurns,
      .parameters = kParameters};

  static constexpr bool kIsLinear = false;
  using Transform = Rigid<Real>;

  using Joint = Numbers<Real, kNumberCount>;

  static bool is_tracked(Parameters) { return true; }
  // The driver scales points by the common scale alone.
  static ScalePivot scale_pivot(Parameters) { return ScalePivot::kVertex; }
  static BindData bind(const BindInput& input) { return swing_twist_programs(input); }
  static void pose_joints(const PosedJoints& posed, std::span<double> out) {
    constexpr std::size_t kCount = Elements<Joint>::kCount;
    for (const JointIndex j : posed.tree.order) {
      pose_swing_twist(posed, j, out.subspan(j * kCount, kCount));
    }
  }

  static HWY_INLINE Affine<Real> blend(const Vertex<Real>& vertex, const Pose<Joint>& pose) {
    return pose.is_stretched() ? blend_stretched(vertex, pose) : chained<false>(vertex, pose);
  }

 private:
  // Not inlined: it would occupy registers that the rigid blend needs.
  static HWY_NOINLINE Affine<Real> blend_stretched(const Vertex<Real>& vertex,
                                                   const Pose<Joint>& pose) {
    return chained<true>(vertex, pose) * first_stretch(vertex, pose);
  }

  template <bool kStretched>
  static HWY_INLINE Affine<Real> chained(const Vertex<Real>& vertex, const Pose<Joint>& pose) {
    const Real zero = splat<Real>(0), one = splat<Real>(1);
    const Affine<Real> identity{
        {one, zero, zero}, {zero, one, zero}, {zero, zero, one}, {zero, zero, zero}};
    Affine<Real> top = identity, sum = zero * identity;
    Affine<Real> below[kSwingTwistStack];
    std::size_t depth = 0;
    for (std::size_t i = 0; i < vertex.indices.size(); ++i) {
      const Joint joint = pose[vertex.indices[i]];
      const Real weight = splat<Real>(vertex.numbers[2 * i]);
      const int step = static_cast<int>(vertex.numbers[2 * i + 1]);
      if (step & kStepPush) {
        below[depth++] = top;
        top = identity;
      }
      if (step & kStepRoot) {
        Affine<Real> c = to_affine(
            Quat<Real>{joint[kTurn], joint[kTurn + 1], joint[kTurn + 2], joint[kTurn + 3]},
            at(joint, kMove));
        if constexpr (kStretched) c = c * own_stretch(joint, vertex.indices[i], pose);
        sum = fma(weight, c * top, sum);
        top = identity;
        continue;
      }
      top = partial<kStretched>(joint, weight, pose.parameter(kBeta)) * top;
      if (step & kStepMerge) top = fma(-one, identity, fma(one, below[--depth], top));
    }
    return sum;
  }

  // (S / k - 1) of a joint that is scaled first, about its head; zero for other joints.
  static HWY_INLINE Affine<Real> first_change(const Joint& joint, std::size_t index,
                                              const Pose<Joint>& pose) {
    const Affine<Real> s = scaled(pose, index);
    const Real one = splat<Real>(1), first = joint[kScaledFirst];
    const Vec3<Real> x{first * (s.x.x - one), first * s.x.y, first * s.x.z};
    const Vec3<Real> y{first * s.y.x, first * (s.y.y - one), first * s.y.z};
    const Vec3<Real> z{first * s.z.x, first * s.z.y, first * (s.z.z - one)};
    const Real zero = splat<Real>(0);
    return about_head(Affine<Real>{x, y, z, {zero, zero, zero}}, joint);
  }

  // The sum of w_j S_j over the joints that are scaled first, and of w_j over the others.
  static HWY_INLINE Affine<Real> first_stretch(const Vertex<Real>& vertex,
                                               const Pose<Joint>& pose) {
    const Real zero = splat<Real>(0), one = splat<Real>(1);
    Affine<Real> sum{{one, zero, zero}, {zero, one, zero}, {zero, zero, one}, {zero, zero, zero}};
    for (const PackedInfluence<Scalar<Real>>& i : vertex.influences) {
      sum = fma(splat<Real>(i.weight), first_change(pose[i.joint], i.joint, pose), sum);
    }
    return sum;
  }

  // The stretch of a joint that is not scaled first, S / k about its head; 1 for other joints.
  static HWY_INLINE Affine<Real> own_stretch(const Joint& joint, std::size_t index,
                                             const Pose<Joint>& pose) {
    return fma(splat<Real>(-1), first_change(joint, index, pose), scaled(pose, index));
  }

  // S / k about the joint's head.
  static HWY_INLINE Affine<Real> scaled(const Pose<Joint>& pose, std::size_t index) {
    const Affine<Real> s = pose.stretch(index);
    const Real inverse = splat<Real>(1) / pose.common_scale();
    return {inverse * s.x, inverse * s.y, inverse * s.z, s.translation};
  }

  // The linear map, applied about the joint's head instead of the origin, less the head.
  static HWY_INLINE Affine<Real> about_head(Affine<Real> m, const Joint& joint) {
    m.translation = splat<Real>(-1) * rotate(m, at(joint, kHead));
    return m;
  }

  static HWY_INLINE Vec3<Real> at(const Joint& joint, int offset) {
    return {joint[offset], joint[offset + 1], joint[offset + 2]};
  }

  // P of a joint.
  template <bool kStretched>
  static HWY_INLINE Affine<Real> partial(const Joint& joint, Real weight, double beta) {
    const Vec3<Real> axis = at(joint, kAxis), head = at(joint, kHead);
    const SinCos<Real> half = half_turn_sin_cos(weight * joint[kTwist]);
    const Quat<Real> twist{half.cos, half.sin * axis.x, half.sin * axis.y, half.sin * axis.z};
    const Quat<Real> swing = exp(weight * at(joint, kSwing));
    const Vec3<Real> target = fma(weight, at(joint, kShift), head);
    Affine<Real> m = to_affine(swing * twist, target);
    if (beta != 0) m = mixed(m, linear_swing(joint, weight, twist), splat<Real>(beta));
    if constexpr (kStretched) m = m * partial_stretch(joint, weight);
    m.translation = target - rotate(m, head);
    return m;
  }

  // (1 - W) 1 + W stretch.
  static HWY_INLINE Affine<Real> partial_stretch(const Joint& joint, Real weight) {
    const Real zero = splat<Real>(0), rest = splat<Real>(1) - weight;
    return {fma(weight, at(joint, kStretch), Vec3<Real>{rest, zero, zero}),
            fma(weight, at(joint, kStretch + 3), Vec3<Real>{zero, rest, zero}),
            fma(weight, at(joint, kStretch + 6), Vec3<Real>{zero, zero, rest}),
            {zero, zero, zero}};
  }

  // ((1 - W) 1 + W swing) twist(W phi), its translation zero.
  static HWY_INLINE Affine<Real> linear_swing(const Joint& joint, Real weight,
                                              const Quat<Real>& twist) {
    const Vec3<Real> origin{splat<Real>(0), splat<Real>(0), splat<Real>(0)};
    const Affine<Real> whole = to_affine(exp(at(joint, kSwing)), origin);
    const Affine<Real> turned = to_affine(twist, origin);
    return mixed(turned, whole * turned, weight);
  }

  static HWY_INLINE Affine<Real> mixed(const Affine<Real>& a, const Affine<Real>& b, Real share) {
    return fma(share, b, (splat<Real>(1) - share) * a);
  }

  // Sine and cosine of an angle of any size, up to a common sign: q and -q are the same rotation.
  static HWY_INLINE SinCos<Real> half_turn_sin_cos(Real angle) {
    const Real turns = rounded(angle * splat<Real>(1 / kPi));
    const Real rest = fma(turns, splat<Real>(-kPiLow), fma(turns, splat<Real>(-kPiHigh), angle));
    const ExpFactors<Real> f = exp_factors(rest * rest);
    return {f.s * rest, f.cosine};
  }

  // The nearest whole number: adding 1.5 times the number whose last bit is 1 rounds the fraction
  // off.
  static HWY_INLINE Real rounded(Real x) {
    const Real shift = splat<Real>(sizeof(Scalar<Real>) == 4 ? 0x1.8p23 : 0x1.8p52);
    return (x + shift) - shift;
  }

  static constexpr double kPi = 0x1.921fb54442d18p1;
  // Pi as a sum: pi rounded to the lane's type, and the remainder.
  static constexpr double kPiHigh = sizeof(Scalar<Real>) == 4 ? 0x1.921fb6p1 : kPi;
  static constexpr double kPiLow =
      sizeof(Scalar<Real>) == 4 ? kPi - 0x1.921fb6p1 : 0x1.1a62633145c07p-53;
};

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
