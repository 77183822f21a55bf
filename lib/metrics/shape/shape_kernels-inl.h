// The formulas of metrics of shape, in lanes.

#if defined(SKINBAKE_METRICS_SHAPE_SHAPE_KERNELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_METRICS_SHAPE_SHAPE_KERNELS_INL_H_
#undef SKINBAKE_METRICS_SHAPE_SHAPE_KERNELS_INL_H_
#else
#define SKINBAKE_METRICS_SHAPE_SHAPE_KERNELS_INL_H_
#endif

#include <limits>

#include "frames/corner_normals-inl.h"
#include "frames/points-inl.h"
#include "math/affine-inl.h"
#include "math/elementary-inl.h"
#include "math/frame_lanes-inl.h"
#include "metrics/shape/shape_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// ---- Sums and extremes for all frames of a block. The functions update one register of frames,
// from lane `first` on.

HWY_INLINE void set_row(LaneRow& row, double value) {
  for (int r = 0; r < kRegisters; ++r)
    store(splat<DoubleLanes>(value), row.at + r * kRegisterLanes);
}
HWY_INLINE void add_to(LaneRow& row, int first, DoubleLanes value) {
  store(load<DoubleLanes>(row.at + first) + value, row.at + first);
}

HWY_INLINE void start_max(LaneExtreme& extreme) {
  set_row(extreme.value, -std::numeric_limits<double>::infinity());
  set_row(extreme.element, -1);
}
HWY_INLINE void start_min(LaneExtreme& extreme) {
  set_row(extreme.value, std::numeric_limits<double>::infinity());
  set_row(extreme.element, -1);
}
HWY_INLINE void put(LaneExtreme& extreme, int first, LanesMask<double> where, DoubleLanes value,
                    DoubleLanes element) {
  const DoubleLanes old_value = load<DoubleLanes>(extreme.value.at + first);
  const DoubleLanes old_element = load<DoubleLanes>(extreme.element.at + first);
  store(select(where, value, old_value), extreme.value.at + first);
  store(select(where, element, old_element), extreme.element.at + first);
}
HWY_INLINE void take_max(LaneExtreme& extreme, int first, DoubleLanes value, DoubleLanes element) {
  put(extreme, first, less(load<DoubleLanes>(extreme.value.at + first), value), value, element);
}
HWY_INLINE void take_min(LaneExtreme& extreme, int first, DoubleLanes value, DoubleLanes element) {
  put(extreme, first, less(value, load<DoubleLanes>(extreme.value.at + first)), value, element);
}

// ---- The distance of a vertex x from the joint segment from s to s + d:
//
//     |x - s - t d|      t = (x - s) . d / |d|^2, clamped to 0 … 1

// `inverse_square` is 1 / |d|^2, or 0 if the segment is a point.
template <class Real>
HWY_INLINE Real distance_from(const Vec3<Real>& point, const Vec3<Real>& start,
                              const Vec3<Real>& direction, Real inverse_square) {
  const Vec3<Real> offset = point - start;
  const Real along = dot(offset, direction) * inverse_square;
  const Real t = min(max(along, splat<Real>(0)), splat<Real>(1));
  return norm(fma(-t, direction, offset));
}

inline void sum_bulges_here(const float* positions, const double* segments,
                            std::span<const SegmentVertex> vertices, BulgeSums& out) {
  set_row(out.bulge, 0);
  set_row(out.collapse, 0);
  start_max(out.max_bulge_m);
  start_max(out.max_collapse_m);
  using Real = DoubleLanes;
  const Real zero = splat<Real>(0), one = splat<Real>(1);
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const Real element = splat<Real>(static_cast<double>(v));
    const Real rest = splat<Real>(vertices[v].distance_m);
    const double* const segment =
        segments + vertices[v].segment * kSegmentElements * kFramesPerBlock;
    for (int first = 0; first < kFramesPerBlock; first += kRegisterLanes) {
      const double* const e = segment + first;
      constexpr int kRow = kFramesPerBlock;
      const Vec3<Real> start{load<Real>(e), load<Real>(e + kRow), load<Real>(e + 2 * kRow)};
      const Vec3<Real> direction{load<Real>(e + 3 * kRow), load<Real>(e + 4 * kRow),
                                 load<Real>(e + 5 * kRow)};
      const BlockPoints<Real> points{positions + first};
      const Real distance =
          distance_from(points[vertices[v].vertex], start, direction, load<Real>(e + 6 * kRow));
      const Real change = distance / rest - one;
      add_to(out.bulge, first, max(zero, change));
      add_to(out.collapse, first, max(zero, -change));
      const Real change_m = distance - rest;
      take_max(out.max_bulge_m, first, max(zero, change_m), element);
      take_max(out.max_collapse_m, first, max(zero, -change_m), element);
    }
  }
}

