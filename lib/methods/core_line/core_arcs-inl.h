// The methods sbs-conic and sbs-ellipse, whose core is an arc that touches both bones.

#include <algorithm>

#include "methods/core_line/core_line-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// ---- Core line on a conic, `sbs-conic`. Ours, after the source's elliptic arc.
//
//     u     = (d_0 + x) / (d_0 + sqrt(d_0^2 + (d_1 - d_0)(d_0 + x))), so that the rest curve of a
//             straight limb, -d_0 (1-u)^2 + d_1 u^2, is x
//     gamma = ((1-u)^2 p_0 + 2 omega u (1-u) b' + u^2 p_1) / ((1-u)^2 + 2 omega u (1-u) + u^2)
//     p_0 = C_0 r_0, p_1 = C_1 r_1, b' = C_1 b;  omega = cos(theta / 2), theta the bend at b'
//
// A rational Bezier curve: it touches both bones at their bounds and stays in the wedge between
// them. For d_0 = d_1 it is a circular arc, and equal to the source's ellipse. It has neither
// branches nor degenerate cases. Beyond its bounds the core moves with its own bone.
//
// Symbols and the form of all core-line methods: core_line.h.

template <class Real>
struct CoreConicArc {
  static constexpr std::size_t kCount = 16;
  // (1-u)^2, 2 u (1-u), u^2; the distances beyond either bound
  static constexpr std::size_t kNumberCount = 5;
  static constexpr bool kOfFootAlone = true;

  Vec3<Real> start, weighted_middle, end, start_axis, end_axis;  // middle: omega b'
  Real omega;

  static HWY_INLINE CoreConicArc read(ElementReader<Real>& in) {
    return {in.vec3(), in.vec3(), in.vec3(), in.vec3(), in.vec3(), in.real()};
  }

  static HWY_INLINE CoreConicArc pose(const CoreEdge& edge, const Affine<Real>& c0,
                                      const Affine<Real>& c1, Real k) {
    const CoreEnds<Real> ends = ends_of(edge, c0, c1, k);
    // The cosine of the half angle is half the length of the sum of the unit directions.
    const Vec3<Real> sum = unit(ends.middle - ends.start) + unit(ends.end - ends.middle);
    const Real omega = splat<Real>(0.5) * norm(sum);
    return {ends.start, omega * ends.middle, ends.end, ends.start_axis, ends.end_axis, omega};
  }

  HWY_INLINE Vec3<Real> at(const Scalar<Real>* numbers) const {
    const Real a = splat<Real>(numbers[0]), b = splat<Real>(numbers[1]);
    const Real c = splat<Real>(numbers[2]);
    const Vec3<Real> sum = fma(a, start, fma(b, weighted_middle, c * end));
    const Real inverse = splat<Real>(1) / fma(b, omega, a + c);
    return fma(splat<Real>(numbers[3]), start_axis,
               fma(splat<Real>(numbers[4]), end_axis, inverse * sum));
  }

 private:
  static HWY_INLINE Vec3<Real> unit(const Vec3<Real>& v) {
    return (splat<Real>(1) / max(norm(v), splat<Real>(1e-150))) * v;
  }
};

inline void describe_core_conic(const CoreEdge& edge, const CoreFoot& foot, double* numbers) {
  const double d0 = edge.parent_reach, d1 = edge.child_reach;
  const double from_start = std::clamp(foot.x, -d0, d1) + d0;
  const double below = d0 + sqrt(std::max(0.0, d0 * d0 + (d1 - d0) * from_start));
  const double u = below > 0 ? from_start / below : 0;
  numbers[0] = (1 - u) * (1 - u);
  numbers[1] = 2 * u * (1 - u);
  numbers[2] = u * u;
  numbers[3] = std::min(0.0, foot.x + d0);
  numbers[4] = std::max(0.0, foot.x - d1);
}

template <class Real>
struct CoreConic : CoreMethod<Real, CoreConicArc, &describe_core_conic> {
  static constexpr MethodInfo kInfo =
      core_info({.id = "sbs-conic",
                 .title = "core line on a conic",
                 .source = "after Ichinohe and others (sbs-ellipse); ours",
                 .preserves = "rest pose, rigid motion of all joints, distances from the "
                              "core; a smooth core inside the bend"});
};

