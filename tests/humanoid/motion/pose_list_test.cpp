// Lists of poses: their times and what is between them.

#include "humanoid/motion/pose_source.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "math/scalar.h"

using namespace skinbake;

namespace {

constexpr Vec3<double> kRest{0, 1, 0.25};  // a place of the hips

// The head turned to the left.
NamedPose turned(const char* name, double degrees, std::optional<double> hold_s = std::nullopt) {
  NamedPose pose;
  pose.name = name;
  pose.hold_s = hold_s;
  const double half = degrees * std::numbers::pi / 360;
  pose.rotations.bones[human_bone_index("head")] = {std::cos(half), 0, std::sin(half), 0};
  return pose;
}

double degrees_at(const PoseSource& list, double time_s) {
  const Quat<double> q = *list.pose(time_s).turns[human_bone_index("head")];
  return 2 * std::atan2(q.y, q.w) * 180 / std::numbers::pi;
}

}  // namespace

TEST_CASE("pose list: pose k is frame k, and stays until the next frame") {
  const double fps = 29.97;
  std::vector<NamedPose> poses;
  for (int k = 0; k < 50; ++k) poses.push_back(turned("turned", k));
  poses[7].name = "seven";
  const PoseList list(poses, fps, kRest);
  REQUIRE(list.key_times().size() == 50);
  for (int k = 0; k < 50; ++k) {
    CHECK(list.key_times()[static_cast<std::size_t>(k)] == k / fps);
    CHECK(std::abs(degrees_at(list, k / fps) - k) < 1e-12);
    CHECK(std::abs(degrees_at(list, (k + 0.7) / fps) - k) < 1e-12);
  }
  CHECK(list.name(7 / fps) == "seven");
  CHECK(list.name(6.9 / fps) == "turned");
  CHECK(degrees_at(list, -1) == 0);
  CHECK(std::abs(degrees_at(list, 100) - 49) < 1e-12);
}

TEST_CASE("pose list: poses blend over the time that they hold, at constant speed") {
  const PoseList list({turned("a", 10, 2), turned("b", 50), turned("c", -20, 0.5)}, 10, kRest);
  const std::vector<double> times{0, 2, 2.1, 2.6};
  REQUIRE(list.key_times().size() == times.size());
  for (std::size_t k = 0; k < times.size(); ++k) {
    CHECK(std::abs(list.key_times()[k] - times[k]) < 1e-12);
  }
  CHECK(std::abs(degrees_at(list, 0.5) - 20) < 1e-12);
  CHECK(std::abs(degrees_at(list, 1.5) - 40) < 1e-12);
  CHECK(list.name(0.9) == "a");
  CHECK(list.name(1.1) == "b");
  CHECK(std::abs(degrees_at(list, 2.05) - 50) < 1e-12);
  CHECK(std::abs(degrees_at(list, 2.1) + 20) < 1e-12);
  CHECK(std::abs(degrees_at(list, 2.4) + 20) < 1e-12);
  CHECK(list.name(2.6) == "c");
}

TEST_CASE("pose list: a blend takes the shorter arc, and a bone without a rotation is not turned") {
  NamedPose far = turned("far", 350, 1), none;
  none.name = "none";
  const PoseList list({far, none}, 30, kRest);
  CHECK(std::abs(std::remainder(degrees_at(list, 0.5) + 5, 360)) < 1e-9);
  CHECK(std::abs(std::remainder(degrees_at(list, 0.9) + 1, 360)) < 1e-9);
}

TEST_CASE("pose list: hips move with the poses, and stay where the pose before has them") {
  NamedPose a = turned("a", 0, 1), b = turned("b", 0, 1), c = turned("c", 0);
  a.hips = Vec3<double>{0, 1, 0};
  c.hips = Vec3<double>{0, 0.5, 2};
  const PoseList list({a, b, c}, 30, kRest);
  CHECK(list.pose(0.5).hips->y == 1);
  CHECK(list.pose(1.5).hips->y == 0.75);
  CHECK(list.pose(1.5).hips->z == 1);
  CHECK(!PoseList({turned("a", 0)}, 30, kRest).pose(0).hips);
}

TEST_CASE("pose list: hips without a place before move from where they rest") {
  NamedPose a = turned("a", 0, 1), b = turned("b", 0, 1), c = turned("c", 0);
  c.hips = Vec3<double>{0, 2, 0};
  const PoseList list({a, b, c}, 30, kRest);
  CHECK(!list.pose(0).hips);
  CHECK(!list.pose(0.5).hips);
  CHECK(!list.pose(1).hips);
  CHECK(list.pose(1.25).hips->y == 1.25);
  CHECK(list.pose(1.5).hips->y == 1.5);
  CHECK(list.pose(1.5).hips->z == 0.125);
  CHECK(list.pose(2).hips->y == 2);
}
