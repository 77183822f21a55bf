#include "frames/places.h"

#include <algorithm>
#include <limits>

namespace skinbake {

PlaceRange::PlaceRange() {
  for (auto& frames : least) frames.fill(std::numeric_limits<std::int32_t>::max());
  for (auto& frames : most) frames.fill(std::numeric_limits<std::int32_t>::min());
}

void PlaceRange::widen(const PlaceRange& other) {
  for (std::size_t axis = 0; axis < least.size(); ++axis) {
    for (std::size_t frame = 0; frame < kFramesPerBlock; ++frame) {
      least[axis][frame] = std::min(least[axis][frame], other.least[axis][frame]);
      most[axis][frame] = std::max(most[axis][frame], other.most[axis][frame]);
    }
  }
}

}  // namespace skinbake