inline double segment_distance_here(const Vec3<double>& point, const Vec3<double>& start,
                                    const Vec3<double>& end) {
  const Vec3<double> direction = end - start;
  const double square = dot(direction, direction);
  return distance_from(point, start, direction, square > 0 ? 1 / square : 0.0);
}

// ---- Twice the area of a closed polygon in space: |sum of p_i x p_(i+1)|, with the points
// relative to the first one.

template <class Real, class Points>
HWY_INLINE Vec3<Real> position_of(const Points& points, const CutPoint& cut) {
  const Vec3<Real> from = points[cut.from];
  return fma(splat<Real>(cut.lambda), points[cut.to] - from, from);
}

template <class Real, class Points>
Real twice_loop_area(const Points& points, std::span<const CutPoint> loop) {
  const Vec3<Real> origin = position_of<Real>(points, loop.front());
  const Real zero = splat<Real>(0);
  Vec3<Real> sum{zero, zero, zero}, last = sum;  // the first and the last terms are zero
  for (std::size_t i = 1; i < loop.size(); ++i) {
    const Vec3<Real> next = position_of<Real>(points, loop[i]) - origin;
    sum = sum + cross(last, next);
    last = next;
  }
  return norm(sum);
}

inline void block_loop_area(const float* positions, std::span<const CutPoint> loop, LaneRow& out) {
  for (int first = 0; first < kFramesPerBlock; first += kRegisterLanes) {
    const BlockPoints<DoubleLanes> points{positions + first};
    store(twice_loop_area<DoubleLanes>(points, loop), out.at + first);
  }
}

inline double pose_loop_area(const double* positions, std::span<const CutPoint> loop) {
  return twice_loop_area<double>(PosePoints{positions}, loop);
}

// ---- The dihedral angle of two triangles at an edge e = i -> j; 0 if they are coplanar:
//
//     theta = atan2(e/|e| . (n_L x n_R), n_L . n_R)      L: the triangle that runs i -> j
//
// The angle is positive if the edge is a ridge. Normals may have any length.

template <class Real, class Points>
HWY_INLINE Real angle_of(const Points& points, const Hinge& hinge) {
  const Vec3<Real> i = points[hinge.i];
  const Vec3<Real> edge = points[hinge.j] - i;
  const Vec3<Real> left = cross(edge, points[hinge.left] - i);
  const Vec3<Real> right = cross(points[hinge.right] - i, edge);
  // If the length of the edge is zero, so are the normals: any divisor except zero gives 0.
  const Real length = max(norm(edge), splat<Real>(0x1p-500));
  return atan2(dot(edge, cross(left, right)) / length, dot(left, right));
}

inline constexpr double kPi = 0x1.921fb54442d18p1;

inline void sum_hinges_here(const float* positions, std::span<const Hinge> hinges, HingeSums& out) {
  set_row(out.square, 0);
  set_row(out.folds, 0);
  start_max(out.max);
  using Real = DoubleLanes;
  const Real zero = splat<Real>(0), one = splat<Real>(1);
  const Real turn = splat<Real>(2 * kPi), half_turn = splat<Real>(kPi);
  const Real folded = splat<Real>(kPi * 170 / 180);
  for (std::size_t h = 0; h < hinges.size(); ++h) {
    const Real element = splat<Real>(static_cast<double>(h));
    const Real rest = splat<Real>(hinges[h].rest_rad);
    const bool was_open = std::fabs(hinges[h].rest_rad) < kPi / 2;
    const Real fold = splat<Real>(was_open ? 1 : 0);
    for (int first = 0; first < kFramesPerBlock; first += kRegisterLanes) {
      const BlockPoints<Real> points{positions + first};
      const Real angle = angle_of<Real>(points, hinges[h]);
      const Real difference = abs(angle - rest);  // below a whole turn
      const Real change = select(less(half_turn, difference), turn - difference, difference);
      add_to(out.square, first, change * change);
      add_to(out.folds, first, fold * select(less(folded, abs(angle)), one, zero));
      take_max(out.max, first, change, element);
    }
  }
}

inline double hinge_angle_here(const double* positions, const Hinge& hinge) {
  return angle_of<double>(PosePoints{positions}, hinge);
}

// ---- Edge stretch: sigma = |e'| / |e|.

