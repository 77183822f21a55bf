// Direct Delta Mush.
//
// Binh Huy Le, J. P. Lewis. Direct Delta Mush Skinning and Variants. 2019. The bind, with the
// moments of the neighbourhood about p, is in bind/smoothed_moments.h; x = u - p is a point's
// position.
//
//     c_j = M_j p                               the neighbourhood's centre, moved by joint j
//     q   = sum_j w_j c_j + R_j x_j             its smoothed linear blend
//     S   = sum_j c_j x_j^T + R_j Q_j           covariance of the blended neighbourhood and the
//                                               neighbourhood at rest
//     u'  = R (u - p) + q                       R nearest to S (math/procrustes-inl.h)
//
//     variant 0  as above                       R of the blended neighbourhood
//     variant 2  R blends quaternions by w_j
//     variant 4  R as in variant 2, and q = sum_j w_j c_j
//     variant 5  u' = sum_j w_j M_j u           linear blending with smoothed weights
//
// Joints with scale follow Serguei Kalentchouk, Michael Hutchinson, Deepak Tolani. Enhancing Direct
// Delta Mush. 2020: the stretch of joint j moves the vertex by d_j, and M_j becomes the joint's
// rigid part after a translation by d_j. A vertex with one joint then follows its matrix exactly.
//
// Deviation: where S does not determine a rotation (points on a straight line, a neighbourhood that
// cancels) R blends quaternions as in variant 2.

#include "math/procrustes-inl.h"
#include "methods/bind/smoothed_moments.h"
#include "methods/method.h"
#include "methods/pose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

template <class Real>
struct DirectDeltaMush : MomentParameter {
  // Far below this limit a neighbourhood is the whole mesh; above it D vanishes in D + lambda L.
  static constexpr double kMostSmoothing = 1e6;
  static constexpr MethodParameter kParameters[] = {
      {.name = "variant", .help = "how the rotation is found", .choices = "0|2|4|5"},
      {.name = "lambda",
       .help = "rotation smoothing, a step; auto: at most 3, or 3 kappa if kappa is not below it",
       .highest = kMostSmoothing,
       .above_lowest = true,
       .follows_mesh = true},
      {.name = "kappa",
       .help = "translation smoothing, a step; below lambda; auto: a third of it",
       .highest = kMostSmoothing,
       .above_lowest = true,
       .below_highest = true,
       .follows_mesh = true},
      {.name = "p",
       .help = "smoothing steps; auto: fewer than 20 where joints have few vertices",
       .lowest = 1,
       .highest = 100,
       .whole = true,
       .follows_mesh = true},
      {.name = "alpha",
       .help = "how much of the translation is smoothed by kappa",
       .initial = 0.8,
       .highest = 1,
       .below_highest = true},
      {.name = "laplacian", .help = "what neighbours count", .choices = "uniform|cot"},
      {.name = "prune",
       .help = "joints kept of a vertex; 0: all",
       .initial = 32,
       .highest = 1e9,
       .whole = true}};
  static constexpr std::string_view conflict(std::span<const double> values) {
    const bool underflows = values[kKappa] == kFollowsMesh && !(values[kLambda] / 3 != 0);
    if (underflows) return "lambda is too small for a kappa below it";
    const bool chosen = values[kKappa] == kFollowsMesh || values[kLambda] == kFollowsMesh;
    return chosen || values[kKappa] < values[kLambda] ? "" : "kappa must be below lambda";
  }

  // p steps of size lambda spread a point over a length of sqrt(p lambda) edges [ours]: as a walk
  // of lambda edges a step, on average. That is at most a quarter of a joint's region, so that a
  // coarse mesh keeps its limbs. Le and Lewis have lambda = 3, kappa = 1, p = 20, for dense meshes.
  // Numbers have two decimals.
  static constexpr void follow_mesh(int region_points, std::span<double> values) {
    constexpr int kMostLambda = 300, kMostSteps = 20;  // lambda in hundredths
    const int spread = region_points > 1000 ? 6250 : region_points * 100 / 16;
    const int steps = spread / kMostLambda;
    if (values[kSteps] == kFollowsMesh) {
      values[kSteps] = steps < 1 ? 1 : steps > kMostSteps ? kMostSteps : steps;
    }
    if (values[kLambda] == kFollowsMesh) {
      const double lambda = (spread < kMostLambda ? spread : kMostLambda) / 100.0;
      const double least =
          3 * values[kKappa] < kMostSmoothing ? 3 * values[kKappa] : kMostSmoothing;
      values[kLambda] = values[kKappa] < lambda ? lambda : least;
    }
    if (values[kKappa] == kFollowsMesh) {
      const double hundredths = values[kLambda] * 100 / 3;
      const auto whole = static_cast<long long>(hundredths);
      values[kKappa] = whole > 0 ? static_cast<double>(whole) / 100 : values[kLambda] / 3;
    }
  }
  // Variant 5 is the only one without rotations.
  static constexpr MethodSetting kSettings[] = {{.setting = "variant=5", .gains = kContinuity}};
  static constexpr MethodInfo kInfo{
      .id = "ddm",
      .title = "direct delta mush",
      .source = "Le, Lewis. Direct Delta Mush Skinning and Variants. 2019",
      .preserves = "rest pose, rigid motion of all joints; smooths rough weights",
      .keeps = kKeepsBindPose | kKeepsRigidMotion | kKeepsOrigin | kKeepsCommonMatrix,
      .parameters = kParameters,
      .settings = kSettings,
      .conflict = conflict,
      .follow_mesh = follow_mesh};

