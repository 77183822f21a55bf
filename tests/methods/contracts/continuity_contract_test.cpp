// Continuity of methods in time: no vertex may jump if its joints move continuously. The exceptions
// are declared properties (kContinuity): a joint that passes half a turn, and a scale that passes
// zero.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "clip/poses/skinning.h"
#include "math/scalar.h"
#include "methods/contracts/contract.h"
#include "methods/two_joints.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using test::Capture;
using test::captured;
using test::distance;
using test::for_each_method;
using test::Local;
using test::rest;
using test::TwoJoints;

// Checks that vertices move by at most `allowed` in a frame if the method has the property, and by
// more if it does not.
void check_step(const Method& method, Property property, double step, double allowed) {
  test::check(method, property, {step - allowed, 0}, {0, 1});
}

// The farthest that any vertex moves from one frame to the next.
double worst_jump(const Capture& capture, VertexIndex vertices) {
  double worst = 0;
  for (std::int64_t f = 1; f < capture.frame_count(); ++f) {
    for (VertexIndex v = 0; v < vertices; ++v) {
      worst = std::max(worst, distance(capture.exact_at(f, v), capture.exact_at(f - 1, v)));
    }
  }
  return worst;
}

// The farthest that any joint would move any vertex from one frame to the next.
double worst_joint_step(const Rig& rig, const Clip& clip, std::int64_t steps) {
  PoseSampler sampler(rig, &clip, {0, 0, 0});
  SampledPose before, after;
  double worst = 0;
  for (std::int64_t f = 1; f <= steps; ++f) {
    sampler.sample(static_cast<double>(f - 1) / static_cast<double>(steps), before);
    sampler.sample(static_cast<double>(f) / static_cast<double>(steps), after);
    for (std::size_t j = 0; j < rig.joints.size(); ++j) {
      for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
        const Vec3<double> p = rest(rig, v);
        worst =
            std::max(worst, distance(before.posed_from_rest[j] * p, after.posed_from_rest[j] * p));
      }
    }
  }
  return worst;
}

// The scale of the second last joint, which is turned relative to its parent, passes through zero
// along `axes`, from 0.1 to -0.1 in a second.
Clip through_zero(const Rig& rig, const Vec3<double>& axes, int steps) {
  std::vector<std::vector<Local>> frames;
  for (int f = 0; f <= steps; ++f) {
    std::vector<Local>& locals = frames.emplace_back();
    for (const Node& node : rig.skeleton->nodes) {
      locals.push_back({node.translation, node.rotation, node.scale});
    }
    const double s = 0.1 - 0.2 * f / steps;
    Local& joint = locals[static_cast<std::size_t>(rig.joints[rig.joints.size() - 2].node)];
    joint.rotation = {0.8, 0.48, 0.36, 0};
    joint.scale = {axes.x > 0 ? s : 1, axes.y > 0 ? s : 1, axes.z > 0 ? s : 1};
  }
  return test::clip_of(frames, steps);
}

}  // namespace

TEST_CASE("method: a clip in small steps moves no vertex by more than its joints move") {
  const Rig rig = test::tube({.rings = 5, .segments = 6, .joints = 4, .influences = 3});
  const Clip clip = test::turning_clip(rig, {0.48, 0.6, 0.64}, 3);
  constexpr std::int64_t kSteps = 240;
  for_each_method([&](const Method&, const std::string& name) {
    const Capture capture = captured(test::plan_of(rig, &clip, kSteps + 1, kSteps), name);
    CHECK(worst_jump(capture, rig.mesh->vertex_count()) < 3 * worst_joint_step(rig, clip, kSteps));
  });
}

TEST_CASE("method: no vertex jumps where a joint passes half a turn") {
  for_each_method([&](const Method& method, const std::string& name) {
    const TwoJoints joints(test::kTwist, name, 60, 240);
    // The arc of one degree, times three: blends turn faster in the middle.
    check_step(method, kKeepsHalfTurns, joints.worst_step(),
               3 * test::kRadius * TwoJoints::radians(1));
  });
}

TEST_CASE("method: no vertex jumps where a joint's scale passes through zero") {
  // The tube is so long that delta mush does not smooth its constant part into the end that
  // shrinks.
  const Rig rig = test::tube({.rings = 34, .segments = 4, .joints = 5, .influences = 2});
  constexpr int kSteps = 20;
  const Clip clips[] = {through_zero(rig, {1, 0, 0}, kSteps), through_zero(rig, {1, 1, 1}, kSteps)};
  for_each_method([&](const Method& method, const std::string& name) {
    double beyond = -1;
    for (const Clip& clip : clips) {
      const Capture capture = captured(test::plan_of(rig, &clip, kSteps + 1, kSteps), name);
      beyond = std::max(beyond, worst_jump(capture, rig.mesh->vertex_count()) -
                                    3 * worst_joint_step(rig, clip, kSteps));
    }
    check_step(method, kKeepsZeroScales, beyond, 0);
  });
}

}  // namespace skinbake
