// The T-pose: closed forms.

#include "humanoid/pose/t_pose.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "humanoid/bodies.h"
#include "support/random.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

bool is_left_out(std::string_view bone, bool with_fingers) {
  const std::string_view part = without_side(bone).bone;
  if (part == "Eye" || part == "jaw") return true;
  const bool is_finger = part.ends_with("al") || part.ends_with("Intermediate");
  return is_finger && !with_fingers;
}

BodyBuilder t_posed_body(bool with_fingers = true) {
  BodyBuilder body;
  for (const HumanBone& bone : kHumanBones) {
    if (!is_left_out(bone.name, with_fingers)) body.add_bone(std::string(bone.name), "");
  }
  return body;
}

Node& node(BodyBuilder& body, const std::string& bone) {
  return body.skeleton.nodes[static_cast<std::size_t>(body.nodes.at(bone))];
}

Quat<double> turn(double degrees, const Vec3<double>& axis) {
  const double half = degrees * std::numbers::pi / 360, s = std::sin(half);
  return {std::cos(half), s * axis.x, s * axis.y, s * axis.z};
}

TPose pose_of(const BodyBuilder& body) {
  std::vector<HumanoidBone> bones;
  for (const auto& [bone, index] : body.nodes) bones.push_back({bone, index});
  const NodeTree tree(body.skeleton);
  return t_pose(tree, HumanMap(tree, bones));
}

const TPosedBone& posed(const TPose& pose, std::string_view bone) {
  return *std::find_if(pose.bones.begin(), pose.bones.end(),
                       [&](const TPosedBone& b) { return b.bone == bone; });
}

double degrees_of(const Quat<double>& q) {
  const double v = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
  return 2 * std::atan2(v, std::abs(q.w)) * 180 / std::numbers::pi;
}

}  // namespace

TEST_CASE("t-pose: a body in the T-pose is not corrected") {
  for (const bool with_fingers : {true, false}) {
    const TPose pose = pose_of(t_posed_body(with_fingers));
    for (const TPosedBone& bone : pose.bones) {
      CAPTURE(bone.bone);
      CHECK(degrees_of(bone.correction) < 1e-6);
      CHECK(bone.degrees_off.value_or(0) < 1e-6);
    }
    CHECK(posed(pose, "leftUpperLeg").is_roll_known == true);
    CHECK(posed(pose, "leftUpperArm").is_roll_known == false);  // the elbow is straight
    CHECK(posed(pose, "rightHand").is_roll_known == with_fingers);
  }
}

TEST_CASE("t-pose: lowered upper arms are raised, and nothing else is corrected") {
  BodyBuilder body = t_posed_body();
  node(body, "leftUpperArm").rotation = turn(-45, {0, 0, 1});
  node(body, "rightUpperArm").rotation = turn(45, {0, 0, 1});
  const TPose pose = pose_of(body);
  for (const TPosedBone& bone : pose.bones) {
    const std::string_view part = without_side(bone.bone).bone;
    CAPTURE(bone.bone);
    CHECK(degrees_of(bone.correction) ==
          doctest::Approx(part == "UpperArm" ? 45 : 0).epsilon(1e-9));
  }
  CHECK(posed(pose, "leftUpperArm").correction.z ==
        doctest::Approx(std::sin(std::numbers::pi / 8)));
  CHECK(posed(pose, "leftUpperArm").degrees_off == doctest::Approx(45));
  // The lower arm points as the upper arm does, so it is as far off, but follows.
  CHECK(posed(pose, "leftLowerArm").degrees_off == doctest::Approx(45));
}

TEST_CASE("t-pose: palms are turned down, and bent elbows forward") {
  BodyBuilder body = t_posed_body();
  node(body, "leftHand").rotation = turn(70, {1, 0, 0});
  node(body, "rightUpperArm").rotation = turn(-30, {1, 0, 0});
  node(body, "rightLowerArm").rotation = turn(40, {0, 1, 0});  // the elbow bends forward
  const TPose pose = pose_of(body);
  CHECK(posed(pose, "leftHand").correction.x ==
        doctest::Approx(-std::sin(70 * std::numbers::pi / 360)));
  CHECK(posed(pose, "rightUpperArm").is_roll_known == true);
  CHECK(posed(pose, "rightUpperArm").correction.x ==
        doctest::Approx(std::sin(30 * std::numbers::pi / 360)));
  for (const auto& entry : body.nodes) {
    CAPTURE(entry.first);
    const auto index = static_cast<std::size_t>(entry.second);
    CHECK(norm(pose.positions[index] - t_pose_position(entry.first)) < 1e-9);
  }
}

TEST_CASE("t-pose: an elbow that is bent backward does not tell how the arm rolls") {
  BodyBuilder body = t_posed_body();
  node(body, "leftLowerArm").rotation = turn(10, {0, 1, 0});
  const TPose pose = pose_of(body);
  CHECK(posed(pose, "leftUpperArm").is_roll_known == false);
  CHECK(degrees_of(posed(pose, "leftUpperArm").correction) < 1e-6);
}