  static constexpr bool kIsLinear = false;
  using Transform = Rigid<Real>;
  using Joint = PosedJoint<Real>;

  static ScalePivot scale_pivot(Parameters) { return ScalePivot::kVertex; }
  static BindData bind(const BindInput& input) { return bind_smoothed_moments(input); }
  static BindForm bind_form(const BindInput& input) { return form_of_moments(input); }
  static Joint joint(const Transform& posed_from_rest) { return posed_joint(posed_from_rest); }

  static HWY_INLINE Affine<Real> blend(const Vertex<Real>& vertex, const Pose<Joint>& pose) {
    if (pose.parameter(kVariant) != 0 || pose.is_stretched()) return blend_as_asked(vertex, pose);
    return blend_moments<false>(vertex, pose, pose.common_scale());
  }

 private:
  // Other variants, and joints with scale. They are not inlined: they would occupy registers that
  // the default blend needs.
  static HWY_NOINLINE Affine<Real> blend_as_asked(const Vertex<Real>& vertex,
                                                  const Pose<Joint>& pose) {
    const double variant = pose.parameter(kVariant);
    if (variant == 5) return blend_matrices(vertex, pose);
    const Affine<Real> moved = variant == 0
                                   ? blend_moments<true>(vertex, pose, pose.common_scale())
                                   : blend_rotations(vertex, pose, pose.common_scale(), variant);
    return pose.is_stretched() ? with_stretch(moved, vertex, pose) : moved;
  }

  // Variants 2 and 4.
  static HWY_INLINE Affine<Real> blend_rotations(const Vertex<Real>& vertex,
                                                 const Pose<Joint>& pose, Real k, double variant) {
    const Vec3<Real> centre = k * vector_at(vertex.numbers);
    Vec3<Real> q = zero();
    for (std::size_t i = 1; i < vertex.indices.size(); ++i) {
      const Scalar<Real>* moment = vertex.numbers + i * kNumbersPerMoment;
      const Affine<Real> m = moved_joint<true>(vertex, pose, vertex.indices[i], k);
      q = fma(splat<Real>(moment[kWeight]), m * centre, q);
      if (variant == 2) q = q + rotate(m, k * vector_at(moment + kFirst));
    }
    return about(blended_rotation(vertex, pose), centre, q);
  }

  // The map with the blended stretch in its linear part, for normals; it moves the vertex to the
  // same position. The driver has scaled points by k.
  static HWY_INLINE Affine<Real> with_stretch(const Affine<Real>& moved, const Vertex<Real>& vertex,
                                              const Pose<Joint>& pose) {
    Affine<Real> sum{zero(), zero(), zero(), zero()};
    for (std::size_t i = 1; i < vertex.indices.size(); ++i) {
      const double weight = vertex.numbers[i * kNumbersPerMoment + kWeight];
      sum = fma(splat<Real>(weight), pose.stretch(vertex.indices[i]), sum);
    }
    const Real k = pose.common_scale(), per_k = splat<Real>(1) / k;
    const Vec3<Real> u = k * vertex.rest;
    Affine<Real> all{rotate(moved, per_k * sum.x), rotate(moved, per_k * sum.y),
                     rotate(moved, per_k * sum.z), zero()};
    all.translation = moved * u - rotate(all, u);
    return all;
  }

  static HWY_INLINE Vec3<Real> vector_at(const Scalar<Real>* p) {
    return {splat<Real>(p[0]), splat<Real>(p[1]), splat<Real>(p[2])};
  }
  static HWY_INLINE Vec3<Real> zero() { return {splat<Real>(0), splat<Real>(0), splat<Real>(0)}; }

  // The joint's rigid part; if joints may have scale, after a translation by d_j.
  template <bool kStretched>
  static HWY_INLINE Affine<Real> moved_joint(const Vertex<Real>& vertex, const Pose<Joint>& pose,
                                             std::uint32_t joint, Real k) {
    Affine<Real> m = pose[joint].matrix;
    if (kStretched && pose.is_stretched()) {
      const Vec3<Real> d = pose.stretch(joint) * vertex.rest - k * vertex.rest;
      m.translation = m.translation + rotate(m, d);
    }
    return m;
  }

