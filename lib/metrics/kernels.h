// The loops over vertices and triangles, compiled once per instruction set. A call uses the best
// instruction set of the processor, or a forced one; all give the same bits.

#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "skinbake/frames.h"
#include "skinbake/rig.h"

namespace skinbake {

// ---- baseline

// Transforms `points` [point][axis] in place: p <- m p.
void move_points(const Affine<double>& m, std::span<double> points);

// ---- position error

// Sums over the vertices of a tile, per lane. Reference positions are summed relative to the tile's
// first vertex, which avoids cancellation.
struct alignas(64) ErrorSums {
  double distance[kFramesPerBlock];    // sum of |d|
  double square[kFramesPerBlock];      // sum of |d|^2
  double max[kFramesPerBlock];         // greatest |d|; -1: no vertex
  double max_vertex[kFramesPerBlock];  // its vertex; the lowest on a tie
  double first[3][kFramesPerBlock];    // [axis] first vertex of the reference
  double offset[3][kFramesPerBlock];   // [axis] sum of x - first
  double spread[kFramesPerBlock];      // sum of |x - first|^2
};

// Positions and a reference, of which either `reference` or `exact` is null. Shapes
// [vertex][axis][frame], from the first vertex of `vertices`.
struct ErrorInput {
  const float* positions = nullptr;
  const float* reference = nullptr;
  const double* exact = nullptr;
  int frame_count = kFramesPerBlock;
  VertexRange vertices;  // at most kVerticesPerTile
  std::span<const double> limits = {};
};
// Arrays start at the first vertex of ErrorInput::vertices.
struct ErrorOutput {
  ErrorSums* sums = nullptr;
  // [vertex] over the first frame_count lanes
  double* square = nullptr;          // sum of |d|^2; NaN if a distance is
  double* max = nullptr;             // greatest |d|; -1: all are NaN
  std::uint8_t* max_lane = nullptr;  // its lane; the first on a tie
  // [frame][vertex] |d|; rows are row_size apart
  float* distances = nullptr;
  std::size_t row_size = 0;
  // [limit][frame] The number of vertices with |d| over the limit or NaN is added.
  std::int64_t* over = nullptr;
};
void measure_errors(const ErrorInput& input, const ErrorOutput& output);

// ---- percentiles

// The bits of a distance, which have the order of the distances. The sign of NaN is removed.
inline std::uint32_t distance_bits(float distance) {
  return std::bit_cast<std::uint32_t>(distance) & 0x7FFFFFFFu;
}
// The upper half of the bits: a bin is 1/128 of an octave.
inline std::uint32_t distance_bin(float distance) {
  return distance_bits(distance) >> 16;
}

struct BitRange {
  std::uint32_t lowest, highest;
};
BitRange range_of_bits(std::span<const float> distances);

// Copies the distances in one of three bins to `out`, in their order.
// Precondition: `out` has room for kCollectSlack more than these distances.
inline constexpr std::size_t kCollectSlack = 16;  // floats in the widest register
void collect_bins(std::span<const float> distances, const std::array<std::uint32_t, 3>& bins,
                  float* out);

// ---- volume

// (a, b, c, d): the triangles (a, b, c) and (d, c, b), which share an edge; or the triangle
// (a, b, c) alone, with d = the origin.
using TrianglePair = std::array<VertexIndex, 4>;
struct TrianglePairs {
  std::span<const TrianglePair> pairs;
  VertexIndex origin = 0;  // volumes are summed relative to this vertex
};
struct CapEdges {
  std::span<const std::array<VertexIndex, 2>> edges;
  VertexIndex origin = 0;
};

// Six times a volume, per lane.
using LaneVolumes = std::array<double, kFramesPerBlock>;

// Adds, per lane, six times the volume of the tetrahedra from the origin to the triangles, in the
// order of the pairs, up to the first pair with a vertex from `end` on. Returns the number of pairs
// that were added. `positions`: [vertex][axis][frame] of the whole mesh, valid below `end`.
std::size_t add_six_volumes(const float* positions, const TrianglePairs& list, VertexIndex end,
                            LaneVolumes& sums);

// Returns, per lane, six times the volume of a cap.
LaneVolumes six_volumes(const float* positions, const CapEdges& cap);

// The same for one pose, with the area. `positions`: [vertex][axis]. `triangles`: the triangles of
// the pairs.
struct PatchMeasure {
  double six_volume = 0, twice_area = 0;
};
PatchMeasure measure_patch(const double* positions, const TrianglePairs& list,
                           std::span<const std::array<VertexIndex, 3>> triangles);
PatchMeasure measure_patch(const double* positions, const CapEdges& cap);

}  // namespace skinbake
