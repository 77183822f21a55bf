// What is wrong with a humanoid map: one body for each finding.

#include "humanoid/findings.h"

#include <doctest/doctest.h>

#include <cmath>

#include "humanoid/bodies.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

BodyBuilder whole_body() {
  BodyBuilder body;
  for (const HumanBone& bone : kHumanBones) {
    if (without_side(bone.name).bone != "Eye") body.add_bone(std::string(bone.name), "");
  }
  return body;
}

HumanoidMap map_of(const BodyBuilder& body, const std::string& source = "file") {
  HumanoidMap map{source, {}};
  for (const auto& [bone, node] : body.nodes) map.bones.push_back({bone, node});
  return map;
}

Node& node_of(BodyBuilder& body, const std::string& bone) {
  return body.skeleton.nodes[static_cast<std::size_t>(body.nodes.at(bone))];
}

// "CODE /nodes/3", without the rolls of straight elbows, which every such body has.
std::vector<std::string> found(const BodyBuilder& body, const HumanoidMap& map) {
  std::vector<std::string> lines;
  for (const Issue& issue : humanoid_findings(body.skeleton, map, "hero.glb")) {
    CHECK(issue.file == "hero.glb");
    if (issue.code != "HUMANOID_ROLL_UNKNOWN") lines.push_back(issue.code + " " + issue.pointer);
  }
  return lines;
}

std::string at(const BodyBuilder& body, const std::string& bone) {
  return " /nodes/" + std::to_string(body.nodes.at(bone));
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("humanoid findings: a body in the T-pose has none but the roll of straight elbows") {
  const BodyBuilder body = whole_body();
  CHECK(found(body, map_of(body)) == Lines{});
  const Issues issues = humanoid_findings(body.skeleton, map_of(body), "hero.glb");
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].message.find("'leftUpperArm', 'rightUpperArm'") != std::string::npos);
}

TEST_CASE("humanoid findings: a required bone that is missing") {
  BodyBuilder body = whole_body();
  HumanoidMap map = map_of(body);
  std::erase_if(map.bones, [](const HumanoidBone& bone) { return bone.bone == "leftFoot"; });
  CHECK(found(body, map) == Lines{"HUMANOID_BONE_MISSING "});
}

TEST_CASE("humanoid findings: a bone that is not below its parent bone") {
  BodyBuilder body = whole_body();
  Node& foot = node_of(body, "leftFoot");
  foot.parent = body.nodes.at("hips");
  foot.translation = t_pose_position("leftFoot") - t_pose_position("hips");
  CHECK(found(body, map_of(body)) == Lines{"HUMANOID_BONE_MISPLACED" + at(body, "leftFoot")});
}

TEST_CASE("humanoid findings: scales that are negative or uneven") {
  BodyBuilder body = whole_body();
  node_of(body, "head").scale = {1, 1, 1.1};
  node_of(body, "leftToes").scale = {-1, 1, 1};
  node_of(body, "rightToes").scale = {2, 2, 2};
  const HumanoidMap map = map_of(body);
  CHECK(found(body, map) == Lines{"HUMANOID_SCALE" + at(body, "head"),  //
                                  "HUMANOID_SCALE" + at(body, "leftToes")});
}

TEST_CASE("humanoid findings: nodes above and between bones with a negative scale") {
  for (const Vec3<double>& scale :
       {Vec3<double>{-1, 1, 1}, Vec3<double>{-1, -1, -1}, Vec3<double>{1, -1, -1}}) {
    BodyBuilder body;
    const NodeIndex armature = body.add("armature", -1, {0, 0, 0});
    body.add_bone("hips", "", armature);
    for (const HumanBone& bone : kHumanBones) {
      if (bone.name != "hips" && without_side(bone.name).bone != "Eye")
        body.add_bone(std::string(bone.name), "");
    }
    const NodeIndex prop = body.add("prop", body.nodes.at("head"), {0, 2, 0});
    body.skeleton.nodes[static_cast<std::size_t>(prop)].scale = scale;  // carries no bone
    const HumanoidMap map = map_of(body);
    CHECK(negative_scales(body.skeleton, map, "hero.glb").empty());
    body.skeleton.nodes[static_cast<std::size_t>(armature)].scale = scale;
    const Lines lines = found(body, map);
    CHECK(std::count(lines.begin(), lines.end(),
                     "HUMANOID_SCALE /nodes/" + std::to_string(armature)) == 1);
    const Issues issues = negative_scales(body.skeleton, map, "hero.glb");
    REQUIRE(issues.size() == 1);
    CHECK(issues[0].message.find("a negative scale above bones") != std::string::npos);
  }
}

