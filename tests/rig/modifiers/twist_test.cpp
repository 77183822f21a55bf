#include "rig/modifiers/twist.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "rig/joint_tree.h"
#include "rig/rest_pose.h"
#include "rig/validate.h"
#include "support/near.h"
#include "support/twisted_arm.h"

namespace skinbake {
namespace {

using test::distance;
using From = ShareTwist::From;

constexpr JointIndex kElbow = 1, kWrist = 2;

std::optional<JointSegment> segment_of(const Rig& rig, JointIndex joint) {
  const Rig* const alone[] = {&rig};
  return FileJointSegments(alone).segment(0, joint);
}

std::string obstacle_to_twist(const Rig& rig, JointIndex joint, From from) {
  return skinbake::obstacle_to_twist(rig, joint, from, segment_of(rig, joint));
}

Rig with_twist_joints(const Rig& rig, JointIndex joint, const ShareTwist& twist) {
  return skinbake::with_twist_joints(rig, joint, twist, *segment_of(rig, joint));
}

Rig split(From from, int helpers = 3) {
  return with_twist_joints(test::arm(), kElbow, {"elbow", helpers, from});
}

double weight_of(const Rig& rig, VertexIndex v, JointIndex joint) {
  for (const Influence& i : rig.influences_of(v)) {
    if (i.joint == joint) return i.weight;
  }
  return 0;
}

NodeIndex parent_of(const Rig& rig, JointIndex joint) {
  return rig.skeleton->nodes[rig.joints[joint].node].parent;
}

}  // namespace

TEST_CASE("twist joints: helpers are nodes 1 … n + 1 with `child`, nodes 0 … n + 1 with `self`") {
  const Rig child = split(From::kChild), self = split(From::kSelf);
  CHECK(child.joints.size() == 3 + 4);
  CHECK(self.joints.size() == 3 + 5);
  REQUIRE(child.twists.size() == 1);
  CHECK(child.twists[0].from == kElbow);
  CHECK(child.twists[0].to == kWrist);
  CHECK(self.twists[0].from == 0);
  CHECK(self.twists[0].to == kElbow);
  for (int i = 0; i < 4; ++i) CHECK(child.twists[0].helpers[i].share == (i + 1) / 4.0);
  for (int i = 0; i < 5; ++i) CHECK(self.twists[0].helpers[i].share == i / 4.0 - 1);
  CHECK(joint_id(child, 3) == "elbow.twist1");
  CHECK(joint_id(self, 3) == "elbow.twist0");
}

TEST_CASE("twist joints: weights are hat functions of the position along the segment") {
  const Rig rig = split(From::kChild);  // nodes at 0, 1/4 … 1; rings at 0, 1/8 … 1
  const JointIndex nodes[] = {kElbow, 3, 4, 5, 6};
  for (int ring = 0; ring < 9; ++ring) {
    for (VertexIndex v = ring * 8; v < ring * 8u + 8; ++v) {
      if (ring % 2 == 0) {
        CHECK(weight_of(rig, v, nodes[ring / 2]) == 1);
      } else {
        CHECK(weight_of(rig, v, nodes[ring / 2]) == 0.5);
        CHECK(weight_of(rig, v, nodes[ring / 2 + 1]) == 0.5);
      }
    }
  }
  CHECK(weight_of(rig, 72, kWrist) == 1);  // weights of other joints are kept
  CHECK(weight_of(rig, 80, 0) == 1);
}

TEST_CASE("twist joints: the weights of the helpers sum to the weight of the joint") {
  const Rig tube = test::tube({.rings = 33, .segments = 7, .joints = 4, .influences = 3});
  for (const From from : {From::kChild, From::kSelf}) {
    for (const int helpers : {1, 2, 7}) {
      const Rig rig = with_twist_joints(tube, 2, {"joint2", helpers, from});
      validate(*rig.skeleton, {});
      validate(rig, {});
      for (VertexIndex v = 0; v < tube.mesh->vertex_count(); ++v) {
        double shared = 0;
        for (const Influence& i : rig.influences_of(v)) {
          if (i.joint == 2 || i.joint >= 4)
            shared += i.weight;
          else
            CHECK(i.weight == weight_of(tube, v, i.joint));
        }
        CHECK(std::abs(shared - weight_of(tube, v, 2)) < 1e-16);
        if (from == From::kSelf) CHECK(weight_of(rig, v, 2) == 0);
      }
    }
  }
}

TEST_CASE("twist joints: helpers are along the segment, and the file's joints are not moved") {
  const Rig rig = split(From::kChild);
  const auto at_rest = [&](NodeIndex node) { return scene_at_rest(*rig.skeleton, node); };
  for (int i = 1; i <= 4; ++i) {
    const Joint& helper = rig.joints[2 + i];
    CHECK(distance(at_rest(helper.node).translation, {0, 1 + i / 4.0, 0}) < 1e-15);
    CHECK(distance(at_rest(helper.node) * helper.joint_from_model, kIdentity) < 1e-15);
    CHECK(distance(inverse(helper.joint_from_model).translation, {0, 1 + i / 4.0, 0}) < 1e-15);
  }
  CHECK(distance(at_rest(kWrist).translation, {0, 2, 0}) == 0);
  CHECK(distance(at_rest(kElbow).translation, {0, 1, 0}) == 0);
}

TEST_CASE("twist joints: helpers are between the joint and its child in the hierarchy") {
  for (const From from : {From::kChild, From::kSelf}) {
    const Rig rig = split(from, 2);
    CHECK(parent_of(rig, 3) == kElbow);
    for (JointIndex j = 4; j < rig.joints.size(); ++j) {
      CHECK(parent_of(rig, j) == rig.joints[j - 1].node);
    }
    CHECK(parent_of(rig, kWrist) == rig.joints.back().node);
    CHECK(rig.skeleton->base_of(kWrist) == kElbow);
    CHECK(rig.skeleton->base_of(rig.joints.back().node) == kElbow);
    validate(*rig.skeleton, {});
  }
}

TEST_CASE("twist joints: the segment of a leaf reaches as far as its vertices") {
  Rig rig = test::arm();
  CHECK(obstacle_to_twist(rig, kWrist, From::kChild) == "no joint is below it; write from=self");
  CHECK(obstacle_to_twist(rig, kWrist, From::kSelf).empty());
  const Rig hand = with_twist_joints(rig, kWrist, {"wrist", 1, From::kSelf});
  for (VertexIndex v = 72; v < 80; ++v)
    CHECK(weight_of(hand, v, 5) == 1);  // all weight is at the tip
}

TEST_CASE("twist joints: obstacles are named") {
  Rig rig = test::arm();
  CHECK(obstacle_to_twist(rig, kElbow, From::kChild).empty());
  CHECK(obstacle_to_twist(rig, 0, From::kSelf) ==
        "no joint with weight is above it; write from=child");
  CHECK(obstacle_to_twist(split(From::kChild), kElbow, From::kSelf) ==
        "its twist is already shared; name the joint in one twist modifier only");
  CHECK(obstacle_to_twist(split(From::kChild), 3, From::kSelf) ==
        "its twist is already shared; name the joint in one twist modifier only");
  rig.joints[kElbow].joint_from_model = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  CHECK(obstacle_to_twist(rig, kElbow, From::kChild).find("length zero") != std::string::npos);
}

TEST_CASE("twist joints: two segments of a limb can be split in either order") {
  const Rig rig = test::arm();
  const ShareTwist upper{"shoulder", 2, From::kChild}, fore{"elbow", 2, From::kChild};
  const Rig a = with_twist_joints(with_twist_joints(rig, 0, upper), 1, fore);
  const Rig b = with_twist_joints(with_twist_joints(rig, 1, fore), 0, upper);
  for (const Rig& both : {a, b}) {
    validate(*both.skeleton, {});
    validate(both, {});
    CHECK(both.skeleton->base_of(kWrist) == kElbow);
    CHECK(both.skeleton->base_of(kElbow) == 0);
    CHECK(JointSegments(both).parent(kWrist) == kElbow);
    CHECK(JointSegments(both).parent(kElbow) == 0u);
  }
}

}  // namespace skinbake
