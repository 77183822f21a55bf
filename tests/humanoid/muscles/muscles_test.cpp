// Muscles: ranges and signs against tables written by hand, the formula against Eigen, closed
// forms and round trips.

#include "humanoid/muscles/muscles.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <iterator>
#include <numbers>
#include <set>
#include <sstream>
#include <vector>

#include "humanoid/bodies.h"
#include "support/random.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

using Vector = Eigen::Vector3d;

Vector eigen(const Vec3<double>& v) {
  return {v.x, v.y, v.z};
}

Eigen::Quaterniond eigen(const Quat<double>& q) {
  return {q.w, q.x, q.y, q.z};
}

// The greatest difference of the matrices of two rotations.
double difference(const Eigen::Quaterniond& a, const Eigen::Quaterniond& b) {
  return (a.toRotationMatrix() - b.toRotationMatrix()).cwiseAbs().maxCoeff();
}

double degrees(const Quat<double>& q) {
  return 2 * std::atan2(std::hypot(q.x, q.y, q.z), std::abs(q.w)) * 180 / std::numbers::pi;
}

PerMuscle<double> only(const char* name, double angle) {
  PerMuscle<double> angles{};
  REQUIRE(muscle(name) != nullptr);
  angles[index_of(*muscle(name))] = angle;
  return angles;
}

Quat<double> bone_rotated_by(const char* name, double angle) {
  return rotation_of(muscle(name)->bone, only(name, angle));
}

// Unity's default ranges and the angles of the T-pose of Unity's skeleton, as published for its
// Humanoid avatars. Sides share their row.
struct EngineRange {
  const char* names;  // of the left side, separated by spaces
  double min_deg, max_deg, t_pose_deg;
};
constexpr EngineRange kEngineRanges[] = {
    {"spineFrontBack spineLeftRight spineTwist chestFrontBack chestLeftRight chestTwist", -40, 40,
     0},
    {"upperChestFrontBack upperChestLeftRight upperChestTwist", -20, 20, 0},
    {"neckFrontBack neckLeftRight neckTwist headFrontBack headLeftRight headTwist", -40, 40, 0},
    {"leftEyeDownUp", -10, 15, 0},
    {"leftEyeInOut", -20, 20, 0},
    {"jawClose jawLeftRight", -10, 10, 0},
    {"leftUpperLegFrontBack", -90, 50, 30.0},
    {"leftUpperLegInOut leftUpperLegTwist", -60, 60, 0},
    {"leftLowerLegStretch", -80, 80, 79.9},
    {"leftLowerLegTwist", -90, 90, 0},
    {"leftFootDownUp leftToesDownUp", -50, 50, 0},
    {"leftFootTwist", -30, 30, 0},
    {"leftShoulderDownUp", -15, 30, 0},
    {"leftShoulderFrontBack", -15, 15, 0},
    {"leftArmDownUp", -60, 100, 38.9},
    {"leftArmFrontBack", -100, 100, 29.2},
    {"leftArmTwist", -90, 90, 0},
    {"leftForearmStretch", -80, 80, 80.0},
    {"leftForearmTwist", -90, 90, 0},
    {"leftHandDownUp", -80, 80, 0},
    {"leftHandInOut", -40, 40, 0},
    {"leftThumb1Stretch", -20, 20, 0},
    {"leftThumbSpread", -25, 25, 0},
    {"leftThumb2Stretch", -40, 35, 22.6},
    {"leftThumb3Stretch", -40, 35, 0},
    {"leftIndex1Stretch leftMiddle1Stretch leftRing1Stretch leftLittle1Stretch", -50, 50, 33.3},
    {"leftIndexSpread leftLittleSpread", -20, 20, 0},
    {"leftMiddleSpread leftRingSpread", -7.5, 7.5, 0},
    {"leftIndex2Stretch leftMiddle2Stretch leftRing2Stretch leftLittle2Stretch", -45, 45, 36.3},
    {"leftIndex3Stretch leftMiddle3Stretch leftRing3Stretch leftLittle3Stretch", -45, 45, 0},
};

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

