// Lanes of a tile become texels. Gives the same bits on every instruction set.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "skinbake/frames.h"

namespace skinbake {

// Some vertices, kVerticesPerTile at most, in the 16 frames of a block. Of a number x along an
// axis, a texel is ((x - base) - low) * factor, 0 … 1; the first difference is rounded to float.
struct TexelTask {
  const float* lanes = nullptr;  // [vertex][axis][frame], aligned to 64 bytes
  std::size_t vertices = 0;
  const float* base = nullptr;  // [vertex][axis]
  std::array<double, 3> low{}, factor{};
};

// Along one axis: [vertex][frame], rounded to float, aligned to 64 bytes.
void make_texels(const TexelTask& task, std::size_t axis, float* texels);

// As a 16-bit PNG has them: red, green, blue, and an alpha of 65535; big-endian, rounded to the
// nearest. Those of a frame follow one another at rows + frame * stride.
void put_png_texels(const TexelTask& task, unsigned char* rows, std::size_t stride);

}  // namespace skinbake
