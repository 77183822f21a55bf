// The loops over vertices and triangles that are compiled once per instruction set. Each call runs
// on the best one that this processor has (or that was forced); all give the same bits.

#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "skinbake/frames.h"
#include "skinbake/transform.h"

namespace skinbake {

// ---- baseline

// p <- m p, for each of `points`: [point][axis].
void move_points(const Affine<double>& m, std::span<double> points);

// ---- position error

// What is summed over the vertices of a tile, for each lane. The reference's own extent is summed
// about the tile's first vertex, so that nothing cancels.
struct alignas(64) ErrorSums {
  double distance[kFramesPerBlock];    // sum of |d|
  double square[kFramesPerBlock];      // sum of |d|^2
  double max[kFramesPerBlock];         // of |d|; -1: no vertex
  double max_vertex[kFramesPerBlock];  // the lowest that has it
  double first[3][kFramesPerBlock];    // [axis] the reference's first vertex
  double offset[3][kFramesPerBlock];   // [axis] sum of x - first
  double spread[kFramesPerBlock];      // sum of |x - first|^2
};

// Distances from the reference, which is float or double.
struct ErrorInput {
  const float* positions = nullptr;  // [vertex][axis][frame]
  const float* reference = nullptr;  // or
  const double* exact = nullptr;     // [vertex][axis][frame]
  int frame_count = kFramesPerBlock;
  VertexRange vertices;  // the arrays start at its first; at most kVerticesPerTile
  std::span<const double> limits = {};
};
struct ErrorOutput {
  ErrorSums* sums = nullptr;
  // [vertex], from the range's first: over its frame_count lanes
  double* square = nullptr;          // sum of |d|^2, in the order of frames
  double* max = nullptr;             // of |d|
  std::uint8_t* max_lane = nullptr;  // the first that has it
  // [frame][vertex], from the range's first; rows are row_size apart
  float* distances = nullptr;
  std::size_t row_size = 0;
  // [limit][frame]: how many vertices are over the limit, or not a number. Added to.
  std::int64_t* over = nullptr;
};
void measure_errors(const ErrorInput& input, const ErrorOutput& output);

// ---- percentiles

// The bits of a float that is not negative order it. (Drops the sign, which a NaN may have.)
inline std::uint32_t distance_bits(float distance) {
  return std::bit_cast<std::uint32_t>(distance) & 0x7FFFFFFFu;
}
// The upper half of them: a bin is 1/128 of an octave.
inline std::uint32_t distance_bin(float distance) {
  return distance_bits(distance) >> 16;
}

struct BitRange {
  std::uint32_t lowest, highest;
};
BitRange range_of_bits(std::span<const float> distances);

// Copies the distances that are in one of three bins, in order.
// Constraint: there is room for kCollectSlack more than they are.
inline constexpr std::size_t kCollectSlack = 16;  // the floats of a register
void collect_bins(std::span<const float> distances, const std::array<std::uint32_t, 3>& bins,
                  float* out);

// ---- volume

// The triangles (a, b, c) and (d, c, b), which share an edge, or one and d = the origin.
using TrianglePair = std::array<VertexIndex, 4>;
struct TrianglePairs {
  std::span<const TrianglePair> pairs;
  VertexIndex origin = 0;  // what volumes are summed about
};
struct CapEdges {
  std::span<const std::array<VertexIndex, 2>> edges;
  VertexIndex origin = 0;
};

// Six times the volume of the cones from the origin to the triangles, in the order of the pairs,
// for each lane. `positions`: [vertex][axis][frame] of the whole mesh.
using LaneVolumes = std::array<double, kFramesPerBlock>;
LaneVolumes six_volumes(const float* positions, const TrianglePairs& list);
LaneVolumes six_volumes(const float* positions, const CapEdges& cap);

// The same of one pose, [vertex][axis], and the area. `triangles`: the same ones, one by one.
struct PatchMeasure {
  double six_volume = 0, twice_area = 0;
};
PatchMeasure measure_patch(const double* positions, const TrianglePairs& list,
                           std::span<const std::array<VertexIndex, 3>> triangles);
PatchMeasure measure_patch(const double* positions, const CapEdges& cap);

}  // namespace skinbake
