#include "clip/poses/rigid_pose.h"

#include <doctest/doctest.h>

#include <cmath>

#include "math/scalar.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using test::distance;
using test::Local;
using test::RandomShape;

constexpr Vec3<double> kCentre{0.5, -0.25, 2};

SampledPose pose_of(const Rig& rig, const Clip& clip, const Vec3<double>& centre = kCentre) {
  PoseSampler sampler(rig, &clip, centre);
  SampledPose pose;
  sampler.sample(0, pose);
  return pose;
}

RigidPose factored(const Rig& rig, const SampledPose& pose, const Vec3<double>& centre = kCentre) {
  RigidPose rigid;
  RigidFactors(rig, centre).factor(pose, rigid);
  return rigid;
}

Affine<double> composed(const RigidPose& rigid, std::size_t j) {
  const Rigid<double>& r = rigid.posed_from_scaled[j];
  return to_affine(r.rotation, r.translation) * rigid.scaled_from_rest[j];
}

// The rigid part of every joint times its stretch is its matrix: the method is exact for one
// influence.
void check_exact(const Rig& rig, const Clip& clip, double tolerance) {
  const SampledPose pose = pose_of(rig, clip);
  const RigidPose rigid = factored(rig, pose);
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    CHECK(distance(composed(rigid, j), pose.posed_from_rest[j]) < tolerance);
    CHECK(std::fabs(norm(rigid.posed_from_scaled[j].rotation) - 1) < 1e-14);
  }
}

// Independent joints at x = 0, 1, 2 …, each with one vertex.
Rig row(int joints) {
  std::vector<Node> nodes(static_cast<std::size_t>(joints));
  std::vector<Vec3<double>> points;
  std::vector<std::vector<Influence>> influences;
  for (int j = 0; j < joints; ++j) {
    nodes[j].translation = {static_cast<double>(j), 0, 0};
    points.push_back({j + 0.5, 1, 0});
    influences.push_back({{static_cast<JointIndex>(j), 1}});
  }
  return test::loose(points, nodes, influences);
}

// One pose in which joint j of a row is scaled by scales[j] about its position.
Clip scaled_row(const std::vector<Vec3<double>>& scales) {
  std::vector<Local> locals;
  for (std::size_t j = 0; j < scales.size(); ++j) {
    locals.push_back({{static_cast<double>(j), 0, 0}, {1, 0, 0, 0}, scales[j]});
  }
  return test::clip_of({locals});
}

bool is_stretched(const Rig& rig, const Clip& clip, double neglected = kNeglectedStretch) {
  return RigidFactors(rig, kCentre).is_stretched(PoseSampler(rig, &clip, kCentre), neglected);
}

}  // namespace

TEST_CASE("rigid pose: at rest rotations and stretches are the identity") {
  const Rig rig = row(3);
  const RigidPose rigid =
      factored(rig, pose_of(rig, scaled_row({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}})));
  CHECK(rigid.common_scale == doctest::Approx(1).epsilon(1e-15));
  for (std::size_t j = 0; j < 3; ++j)
    CHECK(distance(composed(rigid, j), {kIdentity.x, kIdentity.y, kIdentity.z, kCentre}) < 1e-14);
}

TEST_CASE("rigid pose: rigid part times stretch is the joint's matrix for any scales") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    for (const double spread : {0.0, 0.3, 0.9}) {
      const RandomShape shape{.seed = seed, .scale_spread = spread};
      const Rig rig = test::random_rig(shape);
      check_exact(rig, test::random_clip(rig, shape, 1), 1e-8);
    }
  }
}

TEST_CASE("rigid pose: a mirrored root or a scene scale is the common scale of all joints") {
  const Rig rig = test::random_rig({.seed = 8});
  for (const Vec3<double>& scale :
       {Vec3<double>{0.01, 0.01, 0.01}, Vec3<double>{-100, -100, -100}, Vec3<double>{-1, -1, -1}}) {
    std::vector<Local> locals;
    test::Random random(8);
    for (std::size_t j = 0; j < rig.joints.size(); ++j) {
      locals.push_back({random.vector(1), random.rotation()});
    }
    locals[0].scale = scale;
    const Clip clip = test::clip_of({locals});
    check_exact(rig, clip, 1e-11);
    CHECK(factored(rig, pose_of(rig, clip)).common_scale ==
          doctest::Approx(scale.x).epsilon(1e-12));
    CHECK_FALSE(is_stretched(rig, clip));
  }
}

TEST_CASE("rigid pose: a root mirrored along one axis is exact") {
  const Rig rig = test::random_rig({.seed = 9});
  std::vector<Local> locals;
  test::Random random(9);
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    locals.push_back({random.vector(1), random.rotation()});
  }
  locals[0].scale = {-1, 1, 1};
  const Clip clip = test::clip_of({locals});
  check_exact(rig, clip, 1e-12);
  CHECK_FALSE(is_stretched(rig, clip));  // a rotation times the point reflection
}

