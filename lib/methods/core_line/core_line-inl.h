// The blend of the core-line methods: v' = Q (u - k gamma_rest) + gamma_pose, edge by edge. Symbols
// and source: core_line.h. The variants only define gamma.
//
//     Q = (R_1 R_0^-1)^(1-t) R_0 = cos((1-t) phi) q_0 + sin((1-t) phi) a q_0
//
// with phi half the angle of the shorter rotation from R_0 to R_1, and a its axis as a quaternion.
// (The paper's eq. 5 has t instead of 1 - t, and assumes that the parent does not move: Q_0 = 1.)
// phi, q_0 and a q_0 are computed once per edge and block. u, C_0 and C_1 are defined in
// clip/poses/rigid_pose.h: points of bind space are multiplied by k, the common scale. Both joints
// of an edge stretch about b (ours). If they have the same matrix they then have the same C, and
// the curve moves rigidly; a stretched bone moves the core's end.

#if defined(SKINBAKE_METHODS_CORE_LINE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_METHODS_CORE_LINE_INL_H_
#undef SKINBAKE_METHODS_CORE_LINE_INL_H_
#else
#define SKINBAKE_METHODS_CORE_LINE_INL_H_
#endif

#include "math/elementary-inl.h"
#include "methods/core_line/core_line.h"
#include "methods/pose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// The rotation of an edge, from its parent's rotation to its child's.
template <class Real>
struct Turn {
  Quat<Real> start, across;  // q_0, a q_0
  Real half_angle;           // phi, 0 … pi/2
};

template <class Real>
HWY_INLINE Turn<Real> turn_between(const Quat<Real>& parent, const Quat<Real>& child) {
  const Real one = splat<Real>(1), tiny = splat<Real>(1e-300);
  const Quat<Real> q0 = (one / norm(parent)) * parent;
  const Quat<Real> relative = child * Quat<Real>{q0.w, -q0.x, -q0.y, -q0.z};
  const Vec3<Real> v = copysign(one, relative.w) * vector_part(relative);
  const Real length = norm(v);
  const Vec3<Real> axis = (one / max(length, tiny)) * v;
  return {q0, Quat<Real>{splat<Real>(0), axis.x, axis.y, axis.z} * q0,
          atan2(length, abs(relative.w))};
}

// The rotation at the share `part` of the turn.
template <class Real>
HWY_INLINE Quat<Real> turned(const Turn<Real>& turn, Real part) {
  const SinCos<Real> angle = sin_cos_to_right_angle(part * turn.half_angle);
  return fma(angle.sin, turn.across, angle.cos * turn.start);
}

// An edge in one block. Curve: the variant's centre curve.
template <class Real, class Curve>
struct CorePart {
  Turn<Real> turn;
  Vec3<Real> pivot;  // k b
  Curve curve;
};

template <class R, template <class> class Curve>
struct Elements<CorePart<R, Curve<R>>> {
  using Real = R;
  static constexpr std::size_t kCount = 12 + Curve<R>::kCount;
  static HWY_INLINE CorePart<R, Curve<R>> load_from(const Scalar<R>* p) {
    ElementReader<R> in{p};
    return {{in.quat(), in.quat(), in.real()}, in.vec3(), Curve<R>::read(in)};
  }
  static HWY_INLINE void store_to(const CorePart<R, Curve<R>>& part, Scalar<R>* p) {
    static_assert(sizeof part == kCount * sizeof(R));
    store_elements<kCount>(&part.turn.start.w, p);
  }
};

template <class Real>
HWY_INLINE Vec3<Real> splat(const Vec3<double>& v) {
  return {splat<Real>(v.x), splat<Real>(v.y), splat<Real>(v.z)};
}

// The posed core points and axes of an edge, for curves that use its bounds.
template <class Real>
struct CoreEnds {
  Vec3<Real> start, middle, end;    // p_0 = C_0 r_0, b' = C_1 b, p_1 = C_1 r_1
  Vec3<Real> start_axis, end_axis;  // k R_0 d_a, k R_1 d_b
};

template <class Real>
HWY_INLINE CoreEnds<Real> ends_of(const CoreEdge& edge, const Affine<Real>& c0,
                                  const Affine<Real>& c1, Real k) {
  const Vec3<Real> head = k * splat<Real>(edge.head);
  const Vec3<Real> start_axis = rotate(c0, k * splat<Real>(edge.parent_axis));
  const Vec3<Real> end_axis = rotate(c1, k * splat<Real>(edge.child_axis));
  return {fma(splat<Real>(-edge.parent_reach), start_axis, c0 * head), c1 * head,
          fma(splat<Real>(edge.child_reach), end_axis, c1 * head), start_axis, end_axis};
}

// The formula of the core-line methods. Curve<Real>: kCount Reals of one edge and block, computed
// by pose(edge, C_0, C_1, k); at(numbers) is the point of a vertex, from its kNumberCount numbers.
template <class Real, template <class> class Curve>
struct CoreLine {
  static constexpr bool kIsLinear = false;
  using Transform = Rigid<Real>;
  using Joint = PosedJoint<Real>;  // C_j
  using Part = CorePart<Real, Curve<Real>>;
  using CorePose = Pose<Joint, Part>;
  static constexpr std::size_t kRow = numbers_per_edge(Curve<Real>::kNumberCount);

