#include "caches/glb_lattice.h"

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>

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

// How far later frames go, along an axis: from frame 0, and from the origin.
struct Extent {
  double way = 0, farthest = 0;

  void take(const Extent& other) {
    way = std::max(way, other.way);
    farthest = std::max(farthest, other.farthest);
  }
};

// The same whoever takes which frames: nothing is rounded.
Extent extent_of(const FrameSource& frames, const AlignedArray<float>& base) {
  tbb::enumerable_thread_specific<AlignedArray<float>> rows(
      [&] { return AlignedArray<float>(base.size()); });
  tbb::enumerable_thread_specific<Extent> extents;
  tbb::parallel_for(std::int64_t{1}, frames.frame_count(), [&](std::int64_t f) {
    AlignedArray<float>& row = rows.local();
    frames.read(f, 1, row.data());
    Extent extent;
    for (std::size_t i = 0; i < row.size(); ++i) {
      extent.take({std::abs(double{row[i]} - base[i]), std::abs(double{row[i]})});
    }
    extents.local().take(extent);
  });
  Extent all;
  for (const Extent& extent : extents) all.take(extent);
  return all;
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
  AlignedArray<float> base(static_cast<std::size_t>(frames.vertex_count()) * 3);
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
  const Extent later = extent_of(frames, base);
  reach = std::max(reach, later.way);
  lattice.farthest = std::max(lattice.farthest, later.farthest);
  if (reach > 0) lattice.scale = rounded_up(reach * kLargestShort / lattice.largest);
  return lattice;
}

}  // namespace skinbake
