// Quantization of positions to a grid: lanes become rows of 16-bit integers.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "skinbake/frames.h"

namespace skinbake {

inline constexpr std::size_t kShortsPerPosition = 4;  // three axes, and a padding of 0

// The range of the stored integers, along each axis in each frame.
struct alignas(64) QuantizedRange {
  using Numbers = std::array<std::array<std::int32_t, kFramesPerBlock>, 3>;  // [axis][frame]
  Numbers least, most;

  QuantizedRange();  // empty
  void widen(const QuantizedRange& other);
};

// A stored integer is the displacement of a quantized position from that of a base frame:
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

}  // namespace skinbake
