// Muscles that leave their ranges.

#include "humanoid/motion/pose_source.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace skinbake;

namespace {

// A pose in which some muscles have the given angles.
NamedPose posed(const std::map<const char*, double>& angles) {
  PerMuscle<double> degrees{};
  for (const auto& [name, angle] : angles) degrees[index_of(*muscle(name))] = angle;
  return {"", std::nullopt, rotations_of(degrees), std::nullopt};
}

}  // namespace

TEST_CASE("limits: the range of motion keeps them") {
  std::vector<HumanoidBone> bones;
  for (const HumanBone& bone : kHumanBones) bones.push_back({std::string(bone.name), 0});
  const RangeOfMotion motion(body_parts(""), bones, {});
  const auto frames = static_cast<std::int64_t>(motion.key_times().back()) * 5 + 1;
  CHECK(muscles_outside(motion, {5, 0, 1, frames}, {}).empty());

  const auto found = muscles_outside(motion, {5, 0, 1, frames}, {{"jawClose", {-10, 4}}});
  REQUIRE(found.size() == 1);
  CHECK(found[0].muscle->name == "jawClose");
  CHECK(std::abs(found[0].worst_excess_deg - 6) < 1e-9);
  CHECK(found[0].frames == 5);  // at 6, 8, 10, 8 and 6 degrees
  CHECK(found[0].runs.size() == 1);
}

TEST_CASE("limits: each muscle has its frames, its worst frame and its excess") {
  const PoseList list({posed({{"leftForearmStretch", 3}, {"headTwist", 50}}),
                       posed({{"leftForearmStretch", 8}}),  //
                       posed({{"leftForearmStretch", -20}}),
                       posed({{"leftForearmStretch", 5}, {"headTwist", -60}})},
                      30, {0, 1, 0});
  const auto found = muscles_outside(list, {30, 0, 1, 4}, {});
  REQUIRE(found.size() == 2);
  CHECK(found[0].muscle->name == "headTwist");
  CHECK(found[0].worst_frame == 3);
  CHECK(std::abs(found[0].worst_angle_deg + 60) < 1e-9);
  CHECK(std::abs(found[0].worst_excess_deg - 20) < 1e-9);
  CHECK(found[1].muscle->name == "leftForearmStretch");
  CHECK(found[1].range.max_deg == 0);
  CHECK(found[1].worst_frame == 1);
  CHECK(std::abs(found[1].worst_excess_deg - 8) < 1e-9);
  CHECK(found[1].frames == 3);
  REQUIRE(found[1].runs.size() == 2);
  CHECK(found[1].runs[0].first == 0);
  CHECK(found[1].runs[0].last == 1);
  CHECK(found[1].runs[1].first == 3);

  const auto every_third = muscles_outside(list, {30, 0, 3, 2}, {});
  REQUIRE(every_third.size() == 2);
  CHECK(every_third[1].worst_frame == 3);
  REQUIRE(every_third[1].runs.size() == 1);  // frames 0 and 3 follow each other
  CHECK(every_third[1].runs[0].last == 3);
}

TEST_CASE("limits: rounding at the end of a range is no excess") {
  CHECK(
      muscles_outside(PoseList({posed({{"headTwist", 40.0009}})}, 30, {0, 1, 0}), {30, 0, 1, 1}, {})
          .empty());
  CHECK(
      muscles_outside(PoseList({posed({{"headTwist", 40.0011}})}, 30, {0, 1, 0}), {30, 0, 1, 1}, {})
          .size() == 1);
}
