// Poses on bodies: the height of the hips above bent legs of other proportions.

#include "humanoid/motion/human_motion.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "clip/sampling/node_sampler.h"
#include "humanoid/bodies.h"
#include "humanoid/pose/human_pose.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

constexpr double kLegScale = 0.5;  // of the lower legs, against those of the pose's body

// A body with short lower legs.
struct Body {
  std::shared_ptr<const Skeleton> skeleton;
  TPosedSkeleton t_pose;
};

Body short_body() {
  BodyBuilder builder;
  HumanoidMap map{"names:english", {}};
  for (const HumanBone& bone : kHumanBones) {
    if (!bone.is_required) continue;
    const std::string name(bone.name);
    map.bones.push_back({name, builder.add_bone(name, name)});
  }
  for (const char* foot : {"leftFoot", "rightFoot"}) {
    Node& node = builder.skeleton.nodes[static_cast<std::size_t>(builder.nodes[foot])];
    node.translation = kLegScale * node.translation;
  }
  auto skeleton = std::make_shared<const Skeleton>(std::move(builder.skeleton));
  return {skeleton, t_posed(*skeleton, map, true, "body.gltf")};
}

// Knees bent by a right angle: thighs forward and down, shins back and down. The hips are at 0.9 of
// their height, and the lower foot at `foot`.
class Squat : public PoseSource {
 public:
  explicit Squat(double foot) {
    pose_.hips = Vec3<double>{0, 0.9, 0};
    pose_.lower_foot = foot;
    for (const char* side : {"left", "right"}) {
      const std::string name(side);
      const double eighth = std::acos(-1.0) / 4;
      pose_.turns[human_bone_index(name + "UpperLeg")] = about({1, 0, 0}, -eighth);
      pose_.turns[human_bone_index(name + "LowerLeg")] = about({1, 0, 0}, eighth);
    }
  }
  HumanPose pose(double) const override { return pose_; }
  const std::vector<double>& key_times() const override { return times_; }

 private:
  HumanPose pose_;
  std::vector<double> times_{0};
};

struct Heights {
  double hips, left_foot, right_foot;  // above the ground, in heights of the body's hips
};

Heights heights(const Body& body, double foot, bool stands, RootMotion root = RootMotion::kKeep,
                bool is_mirrored = false) {
  HumanMotion::Options options;
  options.hips_unit_m = body.t_pose.hips_height_m;
  options.stands = stands;
  options.root = root;
  options.is_mirrored = is_mirrored;
  Clip clip;
  clip.duration_s = 1;
  clip.motion = std::make_shared<const HumanMotion>(
      body.skeleton, std::make_shared<const TPosedSkeleton>(body.t_pose),
      std::make_shared<const Squat>(foot), options);
  const auto node = [&](const char* bone) { return body.t_pose.nodes[human_bone_index(bone)]; };
  NodeSampler sampler(*body.skeleton, &clip, {node("hips"), node("leftFoot"), node("rightFoot")});
  sampler.sample(0);
  const auto height = [&](const char* bone) {
    return (sampler.scene_from_node(node(bone)).translation.y - body.t_pose.ground_m) /
           body.t_pose.hips_height_m;
  };
  return {height("hips"), height("leftFoot"), height("rightFoot")};
}

}  // namespace

TEST_CASE("human motion: a body that stands has its lower foot as high as the pose") {
  const Body body = short_body();
  for (const double foot : {-0.05, 0.0, 0.1, 0.25}) {
    const Heights h = heights(body, foot, true);
    CHECK(std::abs(std::min(h.left_foot, h.right_foot) - foot) < 1e-12);
  }
}

TEST_CASE("human motion: a mirrored body stands as high as the pose") {
  const Body body = short_body();
  for (const double foot : {0.0, 0.1}) {
    const Heights h = heights(body, foot, true, RootMotion::kKeep, true);
    CHECK(std::abs(std::min(h.left_foot, h.right_foot) - foot) < 1e-12);
  }
}

TEST_CASE("human motion: a body that does not stand has its hips as high as the pose") {
  const Body body = short_body();
  CHECK(std::abs(heights(body, 0, false).hips - 0.9) < 1e-12);
  CHECK(heights(body, 0, false).left_foot > 0.05);  // its legs are shorter: it floats
}

TEST_CASE("human motion: high above the ground the hips count, and between both the mean") {
  const Body body = short_body();
  for (const double foot : {0.5, 0.8}) {
    CHECK(std::abs(heights(body, foot, true).hips - 0.9) < 1e-12);
  }
  const double free = heights(body, 0.375, false).left_foot;
  CHECK(std::abs(heights(body, 0.375, true).left_foot - (free + 0.375) / 2) < 1e-12);
}

TEST_CASE("human motion: a body without root motion keeps its hips at rest") {
  const Body body = short_body();
  CHECK(std::abs(heights(body, 0, true, RootMotion::kNone).hips - 1) < 1e-12);
  const Heights in_place = heights(body, 0, true, RootMotion::kInPlace);
  CHECK(std::abs(in_place.left_foot) < 1e-12);
}

TEST_CASE("human motion: the speed of the hips does not jump where a body leaves the ground") {
  const Body body = short_body();
  const double step = 1e-4;  // of the foot's height, in heights of the hips
  const auto hips_at = [&](double foot) { return heights(body, foot, true).hips; };
  for (const double foot : {0.25, 0.5}) {
    const double before = (hips_at(foot) - hips_at(foot - step)) / step;
    const double after = (hips_at(foot + step) - hips_at(foot)) / step;
    CHECK(std::abs(after - before) < 0.01);
  }
}
