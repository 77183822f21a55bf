// Conversions between the lanes of a block and rows of a file. The bits do not depend on the
// instruction set.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "math/bounds.h"
#include "skinbake/frames.h"

namespace skinbake {

// Widens the ranges low[number] … high[number] by all frames of the number, for `count` numbers.
// block: [number][16 frames], aligned to 64 bytes.
void widen_by_lanes(const float* block, std::size_t count, float* low, float* high);

struct RowDifference {
  Box bounds;             // of all differences
  std::size_t moved = 0;  // differences that are not zero
};

// Computes row -= base, rounded once; both are [vector][axis].
RowDifference subtract_row(const float* base, float* row, std::size_t vectors);

inline constexpr std::size_t kShortsPerPosition = 4;  // three axes, and a padding of 0

// The range of the stored integers, along each axis in each frame.
struct alignas(64) QuantizedRange {
  using Numbers = std::array<std::array<std::int32_t, kFramesPerBlock>, 3>;  // [axis][frame]
  Numbers least, most;

  QuantizedRange();  // empty
  void widen(const QuantizedRange& other);
};

// A stored integer is the displacement of a quantized position from the base frame's position:
//
//     q      = (x - centre) * steps_per_metre, rounded to the nearest, halves away from 0
//     stored = q - base, clamped to -largest … largest
//
// A clamped displacement shows in `range`, which reaches -largest or largest.
struct QuantizeTask {
  const float* lanes = nullptr;  // [vertex][axis][frame], aligned to 64 bytes
  std::size_t vertices = 0;
  std::array<double, 3> centre{};
  double steps_per_metre = 1;          // of the grid
  const std::int32_t* base = nullptr;  // [vertex][axis] q of the base frame
  std::int32_t largest = 32767;
  std::int16_t* rows = nullptr;  // output: [frame][vertex][kShortsPerPosition], all 16 frames
  std::size_t row_stride = 0;    // shorts from one frame to the next
};

// Widens `range` by the stored integers.
void store_quantized(const QuantizeTask& task, QuantizedRange& range);

// Rounds numbers to halves as to_half does. Returns the largest magnitude; infinity if a half is
// infinite.
float round_to_halves(const float* numbers, std::size_t count, std::uint16_t* halves);

// At most kVerticesPerTile vertices in the 16 frames of a block. The texel of a coordinate x is
// ((x - base) - low) * factor, 0 … 1; the displacement x - base is rounded to float.
struct TexelTask {
  const float* lanes = nullptr;  // [vertex][axis][frame], aligned to 64 bytes
  std::size_t vertices = 0;
  const float* base = nullptr;  // [vertex][axis]
  std::array<double, 3> low{}, factor{};
};

// The texels of one axis: [vertex][frame], rounded to float, aligned to 64 bytes.
void make_texels(const TexelTask& task, std::size_t axis, float* texels);

// The texels of a 16-bit PNG: red, green, blue and an alpha of 65535, big-endian, rounded to the
// nearest. The vertices of a frame follow one another at rows + frame * stride (bytes).
void put_png_texels(const TexelTask& task, unsigned char* rows, std::size_t stride);

}  // namespace skinbake