inline void sum_stretch_here(const float* positions, std::span<const StretchEdge> edges,
                             StretchSums& out) {
  set_row(out.change, 0);
  set_row(out.log_square, 0);
  start_max(out.max);
  start_min(out.min);
  const DoubleLanes one = splat<DoubleLanes>(1);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const DoubleLanes element = splat<DoubleLanes>(static_cast<double>(e));
    const DoubleLanes length = splat<DoubleLanes>(edges[e].length_m);
    for (int first = 0; first < kFramesPerBlock; first += kRegisterLanes) {
      const BlockPoints<DoubleLanes> points{positions + first};
      const DoubleLanes sigma = norm(points[edges[e].to] - points[edges[e].from]) / length;
      const DoubleLanes logarithm = log(max(sigma, splat<DoubleLanes>(kLeastSigma)));
      add_to(out.change, first, abs(sigma - one));
      add_to(out.log_square, first, logarithm * logarithm);
      take_max(out.max, first, sigma, element);
      take_min(out.min, first, sigma, element);
    }
  }
}

// ---- A triangle is inverted if its normal n' points away from its bind normal n as rotated by its
// joints:
//
//     n' . (R n) < 0      R: rotation of q = sum of w_j q_j, each q_j in the hemisphere of the
//                         heaviest joint's
//
// q is not normalised. That does not change the sign: |q|^2 R n is a polynomial in q.

template <class Real>
HWY_INLINE Quat<Real> rotation_of(const RotatedTriangles& rotated, std::uint32_t joint, int first) {
  const double* const q = rotated.rotations + std::size_t{joint} * 4 * kFramesPerBlock + first;
  return {load<Real>(q), load<Real>(q + kFramesPerBlock), load<Real>(q + 2 * kFramesPerBlock),
          load<Real>(q + 3 * kFramesPerBlock)};
}

template <class Real>
HWY_INLINE Quat<Real> blended_rotation(const RotatedTriangles& rotated, const RotatedTriangle& t,
                                       int first) {
  const JointWeight* const weights = rotated.weights.data() + t.first_weight;
  const Quat<Real> pivot = rotation_of<Real>(rotated, weights[0].joint, first);
  Quat<Real> sum = splat<Real>(weights[0].weight) * pivot;
  for (std::uint32_t i = 1; i < t.weight_count; ++i) {
    const Quat<Real> q = rotation_of<Real>(rotated, weights[i].joint, first);
    sum = fma(copysign(splat<Real>(weights[i].weight), dot(pivot, q)), q, sum);
  }
  return sum;
}

inline void count_inversions_here(const float* positions, const RotatedTriangles& rotated,
                                  LaneRow& out) {
  set_row(out, 0);
  using Real = DoubleLanes;
  const Real zero = splat<Real>(0), one = splat<Real>(1);
  for (const RotatedTriangle& t : rotated.triangles) {
    const Vec3<Real> n{splat<Real>(t.normal.x), splat<Real>(t.normal.y), splat<Real>(t.normal.z)};
    for (int first = 0; first < kFramesPerBlock; first += kRegisterLanes) {
      const Quat<Real> q = blended_rotation<Real>(rotated, t, first);
      const Vec3<Real> v = vector_part(q);
      const Real twice_along = splat<Real>(2) * dot(v, n);
      const Vec3<Real> turned_normal =
          fma(q.w * q.w - dot(v, v), n, fma(twice_along, v, (q.w + q.w) * cross(v, n)));
      const BlockPoints<Real> points{positions + first};
      const Vec3<Real> a = points[t.a];
      const Vec3<Real> normal = cross(points[t.b] - a, points[t.c] - a);
      add_to(out, first, select(less(dot(normal, turned_normal), zero), one, zero));
    }
  }
}

// ---- The angle between a skinned normal n and the geometric one g (frames/corner_normals-inl.h):
//
//     atan2(|n x g|, n . g)
//
// A vertex without a geometric normal is not measured. The angle is 0, not NaN, if the length of n
// is zero.

