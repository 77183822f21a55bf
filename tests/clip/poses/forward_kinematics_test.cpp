#include "clip/poses/skinning.h"

#include <doctest/doctest.h>

#include <ctime>

#include "math/scalar.h"
#include "rig/joint_tree.h"
#include "rig/rest_pose.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using enum Interpolation;
using test::channel;
using test::distance;
using test::Local;

Affine<double> translation(double x, double y, double z) {
  Affine<double> m = kIdentity;
  m.translation = {x, y, z};
  return m;
}

Node node_of(const Local& local, NodeIndex parent) {
  Node node;
  node.parent = parent;
  node.translation = local.translation;
  node.rotation = local.rotation;
  node.scale = local.scale;
  return node;
}

// A vertical chain of three joints with one vertex at each.
Rig chain() {
  const Node foot = node_of({{0, 0, 0}}, -1), knee = node_of({{0, 1, 0}}, 0);
  const Node hip = node_of({{0, 1, 0}}, 1);
  return test::loose({{0, 0, 0}, {0, 1, 0}, {0, 2, 0}}, {foot, knee, hip},
                     {{{0, 1}}, {{1, 1}}, {{2, 1}}});
}

SampledPose pose_at(const Rig& rig, const Clip* clip, double time_s,
                    const Vec3<double>& centre = {0, 0, 0}) {
  PoseSampler sampler(rig, clip, centre);
  SampledPose pose;
  sampler.sample(time_s, pose);
  return pose;
}

// The time to sample a rigid mesh, and to find its joint tree, in a scene of so many nodes.
double seconds_among(int nodes) {
  const std::vector<Node> scene(static_cast<std::size_t>(nodes));
  const Rig rig = test::loose({{0, 0, 0}}, scene, {{{0, 1}}});
  Rig one = rig;
  one.joints.resize(1);
  const std::clock_t start = std::clock();
  for (int i = 0; i < 200; ++i) {
    pose_at(one, nullptr, 0);
    const JointTree tree(one, {0, 0, 0});
  }
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace

TEST_CASE("pose: without a clip every joint is in the bind pose") {
  const Rig rig = test::random_rig({.seed = 3, .scale_spread = 0.5});
  for (const Affine<double>& m : pose_at(rig, nullptr, 0).posed_from_rest) {
    CHECK(distance(m, kIdentity) < 1e-13);
  }
}

TEST_CASE("pose: a rotated joint moves its descendants, not its ancestors") {
  const Rig rig = chain();
  Clip clip;
  const double s = std::sqrt(0.5);  // 90 degrees about z: y goes to -x
  clip.channels = {channel(1, ChannelPath::kRotation, kLinear, {0}, {0, 0, s, s}, 4)};
  const SampledPose pose = pose_at(rig, &clip, 0);
  CHECK(distance(pose.posed_from_rest[0], kIdentity) < 1e-15);
  CHECK(distance(pose.posed_from_rest[1] * Vec3<double>{0, 1, 0}, {0, 1, 0}) < 1e-15);
  CHECK(distance(pose.posed_from_rest[2] * Vec3<double>{0, 2, 0}, {-1, 1, 0}) < 1e-15);
}

TEST_CASE("pose: the transform of a chain is the product of its local matrices") {
  test::Random random(30);
  const Rig rig = chain();
  for (int i = 0; i < 20; ++i) {
    std::vector<Local> locals;
    for (int n = 0; n < 3; ++n) {
      locals.push_back({random.vector(1), random.rotation(), random.vector(2)});
    }
    const Clip clip = test::clip_of({locals});
    const SampledPose pose = pose_at(rig, &clip, 0);
    Affine<double> global = kIdentity;
    for (std::size_t j = 0; j < 3; ++j) {
      global = global * test::to_matrix(locals[j]);
      const Affine<double> expected = global * translation(0, -static_cast<double>(j), 0);
      CHECK(distance(pose.posed_from_rest[j], expected) < 1e-13);
    }
  }
}

TEST_CASE("pose: scale is applied first, then rotation, then translation") {
  const Rig rig = chain();
  const double s = std::sqrt(0.5);
  const Clip clip = test::clip_of({{{{5, 0, 0}, {s, 0, 0, s}, {2, 1, 1}}, {}, {}}});
  CHECK(distance(pose_at(rig, &clip, 0).posed_from_rest[0] * Vec3<double>{1, 0, 0}, {5, 2, 0}) <
        1e-15);
}

TEST_CASE("pose: a fixed matrix is used as it is") {
  Rig rig = chain();
  auto skeleton = std::make_shared<Skeleton>(*rig.skeleton);
  const Affine<double> sheared{{1, 0, 0}, {0.5, 1, 0}, {0, 0, 2}, {3, 4, 5}};
  skeleton->nodes[0].matrix = sheared;
  rig.skeleton = skeleton;
  const SampledPose pose = pose_at(rig, nullptr, 0);
  CHECK(distance(pose.posed_from_rest[0], sheared) < 1e-15);
  CHECK(distance(pose.posed_from_rest[2], sheared) < 1e-15);
}

TEST_CASE("pose: a property without a channel stays at rest") {
  const Rig rig = chain();
  Clip clip;
  clip.channels = {channel(1, ChannelPath::kScale, kLinear, {0}, {2, 2, 2}, 3)};
  const SampledPose pose = pose_at(rig, &clip, 0);
  CHECK(distance(pose.posed_from_rest[1] * Vec3<double>{0, 1, 0}, {0, 1, 0}) < 1e-15);
  CHECK(distance(pose.posed_from_rest[2] * Vec3<double>{0, 2, 0}, {0, 3, 0}) < 1e-15);
}

TEST_CASE("pose: matrices act on positions relative to the centre") {
  const Rig rig = test::random_rig({.seed = 4, .scale_spread = 0.3});
  const Clip clip = test::random_clip(rig, {.seed = 4, .scale_spread = 0.3}, 2);
  const Vec3<double> centre{10, -20, 30}, p{1, 2, 3};
  const SampledPose plain = pose_at(rig, &clip, 0.01), centred = pose_at(rig, &clip, 0.01, centre);
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    CHECK(distance(centred.posed_from_rest[j] * (p - centre), plain.posed_from_rest[j] * p) <
          1e-11);
  }
}

