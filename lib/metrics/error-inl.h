// Distances from a reference, for sixteen frames of some vertices: d = |x~ - x|, in double.

#if defined(SKINBAKE_METRICS_ERROR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_METRICS_ERROR_INL_H_
#undef SKINBAKE_METRICS_ERROR_INL_H_
#else
#define SKINBAKE_METRICS_ERROR_INL_H_
#endif

#include <algorithm>
#include <cstddef>

#include "math/vec3-inl.h"
#include "metrics/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// Vertices whose distances stay in the first-level cache between the loop over registers and the
// loops over single numbers: 32 x 16 x (8 + 8 + 4) bytes.
inline constexpr VertexIndex kErrorGroup = 32;

struct alignas(64) GroupDistances {
  double distance[kErrorGroup][kFramesPerBlock];
  double square[kErrorGroup][kFramesPerBlock];
  float rounded[kErrorGroup][kFramesPerBlock];
};

template <class Real>
HWY_INLINE Vec3<Real> load_point(const float* p) {
  return {load_promoted<Real>(p), load_promoted<Real>(p + kFramesPerBlock),
          load_promoted<Real>(p + 2 * kFramesPerBlock)};
}
template <class Real>
HWY_INLINE Vec3<Real> load_point(const double* p) {
  return {load<Real>(p), load<Real>(p + kFramesPerBlock), load<Real>(p + 2 * kFramesPerBlock)};
}

template <class Real>
HWY_INLINE void store_point(const Vec3<Real>& point, double (&axes)[3][kFramesPerBlock], int lane) {
  store(point.x, axes[0] + lane);
  store(point.y, axes[1] + lane);
  store(point.z, axes[2] + lane);
}

// Some vertices of a tile: [begin, end) counted from the tile's first.
template <class Number>
struct ErrorGroup {
  const float* positions;   // of the tile
  const Number* reference;  // of the tile
  VertexIndex tile_first;   // file index
  VertexIndex begin, end;
};

// One register of frames, from `lane` on.
template <class Real, class Number>
void measure_lanes(const ErrorGroup<Number>& group, int lane, ErrorSums& sums,
                   GroupDistances& out) {
  const Vec3<Real> first = load_point<Real>(group.reference + lane);
  Real distance = load<Real>(sums.distance + lane), square = load<Real>(sums.square + lane);
  Real largest = load<Real>(sums.max + lane), largest_vertex = load<Real>(sums.max_vertex + lane);
  Vec3<Real> offset = load_point<Real>(sums.offset[0] + lane);
  Real spread = load<Real>(sums.spread + lane);
  for (VertexIndex v = group.begin; v < group.end; ++v) {
    const std::size_t at = std::size_t{v} * 3 * kFramesPerBlock + static_cast<std::size_t>(lane);
    const Vec3<Real> x = load_point<Real>(group.reference + at);
    const Vec3<Real> difference = load_point<Real>(group.positions + at) - x;
    const Real d2 = dot(difference, difference);
    const Real d = sqrt(d2);
    square = square + d2;
    distance = distance + d;
    const auto is_larger = less(largest, d);  // strictly: ties stay with the lower vertex
    largest = select(is_larger, d, largest);
    largest_vertex = select(is_larger, splat<Real>(group.tile_first + v), largest_vertex);
    const Vec3<Real> from_first = x - first;
    offset = offset + from_first;
    spread = spread + dot(from_first, from_first);
    store(d, out.distance[v - group.begin] + lane);
    store(d2, out.square[v - group.begin] + lane);
  }
  store(distance, sums.distance + lane);
  store(square, sums.square + lane);
  store(largest, sums.max + lane);
  store(largest_vertex, sums.max_vertex + lane);
  store_point(first, sums.first, lane);
  store_point(offset, sums.offset, lane);
  store(spread, sums.spread + lane);
}

// Halves until one is left: the compiler can use registers of any width for it.
inline double sum_of_lanes(const double* square) {
  double eight[8], four[4];
  for (int i = 0; i < 8; ++i) eight[i] = square[i] + square[i + 8];
  for (int i = 0; i < 4; ++i) four[i] = eight[i] + eight[i + 4];
  return (four[0] + four[2]) + (four[1] + four[3]);
}

inline double max_of_lanes(const double* distance) {
  double eight[8], four[4];
  for (int i = 0; i < 8; ++i) eight[i] = std::max(distance[i], distance[i + 8]);
  for (int i = 0; i < 4; ++i) four[i] = std::max(eight[i], eight[i + 4]);
  return std::max(std::max(four[0], four[2]), std::max(four[1], four[3]));
}

// What each vertex of the group keeps of the block.
inline void reduce_vertices(VertexIndex begin, VertexIndex end, int frame_count,
                            GroupDistances& group, const ErrorOutput& out) {
  for (VertexIndex v = begin; v < end; ++v) {
    const double* distance = group.distance[v - begin];
    double* square = group.square[v - begin];
    // Lanes from frame_count on repeat the last frame: no reason to count it again, and as a
    // maximum it comes too late.
    for (int lane = frame_count; lane < kFramesPerBlock; ++lane) square[lane] = 0;
    out.square[v] = sum_of_lanes(square);
    const double largest = max_of_lanes(distance);
    int at = 0;
    for (int lane = kFramesPerBlock - 1; lane >= 0; --lane) {
      if (distance[lane] == largest) at = lane;
    }
    out.max[v] = largest;
    out.max_lane[v] = static_cast<std::uint8_t>(at);
  }
}

// [vertex][frame] of doubles to [frame][vertex] of floats.
inline void transpose_distances(VertexIndex begin, VertexIndex end, GroupDistances& group,
                                const ErrorOutput& out) {
  const double* distance = group.distance[0];
  float* rounded = group.rounded[0];
  const VertexIndex count = end - begin;
  for (VertexIndex i = 0; i < count * kFramesPerBlock; ++i) {
    rounded[i] = static_cast<float>(distance[i]);
  }
  for (int lane = 0; lane < kFramesPerBlock; ++lane) {
    float* row = out.distances + static_cast<std::size_t>(lane) * out.row_size + begin;
    for (VertexIndex v = 0; v < count; ++v) row[v] = group.rounded[v][lane];
  }
}

template <class Number>
void measure_tile(const ErrorInput& in, const Number* reference, const ErrorOutput& out) {
  GroupDistances distances;
  for (VertexIndex begin = 0; begin < in.vertices.count; begin += kErrorGroup) {
    const VertexIndex end = std::min(begin + kErrorGroup, in.vertices.count);
    const ErrorGroup<Number> group{in.positions, reference, in.vertices.first, begin, end};
    for (int lane = 0; lane < kFramesPerBlock; lane += kLanes<DoubleLanes>) {
      measure_lanes<DoubleLanes>(group, lane, *out.sums, distances);
    }
    reduce_vertices(begin, end, in.frame_count, distances, out);
    transpose_distances(begin, end, distances, out);
  }
}

inline void measure_errors_here(const ErrorInput& in, const ErrorOutput& out) {
  ErrorSums& sums = *out.sums;
  sums = {};
  std::fill_n(sums.max, kFramesPerBlock, -1.0);
  if (in.exact != nullptr) {
    measure_tile(in, in.exact, out);
  } else {
    measure_tile(in, in.reference, out);
  }
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