// What a positive angle moves, and to where, on the left side.
struct Motion {
  const char* names;
  Vec3<double> from, to;
};
constexpr Vec3<double> kUp{0, 1, 0}, kForward{0, 0, 1}, kLeft{1, 0, 0}, kDown{0, -1, 0},
    kBack{0, 0, -1}, kRight{-1, 0, 0}, kThumb{0.7, 0, 0.7};
constexpr Motion kMotions[] = {
    {"spineFrontBack chestFrontBack upperChestFrontBack neckFrontBack headFrontBack", kUp, kBack},
    {"spineLeftRight chestLeftRight upperChestLeftRight neckLeftRight headLeftRight", kUp, kRight},
    {"spineTwist chestTwist upperChestTwist neckTwist headTwist jawLeftRight", kForward, kRight},
    {"leftEyeDownUp jawClose leftFootDownUp leftToesDownUp", kForward, kUp},
    {"leftEyeInOut leftUpperLegTwist leftLowerLegTwist", kForward, kLeft},
    {"leftUpperLegFrontBack", kDown, kBack},
    {"leftLowerLegStretch", kDown, kForward},
    {"leftUpperLegInOut", kDown, kLeft},
    {"leftFootTwist", kDown, kLeft},  // the sole shows outward
    {"leftShoulderDownUp leftArmDownUp leftHandDownUp", kLeft, kUp},
    {"leftShoulderFrontBack leftArmFrontBack leftForearmStretch leftHandInOut", kLeft, kBack},
    {"leftArmTwist leftForearmTwist", kDown, kForward},  // the palm shows forward
    {"leftIndex1Stretch leftIndex2Stretch leftIndex3Stretch", kLeft, kUp},
    {"leftMiddle1Stretch leftMiddle2Stretch leftMiddle3Stretch", kLeft, kUp},
    {"leftRing1Stretch leftRing2Stretch leftRing3Stretch", kLeft, kUp},
    {"leftLittle1Stretch leftLittle2Stretch leftLittle3Stretch", kLeft, kUp},
    {"leftIndexSpread leftMiddleSpread leftThumbSpread", kLeft, kForward},
    {"leftRingSpread leftLittleSpread", kLeft, kBack},
    {"leftThumb1Stretch leftThumb2Stretch leftThumb3Stretch", kThumb, kUp},
};

// Random angles within the ranges.
PerMuscle<double> random_values(Random& random) {
  PerMuscle<double> values;
  for (double& value : values) value = random.between(-1, 1);
  return values;
}

}  // namespace

TEST_CASE("muscles: the table has 95 muscles with names of their own, of both sides") {
  std::set<std::string> names;
  for (const Muscle& m : muscles()) {
    CAPTURE(m.name);
    names.insert(m.name);
    CHECK(muscle(m.name) == &m);
    CHECK(human_bone(m.bone) != nullptr);
    CHECK(m.range.min_deg <= 0);
    CHECK(m.range.max_deg >= 0);
    CHECK(m.range.max_deg - m.range.min_deg > 0);
    CHECK(std::abs(eigen(m.turns_about).norm() - 1) < 1e-15);
    CHECK(&opposite(opposite(m)) == &m);
    CHECK(opposite(m).label == m.label);
    CHECK((&opposite(m) == &m) == (without_side(m.bone).side == BodySide::kMiddle));
  }
  CHECK(names.size() == 95);
  CHECK(muscle("leftForearm") == nullptr);
  CHECK(muscle("leftForearmTwist")->label == "forearm twist");
  CHECK(muscle("rightForearmTwist")->bone == "rightLowerArm");
}