TEST_CASE("pose: morph weights are those of the rig unless a channel of its node animates them") {
  Rig rig = chain();
  rig.morph_weights = {0.25, 0.75};
  CHECK(pose_at(rig, nullptr, 0).morph_weights == std::vector<double>{0.25, 0.75});
  Clip clip;
  clip.channels = {channel(rig.node, ChannelPath::kWeights, kLinear, {0, 1}, {0, 0, 1, 0.5}, 2),
                   channel(0, ChannelPath::kWeights, kLinear, {0}, {9, 9}, 2)};  // another mesh
  CHECK(pose_at(rig, &clip, 0.5).morph_weights == std::vector<double>{0.5, 0.25});
}

TEST_CASE("pose: the mesh's own node is sampled, but does not move the joints") {
  const Rig rig = chain();
  Clip clip;
  clip.channels = {channel(rig.node, ChannelPath::kTranslation, kLinear, {0}, {7, 8, 9}, 3)};
  const SampledPose pose = pose_at(rig, &clip, 0);
  CHECK(distance(pose.scene_from_mesh, translation(7, 8, 9)) == 0);
  CHECK(distance(pose.posed_from_rest[0], kIdentity) == 0);
}

TEST_CASE("pose: sampling a time again gives the same bits, whatever was sampled in between") {
  const Rig rig = test::random_rig({.seed = 5, .scale_spread = 0.3});
  const Clip clip = test::random_clip(rig, {.seed = 5, .scale_spread = 0.3}, 4);
  PoseSampler sampler(rig, &clip, {0, 0, 0});
  SampledPose first, other, again;
  sampler.sample(0.02, first);
  sampler.sample(0.09, other);
  sampler.sample(0.02, again);
  CHECK(distance(first.posed_from_rest[2], other.posed_from_rest[2]) > 0.01);
  CHECK(distance(first.posed_from_rest[2], again.posed_from_rest[2]) == 0);
}

TEST_CASE("pose: key times are zero and those of the channels that move the rig") {
  const Rig rig = chain();
  CHECK(PoseSampler(rig, nullptr, {0, 0, 0}).key_times() == std::vector<double>{0});
  Clip clip;
  clip.channels = {
      channel(1, ChannelPath::kScale, kLinear, {0.5, 2}, {1, 1, 1, 1, 1, 1}, 3),
      channel(2, ChannelPath::kTranslation, kLinear, {0.25, 0.5}, {1, 1, 1, 1, 1, 1}, 3)};
  CHECK(PoseSampler(rig, &clip, {0, 0, 0}).key_times() == std::vector<double>{0, 0.25, 0.5, 2});
}

TEST_CASE("rest pose: the global transform of a node is the product of the file's transforms") {
  const Rig rig = chain();
  CHECK(distance(scene_at_rest(*rig.skeleton, 2), translation(0, 2, 0)) == 0);
  CHECK(distance(scene_at_rest(*rig.skeleton, 3), kIdentity) == 0);
  CHECK(distance(scene_at_rest(*rig.skeleton, -1), kIdentity) == 0);
  RestScenes scenes(*rig.skeleton);
  for (NodeIndex n = -1; n < static_cast<NodeIndex>(rig.skeleton->nodes.size()); ++n) {
    CHECK(distance(scenes.scene_from_node(n), scene_at_rest(*rig.skeleton, n)) < 1e-15);
  }
}

TEST_CASE("forward kinematics: the time for a rigid mesh does not grow with the scene") {
  const double few = seconds_among(100), many = seconds_among(100'000);
  MESSAGE("100 nodes: " << few << " s; 100 000: " << many << " s");
  CHECK(many < 20 * few + 0.05);
}

}  // namespace skinbake
