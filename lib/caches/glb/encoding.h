// How a baked GLB stores numbers: the component types of glTF.
//
// glTF 2.0 specification, 3.6.2.2 (component types).

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

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

inline constexpr int kMaxInt16 = 32767;

struct GlbGrid {
  std::array<float, 3> centre{};  // the node's translation
  float scale = 1;                // the node's uniform scale
  int max_quantized = kMaxInt16;  // limit of |q| in frame 0, and of |q| of a displacement
  double max_coordinate = 0;      // the largest |x| in all frames

  double step() const { return double{scale} / kMaxInt16; }
  double steps_per_metre() const { return kMaxInt16 / double{scale}; }

  // The nearest q of a coordinate. In later frames |q| may reach twice max_quantized. The
  // displacement from frame 0 stays within max_quantized, except for half a step at either end.
  // There the caller clamps it, and the error stays within bound_m().
  int quantized(float x, std::size_t axis) const {
    const double q = (double{x} - centre[axis]) * steps_per_metre();
    return static_cast<int>(q < 0 ? q - 0.5 : q + 0.5);
  }
  float position(double q, std::size_t axis) const {
    return static_cast<float>(centre[axis] + q * step());
  }

  // Whether every coordinate on the grid is a finite float.
  bool fits_float() const {
    constexpr float kLimit = std::numeric_limits<float>::max() / 8;
    return scale > 0 && scale <= kLimit &&
           std::all_of(centre.begin(), centre.end(), [](float x) { return std::abs(x) <= kLimit; });
  }

  // The largest distance between a position and its decoded value: half a step along each axis,
  // and the rounding of the decoded float.
  double bound_m() const {
    constexpr double kUnitRoundoff = 1.0 / (1 << 24);  // of a float
    constexpr double kSlack = 1 + 1e-9;                // covers roundings in double
    return kSlack * std::sqrt(3.0) * (step() / 2 + (max_coordinate + step()) * kUnitRoundoff);
  }
};

}  // namespace skinbake