TEST_CASE("rigid pose: the common scale is the lower weighted median") {
  const Rig rig = row(4);
  const auto common = [&](std::vector<double> s) {
    std::vector<Vec3<double>> scales;
    for (const double x : s) scales.push_back({x, x, x});
    return factored(rig, pose_of(rig, scaled_row(scales))).common_scale;
  };
  CHECK(common({1, 2, 3, 4}) == doctest::Approx(2));
  CHECK(common({4, 1, 1, 9}) == doctest::Approx(1));
  CHECK(common({5, 7, 7, 5}) == doctest::Approx(5));
  CHECK(common({0, 0, 0, 3}) == 1);  // a median of 0 is replaced by 1
}

TEST_CASE("rigid pose: a joint without weight does not affect the common scale") {
  Rig rig = row(3);
  rig.influences = {{0, 1}, {0, 1}, {2, 1}};
  const Clip clip = scaled_row({{2, 2, 2}, {50, 50, 50}, {2, 2, 2}});
  CHECK(factored(rig, pose_of(rig, clip)).common_scale == doctest::Approx(2));
  CHECK_FALSE(is_stretched(rig, clip));
}

TEST_CASE("rigid pose: a joint scaled to zero has the rotation of its parent") {
  std::vector<Node> nodes(3);
  nodes[1].parent = 0, nodes[1].translation = {0, 1, 0};
  nodes[2].parent = 1, nodes[2].translation = {0, 1, 0};
  const Rig rig =
      test::loose({{0, 0, 0}, {0, 1.5, 0}, {0, 2.5, 0}}, nodes, {{{0, 1}}, {{1, 1}}, {{2, 1}}});
  const double s = std::sqrt(0.5);
  for (const Vec3<double>& scale :
       {Vec3<double>{0, 0, 0}, Vec3<double>{1, 0, 1}, Vec3<double>{1e-9, 1e-9, 0}}) {
    const Clip clip =
        test::clip_of({{{{0, 0, 0}, {s, 0, 0, s}}, {{0, 1, 0}, {1, 0, 0, 0}, scale}, {{0, 1, 0}}}});
    check_exact(rig, clip, 1e-14);
    const RigidPose rigid = factored(rig, pose_of(rig, clip));
    CHECK(distance(rigid.posed_from_scaled[1].rotation, {s, 0, 0, s}) < 1e-14);
    CHECK(distance(rigid.posed_from_scaled[2].rotation, {s, 0, 0, s}) < 1e-14);
  }
}

TEST_CASE("rigid pose: results are finite if all joints are scaled to zero") {
  const Rig rig = row(2);
  const RigidPose rigid = factored(rig, pose_of(rig, scaled_row({{0, 0, 0}, {0, 0, 0}})));
  for (std::size_t j = 0; j < 2; ++j) {
    CHECK(std::isfinite(norm(composed(rigid, j).translation)));
    CHECK(rigid.posed_from_scaled[j].rotation.w == 1);
  }
}

TEST_CASE("rigid pose: a singular inverse bind matrix does not give NaN") {
  Rig rig = row(2);
  rig.joints[1].joint_from_model = {{1, 0, 0}, {0, 0, 0}, {0, 0, 1}, {0, 0, 0}};
  const SampledPose pose = pose_of(rig, scaled_row({{1, 1, 1}, {1, 1, 1}}));
  const RigidPose rigid = factored(rig, pose);
  CHECK(distance(composed(rigid, 1), pose.posed_from_rest[1]) < 1e-13);
}

TEST_CASE("is_stretched: true only if a scale differs from the common scale") {
  const Rig rig = row(3);
  CHECK_FALSE(is_stretched(rig, scaled_row({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}})));
  CHECK_FALSE(is_stretched(rig, scaled_row({{3, 3, 3}, {3, 3, 3}, {3, 3, 3}})));
  CHECK(is_stretched(rig, scaled_row({{1, 1, 1}, {1, 1, 1}, {2, 2, 2}})));
  CHECK(is_stretched(rig, scaled_row({{1, 1, 1}, {1, 1, 1}, {1, 1, 1.001}})));
  CHECK(is_stretched(rig, scaled_row({{1, 1, 1}, {1, 1, 1}, {-1, -1, -1}})));
  CHECK(is_stretched(rig, scaled_row({{1, 1, 1}, {1, 1, 1}, {0, 0, 0}})));
}