inline void measure_normals_here(const NormalInput& input, const NormalOutput& out) {
  set_row(out.sums->angle, 0);
  set_row(out.sums->count, 0);
  start_max(out.sums->max);
  const DoubleLanes zero = splat<DoubleLanes>(0), one = splat<DoubleLanes>(1);
  for (int first = 0; first < kFramesPerBlock; first += kRegisterLanes) {
    sum_corner_normals({input.positions + first}, *input.groups, out.scratch);
    const std::vector<CornerVertex>& vertices = input.groups->vertices;
    const BlockPoints<DoubleLanes> normals{input.normals + first};
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const CornerVertex& v = vertices[i];
      const Vec3<DoubleLanes> geometric = summed_normal(out.scratch, v, input.sides + first);
      const Vec3<DoubleLanes> skinned = normals[v.vertex];
      const DoubleLanes full = atan2(norm(cross(skinned, geometric)), dot(skinned, geometric));
      const auto is_normal = has_direction(geometric);
      const DoubleLanes angle = select(is_normal, full, -one);
      add_to(out.sums->angle, first, select(is_normal, full, zero));
      add_to(out.sums->count, first, select(is_normal, one, zero));
      take_max(out.sums->max, first, angle, splat<DoubleLanes>(static_cast<double>(v.vertex)));
      alignas(64) double lanes[kRegisterLanes];
      store(angle, lanes);
      for (int lane = 0; lane < kRegisterLanes; ++lane) {
        out.angles[static_cast<std::size_t>(first + lane) * vertices.size() + i] =
            static_cast<float>(lanes[lane]);
      }
    }
  }
}

// ---- The deformation gradient of a triangle, F = E' E^-1, maps its plane at the baseline into
// space. With C = F^T F = [A B; B D] and the columns f_1, f_2 of F, the singular values of F are
//
//     sigma_1^2 = (A + D + sqrt((A - D)^2 + 4 B^2)) / 2        sigma_2 = |f_1 x f_2| / sigma_1
//
// The textbook formula for sigma_2^2, (tr - sqrt(tr^2 - 4 det)) / 2, suffers from cancellation.
// Energies:
//
//     ARAP                 (sigma_1 - 1)^2 + (sigma_2 - 1)^2
//     symmetric Dirichlet  sigma_1^2 + sigma_2^2 + 1 / sigma_1^2 + 1 / sigma_2^2     4 at rest
//     conformal            (sigma_1^2 + sigma_2^2) / (2 sigma_1 sigma_2)             1 at rest

inline void sum_distortion_here(const float* positions, std::span<const FlatTriangle> triangles,
                                DistortionSums& out) {
  set_row(out.arap, 0);
  set_row(out.dirichlet, 0);
  set_row(out.conformal, 0);
  set_row(out.clamped, 0);
  start_max(out.worst);
  set_row(out.area_ratio_min, std::numeric_limits<double>::infinity());
  set_row(out.area_ratio_max, -std::numeric_limits<double>::infinity());
  using Real = DoubleLanes;
  const Real zero = splat<Real>(0), one = splat<Real>(1), half = splat<Real>(0.5);
  const Real least = splat<Real>(1e-6);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const FlatTriangle& flat = triangles[t];
    const Real element = splat<Real>(static_cast<double>(t)), area = splat<Real>(flat.area_m2());
    const Real along = splat<Real>(1 / flat.x), across = splat<Real>(1 / flat.v);
    const Real slant = splat<Real>(-flat.u / flat.x);
    for (int first = 0; first < kFramesPerBlock; first += kRegisterLanes) {
      const BlockPoints<Real> points{positions + first};
      const Vec3<Real> a = points[flat.a];
      const Vec3<Real> side = points[flat.b] - a;
      const Vec3<Real> f1 = along * side;
      const Vec3<Real> f2 = across * fma(slant, side, points[flat.c] - a);
      const Real c11 = dot(f1, f1), c12 = dot(f1, f2), c22 = dot(f2, f2);
      const Real difference = c11 - c22, twice = c12 + c12;
      const Real root = sqrt(fma(difference, difference, twice * twice));
      const Real area_ratio = norm(cross(f1, f2));
      // A triangle that is a point has two singular values of zero.
      const Real exact_s1 = sqrt(half * (c11 + c22 + root));
      const Real exact_s2 = area_ratio / max(exact_s1, splat<Real>(0x1p-500));
      const Real d1 = exact_s1 - one, d2 = exact_s2 - one;
      add_to(out.arap, first, area * fma(d1, d1, d2 * d2));

      const Real s1 = max(exact_s1, least), s2 = max(exact_s2, least);
      const Real squares = fma(s1, s1, s2 * s2), product = s1 * s2;
      const Real dirichlet = squares + squares / (product * product);
      add_to(out.clamped, first, select(less(exact_s2, least), one, zero));
      add_to(out.dirichlet, first, area * dirichlet);
      add_to(out.conformal, first, area * (half * squares / product));
      take_max(out.worst, first, dirichlet, element);
      double* const lowest = out.area_ratio_min.at + first;
      double* const highest = out.area_ratio_max.at + first;
      store(min(load<Real>(lowest), area_ratio), lowest);
      store(max(load<Real>(highest), area_ratio), highest);
    }
  }
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