TEST_CASE("t-pose: feet keep their orientation when legs are straightened") {
  BodyBuilder body = t_posed_body();
  node(body, "leftUpperLeg").rotation = turn(20, {0, 0, 1});
  const TPose before = pose_of(t_posed_body());
  const TPose pose = pose_of(body);
  CHECK(degrees_of(posed(pose, "leftUpperLeg").correction) == doctest::Approx(20));
  // The foot is only turned about the vertical, so that its toes point forward.
  const Quat<double> foot = posed(pose, "leftFoot").total;
  CHECK(std::abs(foot.x) + std::abs(foot.z) < 1e-9);
  const Vec3<double> toes = pose.positions[static_cast<std::size_t>(body.nodes["leftToes"])] -
                            pose.positions[static_cast<std::size_t>(body.nodes["leftFoot"])];
  CHECK(toes.x / toes.z == doctest::Approx(0.05));
  CHECK(degrees_of(posed(before, "leftFoot").total) < 1e-6);
}

TEST_CASE("t-pose: a crooked body is corrected once, and a second correction changes nothing") {
  Random random(11);
  for (int round = 0; round < 20; ++round) {
    BodyBuilder body = t_posed_body();
    // Left and right mirror each other: shoulders that are turned against the hips turn the frame.
    for (const auto& [bone, index] : body.nodes) {
      const SidedBone sided = without_side(bone);
      if (sided.side == BodySide::kRight) continue;
      const double swing = random.between(-20, 20), bend = random.between(-15, 15);
      Node& left = body.skeleton.nodes[static_cast<std::size_t>(index)];
      left.rotation = turn(bend, {1, 0, 0});
      if (sided.side == BodySide::kMiddle) continue;
      left.rotation = turn(swing, {0, 0, 1}) * turn(bend, {1, 0, 0});
      node(body, "right" + std::string(sided.bone)).rotation =
          turn(-swing, {0, 0, 1}) * turn(bend, {1, 0, 0});
    }
    node(body, "hips").rotation = {1, 0, 0, 0};
    const TPose pose = pose_of(body);
    BodyBuilder again = t_posed_body();
    for (std::size_t n = 0; n < again.skeleton.nodes.size(); ++n) {
      const NodeIndex above = again.skeleton.nodes[n].parent;
      const Vec3<double> origin =
          above < 0 ? Vec3<double>{0, 0, 0} : pose.positions[static_cast<std::size_t>(above)];
      again.skeleton.nodes[n].translation = pose.positions[n] - origin;
    }
    const TPose second = pose_of(again);
    for (std::size_t n = 0; n < pose.positions.size(); ++n) {
      CHECK(norm(second.positions[n] - pose.positions[n]) < 1e-9);
    }
    for (const TPosedBone& bone : second.bones) {
      CAPTURE(bone.bone);
      CHECK(degrees_of(bone.correction) < 1e-5);
    }
  }
}

TEST_CASE("t-pose: local axes of joints do not matter") {
  Random random(12);
  BodyBuilder body = t_posed_body();
  for (const auto& [bone, index] : body.nodes) {
    if (bone.ends_with("Arm")) {
      body.skeleton.nodes[static_cast<std::size_t>(index)].rotation =
          turn(random.between(-30, 30), {0, 0, 1});
    }
  }
  const TPose plain = pose_of(body);
  // The same positions with other local frames: world rotations R_n, offsets R_parent^-1 offset.
  const NodeTree tree(body.skeleton);
  BodyBuilder turned = body;
  std::vector<Quat<double>> world;
  for (std::size_t n = 0; n < body.skeleton.nodes.size(); ++n) {
    world.push_back(random.rotation());
    Node& node = turned.skeleton.nodes[n];
    const NodeIndex above = node.parent;
    const Quat<double> up = above < 0 ? Quat<double>{1, 0, 0, 0} : world[std::size_t(above)];
    const Quat<double> down{up.w, -up.x, -up.y, -up.z};
    const Vec3<double> origin = above < 0 ? Vec3<double>{0, 0, 0} : tree.position(above);
    const Vec3<double> offset = tree.position(static_cast<NodeIndex>(n)) - origin;
    node.rotation = down * world[n];
    node.translation = rotate(to_affine(down, Vec3<double>{0, 0, 0}), offset);
  }
  const TPose other = pose_of(turned);
  for (std::size_t n = 0; n < plain.positions.size(); ++n) {
    CHECK(norm(other.positions[n] - plain.positions[n]) < 1e-6);
  }
}

TEST_CASE("t-pose: a body that lies is raised, and its facing is kept") {
  BodyBuilder body = t_posed_body();
  node(body, "hips").rotation = turn(90, {1, 0, 0});
  const TPose pose = pose_of(body);
  CHECK(posed(pose, "hips").degrees_off == doctest::Approx(90));
  CHECK(posed(pose, "hips").correction.x == doctest::Approx(-std::sqrt(0.5)));
  CHECK(degrees_of(posed(pose, "leftUpperArm").correction) < 1e-6);

  BodyBuilder facing = t_posed_body();
  node(facing, "hips").rotation = turn(130, {0, 1, 0});
  CHECK(degrees_of(posed(pose_of(facing), "hips").correction) < 1e-6);
  CHECK(pose_of(facing).frame.forward.x == doctest::Approx(std::sin(130 * std::numbers::pi / 180)));
}