TEST_CASE(
    "is_stretched: a joint that turns below an uneven scale is stretched at a later key only") {
  const auto turns = [](const Node& parent) {
    Node child;
    child.parent = 0;
    const Rig rig = test::loose({{0, 1, 0}, {1, 1, 0}}, {parent, child}, {{{0, 1}}, {{1, 1}}});
    const double half = std::sqrt(0.5);
    Clip clip;
    clip.duration_s = 2;
    clip.channels = {test::channel(1, ChannelPath::kRotation, Interpolation::kLinear, {0, 1, 2},
                                   {0, 0, 0, 1, 0, half, 0, half, 0, 0, 0, 1}, 4)};
    return is_stretched(rig, clip);
  };
  Node parent;
  CHECK_FALSE(turns(parent));
  parent.scale = {2, 2, 2};
  CHECK_FALSE(turns(parent));
  parent.scale = {1, 1, 2};
  CHECK(turns(parent));
  parent.scale = {1, 1, 1};
  parent.matrix = Affine<double>{{0, 0.01, 0}, {-0.01, 0, 0}, {0, 0, 0.01}, {1, 2, 3}};
  CHECK_FALSE(turns(parent));
  parent.matrix = Affine<double>{{1, 0, 0}, {0, 1, 0}, {0, 0, 2}, {0, 0, 0}};
  CHECK(turns(parent));
  parent.matrix = Affine<double>{{1, 0, 0}, {0.5, 1, 0}, {0, 0, 1}, {0, 0, 0}};
  CHECK(turns(parent));
}

TEST_CASE("is_stretched: a stretch that is between two keys and at none of them counts") {
  Node parent, child;
  parent.scale = {1, 1, 2};
  child.parent = 0;
  const Rig rig = test::loose({{0, 1, 0}, {1, 1, 0}}, {parent, child}, {{{0, 1}}, {{1, 1}}});
  Clip clip;
  clip.duration_s = 2;
  clip.channels = {test::channel(1, ChannelPath::kRotation, Interpolation::kLinear, {0, 1, 2},
                                 {0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, -1}, 4)};
  CHECK(is_stretched(rig, clip));  // by half a turn from key to key
  clip.channels[0].node = 0;       // the node that has the scale
  CHECK_FALSE(is_stretched(rig, clip));
  // 1 to 4 in a straight line, and 1 to 2 times 1 to 2: equal at both keys only.
  Node plain;
  const Rig chain = test::loose({{0, 1, 0}, {1, 1, 0}, {2, 1, 0}}, {plain, plain, child},
                                {{{0, 1}}, {{1, 1}}, {{2, 1}}});
  const auto grows = [](NodeIndex node, double to) {
    return test::channel(node, ChannelPath::kScale, Interpolation::kLinear, {0, 1},
                         {1, 1, 1, to, to, to}, 3);
  };
  clip.channels = {grows(1, 4), grows(0, 2), grows(2, 2)};
  CHECK(is_stretched(chain, clip));
}

TEST_CASE("is_stretched: keys of a scale count, and keys of one number are none") {
  const Rig rig = row(2);
  const auto scaled = [&](std::vector<double> scales) {
    Clip clip;
    clip.duration_s = 1;
    clip.channels = {test::channel(1, ChannelPath::kScale, Interpolation::kLinear, {0, 1},
                                   std::move(scales), 3)};
    return is_stretched(rig, clip);
  };
  CHECK_FALSE(scaled({1, 1, 1, 1, 1, 1}));
  CHECK(scaled({1, 1, 1, 2, 2, 2}));
  CHECK(scaled({2, 2, 2, 2, 2, 2}));
  CHECK(scaled({1, 1, 1, 1, 1, 2}));
}

TEST_CASE("is_stretched: a difference of 1e-6 is rounding, 1e-4 is a stretch") {
  const Rig rig = row(2);
  CHECK_FALSE(is_stretched(rig, scaled_row({{1, 1, 1}, {1 + 1e-6, 1 - 1e-6, 1}})));
  CHECK(is_stretched(rig, scaled_row({{1, 1, 1}, {1 + 1e-4, 1, 1}})));
}

TEST_CASE("is_stretched: for an exact reference, rounding errors of rotations are no stretch") {
  const RandomShape shape{.seed = 70, .joints = 12};
  const Rig rig = test::random_rig(shape);
  CHECK_FALSE(is_stretched(rig, test::random_clip(rig, shape, 8), kStretchRounding));
  const Rig joints = row(2);
  CHECK(is_stretched(joints, scaled_row({{1, 1, 1}, {1, 1 + 1e-9, 1}}), kStretchRounding));
}

TEST_CASE("is_stretched: every key of the clip counts, splines of scales are always a stretch") {
  const Rig rig = row(2);
  Clip clip;
  clip.channels = {test::channel(1, ChannelPath::kScale, Interpolation::kLinear, {0, 1, 2},
                                 {1, 1, 1, 1, 2, 1, 1, 1, 1}, 3)};
  CHECK(is_stretched(rig, clip));
  clip.channels = {
      test::channel(1, ChannelPath::kScale, Interpolation::kLinear, {0, 2}, {1, 1, 1, 1, 1, 1}, 3)};
  CHECK_FALSE(is_stretched(rig, clip));
  clip.channels[0].interpolation = Interpolation::kCubicSpline;
  clip.channels[0].values = std::make_shared<std::vector<double>>(
      std::vector<double>{0, 0, 0, 1, 1, 1, 5, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0});
  CHECK(is_stretched(rig, clip));
}

}  // namespace skinbake
