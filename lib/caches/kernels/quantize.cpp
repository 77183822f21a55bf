#include "caches/kernels/quantize.h"

#include <algorithm>
#include <limits>

namespace skinbake {

QuantizedRange::QuantizedRange() {
  for (auto& frames : least) frames.fill(std::numeric_limits<std::int32_t>::max());
  for (auto& frames : most) frames.fill(std::numeric_limits<std::int32_t>::min());
}

void QuantizedRange::widen(const QuantizedRange& other) {
  for (std::size_t axis = 0; axis < least.size(); ++axis) {
    for (std::size_t frame = 0; frame < kFramesPerBlock; ++frame) {
      least[axis][frame] = std::min(least[axis][frame], other.least[axis][frame]);
      most[axis][frame] = std::max(most[axis][frame], other.most[axis][frame]);
    }
  }
}

}  // namespace skinbake
