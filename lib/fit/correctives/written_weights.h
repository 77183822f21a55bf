// The weights of targets as they are written: keys in float32 between 0 and 1, because some
// programs clamp weights. A target whose weight runs from a to b is scaled by b - a,
//
//     v(f) U = (a + key(f) (b - a)) U      key = (v - a) / (b - a),  T = (b - a) U
//
// and the part a U moves into the rest positions. The key of the rest, -a / (b - a), removes it
// again where no clip moves the target.

#pragma once

#include <vector>

#include "fit/correctives/basis.h"

namespace skinbake::fit {

struct WrittenWeights {
  double range = 0;         // b - a: the factor of the target
  float rest = 0;           // key
  std::vector<float> keys;  // [frame]

  // The keys without that of the rest, [frame]: the factors of the written target.
  std::vector<double> factors() const;
};

WrittenWeights write_weights(const Basis& basis, std::size_t function);

}  // namespace skinbake::fit
