#include "caches/glb_lattice.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skinbake {

namespace {

// Not below, so that what is farthest out still has a place.
float rounded_up(double x) {
  if (x > std::numeric_limits<float>::max()) return std::numeric_limits<float>::infinity();
  const auto near = static_cast<float>(x);
  return near < x ? std::nextafter(near, std::numeric_limits<float>::infinity()) : near;
}

}  // namespace

bool GlbLattice::holds_floats() const {
  constexpr float kFar = std::numeric_limits<float>::max() / 8;
  return scale > 0 && scale <= kFar &&
         std::all_of(centre.begin(), centre.end(), [](float x) { return std::abs(x) <= kFar; });
}

double GlbLattice::bound_m() const {
  constexpr double kHalfUnit = 1.0 / (1 << 24);  // of the float that is read
  constexpr double kSlack = 1 + 1e-9;            // roundings of doubles
  return kSlack * std::sqrt(3.0) * (step() / 2 + (farthest + step()) * kHalfUnit);
}

GlbLattice fit_lattice(const RangeSurvey& frames, int bits) {
  GlbLattice lattice;
  lattice.largest = (1 << (bits - 1)) - 1;
  const AlignedArray<float>& base = frames.base();
  if (base.size() == 0) return lattice;
  std::array<double, 3> low, high;  // of frame 0
  for (std::size_t axis = 0; axis < 3; ++axis) low[axis] = high[axis] = base[axis];
  double reach = 0;
  for (std::size_t i = 0; i < base.size(); ++i) {
    const double x = base[i], least = frames.low()[i], most = frames.high()[i];
    low[i % 3] = std::min(low[i % 3], x);
    high[i % 3] = std::max(high[i % 3], x);
    reach = std::max({reach, most - x, x - least});
    lattice.farthest = std::max({lattice.farthest, std::abs(least), std::abs(most)});
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    lattice.centre[axis] = static_cast<float>((low[axis] + high[axis]) / 2);
    const double centre = lattice.centre[axis];
    reach = std::max({reach, high[axis] - centre, centre - low[axis]});
  }
  if (reach > 0) lattice.scale = rounded_up(reach * kLargestShort / lattice.largest);
  return lattice;
}

}  // namespace skinbake
