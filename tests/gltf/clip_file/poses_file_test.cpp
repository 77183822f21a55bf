// Poses that users write, good and hostile, and poses that we write.

#include "gltf/user_file/poses_file.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "humanoid/muscles/muscles.h"
#include "inspect/pose_json.h"
#include "math/scalar.h"
#include "support/random.h"
#include "support/temporary_folder.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

std::vector<NamedPose> poses_of(const std::string& text, const MuscleRanges& ranges = {}) {
  const TemporaryFolder folder;
  write_file(folder / "poses.json", text);
  return gltf::load_poses_file(folder / "poses.json", ranges).poses;
}

void check_refusal(const std::string& text, const std::string& part, const std::string& pointer) {
  CAPTURE(text.substr(0, 200));
  try {
    poses_of(text);
    FAIL_CHECK("was accepted");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kInput);
    CHECK(error.code() == "POSES_INVALID");
    CHECK_MESSAGE(std::string(error.what()).find(part) != std::string::npos, error.what());
    CHECK(error.location().pointer == pointer);
  }
}

Quat<double> rotation(const NamedPose& pose, std::string_view bone) {
  const auto& q = pose.rotations.bones[human_bone_index(bone)];
  REQUIRE(q.has_value());
  return *q;
}

double difference(const Quat<double>& a, const Quat<double>& b) {
  return std::min(norm(a - b), norm(a + b));
}

std::string with_bone(const std::string& value) {
  return R"([{"name": "a", "bones": {"head": )" + value + "}}]";
}

}  // namespace

TEST_CASE("poses: names, times, hips, bones and muscles are read") {
  const auto poses = poses_of(R"([{}, {"name": "wave", "hold_s": 1.5, "hips": [0, 1, 2],
      "bones": {"head": {"rotation": [0, 0, 3, 4]}}, "muscles": {"leftForearmTwist": -0.5}}])");
  REQUIRE(poses.size() == 2);
  CHECK(poses[0].name == "pose 0");
  CHECK(!poses[0].hold_s);
  CHECK(!poses[0].hips);
  CHECK(poses[1].name == "wave");
  CHECK(poses[1].hold_s == 1.5);
  CHECK(poses[1].hips->z == 2);
  CHECK(difference(rotation(poses[1], "head"), {0.8, 0, 0, 0.6}) < 1e-15);
  // Twisted inward by 45 degrees: the palm goes backward.
  const double half = 22.5 * 3.141592653589793 / 180;
  CHECK(difference(rotation(poses[1], "leftLowerArm"), {std::cos(half), std::sin(half), 0, 0}) <
        1e-15);
  CHECK(!poses[1].rotations.bones[human_bone_index("leftHand")]);
}

TEST_CASE("poses: degrees are applied z, x, y") {
  // z takes the left to up, x up to forward, y forward to the left.
  const Quat<double> q = rotation(poses_of(with_bone(R"({"degrees": [90, 90, 90]})"))[0], "head");
  const auto matrix = to_affine(q, Vec3<double>{0, 0, 0});
  CHECK(norm(rotate(matrix, Vec3<double>{1, 0, 0}) - Vec3<double>{1, 0, 0}) < 1e-15);
  const Quat<double> z_x = rotation(poses_of(with_bone(R"({"degrees": [90, 0, 90]})"))[0], "head");
  const Vec3<double> left = rotate(to_affine(z_x, Vec3<double>{0, 0, 0}), Vec3<double>{1, 0, 0});
  CHECK(norm(left - Vec3<double>{0, 0, 1}) < 1e-15);
}

TEST_CASE("poses: muscles have the given ranges") {
  const auto poses = poses_of(R"([{"muscles": {"headTwist": 1}}])", {{"headTwist", {-10, 60}}});
  const auto degrees = degrees_of(poses[0].rotations);
  CHECK(std::abs(degrees[index_of(*muscle("headTwist"))] - 60) < 1e-12);
}

TEST_CASE("poses: errors name the pose and the place in the file") {
  check_refusal("{}", "is not a list", "");
  check_refusal("[]", "is empty", "");
  check_refusal("[1]", "pose 0 is not an object", "/0");
  check_refusal(R"([{"name": 1}])", "is not a string", "/0/name");
  check_refusal(R"([{"name": ")" + std::string(257, 'x') + R"("}])", "is longer than 256 bytes",
                "/0/name");
  check_refusal(R"([{}, {"name": "b", "hold": 1}])", "pose 'b', 'hold' is none of name, hold_s",
                "/1/hold");
  for (const char* hold : {"0", "-1", "1e-300", "1e300", "null", "\"1\""}) {
    check_refusal(R"([{"hold_s": )" + std::string(hold) + "}]",
                  "is not a number from 0.001 to 3600", "/0/hold_s");
  }
  check_refusal(R"([{"hips": [0, 1]}])", "is not a list of 3 numbers", "/0/hips");
  check_refusal(R"([{"hips": [0, 1e200, 0]}])", "is not a list of 3 numbers", "/0/hips");
  check_refusal(R"([{"bones": []}])", "is not an object", "/0/bones");
  check_refusal(R"([{"name": "a", "bones": {"arm~/": {}}}])",
                "pose 'a', bone 'arm~/' is not a bone of VRM 1.0", "/0/bones/arm~0~1");
}

