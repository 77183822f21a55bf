// The value of a channel at a time, as the glTF 2.0 specification defines it (appendix C).

#pragma once

#include "skinbake/clip.h"

namespace skinbake {

// Writes channel.width numbers; rotations (x y z w) are of unit length. Outside its keys a channel
// keeps its first or last value. At a key the value is that key's, the last one of equal times.
void sample(const Channel& channel, double time_s, double* value);

}  // namespace skinbake
