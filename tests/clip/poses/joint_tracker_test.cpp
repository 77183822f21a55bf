#include "clip/poses/rigid_pose.h"

#include <doctest/doctest.h>

#include <numbers>

#include "math/scalar.h"
#include "skinbake/error.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using std::numbers::pi;

// An upper arm and a forearm along y. The forearm twists at a constant rate of two turns per
// second.
struct Arm {
  Rig rig;
  Clip clip;
  RigidFactors factors;
  PoseSampler sampler;

  Arm()
      : rig(make_rig()),
        clip(make_clip()),
        factors(rig, {0, 0, 0}),
        sampler(rig, &clip, {0, 0, 0}) {}

  static Rig make_rig() {
    std::vector<Node> nodes(2);
    nodes[1].parent = 0;
    nodes[1].translation = {0, 1, 0};
    return test::loose({{0, 0, 0}, {0, 2, 0}}, nodes, {{{0, 1}}, {{1, 1}}});
  }
  static Clip make_clip() {
    std::vector<double> times, values;
    for (int k = 0; k <= 16; ++k) {  // a quarter turn per key
      const double half = pi * k / 4;
      times.push_back(k / 8.0);
      values.insert(values.end(), {0, std::sin(half), 0, std::cos(half)});
    }
    Clip clip;
    clip.channels = {
        test::channel(1, ChannelPath::kRotation, Interpolation::kLinear, times, values, 4)};
    return clip;
  }
};

}  // namespace

TEST_CASE("tracker: a twist is unwrapped at any frame rate") {
  const Arm arm;
  for (const double fps : {1.5, 24.0, 30.0, 240.0}) {  // 1.5: more than a turn per frame
    CAPTURE(fps);
    JointTracker tracker(arm.factors, arm.sampler, fps, nullptr);
    for (std::int64_t frame = 0; static_cast<double>(frame) / fps <= 2; ++frame) {
      const TrackedJoints& joints = tracker.advance(frame);
      CHECK(std::fabs(joints.twists[1] - 4 * pi * static_cast<double>(frame) / fps) < 1e-9);
      CHECK(joints.twists[0] == 0);
    }
  }
}

TEST_CASE("tracker: after one turn the sign of the quaternion is reversed, after two it is not") {
  const Arm arm;
  JointTracker tracker(arm.factors, arm.sampler, 30, nullptr);
  SampledPose pose;
  RigidPose rigid;
  PoseSampler sampler = arm.sampler;
  for (const std::int64_t frame : {0, 15, 30}) {  // no turn, one turn, two turns
    const TrackedJoints tracked = tracker.advance(frame);
    sampler.sample(static_cast<double>(frame) / 30, pose);
    arm.factors.factor(pose, rigid);
    tracked.sign(arm.factors.tree(), rigid);
    const double expected = frame == 15 ? -1 : 1;
    CHECK(std::fabs(rigid.posed_from_scaled[1].rotation.w - expected) < 1e-9);
  }
}

TEST_CASE("tracker: a frame of ages has a finite number of samples") {
  const Arm arm;
  JointTracker tracker(arm.factors, arm.sampler, 1e-300, nullptr);
  CHECK(tracker.advance(0).twists[1] == 0);
}

TEST_CASE("tracker: can be cancelled while it advances to a late frame") {
  const Arm arm;
  const std::atomic<bool> cancelled = true;
  JointTracker tracker(arm.factors, arm.sampler, 30, &cancelled);
  CHECK_THROWS_AS(tracker.advance(1000000), Cancelled);
}

}  // namespace skinbake
