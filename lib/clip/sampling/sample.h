// Samples of animation channels.

#pragma once

#include "math/scalar.h"
#include "skinbake/clip.h"

namespace skinbake {

// The word of glTF's channel.target.path.
constexpr const char* to_string(ChannelPath path) {
  switch (path) {
    case ChannelPath::kTranslation:
      return "translation";
    case ChannelPath::kRotation:
      return "rotation";
    case ChannelPath::kScale:
      return "scale";
    case ChannelPath::kWeights:
      break;
  }
  return "weights";
}

// ---- Samples an animation channel. Khronos Group. glTF 2.0 Specification, appendix C. 2021.

// Writes channel.width numbers to `value`. Rotations (x y z w) are of unit length. Before its first
// and after its last key a channel is constant. If several keys have the same time, the last
// one counts. A STEP key also counts up to 1e-6 s before its time, and from 32 s on up to half the
// distance of two floats there, so that a key in float32 counts at the frame that it was made for.
void sample(const Channel& channel, double time_s, double* value);

// Spherical linear interpolation of unit quaternions on the shorter arc. A share below 0 or above 1
// continues the arc.
Quat<double> slerp(const Quat<double>& a, Quat<double> b, double share);

}  // namespace skinbake
