// Bakes of modified rigs, with every method.

#include "skinbake/rig.h"

#include <doctest/doctest.h>

#include <cmath>
#include <tuple>

#include "math/rotation_parts.h"
#include "skinbake/methods.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/twisted_arm.h"

namespace skinbake {
namespace {

using test::Capture;
using test::captured;
using test::distance;
using test::kDegree;
using test::plan_of;

constexpr NodeIndex kWrist = 2;

Vec3<double> rest(const Rig& rig, VertexIndex v) {
  const float* p = rig.mesh->positions.data() + std::size_t{v} * 3;
  return {p[0], p[1], p[2]};
}

double radius(const Vec3<double>& p) {
  return std::hypot(p.x, p.z);
}

Rig modified(const Rig& rig, const std::vector<Modifier>& modifiers) {
  const Rig* rigs[] = {&rig};
  return modify(rigs, modifiers, {}).front().rig;
}

}  // namespace

TEST_CASE("modifiers: a rig in its bind pose does not move, by any method") {
  const Rig rig = modified(
      test::tube({.joints = 4, .influences = 4}),
      {ShareTwist{"joint1", 3, ShareTwist::From::kSelf},
       ShareTwist{"joint2", 2, ShareTwist::From::kChild}, parse_modifier("profile", "unreal-4")});
  for (const MethodInfo& method : methods()) {
    const Capture still = captured(rig, nullptr, 1, method.id);
    for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
      CHECK(distance(still.at(0, v), rest(rig, v)) < 1e-6);
    }
  }
}

TEST_CASE("modifiers: rigs of different weights in one bake equal those of separate bakes") {
  const Rig plain = test::tube({.joints = 4, .influences = 4});
  const Rig few = modified(plain, {parse_modifier("influences", "1")});
  const Clip clip = test::turning_clip(plain, {1, 0, 0}, 2);
  for (const MethodInfo& info : methods()) {
    CAPTURE(info.id);
    const Method method = parse_method(info.id);
    Capture of_plain(plain), of_few(few);
    BakePlan plan = plan_of(plain, &clip, 20);
    plan.runs = {{method, {&of_few}, &few}, {method, {&of_plain}}};
    plan.reference = {Reference::Kind::kMethod, method};
    bake(plan);
    CHECK(of_plain.positions == captured(plain, &clip, 20, info.id).positions);
    CHECK(of_few.positions == captured(few, &clip, 20, info.id).positions);
    CHECK(of_few.positions != of_plain.positions);
    // The reference blends the plan's rig, not that of the first run.
    CHECK(of_few.reference == of_plain.positions);
    plan.reference = {Reference::Kind::kExact};
    of_few = Capture(few);
    bake(plan);
    CHECK(distance(of_few.at(19, 20), of_few.exact_at(19, 20)) < 1e-5);
  }
}

TEST_CASE(
    "modifiers: a forearm wound by 540 degrees keeps its radius at its stations, and where "
    "the method is rigid everywhere") {
  const Rig plain = test::arm();
  const Rig split = test::twisted(plain, {"elbow", 3, ShareTwist::From::kChild});
  const Clip clip = test::winding(kWrist, 540 * kDegree, 1);
  for (const char* method : {"lbs", "dqs"}) {
    const Capture wound = captured(split, &clip, 31, method);
    for (VertexIndex v = 0; v < 72; ++v) {
      const Vec3<double> p = rest(split, v);
      const double s = p.y - 1;  // rings at eighths; stations at quarters
      const bool station = v / 8 % 2 == 0;
      const Vec3<double> expected = rotation_about({0, 1, 0}, s * 540 * kDegree, {0, 0, 0}) * p;
      if (station || method[0] == 'd') {
        CHECK(distance(wound.at(30, v), expected) < 3e-7);
      } else {  // halfway between stations that differ by 135 degrees
        CHECK(radius(wound.at(30, v)) ==
              doctest::Approx(0.25 * std::cos(67.5 * kDegree)).epsilon(1e-5));
      }
      CHECK(radius(wound.at(30, v)) <= 0.25 + 1e-7);
    }
  }
}

TEST_CASE("modifiers: the bits of a frame do not depend on the range that is baked") {
  const Rig rig = test::twisted(test::arm(), {"elbow", 3, ShareTwist::From::kChild});
  const Clip clip = test::winding(kWrist, 1234 * kDegree, 2);
  const Capture all = captured(rig, &clip, 61, "dqs");
  for (const auto& [first, step, count] :
       {std::tuple{0, 1, 5}, std::tuple{17, 1, 20}, std::tuple{3, 7, 8}, std::tuple{60, 1, 1}}) {
    BakePlan plan = plan_of(rig, &clip, count);
    plan.frames.first_frame = first;
    plan.frames.frame_step = step;
    plan.threads = 2;
    const Capture some = captured(plan, "dqs");
    for (int k = 0; k < count; ++k) {
      for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
        CHECK(test::same_bits(some.at(k, v), all.at(first + k * step, v)));
      }
    }
  }
}

}  // namespace skinbake
