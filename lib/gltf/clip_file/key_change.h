// The change of a node's keys for a node of another skeleton.

#pragma once

#include "math/scalar.h"
#include "skinbake/clip.h"

namespace skinbake::gltf {

// Every change is affine, so that in-between values and the tangents of cubic splines change alike.
struct KeyChange {
  Quat<double> before{1, 0, 0, 0}, after{1, 0, 0, 0};  // a rotation q becomes before q after
  Affine<double> place = kIdentity;                    // of a translation
  Vec3<double> stretch{1, 1, 1};                       // factors of the components of a scale
};

// Returns the channel with changed keys. Morph weights do not change, and the keys of a channel
// that the change leaves as it is stay shared.
Channel changed(const Channel& channel, const KeyChange& change);

}  // namespace skinbake::gltf
