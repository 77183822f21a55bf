// How eyes follow a direction: closed forms.

#include "humanoid/motion/face_player.h"

#include <doctest/doctest.h>

#include <cmath>

#include "math/scalar.h"

using namespace skinbake;

namespace {

Quat<double> about(double degrees, const Vec3<double>& axis) {
  const double half = degrees * std::acos(-1.0) / 360, s = std::sin(half);
  return {std::cos(half), s * axis.x, s * axis.y, s * axis.z};
}

Quat<double> looking(double yaw_deg, double pitch_deg) {
  return about(yaw_deg, {0, 1, 0}) * about(pitch_deg, {1, 0, 0});
}

double difference(const Quat<double>& a, const Quat<double>& b) {
  return std::min(norm(a - b), norm(a + b));
}

LookAt ranges(LookType type) {
  LookAt look;
  look.type = type;
  look.inner = {60, 6};
  look.outer = {40, 20};
  look.down = {30, 15};
  look.up = {50, 5};
  return look;
}

}  // namespace

TEST_CASE("look-at: yaw and pitch of a rotation; roll does not count") {
  for (const double yaw : {-179.0, -30.0, 0.0, 45.0, 120.0}) {
    for (const double pitch : {-80.0, -1.0, 0.0, 60.0}) {
      for (const double roll : {0.0, 33.0}) {
        const Gaze gaze = gaze_of(looking(yaw, pitch) * about(roll, {0, 0, 1}));
        CHECK(gaze.yaw_deg == doctest::Approx(yaw).epsilon(1e-12));
        CHECK(gaze.pitch_deg == doctest::Approx(pitch).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("look-at: each eye has its own range towards the nose and away from it") {
  const LookAt look = ranges(LookType::kBones);
  EyeTurns eyes = eye_turns(look, {30, 10});  // left and down
  CHECK(difference(eyes.left, looking(15, 5)) < 1e-15);
  CHECK(difference(eyes.right, looking(3, 5)) < 1e-15);
  eyes = eye_turns(look, {-90, -25});  // right, farther than both ranges, and up
  CHECK(difference(eyes.left, looking(-6, -2.5)) < 1e-15);
  CHECK(difference(eyes.right, looking(-20, -2.5)) < 1e-15);
  eyes = eye_turns(look, {0, 0});
  CHECK(difference(eyes.left, {1, 0, 0, 0}) == 0);
}

TEST_CASE("look-at: expressions have the outer range for both sides") {
  LookAt look = ranges(LookType::kExpressions);
  look.outer.scale = look.down.scale = 1;
  look.up.scale = 0.5;
  LookWeights weights = look_weights(look, {30, 10});
  CHECK(weights.left == 0.75);
  CHECK(weights.right == 0);
  CHECK(weights.down == doctest::Approx(1.0 / 3));
  CHECK(weights.up == 0);
  weights = look_weights(look, {-100, -25});
  CHECK(weights.left == 0);
  CHECK(weights.right == 1);
  CHECK(weights.down == 0);
  CHECK(weights.up == 0.25);
}
