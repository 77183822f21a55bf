#include "humanoid/motion/look_at.h"

#include <algorithm>
#include <cmath>

#include "humanoid/pose/human_pose.h"
#include "math/scalar.h"

namespace skinbake {

namespace {

constexpr double kDegree = 0.017453292519943295;  // radians

double mapped(const LookRange& range, double degrees) {
  return range.scale * (std::min(std::abs(degrees), range.most_deg) / range.most_deg);
}

// Files may contain any scale: whole turns are left out, two because of the half angles.
double in_two_turns(double degrees) {
  return std::remainder(degrees, 720);
}

Quat<double> turn(double yaw_deg, double pitch_deg) {
  return about({0, 1, 0}, in_two_turns(yaw_deg) * kDegree) *
         about({1, 0, 0}, in_two_turns(pitch_deg) * kDegree);
}

}  // namespace

Gaze gaze_of(const Quat<double>& q) {
  // The third column of the rotation matrix is the direction of the eyes.
  const double x = 2 * (q.x * q.z + q.w * q.y), y = 2 * (q.y * q.z - q.w * q.x);
  const double z = 1 - 2 * (q.x * q.x + q.y * q.y);
  return {atan2(x, z) / kDegree, atan2(-y, std::sqrt(x * x + z * z)) / kDegree};
}

EyeTurns eye_turns(const LookAt& look, const Gaze& gaze) {
  const bool to_left = gaze.yaw_deg > 0;
  const double out = mapped(look.outer, gaze.yaw_deg), in = mapped(look.inner, gaze.yaw_deg);
  const double pitch =
      gaze.pitch_deg > 0 ? mapped(look.down, gaze.pitch_deg) : -mapped(look.up, gaze.pitch_deg);
  return {turn(to_left ? out : -in, pitch), turn(to_left ? in : -out, pitch)};
}

LookWeights look_weights(const LookAt& look, const Gaze& gaze) {
  LookWeights weights;
  (gaze.yaw_deg > 0 ? weights.left : weights.right) = mapped(look.outer, gaze.yaw_deg);
  if (gaze.pitch_deg > 0) {
    weights.down = mapped(look.down, gaze.pitch_deg);
  } else {
    weights.up = mapped(look.up, gaze.pitch_deg);
  }
  return weights;
}

}  // namespace skinbake
