// Core line on a conic, `sbs-conic`. Ours, after the source's elliptic arc.
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

#include <algorithm>

#include "methods/core_line/core_line-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

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

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