TEST_CASE("poses: a bone has one finite rotation") {
  const std::string head = "/0/bones/head";
  for (const char* value : {"1", "{}", "[]", R"({"euler": [0, 0, 0]})",
                            R"({"rotation": [0, 0, 0, 1], "degrees": [0, 0, 0]})"}) {
    check_refusal(with_bone(value), "does not have exactly one of rotation and degrees", head);
  }
  check_refusal(with_bone(R"({"rotation": [0, 0, 1]})"), "is not a list of 4", head + "/rotation");
  check_refusal(with_bone(R"({"rotation": [0, 0, 0, 0]})"), "is zero", head + "/rotation");
  check_refusal(with_bone(R"({"rotation": [0, 0, 0, 1e-300]})"), "is zero", head + "/rotation");
  check_refusal(with_bone(R"({"rotation": [0, 1e300, 0, 1]})"), "is not a list of 4",
                head + "/rotation");
  check_refusal(with_bone(R"({"rotation": [0, null, 0, 1]})"), "is not a list of 4",
                head + "/rotation");
  check_refusal(with_bone(R"({"degrees": [0, 1e300, 0]})"), "is not a list of 3",
                head + "/degrees");
  check_refusal(with_bone(R"({"degrees": [0, 1e999, 0]})"), "cannot be parsed", "");
  check_refusal(with_bone(R"({"degrees": [0, NaN, 0]})"), "cannot be parsed", "");
}

TEST_CASE("poses: muscles are shares of ranges, of bones without a rotation") {
  check_refusal(R"([{"muscles": 1}])", "is not an object", "/0/muscles");
  check_refusal(R"([{"muscles": {"elbow": 1}}])", "muscle 'elbow' does not exist",
                "/0/muscles/elbow");
  for (const char* value : {"1.5", "-2", "null", "\"1\"", "1e300"}) {
    check_refusal(R"([{"muscles": {"headTwist": )" + std::string(value) + "}}]",
                  "is not a number from -1 to 1", "/0/muscles/headTwist");
  }
  check_refusal(R"([{"muscles": {"headTwist": 1}, "bones": {"head": {"degrees": [0, 0, 1]}}}])",
                "turns bone 'head', which has a rotation", "/0/muscles/headTwist");
}

TEST_CASE("poses: huge lists and deep nesting are refused") {
  std::string list = "[{}";
  for (int i = 0; i < 100'000; ++i) list += ",{}";
  check_refusal(list + "]", "has 100001 poses", "");
  check_refusal(std::string(100'000, '['), "is not JSON", "");
  check_refusal(std::string(1000, '[') + std::string(1000, ']'), "nests deeper", "");
}

TEST_CASE("poses: a pose that we write is read as the same pose") {
  Random random(1);
  for (int repeat = 0; repeat < 20; ++repeat) {
    HumanPose pose;
    for (auto& turn : pose.turns) {
      if (random.below(3) > 0) turn = random.rotation();
    }
    if (repeat % 2 == 0) pose.hips = random.vector(2);
    const auto poses = poses_of(pose_json(pose, "run at \"1 s\""));
    REQUIRE(poses.size() == 1);
    CHECK(poses[0].name == "run at \"1 s\"");
    CHECK(poses[0].hips.has_value() == pose.hips.has_value());
    if (pose.hips) CHECK(norm(*poses[0].hips - *pose.hips) == 0);
    const HumanPose again = pose_of(poses[0].rotations);
    for (std::size_t b = 0; b < kHumanBones.size(); ++b) {
      REQUIRE(again.turns[b].has_value() == pose.turns[b].has_value());
      if (pose.turns[b]) CHECK(difference(*again.turns[b], *pose.turns[b]) < 1e-14);
    }
  }
  CHECK(poses_of(pose_json({}, ""))[0].name == "pose 0");
}

TEST_CASE("poses: a long name is cut between characters, and is read again") {
  const auto name_of = [](const std::string& name) {
    return poses_of(pose_json({}, name))[0].name;
  };
  CHECK(name_of(std::string(256, 'w')) == std::string(256, 'w'));
  CHECK(name_of(std::string(300, 'w')) == std::string(256, 'w'));
  CHECK(name_of(std::string(255, 'w') + "éw") == std::string(255, 'w'));
  CHECK(name_of(std::string(254, 'w') + "éw") == std::string(254, 'w') + "é");
  CHECK(name_of(std::string(300, '\xFF')).size() == 255);  // 85 replacement characters
}
