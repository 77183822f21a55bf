#include "caches/glb_lattice.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/aligned_array.h"

namespace skinbake {

namespace {

struct Span {
  float low = std::numeric_limits<float>::infinity();
  float high = -std::numeric_limits<float>::infinity();
};

std::array<Span, 3> span_of(const AlignedArray<float>& row) {
  std::array<Span, 3> spans;
  for (std::size_t i = 0; i < row.size(); ++i) {
    Span& span = spans[i % 3];
    span = {std::min(span.low, row[i]), std::max(span.high, row[i])};
  }
  return spans;
}

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
         std::all_of(center.begin(), center.end(), [](float x) { return std::abs(x) <= kFar; });
}

double GlbLattice::bound_m() const {
  constexpr double kHalfUnit = 1.0 / (1 << 24);  // of the float that is read
  constexpr double kSlack = 1 + 1e-9;            // roundings of doubles
  return kSlack * std::sqrt(3.0) * (step() / 2 + (farthest + step()) * kHalfUnit);
}

GlbLattice fit_lattice(const FrameSource& frames, int bits) {
  GlbLattice lattice;
  lattice.largest = (1 << (bits - 1)) - 1;
  AlignedArray<float> base(static_cast<std::size_t>(frames.vertex_count()) * 3), row(base.size());
  if (base.size() == 0) return lattice;
  frames.read(0, 1, base.data());
  double reach = 0;
  const std::array<Span, 3> spans = span_of(base);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double low = spans[axis].low, high = spans[axis].high;
    lattice.center[axis] = static_cast<float>((low + high) / 2);
    const double center = lattice.center[axis];
    reach = std::max({reach, high - center, center - low});
    lattice.farthest = std::max({lattice.farthest, std::abs(low), std::abs(high)});
  }
  for (std::int64_t f = 1; f < frames.frame_count(); ++f) {
    frames.read(f, 1, row.data());
    for (std::size_t i = 0; i < row.size(); ++i) {
      reach = std::max(reach, std::abs(double{row[i]} - base[i]));
      lattice.farthest = std::max(lattice.farthest, std::abs(double{row[i]}));
    }
  }
  if (reach > 0) lattice.scale = rounded_up(reach * kLargestShort / lattice.largest);
  return lattice;
}

}  // namespace skinbake