// ---- Core line on an elliptic arc, `sbs-ellipse`: the method of the source, eq. 15 to 18, steps
// 3-1 to 3-8.
//
// The ellipse touches both posed bones, the farther one at its bound, and has an axis along it. A
// core point moves to the intersection of the ellipse with the line from its centre to the posed
// core point.
//
//     p_0 = C_0 r_0, p_1 = C_1 r_1, b' = C_1 b
//     P_0  the one of p_0, p_1 that is farther from b' (equally far: p_0), P_1 the other
//     m    0 … 2, the position along P_0, b', P_1, at the same fraction of its segment as the foot
//     k_2 = |b' - P_0|, A_x = (b' - P_0) / k_2, k_1 = (P_1 - P_0) A_x, q = 2 k_2 - k_1
//     h = max(0, m - 1), k_3 = min(m, 1) k_2 + h (k_1 - k_2), g = sqrt k_1 (k_2 - h q)
//     E = sqrt(q k_3^2 + g^2)
//     gamma = P_0 + (k_2 sqrt k_1 k_3 / E) A_x + y (P_1 - P_0 - k_1 A_x)
//     y = k_2 k_3^2 / (E (E + g)) for g >= 0, (k_2 / q) (1 - g / E) else; E = 0: P_0
//
// The formula is the source's with y_1 divided out (ours). It has the same values, and is also
// regular where the limb is straight, at right angles or folded back. The code has lengths in units
// of k_2. Beyond its bounds the core moves with its own bone. The formula as printed (faithful=1)
// does not keep the rest pose if the bounds are unequally far from the joint.
//
// Symbols, source and the form of all core-line methods: core_line.h.

// far = P_0, arm = b' - P_0, side = P_1 - P_0 - k_1 A_x; k1 = k_1 / k_2, root = sqrt(k1);
// m = from + along n.
template <class Real>
struct CoreEllipseArc {
  static constexpr std::size_t kCount = 19;
  static constexpr std::size_t kNumberCount =
      3;  // n (m if P_0 = p_0), the distances beyond either bound
  static constexpr bool kOfFootAlone = true;

  Vec3<Real> far, arm, side, start_axis, end_axis;
  Real k1, root, from, along;

  static HWY_INLINE CoreEllipseArc read(ElementReader<Real>& in) {
    return {in.vec3(), in.vec3(), in.vec3(), in.vec3(), in.vec3(),
            in.real(), in.real(), in.real(), in.real()};
  }

  static HWY_INLINE CoreEllipseArc pose(const CoreEdge& edge, const Affine<Real>& c0,
                                        const Affine<Real>& c1, Real k) {
    const CoreEnds<Real> ends = ends_of(edge, c0, c1, k);
    const Real zero = splat<Real>(0), one = splat<Real>(1), two = splat<Real>(2);
    const Vec3<Real> to_start = ends.middle - ends.start, to_end = ends.middle - ends.end;
    const auto end_is_far = less(dot(to_start, to_start), dot(to_end, to_end));
    const Vec3<Real> arm = select(end_is_far, to_end, to_start);
    const Vec3<Real> far = select(end_is_far, ends.end, ends.start);
    const Vec3<Real> across = select(end_is_far, ends.start - ends.end, ends.end - ends.start);
    const Real length2 = max(dot(arm, arm), splat<Real>(1e-300));
    const Real k1 = min(max(dot(across, arm) / length2, zero), two);
    return {far,
            arm,
            fma(-k1, arm, across),
            ends.start_axis,
            ends.end_axis,
            k1,
            sqrt(k1),
            select(end_is_far, two, zero),
            select(end_is_far, -one, one)};
  }

  HWY_INLINE Vec3<Real> at(const Scalar<Real>* numbers) const {
    const Real zero = splat<Real>(0), one = splat<Real>(1), tiny = splat<Real>(1e-18);
    const Real m = fma(along, splat<Real>(numbers[0]), from);
    const Real q = splat<Real>(2) - k1;
    const Real h = max(m - one, zero);
    const Real k3 = fma(h, k1 - one, min(m, one));
    const Real g = root * fma(-h, q, one);
    const Real e = max(sqrt(fma(q * k3, k3, g * g)), tiny);
    const Real x = root * k3 / e;
    const Real y = select(less(g, zero), (e - g) / (q * e), k3 * k3 / (e * (e + g)));
    const Vec3<Real> curve = fma(x, arm, fma(y, side, far));
    return fma(splat<Real>(numbers[1]), start_axis, fma(splat<Real>(numbers[2]), end_axis, curve));
  }
};

inline void describe_core_ellipse(const CoreEdge& edge, const CoreFoot& foot, double* numbers) {
  numbers[0] = 1;
  if (foot.x < 0) numbers[0] = std::max(0.0, 1 + foot.x / edge.parent_reach);
  if (foot.x > 0) numbers[0] = std::min(2.0, 1 + foot.x / edge.child_reach);
  numbers[1] = std::min(0.0, foot.x + edge.parent_reach);
  numbers[2] = std::max(0.0, foot.x - edge.child_reach);
}

template <class Real>
struct CoreEllipse : CoreMethod<Real, CoreEllipseArc, &describe_core_ellipse> {
  static constexpr MethodInfo kInfo =
      core_info({.id = "sbs-ellipse",
                 .title = "core line on an elliptic arc",
                 .preserves = "rest pose, rigid motion of all joints, distances from the "
                              "core; a smooth core inside the bend"});
};

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
