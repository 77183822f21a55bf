// Dual quaternion skinning.
//
// Ladislav Kavan, Steven Collins, Jiri Zara, Carol O'Sullivan.
// Geometric Skinning with Approximate Dual Quaternion Blending. 2008. Algorithm 1.
//
//     b  = sum_j s_j w_j q_j      q_j  unit dual quaternion of joint j, posed from rest
//     p' = (b / |b|) p            s_j  +1 or -1, by `sign`
//
// The method keeps the radius of a twist, which linear blending collapses. It bulges at large
// bends.
//
//   sign=max-weight  turns q_j to the hemisphere of the heaviest joint, the pivot. No term of b
//                    then has a negative component along the pivot, so |b| does not vanish
//   sign=first       turns q_j to the hemisphere of the joint that the file lists first, as in the
//                    paper
//   sign=temporal    [ours] tracks q_j through time relative to its parent, so that a joint that
//                    turns by more than half a turn is blended the long way round. If |b| < 1e-3,
//                    the result equals max-weight's
//
// A dual quaternion is rigid: scale and shear are blended first (clip/poses/rigid_pose.h).
//
//   scale=joint      about the joints
//   scale=vertex     about the vertex: q_j is followed by a translation to the point to which M_j
//                    takes the vertex. The map is p' = J p + t; where the rotations of the joints
//                    differ, J is not the blended rotation times the blended stretch
//   scale=origin     about the origin of bind space: the result depends on the position at which
//                    the mesh is modelled
//
//   bulge-free=1     moves the vertex back to its rest distance from the bone. Younghoon Kim,
//                    JungHyun Han. Bulging-free dual quaternion skinning. 2014. The paper uses one
//                    bone; here [ours] the results for all bones are averaged by weight:
//
//     p'' = sum_j w_j M_j (f_j + (y_j - f_j) min(1, d_j / |y_j - f_j|))     y_j = M_j^-1 p'
//
//                    with f_j the foot of y_j on bone j, and d_j the distance of the rest vertex
//                    from bone j.

#include "methods/method.h"
#include "methods/motion_blend/motion_blend-inl.h"
#include "methods/pose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

template <class Real>
struct DualQuaternion : MotionMethod<Real> {
  enum Parameter { kSign, kScale, kBulgeFree };
  static constexpr double kFirst = 1, kTemporal = 2;           // of sign
  static constexpr double kAboutVertex = 1, kAboutOrigin = 2;  // of scale

  static constexpr MethodParameter kParameters[] = {
      {.name = "sign",
       .help = "which of q and -q a joint is: by its heaviest or first neighbour, or through time",
       .choices = "max-weight|first|temporal"},
      {.name = "scale",
       .help = "about what joints' scales act, before their rigid parts",
       .choices = "joint|vertex|origin"},
      {.name = "bulge-free",
       .help = "1: draw vertices back to their rest distance from the bones",
       .choices = "0|1"}};
  static constexpr MethodSetting kSettings[] = {
      {.setting = "sign=temporal", .gains = kKeepsHalfTurns},
      {.setting = "scale=origin", .loses = kKeepsOrigin},
      {.setting = "bulge-free=1", .loses = kKeepsOneMap | kKeepsDistances}};
  static constexpr MethodInfo kInfo{
      .id = "dqs",
      .title = "dual quaternion linear blend",
      .source = kKavanSource,
      .preserves = "rest pose, rigid motion of all joints, radius in twists; bulges in bends",
      .keeps = kMotionKeeps,
      .parameters = kParameters,
      .settings = kSettings};

  using typename MotionMethod<Real>::Joint;

  static ScalePivot scale_pivot(Parameters parameters) {
    if (parameters[kScale] == kAboutVertex) return ScalePivot::kVertex;
    return parameters[kScale] == kAboutOrigin ? ScalePivot::kOrigin : ScalePivot::kJoint;
  }
  static bool is_tracked(Parameters parameters) { return parameters[kSign] == kTemporal; }