  // Stretches are blended edge by edge, below.
  static ScalePivot scale_pivot(Parameters) { return ScalePivot::kVertex; }

  static HWY_INLINE Joint joint(const Transform& posed_from_scaled) {
    return posed_joint(posed_from_scaled);
  }

  static HWY_INLINE Part part(const PartOf& of, const CorePose& pose) {
    const CoreEdge edge = edge_of(of);
    const Joint parent = pose[edge.parent], child = pose[edge.child];
    const Vec3<Real> pivot = pose.common_scale() * splat<Real>(edge.head);
    Affine<Real> c0 = parent.matrix;
    if (pose.is_stretched()) {  // C_0 about b: it takes k b where M_0 takes b
      c0.translation =
          c0 * (pose.stretch(edge.parent) * splat<Real>(edge.head)) - rotate(c0, pivot);
    }
    return {turn_between(parent.rotation, child.rotation), pivot,
            Curve<Real>::pose(edge, c0, child.matrix, pose.common_scale())};
  }

  static HWY_INLINE Affine<Real> blend(const Vertex<Real>& vertex, const CorePose& pose) {
    const std::size_t edge_count = vertex.indices.size() / kEntriesPerEdge;
    if (vertex.influences.size() == 2 && edge_count == 1) return edge_map(vertex, 0, pose);
    Affine<Real> sum =
        splat<Real>(vertex.influences[0].weight) * joint_map(vertex.influences[0].joint, pose);
    for (std::size_t i = 1; i < vertex.influences.size(); ++i) {
      const auto& [joint, weight] = vertex.influences[i];
      sum = fma(splat<Real>(weight), joint_map(joint, pose), sum);
    }
    for (std::size_t e = 0; e < edge_count; ++e) {
      const Scalar<Real>* numbers = vertex.numbers + e * kRow;
      const Scalar<Real> t = numbers[kEdgeShare], counts = numbers[kEdgeCounts];
      sum = fma(splat<Real>(counts), edge_map(vertex, e, pose), sum);
      sum = fma(splat<Real>(-counts * t), joint_map(vertex.indices[e * kEntriesPerEdge + 1], pose),
                sum);
      sum = fma(splat<Real>(-counts * (1 - t)),
                joint_map(vertex.indices[e * kEntriesPerEdge + 2], pose), sum);
    }
    return sum;
  }

 private:
  // M_j, as a map of u = k v.
  static HWY_INLINE Affine<Real> joint_map(std::uint32_t joint, const CorePose& pose) {
    const Affine<Real> map = pose[joint].matrix;
    if (!pose.is_stretched()) return map;
    const Affine<Real> s = pose.stretch(joint);
    const Real inverse = splat<Real>(1) / pose.common_scale();
    return map * Affine<Real>{inverse * s.x, inverse * s.y, inverse * s.z, s.translation};
  }

  // t S_0 + (1-t) S_1 about k b, as a map of u.
  static HWY_INLINE Affine<Real> stretch(const Scalar<Real>* numbers, const std::uint32_t* index,
                                         const Vec3<Real>& pivot, const CorePose& pose) {
    const Real inverse = splat<Real>(1) / pose.common_scale();
    Affine<Real> s = fma(inverse * splat<Real>(numbers[kEdgeShare]), pose.stretch(index[1]),
                         inverse * splat<Real>(1 - numbers[kEdgeShare]) * pose.stretch(index[2]));
    s.translation = pivot - rotate(s, pivot);
    return s;
  }

  // X of the vertex's edge number e, as a map of u.
  static HWY_INLINE Affine<Real> edge_map(const Vertex<Real>& vertex, std::size_t e,
                                          const CorePose& pose) {
    const std::uint32_t* index = vertex.indices.data() + e * kEntriesPerEdge;
    const Scalar<Real>* numbers = vertex.numbers + e * kRow;
    const Part part = pose.part(index[0]);
    const Real k = pose.common_scale();
    const Vec3<Real> rest{k * splat<Real>(numbers[kEdgeRest]),
                          k * splat<Real>(numbers[kEdgeRest + 1]),
                          k * splat<Real>(numbers[kEdgeRest + 2])};
    Affine<Real> map = to_affine(turned(part.turn, splat<Real>(1 - numbers[kEdgeShare])), rest);
    map.translation = part.curve.at(numbers + kNumbersBeforeCurve) - rotate(map, rest);
    return pose.is_stretched() ? map * stretch(numbers, index, part.pivot, pose) : map;
  }
};

// Base of the core-line methods. kDescribe computes the numbers of a vertex at bind time
// (CoreCurve::describe). Methods with the same curve share its kernels.
template <class Real, template <class> class Curve, auto kDescribe>
struct CoreMethod : CoreLine<Real, Curve> {
  using Formula = CoreLine<Real, Curve>;

  static Vec3<double> at_rest(const CoreEdge& edge, const double* numbers) {
    return Curve<double>::pose(edge, kIdentity, kIdentity, 1.0).at(numbers);
  }
  static BindData bind_with(const BindInput& input, const CoreSettings& settings) {
    return bind_core_line(
        input, {Curve<double>::kNumberCount, Curve<double>::kOfFootAlone, kDescribe, &at_rest},
        settings);
  }
  static BindData bind(const BindInput& input) {
    return bind_with(input, {.faithful = input.parameters[0] != 0});
  }
};

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
