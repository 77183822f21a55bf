// The lattice of a quantised mesh: x = center + scale * q / 32767 along every axis, with
// |q| < 2^15.
//
// Khronos Group. KHR_mesh_quantization. glTF extension, 2020.

#pragma once

#include <array>
#include <cstdint>

#include "caches/range_survey.h"

namespace skinbake {

inline constexpr int kLargestShort = 32767;

struct GlbLattice {
  std::array<float, 3> center{};  // the node's translation
  float scale = 1;                // the node's scale
  int largest = kLargestShort;    // |q| of frame 0, and of what is added to it
  double farthest = 0;            // |coordinate| of all frames

  double step() const { return double{scale} / kLargestShort; }
  double places_per_metre() const { return kLargestShort / double{scale}; }

  // Places along one axis, rounded once. A place of a later frame may be twice as far out; its way
  // from that in frame 0 is not, but for half a step at either end, which costs nothing.
  int place(float x, std::size_t axis) const {
    const double q = (double{x} - center[axis]) * places_per_metre();
    return static_cast<int>(q < 0 ? q - 0.5 : q + 0.5);
  }
  float position(double q, std::size_t axis) const {
    return static_cast<float>(center[axis] + q * step());
  }

  // Whether no place is beyond what a float holds.
  bool holds_floats() const;

  // The largest distance between a position and what is read of it.
  double bound_m() const;
};

// The finest lattice of so many bits that holds frame 0 and every way from there. Its scale is
// infinite if there is none.
GlbLattice fit_lattice(const RangeSurvey& frames, int bits);

}  // namespace skinbake