TEST_CASE("muscles: ranges are those of the engine, moved by the angle of the T-pose") {
  std::set<std::string> seen;
  for (const EngineRange& row : kEngineRanges) {
    for (const std::string& name : words(row.names)) {
      CAPTURE(name);
      const Muscle* m = muscle(name);
      REQUIRE(m != nullptr);
      for (const Muscle* side : {m, &opposite(*m)}) {
        seen.insert(side->name);
        const double rounding = row.t_pose_deg == 0 ? 0 : 0.5;
        CHECK(std::abs(side->range.min_deg - (row.min_deg - row.t_pose_deg)) <= rounding);
        CHECK(std::abs(side->range.max_deg - (row.max_deg - row.t_pose_deg)) <= rounding);
      }
    }
  }
  CHECK(seen.size() == kMuscleCount);
}

TEST_CASE("muscles: a positive angle extends, and moves back, up, out or to the right") {
  std::set<std::string> seen;
  for (const Motion& row : kMotions) {
    for (const std::string& name : words(row.names)) {
      CAPTURE(name);
      REQUIRE(muscle(name) != nullptr);
      seen.insert(opposite(*muscle(name)).name);
      seen.insert(name);
      const auto q = eigen(bone_rotated_by(name.c_str(), 30));
      const Vector moved = q * eigen(row.from) - eigen(row.from);
      CHECK(moved.dot(eigen(row.to)) > 0.45);  // sin(30 degrees), and directions of T-posed legs
    }
  }
  CHECK(seen.size() == kMuscleCount);
}

TEST_CASE("muscles: sides mirror each other") {
  Random random(1);
  PerMuscle<double> angles{};
  for (const Muscle& m : muscles()) {
    if (&opposite(m) < &m) continue;
    angles[index_of(m)] = angles[index_of(opposite(m))] = random.between(-30, 30);
  }
  for (const HumanBone& bone : kHumanBones) {
    const SidedBone sided = without_side(bone.name);
    if (sided.side != BodySide::kLeft) continue;
    CAPTURE(bone.name);
    const Quat<double> left = rotation_of(bone.name, angles);
    const Quat<double> right = rotation_of("right" + std::string(sided.bone), angles);
    CHECK(difference(eigen({left.w, left.x, -left.y, -left.z}), eigen(right)) < 1e-15);
  }
}

TEST_CASE("muscles: one muscle is a rotation by its angle, and two swings are one rotation") {
  for (const Muscle& m : muscles()) {
    CAPTURE(m.name);
    for (const double angle : {m.range.min_deg, 0.3 * m.range.max_deg, m.range.max_deg}) {
      CHECK(std::abs(degrees(rotation_of(m.bone, only(m.name.c_str(), angle))) - std::abs(angle)) <
            1e-12);
    }
  }
  PerMuscle<double> angles = only("leftArmDownUp", 30);
  angles[index_of(*muscle("leftArmFrontBack"))] = -40;
  const Quat<double> swing = rotation_of("leftUpperArm", angles);
  CHECK(std::abs(degrees(swing) - 50) < 1e-12);
  CHECK(std::abs(swing.x) < 1e-16);  // it does not twist: Euler angles would
  const auto half = 25 * std::numbers::pi / 180;
  CHECK(std::abs(swing.z - 0.6 * std::sin(half)) < 1e-15);
  CHECK(std::abs(swing.y + 0.8 * std::sin(half)) < 1e-15);
}

TEST_CASE("muscles: a twist does not move the next bone of a T-posed body") {
  struct Pair {
    const char *muscle, *next_bone;
  };
  const Pair pairs[] = {
      {"spineTwist", "chest"},
      {"neckTwist", "head"},
      {"leftUpperLegTwist", "leftLowerLeg"},
      {"rightLowerLegTwist", "rightFoot"},
      {"leftArmTwist", "leftLowerArm"},
      {"rightForearmTwist", "rightHand"},
  };
  for (const Pair& pair : pairs) {
    CAPTURE(pair.muscle);
    const Vector offset =
        eigen(t_pose_position(pair.next_bone)) - eigen(t_pose_position(muscle(pair.muscle)->bone));
    const Vector moved = eigen(bone_rotated_by(pair.muscle, 50)) * offset;
    CHECK((moved - offset).norm() < 1e-12);
  }
}

