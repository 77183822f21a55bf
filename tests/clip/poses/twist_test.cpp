#include "clip/poses/skinning.h"

#include <doctest/doctest.h>

#include <cmath>

#include "math/rotation_parts.h"
#include "skinbake/error.h"
#include "support/near.h"
#include "support/twisted_arm.h"

namespace skinbake {
namespace {

using test::about_x;
using test::about_y;
using test::distance;
using test::kDegree;
using test::turns;
using test::twisted;

constexpr NodeIndex kElbow = 1, kWrist = 2;
constexpr JointIndex kFirstHelper = 3;
const Vec3<double> kAxis{0, 1, 0};

Rig forearm(int helpers = 3) {
  return twisted(test::arm(), {"elbow", helpers, ShareTwist::From::kChild});
}
Rig upper(int helpers = 3) {
  return twisted(test::arm(), {"elbow", helpers, ShareTwist::From::kSelf});
}

std::vector<Affine<double>> posed(const Rig& rig, const Clip* clip, double time_s) {
  PoseSampler sampler(rig, clip, {0, 0, 0});
  SampledPose pose;
  sampler.sample(time_s, pose);
  return pose.posed_from_rest;
}

Affine<double> turned(double angle) {
  return to_affine(about_y(angle), {0, 0, 0});
}

Affine<double> rotation_of(Affine<double> m) {
  m.translation = {0, 0, 0};
  return m;
}

}  // namespace

TEST_CASE("twist: without a clip every helper is in the bind pose") {
  for (const Rig& rig : {forearm(), upper()}) {
    for (const Affine<double>& m : posed(rig, nullptr, 0)) CHECK(distance(m, kIdentity) < 1e-15);
  }
}

TEST_CASE("twist: the twist of the wrist is shared along the forearm for any number of turns") {
  for (const double degrees : {90.0, 180.0, 270.0, 540.0, -540.0, 3600.0}) {
    for (const int helpers : {1, 3, 8}) {
      const Rig rig = forearm(helpers);
      const Clip clip = test::winding(kWrist, degrees * kDegree, 2);
      for (const double part : {0.0, 0.3, 0.5, 0.77, 1.0}) {
        const auto m = posed(rig, &clip, 2 * part);
        CHECK(distance(m[1], kIdentity) < 1e-15);  // the elbow does not move
        for (int i = 1; i <= helpers + 1; ++i) {
          const double s = static_cast<double>(i) / (helpers + 1);
          const Affine<double> expected = turned(s * degrees * kDegree * part);
          CHECK(distance(m[kFirstHelper + i - 1], expected) < 2e-12);
        }
      }
    }
  }
}

TEST_CASE("twist: with `self` the twist is complete at the far end and removed at the near end") {
  for (const double degrees : {120.0, 270.0, -540.0}) {
    const Rig rig = upper(3);
    const Clip clip = test::winding(kElbow, degrees * kDegree);
    const auto m = posed(rig, &clip, 1);
    for (int i = 0; i <= 4; ++i) {
      CHECK(distance(m[kFirstHelper + i], turned(i / 4.0 * degrees * kDegree)) < 1e-12);
    }
  }
}

TEST_CASE("twist: a bend is not a twist, and only the twist is removed") {
  const Rig rig = upper(1);
  Clip clip;
  clip.channels = {turns(kElbow, {0}, {about_x(1.1) * about_y(0.8)})};
  const auto m = posed(rig, &clip, 0);
  const auto expected = [](double share) {
    return to_affine(about_x(1.1) * about_y(share * 0.8), {0, 0, 0});
  };
  for (int i = 0; i <= 2; ++i) {
    CHECK(distance(rotation_of(m[kFirstHelper + i]), expected(i / 2.0)) < 1e-14);
    // The axis passes through the joint, which does not move.
    CHECK(distance(m[kFirstHelper + i] * Vec3<double>{0, 1, 0}, {0, 1, 0}) < 1e-14);
  }
}

TEST_CASE("twist: tracking does not depend on the frames of the run") {
  const Rig rig = forearm(1);
  // 9.5 turns: half of them is a rotation of 4.75 turns, which differs from the identity.
  const Clip clip = test::winding(kWrist, 9.5 * 360 * kDegree);
  CHECK(distance(posed(rig, &clip, 1)[kFirstHelper], turned(9.5 / 2 * 360 * kDegree)) < 1e-11);

  PoseSampler forwards(rig, &clip, {0, 0, 0}), backwards(rig, &clip, {0, 0, 0});
  std::vector<Affine<double>> first, second(101, kIdentity);
  SampledPose pose;
  for (int i = 0; i <= 100; ++i) {
    forwards.sample(i / 100.0, pose);
    first.push_back(pose.posed_from_rest[kFirstHelper]);
  }
  for (int i = 100; i >= 0; i -= 1) {
    backwards.sample(i / 100.0, pose);
    second[i] = pose.posed_from_rest[kFirstHelper];
  }
  for (int i = 0; i <= 100; ++i) CHECK(test::same_bits(first[i], second[i]));
}

TEST_CASE("twist: constant after the last key, and nearest to zero at the start") {
  const Rig rig = forearm(1);
  const Clip clip = test::winding(kWrist, 540 * kDegree);
  CHECK(distance(posed(rig, &clip, 100)[kFirstHelper], turned(270 * kDegree)) < 1e-12);
  Clip held;
  held.channels = {turns(kWrist, {0}, {about_y(300 * kDegree)})};  // the same as -60 degrees
  CHECK(distance(posed(rig, &held, 0)[kFirstHelper], turned(-30 * kDegree)) < 1e-14);
}

TEST_CASE("twist: every key of a STEP channel is tracked") {
  const Rig rig = forearm(1);
  Clip clip;
  clip.channels = {turns(kWrist, {0, 0.001, 0.002, 0.003},
                         {about_y(0), about_y(2), about_y(4), about_y(6)}, Interpolation::kStep)};
  CHECK(distance(posed(rig, &clip, 0.0025)[kFirstHelper], turned(2)) < 1e-13);
  CHECK(distance(posed(rig, &clip, 1)[kFirstHelper], turned(3)) < 1e-13);
}

TEST_CASE("twist: a swing of half a turn keeps the previous angle") {
  const Rig rig = forearm(1);
  Clip clip;
  // Twisted by 1 rad, then bent until the segment points back at the elbow.
  const auto bent = [](double bend) { return about_x(bend * kDegree) * about_y(1); };
  clip.channels = {turns(kWrist, {0, 1, 2, 3}, {about_y(0), bent(0), bent(90), bent(180)})};
  for (const double time : {1.0, 1.5, 2.0, 2.9, 3.0}) {
    CHECK(distance(posed(rig, &clip, time)[kFirstHelper], turned(0.5)) < 1e-9);
  }
  CHECK_FALSE(twist_angle(bent(180), kAxis));  // the pose does not determine the angle
}

TEST_CASE("twist: a joint scaled to zero keeps the previous angle") {
  const Rig rig = forearm(1);
  Clip clip = test::winding(kWrist, 540 * kDegree);
  clip.channels.push_back(test::channel(kWrist, ChannelPath::kScale, Interpolation::kLinear,
                                        {0, 1, 1.5}, {1, 1, 1, 1, 1, 1, 0, 0, 0}, 3));
  CHECK(distance(posed(rig, &clip, 1.25)[kFirstHelper], turned(270 * kDegree)) < 1e-12);
  CHECK(distance(posed(rig, &clip, 1.5)[kFirstHelper], turned(270 * kDegree)) < 1e-12);
}

TEST_CASE("twist: the scale of the joint is kept and does not change the angle") {
  const Rig rig = forearm(1);
  Clip clip = test::winding(kWrist, 270 * kDegree);
  clip.channels.push_back(
      test::channel(kElbow, ChannelPath::kScale, Interpolation::kStep, {0}, {2, 2, 2}, 3));
  const Affine<double> m = posed(rig, &clip, 1)[kFirstHelper];
  CHECK(distance(0.5 * rotation_of(m), turned(135 * kDegree)) < 1e-12);
}

TEST_CASE("twist: helpers act on positions relative to the centre") {
  const Rig rig = forearm(2);
  Clip clip = test::winding(kWrist, 400 * kDegree);
  clip.channels.push_back(turns(kElbow, {0, 1}, {about_x(0), about_x(1)}));
  const Vec3<double> centre{3, -4, 5}, p{0.2, 1.5, -0.1};
  PoseSampler sampler(rig, &clip, centre);
  SampledPose pose;
  sampler.sample(0.6, pose);
  const auto plain = posed(rig, &clip, 0.6);
  for (std::size_t j = 0; j < plain.size(); ++j) {
    CHECK(distance(pose.posed_from_rest[j] * (p - centre), plain[j] * p) < 1e-14);
  }
}

TEST_CASE("twist: moving the whole arm does not change the shares") {
  const Rig rig = forearm(3);
  const Clip still = test::winding(kWrist, 540 * kDegree);
  Clip moved = still;
  moved.channels.push_back(turns(0, {0, 1}, {about_x(0), about_x(2)}));
  moved.channels.push_back(test::channel(0, ChannelPath::kTranslation, Interpolation::kLinear,
                                         {0, 1}, {0, 0, 0, 7, 8, 9}, 3));
  const auto a = posed(rig, &still, 0.9), b = posed(rig, &moved, 0.9);
  for (std::size_t j = 1; j < a.size(); ++j) CHECK(distance(b[0] * a[j], b[j]) < 1e-12);
}

TEST_CASE("twist: the samples of all twists together are limited") {
  std::vector<double> times;
  std::vector<Quat<double>> rotations;
  for (int k = 0; k < 1200; ++k) {
    times.push_back(10.0 * k);
    rotations.push_back(about_y(0));
  }
  Clip clip;
  clip.channels = {turns(kWrist, times, rotations)};
  Rig rig = forearm(1);
  TwistTracks tracks(rig, &clip);
  rig.twists.resize(8, rig.twists.front());
  CHECK_THROWS_AS(TwistTracks(rig, &clip), Error);
}

TEST_CASE("twist: a clip that needs too many samples is rejected by name") {
  std::vector<double> times;
  std::vector<Quat<double>> rotations;
  for (int k = 0; k < 2100; ++k) {
    times.push_back(10.0 * k);
    rotations.push_back(about_y(0));
  }
  Clip clip;
  clip.id = "long";
  clip.channels = {turns(kWrist, times, rotations)};
  const Rig rig = forearm(1);
  try {
    TwistTracks tracks(rig, &clip);
    FAIL("not rejected");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kInput);
    CHECK(error.code() == "TWIST_TOO_LONG");
    CHECK(std::string(error.what()).find("'long'") != std::string::npos);
  }
  clip.channels = {turns(kWrist, {0, 1e30}, {about_y(0), about_y(1)})};  // only two keys
  CHECK(distance(posed(rig, &clip, 1e30)[kFirstHelper], turned(0.5)) < 1e-12);
}

}  // namespace skinbake
