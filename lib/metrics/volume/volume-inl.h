// The volume enclosed by a surface is the sum of the signed tetrahedra from an origin to its
// triangles:
//
//     V = 1/6 sum over triangles of a . (b x c)        a, b, c relative to the origin o
//
// Cha Zhang, Tsuhan Chen. Efficient Feature Extraction for 2D/3D Objects in Mesh Representation.
// 2001. Here o is a vertex of the surface, so that a surface far from the scene's origin does not
// lose digits.
//
// Two triangles that share an edge, (a, b, c) and (d, c, b), have the sum (a - d) . (b x c), which
// halves the number of operations. For a triangle without a partner d = o.
//
// A hole is closed by a fan about an apex c:
//
//     V = 1/6 sum over boundary edges i -> j of x_j . (x_i x c)
//     c = sum of |x_j - x_i| (x_i + x_j) / 2 over sum of |x_j - x_i|
//
// The weights make c independent of the number of edges of the boundary.

#if defined(SKINBAKE_METRICS_VOLUME_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_METRICS_VOLUME_INL_H_
#undef SKINBAKE_METRICS_VOLUME_INL_H_
#else
#define SKINBAKE_METRICS_VOLUME_INL_H_
#endif

#include <algorithm>
#include <cstddef>

#include "frames/points-inl.h"
#include "metrics/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

template <class Real, class Points>
HWY_INLINE Real six_volume_of_pair(const Points& points, const TrianglePair& pair,
                                   const Vec3<Real>& o) {
  const auto& [a, b, c, d] = pair;
  return dot(points[a] - points[d], cross(points[b] - o, points[c] - o));
}

// The apex c of a cap, relative to o.
template <class Real, class Points>
Vec3<Real> apex(const Points& points, const CapEdges& cap, const Vec3<Real>& o) {
  const Real zero = splat<Real>(0), half = splat<Real>(0.5);
  Vec3<Real> sum{zero, zero, zero};
  Real length_sum = zero;
  for (const auto& [i, j] : cap.edges) {
    const Vec3<Real> from = points[i] - o, to = points[j] - o;
    const Real length = norm(to - from);
    sum = fma(half * length, from + to, sum);
    length_sum = length_sum + length;
  }
  // A boundary without length is a single point.
  const Vec3<Real> point = points[cap.edges.front()[0]] - o;
  const auto has_length = less(zero, length_sum);
  const Real divisor = select(has_length, length_sum, splat<Real>(1));
  return {select(has_length, sum.x / divisor, point.x),
          select(has_length, sum.y / divisor, point.y),
          select(has_length, sum.z / divisor, point.z)};
}

template <class Real, class Points>
Real six_volume_of_cap(const Points& points, const CapEdges& cap) {
  const Vec3<Real> o = points[cap.origin];
  const Vec3<Real> c = apex<Real>(points, cap, o);
  Real sum = splat<Real>(0);
  for (const auto& [i, j] : cap.edges) sum = sum + dot(points[j] - o, cross(points[i] - o, c));
  return sum;
}

inline double twice_area(const PosePoints& points,
                         std::span<const std::array<VertexIndex, 3>> triangles) {
  double sum = 0;
  for (const auto& [a, b, c] : triangles) {
    sum += norm(cross(points[b] - points[a], points[c] - points[a]));
  }
  return sum;
}

inline double twice_area(const PosePoints& points, const CapEdges& cap) {
  const Vec3<double> o = points[cap.origin];
  const Vec3<double> c = apex<double>(points, cap, o);
  double sum = 0;
  for (const auto& [i, j] : cap.edges) {
    sum += norm(cross(points[i] - o - c, points[j] - o - c));
  }
  return sum;
}

// ---- all lanes of a block

inline std::size_t add_triangle_volumes(const float* positions, const TrianglePairs& list,
                                        VertexIndex end, LaneVolumes& sums) {
  alignas(64) LaneVolumes lanes = sums;
  Vec3<DoubleLanes> o[kRegisters];
  DoubleLanes sum[kRegisters];
  for (int r = 0; r < kRegisters; ++r) {
    const BlockPoints<DoubleLanes> points{positions + r * kLanes<DoubleLanes>};
    o[r] = points[list.origin];
    sum[r] = load<DoubleLanes>(&lanes[r * kLanes<DoubleLanes>]);
  }
  std::size_t count = 0;
  for (; count < list.pairs.size(); ++count) {
    const TrianglePair& pair = list.pairs[count];
    if (std::max(std::max(pair[0], pair[1]), std::max(pair[2], pair[3])) >= end) break;
    // The inner loop covers all frames of a vertex while they are in the first-level cache.
    for (int r = 0; r < kRegisters; ++r) {
      const BlockPoints<DoubleLanes> points{positions + r * kLanes<DoubleLanes>};
      sum[r] = sum[r] + six_volume_of_pair(points, pair, o[r]);
    }
  }
  for (int r = 0; r < kRegisters; ++r) store(sum[r], &lanes[r * kLanes<DoubleLanes>]);
  sums = lanes;
  return count;
}

inline LaneVolumes cap_volumes(const float* positions, const CapEdges& cap) {
  alignas(64) LaneVolumes sums{};
  for (int lane = 0; lane < kFramesPerBlock; lane += kLanes<DoubleLanes>) {
    const BlockPoints<DoubleLanes> points{positions + lane};
    store(six_volume_of_cap<DoubleLanes>(points, cap), &sums[lane]);
  }
  return sums;
}

inline PatchMeasure pose_triangles(const double* positions, const TrianglePairs& list,
                                   std::span<const std::array<VertexIndex, 3>> triangles) {
  const PosePoints points{positions};
  const Vec3<double> o = points[list.origin];
  double sum = 0;
  for (const TrianglePair& pair : list.pairs) sum += six_volume_of_pair(points, pair, o);
  return {sum, twice_area(points, triangles)};
}

inline PatchMeasure pose_cap(const double* positions, const CapEdges& cap) {
  const PosePoints points{positions};
  return {six_volume_of_cap<double>(points, cap), twice_area(points, cap)};
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