  // The first entry's index is the position of the pivot among the influences. With bulge-free=1
  // the segments of the influences' joints follow.
  static BindData bind(const BindInput& input) {
    const bool has_segments = input.parameters[kBulgeFree] == 1;
    if (input.parameters[kSign] != kFirst && !has_segments) return {};
    BindData bind_data;
    bind_data.numbers_per_entry = has_segments ? kSegmentNumbers : 0;
    const Rig& rig = input.rig;
    for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
      bind_data.first_entry.push_back(static_cast<std::uint32_t>(bind_data.indices.size()));
      bind_data.indices.push_back(rig.first_listed.empty() ? 0 : rig.first_listed[v]);
      if (!has_segments) continue;
      bind_data.numbers.resize(bind_data.numbers.size() + kSegmentNumbers);
      for (const Influence& i : rig.influences_of(v)) {
        bind_data.indices.push_back(i.joint);
        append_segment(input.tree, i.joint, bind_data.numbers);
      }
    }
    bind_data.first_entry.push_back(static_cast<std::uint32_t>(bind_data.indices.size()));
    return bind_data;
  }

  static HWY_INLINE Affine<Real> blend(const Vertex<Real>& vertex, const Pose<Joint>& pose) {
    const bool shifted = pose.parameter(kScale) == kAboutVertex && pose.is_stretched();
    if (pose.parameter(kSign) != 0 || shifted) return blend_as_asked(vertex, pose, shifted);
    return to_affine(towards(vertex, pose, 0, Unshifted{}));  // influences descend by weight
  }

  static HWY_INLINE Vec3<Real> move(const Vertex<Real>& vertex, const Pose<Joint>& pose,
                                    const Vec3<Real>&, const Vec3<Real>& moved) {
    return pose.parameter(kBulgeFree) == 0 ? moved : without_bulge(vertex, pose, moved);
  }

 private:
  // What precedes the joints' rigid parts: nothing, or the translation of scale=vertex,
  // d_j = S_j p - k p, for the point p. With h = 0, p is a direction, and the result its linear
  // part.
  struct Unshifted {};
  struct Shift {
    Vec3<Real> p;
    Real h;
  };

  // Parameters other than the defaults. These functions are not inlined: they would occupy
  // registers that the default blend needs.
  static HWY_NOINLINE Affine<Real> blend_as_asked(const Vertex<Real>& vertex,
                                                  const Pose<Joint>& pose, bool shifted) {
    if (!shifted) return to_affine(signed_blend(vertex, pose, Unshifted{}));
    // A map of u = k p, from its values at the origin and along the axes.
    const Real zero = splat<Real>(0), one = splat<Real>(1), per_k = one / pose.common_scale();
    const Shift axes[] = {
        {{one, zero, zero}, zero}, {{zero, one, zero}, zero}, {{zero, zero, one}, zero}};
    Affine<Real> map = to_affine(signed_blend(vertex, pose, Shift{{zero, zero, zero}, one}));
    Vec3<Real>* const columns[] = {&map.x, &map.y, &map.z};
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3<Real> along = to_affine(signed_blend(vertex, pose, axes[i])).translation;
      *columns[i] = fma(per_k, along, *columns[i]);
    }
    return map;
  }

  static HWY_NOINLINE Vec3<Real> without_bulge(const Vertex<Real>& vertex, const Pose<Joint>& pose,
                                               const Vec3<Real>& moved) {
    Vec3<Real> sum{splat<Real>(0), splat<Real>(0), splat<Real>(0)};
    for (std::size_t i = 0; i < vertex.influences.size(); ++i) {
      const JointIndex joint = vertex.influences[i].joint;
      const JointSegment<Real> segment =
          segment_at<Real>(vertex.numbers + (i + 1) * kSegmentNumbers);
      const Affine<Real> m = to_affine(pose[joint]) * stretch(pose, joint);
      const Real size = abs(determinant(m));
      const Vec3<Real> drawn = m * drawn_back(segment, vertex.rest, inverse(m) * moved);
      // A joint that is scaled to zero does not have an inverse, and moves nothing.
      sum = fma(splat<Real>(vertex.influences[i].weight),
                select(less(splat<Real>(kFlat), size), drawn, moved), sum);
    }
    return sum;
  }

  // The part of the joint's matrix that precedes its rigid part.
  static HWY_INLINE Affine<Real> stretch(const Pose<Joint>& pose, std::size_t joint) {
    if (pose.is_stretched()) return pose.stretch(joint);
    const Real k = pose.common_scale(), zero = splat<Real>(0);
    return {{k, zero, zero}, {zero, k, zero}, {zero, zero, k}, {zero, zero, zero}};
  }

  static HWY_INLINE Joint joint_at(const Pose<Joint>& pose, std::size_t joint, Unshifted) {
    return pose[joint];
  }

  // The joint after the shift: adding q (0, d) / 2 to the dual part translates by the rotated d.
  static HWY_INLINE Joint joint_at(const Pose<Joint>& pose, std::size_t joint, const Shift& shift) {
    const Joint q = pose[joint];
    const Affine<Real> s = pose.stretch(joint);
    const Vec3<Real> moved = fma(shift.h, s.translation, rotate(s, shift.p));
    const Vec3<Real> d = splat<Real>(0.5) * (moved - pose.common_scale() * shift.p);
    return {q.real, fma(shift.h, q.dual, q.real * Quat<Real>{splat<Real>(0), d.x, d.y, d.z})};
  }

  template <class Before>
  static HWY_INLINE Joint signed_blend(const Vertex<Real>& vertex, const Pose<Joint>& pose,
                                       const Before& before) {
    if (pose.parameter(kSign) == kTemporal) return blend_tracked(vertex, pose, before);
    const bool is_first = pose.parameter(kSign) == kFirst;
    return towards(vertex, pose, is_first ? vertex.indices[0] : 0, before);
  }

  // The blend of the joints, each turned to the pivot's hemisphere.
  template <class Before>
  static HWY_INLINE Joint towards(const Vertex<Real>& vertex, const Pose<Joint>& pose,
                                  std::size_t pivot, const Before& before) {
    const auto influences = vertex.influences;
    const Joint first = joint_at(pose, influences[0].joint, before);
    Quat<Real> target = first.real;
    Real weight = splat<Real>(influences[0].weight);
    if (pivot != 0) {
      target = pose[influences[pivot].joint].real;
      weight = copysign(weight, dot(target, first.real));
    }
    Joint sum = weight * first;
    for (std::size_t i = 1; i < influences.size(); ++i) {
      const Joint q = joint_at(pose, influences[i].joint, before);
      const Real towards_pivot = dot(target, q.real);
      sum = fma(copysign(splat<Real>(influences[i].weight), towards_pivot), q, sum);
    }
    return sum;
  }

  // The blend of the joints' quaternions, which were tracked through time, without turning them.
  template <class Before>
  static HWY_INLINE Joint blend_tracked(const Vertex<Real>& vertex, const Pose<Joint>& pose,
                                        const Before& before) {
    Quat<Real> real{splat<Real>(0), splat<Real>(0), splat<Real>(0), splat<Real>(0)};
    Joint sum{real, real};
    for (const PackedInfluence<Scalar<Real>>& i : vertex.influences) {
      sum = fma(splat<Real>(i.weight), joint_at(pose, i.joint, before), sum);
    }
    const Joint turned = towards(vertex, pose, 0, before);
    const auto vanishes = less(dot(sum.real, sum.real), splat<Real>(kVanishing * kVanishing));
    return {select(vanishes, turned.real, sum.real), select(vanishes, turned.dual, sum.dual)};
  }

  static constexpr double kVanishing = 1e-3;
  static constexpr double kFlat = 1e-30;  // a determinant that does not have a reciprocal in float
};

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
