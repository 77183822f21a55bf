// How the eyes of a VRM model follow a direction.
//
// VRM Consortium. VRMC_vrm-1.0, "LookAt". 2022.

#pragma once

#include "skinbake/face.h"
#include "skinbake/transform.h"

namespace skinbake {

// Where the eyes look, relative to the head, in degrees.
struct Gaze {
  double yaw_deg = 0;    // to the character's left
  double pitch_deg = 0;  // down
};

// The gaze of a rotation that is first about x, then about y: roll about z is left out. `q` is of
// unit length.
Gaze gaze_of(const Quat<double>& q);

// The rotations of the eyes relative to the head, about the axes of the character's frame: x to its
// left, y up, z forward.
struct EyeTurns {
  Quat<double> left, right;  // unit length
};
EyeTurns eye_turns(const LookAt& look, const Gaze& gaze);

// The weights of the expressions lookUp, lookDown, lookLeft and lookRight.
struct LookWeights {
  double up = 0, down = 0, left = 0, right = 0;
};
LookWeights look_weights(const LookAt& look, const Gaze& gaze);

}  // namespace skinbake
