// Distances from a reference, d = |x~ - x| in double, for the 16 frames of a tile of vertices.

#if defined(SKINBAKE_METRICS_POSITION_ERROR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_METRICS_POSITION_ERROR_INL_H_
#undef SKINBAKE_METRICS_POSITION_ERROR_INL_H_
#else
#define SKINBAKE_METRICS_POSITION_ERROR_INL_H_
#endif

#include <hwy/cache_control.h>

#include <algorithm>
#include <cstddef>

#include "math/affine-inl.h"
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
  Real vertex = splat<Real>(group.tile_first + group.begin);  // an addition is cheaper than a splat
  for (VertexIndex v = group.begin; v < group.end; ++v, vertex = vertex + splat<Real>(1)) {
    const std::size_t at = std::size_t{v} * 3 * kFramesPerBlock + static_cast<std::size_t>(lane);
    const Vec3<Real> x = load_point<Real>(group.reference + at);
    const Vec3<Real> difference = load_point<Real>(group.positions + at) - x;
    const Real d2 = dot(difference, difference);
    const Real d = sqrt(d2);
    square = square + d2;
    distance = distance + d;
    const auto is_larger = less(largest, d);  // strictly: ties stay with the lower vertex
    largest = select(is_larger, d, largest);
    largest_vertex = select(is_larger, vertex, largest_vertex);
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

#if HWY_TARGET != HWY_SCALAR
// Interleaves the pairs of numbers of two registers. `first` gets pairs 0 and 2 of both registers
// in turn, `second` pairs 1 and 3; registers of two pairs have pair 0 and pair 1 only.
HWY_INLINE void interleave_pairs(DoubleLanes& first, DoubleLanes& second) {
  const hn::ScalableTag<double> d;
  const auto a = first.v, b = second.v;
  if constexpr (kLanes<DoubleLanes> == 4) {
    first.v = hn::ConcatLowerLower(d, b, a);
    second.v = hn::ConcatUpperUpper(d, b, a);
  } else {
    first.v = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(b), a);
    second.v = hn::OddEvenBlocks(b, hn::SwapAdjacentBlocks(a));
  }
}

// Transposes a square of as many rows as a register has lanes: numbers, then pairs, then halves of
// registers are interleaved.
HWY_INLINE void transpose_square(const double* from, std::size_t from_stride, double* to,
                                 std::size_t to_stride) {
  constexpr int kSize = kLanes<DoubleLanes>;
  const hn::ScalableTag<double> d;
  DoubleLanes rows[kSize];
  for (int i = 0; i < kSize; ++i) rows[i] = load<DoubleLanes>(from + i * from_stride);
  for (int i = 0; i < kSize; i += 2) {
    const auto a = rows[i].v, b = rows[i + 1].v;
    rows[i].v = hn::InterleaveLower(d, a, b);
    rows[i + 1].v = hn::InterleaveUpper(d, a, b);
  }
  if constexpr (kSize >= 4) {
    for (int i = 0; i < kSize; i += 4) {
      interleave_pairs(rows[i], rows[i + 2]);
      interleave_pairs(rows[i + 1], rows[i + 3]);
    }
  }
  if constexpr (kSize == 8) {
    for (int i = 0; i < 4; ++i) {
      const auto a = rows[i].v, b = rows[i + 4].v;
      rows[i].v = hn::ConcatLowerLower(d, b, a);
      rows[i + 4].v = hn::ConcatUpperUpper(d, b, a);
    }
  }
  for (int i = 0; i < kSize; ++i) store(rows[i], to + i * to_stride);
}
#endif

// Transposes [vertex][frame] to [frame][vertex].
inline void transpose_distances(GroupDistances& group) {
#if HWY_TARGET == HWY_SCALAR
  for (VertexIndex v = 0; v < kErrorGroup; ++v) {
    for (int lane = 0; lane < kFramesPerBlock; ++lane) {
      group.by_frame[lane][v] = group.by_vertex[v][lane];
    }
  }
#else
  for (VertexIndex v = 0; v < kErrorGroup; v += kLanes<DoubleLanes>) {
    for (int lane = 0; lane < kFramesPerBlock; lane += kLanes<DoubleLanes>) {
      transpose_square(&group.by_vertex[v][lane], kFramesPerBlock, &group.by_frame[lane][v],
                       kErrorGroup);
    }
  }
#endif
}

// Number of registers that are reduced at once, so that one sum does not wait for the other.
inline constexpr VertexIndex kRegistersAtOnce = 2;

// Finds the greatest distance of each vertex, and adds the squares of its distances frame by frame.
// Lanes from frame_count on are ignored: they repeat the last frame.
inline void reduce_vertices(VertexIndex begin, VertexIndex end, int frame_count,
                            const GroupDistances& group, const ErrorOutput& out) {
  using Real = DoubleLanes;
  alignas(64) double maxima[kErrorGroup], frames[kErrorGroup], squares[kErrorGroup];
  for (VertexIndex i = 0; i < kErrorGroup; i += kRegistersAtOnce * kLanes<Real>) {
    Real largest[kRegistersAtOnce], largest_frame[kRegistersAtOnce], square[kRegistersAtOnce];
    Real at = splat<Real>(0);
    for (VertexIndex r = 0; r < kRegistersAtOnce; ++r) {
      largest_frame[r] = square[r] = at;
      largest[r] = splat<Real>(-1);
    }
    for (int frame = 0; frame < frame_count; ++frame, at = at + splat<Real>(1)) {
      for (VertexIndex r = 0; r < kRegistersAtOnce; ++r) {
        const Real d = load<Real>(group.by_frame[frame] + i + r * kLanes<Real>);
        square[r] = square[r] + d * d;
        const auto is_larger = less(largest[r], d);  // strictly: ties stay with the earlier frame
        largest[r] = select(is_larger, d, largest[r]);
        largest_frame[r] = select(is_larger, at, largest_frame[r]);
      }
    }
    for (VertexIndex r = 0; r < kRegistersAtOnce; ++r) {
      store(largest[r], maxima + i + r * kLanes<Real>);
      store(largest_frame[r], frames + i + r * kLanes<Real>);
      store(square[r], squares + i + r * kLanes<Real>);
    }
  }
  const VertexIndex count = end - begin;
  std::copy_n(maxima, count, out.max + begin);
  std::copy_n(squares, count, out.square + begin);
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

// Requests the rows of a group, which are far apart in memory, before they are written: stores wait
// for each other.
inline void prefetch_rows(VertexIndex begin, VertexIndex end, const ErrorOutput& out) {
  constexpr VertexIndex kFloatsPerLine = 16;
  for (int frame = 0; frame < kFramesPerBlock; ++frame) {
    const float* const row = out.distances + static_cast<std::size_t>(frame) * out.row_size;
    for (VertexIndex v = begin; v < end; v += kFloatsPerLine) hwy::Prefetch(row + v);
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
    prefetch_rows(begin, end, out);
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
