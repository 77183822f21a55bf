// Distances from a reference, d = |x~ - x| in double, for the 16 frames of a tile of vertices.

#if defined(SKINBAKE_METRICS_POSITION_ERROR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_METRICS_POSITION_ERROR_INL_H_
#undef SKINBAKE_METRICS_POSITION_ERROR_INL_H_
#else
#define SKINBAKE_METRICS_POSITION_ERROR_INL_H_
#endif

#include <algorithm>
#include <cstddef>

#include "math/vec3-inl.h"
#include "metrics/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// Number of vertices whose distances stay in the first-level cache between the loop whose lanes are
// frames and the loop whose lanes are vertices: 2 x 32 x 16 x 8 bytes.
inline constexpr VertexIndex kErrorGroup = 32;

struct alignas(64) GroupDistances {
  double by_vertex[kErrorGroup][kFramesPerBlock];
  double by_frame[kFramesPerBlock][kErrorGroup];
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

// The vertices [begin, end) of a tile, counted from its first vertex.
template <class Number>
struct ErrorGroup {
  const float* positions;   // of the tile
  const Number* reference;  // of the tile
  VertexIndex tile_first;   // index in the mesh
  VertexIndex begin, end;
};

// Measures one register of frames, from `lane` on.
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
    store(d, out.by_vertex[v - group.begin] + lane);
  }
  store(distance, sums.distance + lane);
  store(square, sums.square + lane);
  store(largest, sums.max + lane);
  store(largest_vertex, sums.max_vertex + lane);
  store_point(first, sums.first, lane);
  store_point(offset, sums.offset, lane);
  store(spread, sums.spread + lane);
}

// Transposes [vertex][frame] to [frame][vertex] in 2 x 2 blocks.
inline void transpose_distances(GroupDistances& group) {
#if HWY_TARGET == HWY_SCALAR
  for (VertexIndex v = 0; v < kErrorGroup; ++v) {
    for (int lane = 0; lane < kFramesPerBlock; ++lane) {
      group.by_frame[lane][v] = group.by_vertex[v][lane];
    }
  }
#else
  const hn::FixedTag<double, 2> two;
  for (VertexIndex v = 0; v < kErrorGroup; v += 2) {
    for (int lane = 0; lane < kFramesPerBlock; lane += 2) {
      const auto even = hn::Load(two, group.by_vertex[v] + lane);
      const auto odd = hn::Load(two, group.by_vertex[v + 1] + lane);
      hn::Store(hn::InterleaveLower(two, even, odd), two, group.by_frame[lane] + v);
      hn::Store(hn::InterleaveUpper(two, even, odd), two, group.by_frame[lane + 1] + v);
    }
  }
#endif
}

// Reduces the frames of each vertex in order. Lanes from frame_count on are ignored: they repeat
// the last frame.
inline void reduce_vertices(VertexIndex begin, VertexIndex end, int frame_count,
                            const GroupDistances& group, const ErrorOutput& out) {
  using Real = DoubleLanes;
  alignas(64) double squares[kErrorGroup], maxima[kErrorGroup], frames[kErrorGroup];
  for (VertexIndex i = 0; i < kErrorGroup; i += kLanes<Real>) {
    Real square = splat<Real>(0), largest = splat<Real>(-1), largest_frame = splat<Real>(0);
    Real at = splat<Real>(0);
    for (int frame = 0; frame < frame_count; ++frame, at = at + splat<Real>(1)) {
      const Real d = load<Real>(group.by_frame[frame] + i);
      square = fma(d, d, square);
      const auto is_larger = less(largest, d);  // strictly: ties stay with the earlier frame
      largest = select(is_larger, d, largest);
      largest_frame = select(is_larger, at, largest_frame);
    }
    store(square, squares + i);
    store(largest, maxima + i);
    store(largest_frame, frames + i);
  }
  const VertexIndex count = end - begin;
  std::copy_n(squares, count, out.square + begin);
  std::copy_n(maxima, count, out.max + begin);
  for (VertexIndex i = 0; i < count; ++i) {
    out.max_lane[begin + i] = static_cast<std::uint8_t>(static_cast<int>(frames[i]));
  }
}

inline void write_rows(VertexIndex begin, VertexIndex end, const GroupDistances& group,
                       const ErrorOutput& out) {
  for (int frame = 0; frame < kFramesPerBlock; ++frame) {
    float* row = out.distances + static_cast<std::size_t>(frame) * out.row_size + begin;
    for (VertexIndex i = 0; i < end - begin; ++i) {
      row[i] = static_cast<float>(group.by_frame[frame][i]);
    }
  }
}

inline void count_over(const ErrorInput& in, VertexIndex count, const GroupDistances& group,
                       std::int64_t* over) {
  for (const double limit : in.limits) {
    for (int frame = 0; frame < kFramesPerBlock; ++frame) {
      std::int64_t found = 0;
      for (VertexIndex i = 0; i < count; ++i) found += !(group.by_frame[frame][i] <= limit);
      *over++ += found;
    }
  }
}

template <class Number>
void measure_tile(const ErrorInput& in, const Number* reference, const ErrorOutput& out) {
  GroupDistances distances;
  // The last group may be smaller; its unused elements are initialised because they are reduced
  // too.
  if (in.vertices.count % kErrorGroup != 0) distances = {};
  for (VertexIndex begin = 0; begin < in.vertices.count; begin += kErrorGroup) {
    const VertexIndex end = std::min(begin + kErrorGroup, in.vertices.count);
    const ErrorGroup<Number> group{in.positions, reference, in.vertices.first, begin, end};
    for (int lane = 0; lane < kFramesPerBlock; lane += kLanes<DoubleLanes>) {
      measure_lanes<DoubleLanes>(group, lane, *out.sums, distances);
    }
    transpose_distances(distances);
    reduce_vertices(begin, end, in.frame_count, distances, out);
    write_rows(begin, end, distances, out);
    count_over(in, end - begin, distances, out.over);
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