TEST_CASE("muscles: rotations are those of the formula, evaluated by Eigen") {
  Random random(2);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const auto angles = degrees_of(random_values(random), ranges_with({}));
    const auto angle = [&](const char* name) {
      return angles[index_of(*muscle(name))] * std::numbers::pi / 180;
    };
    const auto about = [](double radians, const Vector& axis) {
      return Eigen::Quaterniond(Eigen::AngleAxisd(radians, axis.normalized()));
    };
    const auto swing = [&](const Vector& vector) { return about(vector.norm(), vector); };

    const Vector arm(0, angle("leftArmFrontBack"), angle("leftArmDownUp"));
    CHECK(difference(eigen(rotation_of("leftUpperArm", angles)),
                     swing(arm) * about(-angle("leftArmTwist"), Vector::UnitX())) < 1e-14);

    const Vector head(-angle("headFrontBack"), 0, angle("headLeftRight"));
    CHECK(difference(eigen(rotation_of("head", angles)),
                     swing(head) * about(-angle("headTwist"), Vector::UnitY())) < 1e-14);

    const Vector leg_axis = Vector(0.05, -1, 0).normalized();
    const Vector leg = angle("leftUpperLegFrontBack") * Vector(1, 0.05, 0).normalized() +
                       angle("leftUpperLegInOut") * Vector::UnitZ();
    CHECK(difference(eigen(rotation_of("leftUpperLeg", angles)),
                     swing(leg) * about(-angle("leftUpperLegTwist"), leg_axis)) < 1e-14);

    const Vector thumb = angle("rightThumb1Stretch") * Vector(-1, 0, -1).normalized() +
                         angle("rightThumbSpread") * Vector::UnitY();
    CHECK(difference(eigen(rotation_of("rightThumbMetacarpal", angles)), swing(thumb)) < 1e-14);
  }
}

TEST_CASE("muscles: muscles become rotations and muscles again") {
  Random random(3);
  const auto ranges = ranges_with({});
  for (int repeat = 0; repeat < 200; ++repeat) {
    PerMuscle<double> values = random_values(random);
    if (repeat < 2) values.fill(repeat == 0 ? 1 : -1);
    for (const Muscle& m : muscles()) {  // muscles that exist on one side only
      double& value = values[index_of(m)];
      if (m.range.max_deg == 0 && value > 0) value = 0;
    }
    BoneRotations rotations = rotations_of(degrees_of(values, ranges));
    for (auto& q : rotations.bones) {  // q and -q are the same rotation
      if (q && random.below(2) == 0) q = Quat<double>{-q->w, -q->x, -q->y, -q->z};
    }
    const auto found = values_of(degrees_of(rotations), ranges);
    for (const Muscle& m : muscles()) {
      CAPTURE(m.name);
      CHECK(std::abs(found[index_of(m)] - values[index_of(m)]) < 1e-9);
    }
  }
}

TEST_CASE("muscles: given ranges replace the muscles' own") {
  const auto ranges = ranges_with({{"leftForearmTwist", {-10, 20}}});
  const auto degrees_at = [&](double value) {
    PerMuscle<double> values{};
    values.fill(value);
    return degrees_of(values, ranges)[index_of(*muscle("leftForearmTwist"))];
  };
  CHECK(degrees_at(0.5) == 10);
  CHECK(degrees_at(-1) == -10);
  CHECK(ranges[index_of(*muscle("rightForearmTwist"))].max_deg == 90);
}

TEST_CASE("muscles: rotations that a bone's muscles cannot do are left out") {
  BoneRotations rotations;
  const auto hand = human_bone_index("leftHand");
  const double c = std::cos(0.2), s = std::sin(0.2);
  rotations.bones[hand] = Quat<double>{c, s, 0, 0};  // a hand does not twist
  rotations.bones[human_bone_index("hips")] = Quat<double>{c, s, 0, 0};
  for (const double angle : degrees_of(rotations)) CHECK(std::abs(angle) < 1e-12);
  CHECK(!has_muscle("hips"));
  CHECK(has_muscle("leftHand"));
}
