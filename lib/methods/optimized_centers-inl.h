// Skinning about optimised centres of rotation.
//
// Binh Huy Le, Jessica K. Hodgins. Real-Time Skeletal Skinning with Optimized Centers of Rotation.
// 2016. Algorithm 1:
//
//     q  = sum_j w_j q_j, normalised, each q_j turned to the hemisphere of the heaviest
//     p' = R_q (p - p*) + sum_j w_j M_j p*      p*  the vertex's centre (rotation_centres.h)
//
// The centre is blended linearly, and the vertex is rotated about it: twists keep their radius, and
// bends bulge less than with dual quaternions. Morph targets, which the paper does not discuss,
// move p; p* stays as in the mesh without morph targets.

#include <limits>

#include "methods/bind/rotation_centres.h"
#include "methods/method.h"
#include "methods/pose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

template <class Real>
struct OptimizedCenters {
  // Weights are divided by sigma and squared; files store weights as floats, which do not resolve
  // smaller differences.
  static constexpr double kLeastSigma = 1e-6;
  static constexpr MethodParameter kParameters[] = {
      {.name = "sigma",
       .help = "how far two weight vectors may differ and still turn together",
       .initial = 0.1,
       .lowest = kLeastSigma,
       .highest = 1 / kLeastSigma},
      {.name = "epsilon",
       .help = "the longest edge in weight space before a triangle is cut",
       .initial = 0.1,
       .lowest = 0,
       .highest = std::numeric_limits<double>::infinity(),
       .above_lowest = true}};
  static constexpr MethodInfo kInfo{
      .id = "cor",
      .title = "optimised centres of rotation",
      .source = "Le, Hodgins. Real-Time Skeletal Skinning with Optimized Centers of Rotation. 2016",
      .preserves =
          "rest pose, rigid motion of all joints, radius in twists; bulges less than dqs in bends",
      .keeps = kKeepsBindPose | kKeepsRigidMotion | kKeepsOrigin | kKeepsSingleJoint |
               kKeepsCommonMatrix | kKeepsOneMap | kKeepsDistances,
      .parameters = kParameters};

  static constexpr bool kIsLinear = false;
  using Transform = Rigid<Real>;
  using Joint = PosedJoint<Real>;

  // One entry per vertex: p*.
  static BindData bind(const BindInput& input) {
    const std::vector<Vec3<double>> centres = rotation_centres(
        input.rig, input.centre, {input.parameters[0], input.parameters[1]}, input.in_parallel);
    BindData bind_data;
    bind_data.numbers_per_entry = kNumbersPerCentre;
    bind_data.indices.assign(centres.size(), 0);
    for (const Vec3<double>& c : centres) {
      bind_data.first_entry.push_back(static_cast<std::uint32_t>(bind_data.first_entry.size()));
      bind_data.numbers.insert(bind_data.numbers.end(), {c.x, c.y, c.z});
    }
    bind_data.first_entry.push_back(static_cast<std::uint32_t>(centres.size()));
    return bind_data;
  }

  static BindForm bind_form(const BindInput& input) { return form_of_centres(input); }

  static Joint joint(const Transform& posed_from_rest) { return posed_joint(posed_from_rest); }

  static HWY_INLINE Affine<Real> blend(const Vertex<Real>& vertex, const Pose<Joint>& pose) {
    const Scalar<Real>* p = vertex.numbers;
    const Vec3<Real> centre =
        pose.common_scale() * Vec3<Real>{splat<Real>(p[0]), splat<Real>(p[1]), splat<Real>(p[2])};
    const auto influences = vertex.influences;
    const Joint first = pose[influences[0].joint];
    Quat<Real> rotation = splat<Real>(influences[0].weight) * first.rotation;
    Affine<Real> linear = splat<Real>(influences[0].weight) * first.matrix;
    for (std::size_t i = 1; i < influences.size(); ++i) {
      const Joint joint = pose[influences[i].joint];
      rotation = add_rotation(influences[i].weight, joint.rotation, first.rotation, rotation);
      linear = fma(splat<Real>(influences[i].weight), joint.matrix, linear);
    }
    const Affine<Real> turned = to_affine(normalized(rotation), linear * centre);
    return {turned.x, turned.y, turned.z, turned.translation - rotate(turned, centre)};
  }
};

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
