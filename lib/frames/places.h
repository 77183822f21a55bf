// Numbers of lanes become places on a lattice, and those rows of shorts.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "skinbake/frames.h"

namespace skinbake {

inline constexpr std::size_t kShortsPerPlace = 4;  // three axes, and a gap of 0

// The least and the greatest of what was stored, along each axis in each frame.
struct alignas(64) PlaceRange {
  using Numbers = std::array<std::array<std::int32_t, kFramesPerBlock>, 3>;  // [axis][frame]
  Numbers least, most;

  PlaceRange();  // of nothing
  void widen(const PlaceRange& other);
};

// place = (x - centre) * places_per_metre, rounded to the nearest, halves away from 0; less that in
// `base`, clamped to -largest … largest. A way that no short holds is cut off: see `range`.
struct PlaceTask {
  const float* lanes = nullptr;  // [vertex][axis][frame], aligned to 64 bytes
  std::size_t vertices = 0;
  std::array<double, 3> centre{};
  double places_per_metre = 1;
  const std::int32_t* base = nullptr;  // [vertex][axis]
  std::int32_t largest = 32767;
  std::int16_t* rows = nullptr;  // out: [frame][vertex][kShortsPerPlace], all 16 of them
  std::size_t row_stride = 0;    // shorts from one frame to the next
};

// Widens `range` by what it stores.
void store_places(const PlaceTask& task, PlaceRange& range);

}  // namespace skinbake