  // R (u - p) + q, with R from a quaternion of any length.
  static HWY_INLINE Affine<Real> about(const Quat<Real>& rotation, const Vec3<Real>& p,
                                       const Vec3<Real>& q) {
    const Affine<Real> r = to_affine(rotation, splat<Real>(2) / dot(rotation, rotation), q);
    return {r.x, r.y, r.z, q - rotate(r, p)};
  }

  // The first entry names the joint of greatest weight.
  static HWY_NOINLINE Quat<Real> blended_rotation(const Vertex<Real>& vertex,
                                                  const Pose<Joint>& pose) {
    const Quat<Real> pivot = pose[vertex.indices[0]].rotation;
    Quat<Real> sum = splat<Real>(0) * pivot;
    for (std::size_t i = 1; i < vertex.indices.size(); ++i) {
      const double weight = vertex.numbers[i * kNumbersPerMoment + kWeight];
      sum = add_rotation(weight, pose[vertex.indices[i]].rotation, pivot, sum);
    }
    return normalized(sum);
  }

  // Variant 0, of every joint about its own centre e_j, where its first moment is 0:
  //
  //     c_j = M_j e_j   q = sum_j w_j c_j   S = sum_j c_j x_j^T + R_j (Q_j - x_j x_j^T / w_j)
  //
  // All lengths are divided by k, and S by k^2, which does not change its rotation. Positions are
  // relative to the first joint's centre as moved by it, so that a common translation and the
  // rounding of the weights' sum do not cost precision: the x_j sum to 0.
  template <bool kStretched>
  static HWY_INLINE Affine<Real> blend_moments(const Vertex<Real>& vertex, const Pose<Joint>& pose,
                                               Real k) {
    const Real per_k = splat<Real>(1) / k;
    const Vec3<Real> p = vector_at(vertex.numbers);
    Vec3<Real> origin = zero(), q = zero();
    Affine<Real> s{zero(), zero(), zero(), zero()};
    for (std::size_t i = 1; i < vertex.indices.size(); ++i) {
      const Scalar<Real>* moment = vertex.numbers + i * kNumbersPerMoment;
      const Affine<Real> m = moved_joint<kStretched>(vertex, pose, vertex.indices[i], k);
      Vec3<Real> c = fma(per_k, m.translation, rotate(m, vector_at(moment + kCentre)));
      if (i == 1) origin = c;
      c = c - origin;
      const Vec3<Real> x = vector_at(moment + kFirst);
      q = fma(splat<Real>(moment[kWeight]), c, q);
      const Vec3<Real> a = vector_at(moment);  // xx xy xz, then yy yz zz
      const Vec3<Real> b = vector_at(moment + 3);
      s.x = fma(x.x, c, fma(a.x, m.x, fma(a.y, m.y, fma(a.z, m.z, s.x))));
      s.y = fma(x.y, c, fma(a.y, m.x, fma(b.x, m.y, fma(b.y, m.z, s.y))));
      s.z = fma(x.z, c, fma(a.z, m.x, fma(b.y, m.y, fma(b.z, m.z, s.z))));
    }
    const Real per_size = splat<Real>(vertex.numbers[kPerSize]);
    const Affine<Real> shape{per_size * s.x, per_size * s.y, per_size * s.z, zero()};
    const auto nearest = nearest_rotation(shape, splat<Real>(vertex.numbers[kLeast]));
    Quat<Real> rotation = nearest.rotation;
    const auto open = less(nearest.is_determined, splat<Real>(0.5));
    if (any(open)) {
      const Quat<Real> blended = blended_rotation(vertex, pose);
      rotation = {select(open, blended.w, rotation.w), select(open, blended.x, rotation.x),
                  select(open, blended.y, rotation.y), select(open, blended.z, rotation.z)};
    }
    return about(rotation, k * p, k * (origin + q));
  }

  // Variant 5. The driver has scaled points by k: stretches are divided by k.
  static HWY_INLINE Affine<Real> blend_matrices(const Vertex<Real>& vertex,
                                                const Pose<Joint>& pose) {
    Affine<Real> sum{zero(), zero(), zero(), zero()};
    for (std::size_t i = 1; i < vertex.indices.size(); ++i) {
      const std::uint32_t joint = vertex.indices[i];
      Affine<Real> m = pose[joint].matrix;
      if (pose.is_stretched()) m = m * pose.stretch(joint);
      sum = fma(splat<Real>(vertex.numbers[i * kNumbersPerMoment + kWeight]), m, sum);
    }
    if (!pose.is_stretched()) return sum;
    const Real per_k = splat<Real>(1) / pose.common_scale();
    return {per_k * sum.x, per_k * sum.y, per_k * sum.z, sum.translation};
  }
};

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
