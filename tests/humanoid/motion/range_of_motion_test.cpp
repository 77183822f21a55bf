// The range of motion: order, speed, names, and bodies without some bones.

#include "humanoid/motion/pose_source.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace skinbake;

namespace {

std::vector<HumanoidBone> all_bones() {
  std::vector<HumanoidBone> bones;
  for (const HumanBone& bone : kHumanBones) bones.push_back({std::string(bone.name), 0});
  return bones;
}

RangeOfMotion range_of_motion(const char* part, const MuscleRanges& ranges = {}) {
  return {body_parts(part), all_bones(), ranges};
}

PerMuscle<double> muscle_degrees(const PoseSource& motion, double time_s) {
  return degrees_of(rotations_of(motion.pose(time_s)));
}

bool is_t_pose(const PerMuscle<double>& degrees) {
  return std::all_of(degrees.begin(), degrees.end(), [](double d) { return std::abs(d) < 1e-9; });
}

// The muscles whose angle is not 0.
std::vector<const Muscle*> moving(const PerMuscle<double>& degrees) {
  std::vector<const Muscle*> found;
  for (const Muscle& m : muscles()) {
    if (std::abs(degrees[index_of(m)]) > 1e-9) found.push_back(&m);
  }
  return found;
}

}  // namespace

TEST_CASE("range of motion: each muscle reaches both ends of its range, from the T-pose") {
  const RangeOfMotion motion = range_of_motion("");
  std::map<std::string, std::set<int>> reached;
  const std::vector<double>& times = motion.key_times();
  for (std::size_t k = 0; k < times.size(); ++k) {
    CHECK(times[k] == static_cast<double>(k));
    const auto degrees = muscle_degrees(motion, times[k]);
    if (k % 2 == 0) {
      CHECK(is_t_pose(degrees));
      CHECK(motion.name(times[k]) == "T-pose");
      continue;
    }
    const auto muscles_here = moving(degrees);
    CHECK(!muscles_here.empty());
    for (const Muscle* m : muscles_here) {
      const double angle = degrees[index_of(*m)];
      const double end = angle > 0 ? m->range.max_deg : m->range.min_deg;
      CHECK(std::abs(angle - end) < 1e-9);
      const bool is_alone = muscles_here.size() == (m == &opposite(*m) ? 1 : 2);
      if (is_alone) reached[m->name].insert(angle > 0 ? 1 : -1);
    }
  }
  CHECK(reached.size() == kMuscleCount);
  for (const Muscle& m : muscles()) {
    CAPTURE(m.name);
    CHECK(reached[m.name].contains(1) == (m.range.max_deg > 0));
    CHECK(reached[m.name].contains(-1) == (m.range.min_deg < 0));
  }
}

TEST_CASE("range of motion: muscles move at constant speed") {
  const RangeOfMotion motion = range_of_motion("");
  const std::vector<double>& times = motion.key_times();
  for (std::size_t k = 0; k + 1 < times.size(); ++k) {
    const auto before = muscle_degrees(motion, times[k]),
               after = muscle_degrees(motion, times[k + 1]);
    for (const double share : {0.25, 0.7}) {
      const auto here = muscle_degrees(motion, times[k] + share);
      for (std::size_t m = 0; m < kMuscleCount; ++m) {
        CHECK(std::abs(here[m] - before[m] - share * (after[m] - before[m])) < 1e-9);
      }
    }
  }
}

TEST_CASE("range of motion: sides move together, and the name tells muscle and angle") {
  const RangeOfMotion motion = range_of_motion("arms");
  CHECK(motion.name(1) == "shoulder down-up at +30°");
  CHECK(motion.name(1.5) == "shoulder down-up at +15°");
  CHECK(motion.name(3) == "shoulder down-up at -15°");
  const auto degrees = muscle_degrees(motion, 1);
  CHECK(std::abs(degrees[index_of(*muscle("rightShoulderDownUp"))] - 30) < 1e-9);
  CHECK(std::abs(degrees[index_of(*muscle("leftShoulderDownUp"))] - 30) < 1e-9);
  CHECK(motion.name(-1) == "T-pose");
  CHECK(motion.name(1e9) == "T-pose");
  CHECK(motion.name(NAN) == "T-pose");
}

TEST_CASE("range of motion: the poses in which skinning fails most come last") {
  const RangeOfMotion arms = range_of_motion("arms");
  const double end = arms.key_times().back();
  CHECK(arms.name(end - 11) == "forearm stretch at -160°, forearm twist at +90°");
  CHECK(arms.name(end - 9) == "forearm stretch at -160°, forearm twist at -90°");
  CHECK(arms.name(end - 7) == "arm down-up at +61°, arm twist at +90°");
  CHECK(arms.name(end - 5) == "arm down-up at +61°, arm twist at -90°");
  CHECK(arms.name(end - 3) == "hand down-up at -80°, hand in-out at -40°");
  CHECK(arms.name(end - 1) == "hand down-up at +80°, hand in-out at +40°");
  const RangeOfMotion legs = range_of_motion("legs");
  CHECK(legs.name(legs.key_times().back() - 1) ==
        "upper leg front-back at -120°, lower leg stretch at -160°");
}

TEST_CASE("range of motion: empty sides of ranges are skipped") {
  const auto one_pair = [](const MuscleRanges& ranges) {
    const std::vector<HumanoidBone> bones{{"leftLowerArm", 0}, {"rightLowerArm", 1}};
    return RangeOfMotion(body_parts("arms"), bones, ranges);
  };
  // Stretch: one side; twist: two sides; both together: twice. Two seconds each.
  CHECK(one_pair({}).key_times().back() == 10);
  const MuscleRanges stiff{{"leftForearmTwist", {0, 0}}, {"rightForearmTwist", {0, 0}}};
  CHECK(one_pair(stiff).key_times().back() == 2);

  const RangeOfMotion uneven = one_pair({{"leftForearmTwist", {-10, 20}}});
  CHECK(uneven.name(3) == "left forearm twist at +20°, right forearm twist at +90°");
  const RangeOfMotion one_side = one_pair({{"leftForearmTwist", {0, 0}}});
  CHECK(one_side.name(3) == "right forearm twist at +90°");
}

TEST_CASE("range of motion: only the chosen part and the bones of the map move") {
  const std::map<std::string, BodyPart> parts{{"spine", BodyPart::kSpine},
                                              {"legs", BodyPart::kLegs},
                                              {"arms", BodyPart::kArms},
                                              {"hands", BodyPart::kHands}};
  for (const auto& row : parts) {
    const RangeOfMotion motion = range_of_motion(row.first.c_str());
    for (const double time : motion.key_times()) {
      for (const Muscle* m : moving(muscle_degrees(motion, time))) CHECK(m->part == row.second);
    }
  }
  CHECK(body_parts("arm").empty());
  CHECK(body_parts("").size() == 5);

  const std::vector<HumanoidBone> no_fingers{{"hips", 0}, {"leftHand", 1}};
  const RangeOfMotion hands(body_parts("hands"), no_fingers, {});
  CHECK(hands.is_empty());
  CHECK(hands.key_times() == std::vector<double>{0});
  CHECK(is_t_pose(muscle_degrees(hands, 0)));
  CHECK(hands.name(0) == "T-pose");
}
