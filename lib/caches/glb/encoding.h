// How a baked GLB stores numbers: the component types of glTF.
//
// glTF 2.0 specification, 3.6.2.2 (component types).

#pragma once

#include <cstddef>
#include <cstdint>

namespace skinbake {

// Values of an accessor's componentType.
inline constexpr int kComponentInt16 = 5122, kComponentUint16 = 5123, kComponentUint32 = 5125,
                     kComponentFloat = 5126;

// Chunks, and all data in the binary chunk, start at a multiple of 4 bytes.
constexpr std::uint64_t padded_to_4(std::uint64_t size) {
  return (size + 3) & ~std::uint64_t{3};
}

// The largest JSON chunk that is written and read: parsed, it takes up to ten times its size.
inline constexpr std::uint64_t kMaxGlbJsonBytes = std::uint64_t{64} << 20;

// Coordinates of a position.
inline constexpr std::size_t kAxes = 3;
// A quantized vertex is three int16 and one int16 of padding, or of a tangent's sign.
inline constexpr std::size_t kInt16PerVertex = 4;
inline constexpr std::size_t kQuantizedVertexBytes = kInt16PerVertex * sizeof(std::int16_t);
inline constexpr std::size_t kFloatVertexBytes = kAxes * sizeof(float);

}  // namespace skinbake
