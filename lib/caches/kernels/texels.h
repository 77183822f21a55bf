// Conversion of the lanes of a tile to texels. The bits do not depend on the instruction set.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "skinbake/frames.h"

namespace skinbake {

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