TEST_CASE("humanoid findings: hips that are not above the ground") {
  BodyBuilder body = whole_body();
  node_of(body, "hips").translation.y = -0.2;
  CHECK(found(body, map_of(body, "vrm1")) == Lines{"HUMANOID_HIPS_LOW" + at(body, "hips")});
  CHECK(found(body, map_of(body)) == Lines{});  // its feet are the ground
}

TEST_CASE("humanoid findings: left and right are swapped") {
  BodyBuilder body = whole_body();
  SUBCASE("in the whole map: the toes point backward") {
    std::map<std::string, NodeIndex> swapped;
    for (const auto& [bone, node] : body.nodes) {
      const bool is_left = bone.starts_with("left"), is_right = bone.starts_with("right");
      swapped[is_left    ? "right" + bone.substr(4)
              : is_right ? "left" + bone.substr(5)
                         : bone] = node;
    }
    body.nodes = swapped;
    const Lines lines = found(body, map_of(body));
    CHECK(std::find(lines.begin(), lines.end(), "HUMANOID_SIDES_SWAPPED" + at(body, "hips")) !=
          lines.end());
  }
  SUBCASE("in the arms only") {
    for (const std::string bone : {"Shoulder", "UpperArm", "LowerArm", "Hand"}) {
      std::swap(body.nodes["left" + bone], body.nodes["right" + bone]);
    }
    const Lines lines = found(body, map_of(body));
    const auto swapped = std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
      return line.starts_with("HUMANOID_SIDES_SWAPPED");
    });
    CHECK(swapped >= 4);
  }
}

TEST_CASE("humanoid findings: a rest pose that is not a T-pose names the worst bone") {
  BodyBuilder body = whole_body();
  node_of(body, "leftUpperArm").rotation = {std::cos(0.3), 0, 0, -std::sin(0.3)};
  const Issues issues = humanoid_findings(body.skeleton, map_of(body), "hero.glb");
  const auto issue = std::find_if(issues.begin(), issues.end(),
                                  [](const Issue& i) { return i.code == "HUMANOID_REST_POSE"; });
  REQUIRE(issue != issues.end());
  CHECK(issue->severity == Severity::kInfo);
  CHECK(issue->message.find("by 34.4 degrees") != std::string::npos);
}

TEST_CASE("humanoid body: hips are measured from the ground of the map's source") {
  BodyBuilder body = whole_body();
  const NodeTree tree(body.skeleton);
  CHECK(humanoid_body(tree, map_of(body, "vrm1")).hips_height_m == doctest::Approx(0.95));
  CHECK(humanoid_body(tree, map_of(body, "file")).hips_height_m == doctest::Approx(0.85));
}

TEST_CASE("humanoid body: limbs that coincide do not have a pose, and no finding is about one") {
  BodyBuilder body = whole_body();
  for (const std::string side : {"left", "right"}) {
    node_of(body, side + "UpperLeg").translation = {0, 0, 0};
    node_of(body, side + "Shoulder").translation = {0, 0, 0};
    node_of(body, side + "UpperArm").translation = {0, 0, 0};
  }
  for (const char* bone : {"spine", "chest", "upperChest"})
    node_of(body, bone).translation = {0, 0, 0};
  const NodeTree tree(body.skeleton);
  CHECK(!humanoid_body(tree, map_of(body)).pose);
  CHECK(humanoid_body(tree, map_of(body)).missing.empty());
  CHECK(found(body, map_of(body)) == Lines{});
}
