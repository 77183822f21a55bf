#include <doctest/doctest.h>

#include <algorithm>

#include "math/scalar.h"
#include "methods/all-inl.h"
#include "methods/two_joints.h"
#include "support/near.h"

namespace skinbake {
namespace {

using test::distance;
using test::TwoJoints;

// The blend of joints that are the same in all frames of a block: [joint][8][16 frames].
template <std::size_t N>
Affine<double> blended(const DualQuat<double> (&joints)[N], const double (&weights)[N]) {
  std::vector<double> block(N * 8 * kFramesPerBlock);
  std::vector<PackedInfluence<double>> influences;
  for (std::size_t j = 0; j < N; ++j) {
    for (int f = 0; f < kFramesPerBlock; ++f) {
      Elements<DualQuat<double>>::store_to(joints[j], block.data() + j * 8 * kFramesPerBlock + f);
    }
    influences.push_back({static_cast<std::uint32_t>(j), weights[j]});
  }
  PoseArrays<double> arrays;
  arrays.joints = block.data();
  const double defaults[] = {0, 0, 0};
  arrays.parameters = defaults;
  return DualQuaternion<double>::blend({influences, {}, nullptr, {0, 0, 0}, 0},
                                       Pose<DualQuat<double>>(arrays));
}

DualQuat<double> about_z(double angle) {
  return to_dual_quat(Rigid<double>{{std::cos(angle / 2), 0, 0, std::sin(angle / 2)}, {1, 2, 3}});
}

}  // namespace

TEST_CASE("dual quaternion: a twist keeps the cylinder's radius") {
  const TwoJoints joints(test::kTwist, "dqs");
  for (int d = 0; d < test::kDegrees; ++d) {
    CHECK(std::fabs(joints.rounded(d, 8).radius - test::kRadius) < 1e-6);
    CHECK(std::fabs(joints.rounded(d, 8).angle - TwoJoints::radians(d) / 2) < 1e-6);
  }
}

TEST_CASE("dual quaternion: radius and angle of all weights in twists and bends") {
  for (const Vec3<double>& axis : {test::kTwist, test::kBend}) {
    const TwoJoints joints(axis, "dqs");
    CHECK(worst_deviation(joints, test::blended_quaternions, false).radius < 1e-14);
    CHECK(worst_deviation(joints, test::blended_quaternions, false).angle < 1e-13);
    CHECK(worst_deviation(joints, test::blended_quaternions, true).radius < 1e-6);
    CHECK(worst_deviation(joints, test::blended_quaternions, true).angle < 2e-6);
  }
}

TEST_CASE(
    "dual quaternion: the angle differs from the weight's share of the turn by known amounts") {
  const TwoJoints joints(test::kTwist, "dqs");
  const auto departure = [&](int degrees) {
    double most = 0;
    for (int i = 0; i < test::kWeights; ++i) {
      const double share = TwoJoints::weight(i) * TwoJoints::radians(degrees);
      most = std::max(most, std::fabs(joints.exact(degrees, i).angle - share));
    }
    return most / TwoJoints::radians(1);
  };
  CHECK(departure(90) == doctest::Approx(0.92).epsilon(0.02));
  CHECK(departure(120) == doctest::Approx(2.2).epsilon(0.02));
  CHECK(departure(150) == doctest::Approx(4.5).epsilon(0.02));
}

TEST_CASE("dual quaternion: q and -q are the same joint") {
  const DualQuat<double> a = about_z(0.3), b = about_z(1.9);
  const double weights[] = {0.6, 0.4};
  const Affine<double> plain = blended({a, b}, weights);
  CHECK(distance(blended({a, -1.0 * b}, weights), plain) < 1e-15);
  CHECK(distance(blended({-1.0 * a, b}, weights), plain) < 1e-15);
  CHECK(distance(blended({-1.0 * a, -1.0 * b}, weights), plain) < 1e-15);
}

TEST_CASE("dual quaternion: the heaviest of three joints decides the signs") {
  // Half angles 0, 75 and -75 degrees: the last two are more than a right angle apart, but both are
  // within a right angle of the first. Comparing the third with the sum of the first two would flip
  // its sign.
  const double h = 75 * std::numbers::pi / 180;
  const double weights[] = {0.4, 0.35, 0.25};
  const Affine<double> m = blended({about_z(0), about_z(2 * h), about_z(-2 * h)}, weights);
  const double angle = 2 * std::atan2((0.35 - 0.25) * std::sin(h), 0.4 + 0.6 * std::cos(h));
  CHECK(distance(m.x, {std::cos(angle), std::sin(angle), 0}) < 1e-15);
  const double running = 2 * std::atan2((0.35 + 0.25) * std::sin(h), 0.4 + 0.1 * std::cos(h));
  CHECK(std::fabs(running - angle) > 0.5);
}

TEST_CASE("dual quaternion: the signs do not depend on which joint is listed first") {
  // Equal bytes in the lanes: the pivot is the heaviest, here the last joint of the skin.
  std::vector<Node> nodes(3);
  const Rig rig = test::loose({{1, 0, 0}}, nodes, {{{2, 0.4}, {0, 0.35}, {1, 0.25}}});
  const double h = 75 * std::numbers::pi / 180;
  const auto turned = [](double half) {
    return test::Local{{0, 0, 0}, {std::cos(half), 0, 0, std::sin(half)}};
  };
  const Clip clip = test::clip_of({{turned(h), turned(-h), turned(0)}});
  const auto capture = test::captured(rig, &clip, 1, "dqs");
  const double angle = 2 * std::atan2((0.35 - 0.25) * std::sin(h), 0.4 + 0.6 * std::cos(h));
  CHECK(distance(capture.at(0, 0), {std::cos(angle), std::sin(angle), 0}) < 1e-6);
}

TEST_CASE("dual quaternion: sign=first uses the joint that the file lists first") {
  // Half angles 75, -75 and 0 degrees; the heaviest joint is the last. The second is more than a
  // right angle away from the first, and is flipped if the first decides the signs.
  std::vector<Node> nodes(3);
  Rig rig = test::loose({{1, 0, 0}}, nodes, {{{2, 0.4}, {0, 0.35}, {1, 0.25}}});
  const double h = 75 * std::numbers::pi / 180;
  const auto turned = [](double half) {
    return test::Local{{0, 0, 0}, {std::cos(half), 0, 0, std::sin(half)}};
  };
  const Clip clip = test::clip_of({{turned(h), turned(-h), turned(0)}});
  const auto by_heaviest = test::captured(rig, &clip, 1, "dqs").exact_at(0, 0);
  CHECK(distance(test::captured(rig, &clip, 1, "dqs:sign=first").exact_at(0, 0), by_heaviest) == 0);
  rig.first_listed = {1};  // joint 0
  const double angle =
      2 * std::atan2((0.35 + 0.25) * std::sin(h), 0.4 + (0.35 - 0.25) * std::cos(h));
  CHECK(distance(test::captured(rig, &clip, 1, "dqs:sign=first").exact_at(0, 0),
                 {std::cos(angle), std::sin(angle), 0}) < 1e-14);
  CHECK(distance(by_heaviest, {std::cos(angle), std::sin(angle), 0}) > 0.1);
}

TEST_CASE("dual quaternion: sign=temporal tracks a twist beyond half a turn") {
  const TwoJoints joints(test::kTwist, "dqs:sign=temporal", 0, 300);
  for (int d = 0; d < 300; ++d) {
    const double half = TwoJoints::radians(d) / 2, w = TwoJoints::weight(4);
    const double angle = 2 * std::atan2(w * std::sin(half), (1 - w) + w * std::cos(half));
    const double off = joints.exact(d, 4).angle - angle;
    CHECK(std::fabs(off - 2 * std::numbers::pi * std::round(off / (2 * std::numbers::pi))) < 1e-12);
  }
}

TEST_CASE("dual quaternion: the pivot of scale, for one vertex at three origins") {
  // Two joints; the second is turned by 90 degrees and twice as long along its own x.
  const auto posed = [](const char* method, double origin) {
    std::vector<Node> nodes(2);
    nodes[0].translation = {origin, 0, 0};
    nodes[1].translation = {origin + 1, 0, 0};
    const auto x = static_cast<float>(origin + 0.5);
    const Rig rig = test::loose({{x, 0.25, 0}}, nodes, {{{0, 0.5}, {1, 0.5}}});
    const double s = std::sqrt(0.5);
    const Clip clip = test::clip_of({{{{0, 0, 0}}, {{1, 0, 0}, {s, 0, 0, s}, {2, 1, 1}}}});
    return test::captured(rig, &clip, 1, method).exact_at(0, 0);
  };
  for (const char* method : {"dqs", "dqs:scale=vertex"}) {
    CHECK(distance(posed(method, 8), posed(method, 0)) < 1e-12);
    CHECK(distance(posed(method, -16), posed(method, 0)) < 1e-12);
  }
  CHECK(distance(posed("dqs:scale=origin", 8), posed("dqs:scale=origin", 0)) > 0.1);
  CHECK(distance(posed("dqs", 0), posed("dqs:scale=vertex", 0)) > 0.01);
  // With scale=vertex the joints' rigid parts move the vertex to where their matrices move it:
  // to (0.5, 0.25), and, turned and stretched about (1, 0), to (1 - 0.25, -1).
  const double half = std::numbers::pi / 8;
  const Vec3<double> vertex = posed("dqs:scale=vertex", 0);
  const double t = std::tan(half);  // the distance of the screw's centre from the middle
  const Vec3<double> a{0.5, 0.25, 0}, b{0.75, -1, 0};
  const Vec3<double> middle = 0.5 * (a + b);
  const Vec3<double> across{-(b.y - a.y) / 2 * t, (b.x - a.x) / 2 * t, 0};
  CHECK(std::min(distance(vertex, middle + across), distance(vertex, middle - across)) < 1e-12);
}

TEST_CASE("dual quaternion: bulge-free=1 keeps vertices outside a bend at their distance") {
  // An arm along y, bent in the middle by 90 degrees, and a vertex outside the elbow, with half of
  // each joint.
  std::vector<Node> nodes(3);
  nodes[1].parent = 0, nodes[1].translation = {0, 1, 0};
  nodes[2].parent = 1, nodes[2].translation = {0, 1, 0};
  const Rig rig = test::loose({{0.25, 1.5, 0}, {0, 2, 0}}, nodes, {{{0, 0.5}, {1, 0.5}}, {{2, 1}}});
  const double s = std::sqrt(0.5);
  const Clip clip = test::clip_of({{{{0, 0, 0}}, {{0, 1, 0}, {s, 0, 0, s}}, {{0, 1, 0}}}});
  const auto plain = test::captured(rig, &clip, 1, "dqs").exact_at(0, 0);
  const auto drawn = test::captured(rig, &clip, 1, "dqs:bulge-free=1").exact_at(0, 0);
  // At rest the vertex is 0.25 from the forearm's bone, and, above its end, sqrt(0.25^2 + 0.5^2)
  // from the upper arm's. The blend is farther only from the forearm, with weight 1/2, and is moved
  // half of the way back.
  const auto from_forearm = [](const Vec3<double>& p) {  // from (0, 1) along -x, of length 1
    const double along = std::min(1.0, std::max(0.0, -p.x));
    return std::hypot(p.x + along, p.y - 1);
  };
  const double outside = from_forearm(plain) - 0.25;
  REQUIRE(outside > 0.01);
  CHECK(std::fabs(from_forearm(drawn) - (from_forearm(plain) - outside / 2)) < 1e-12);
}

TEST_CASE("dual quaternion: bulge-free=1 gives a leaf that dominates no vertex the bone into it") {
  // Two bones of 0.25 along y, bent by 90 degrees. Vertices beside the second bone belong to it by
  // only 0.4: none of them says how long the bone is.
  std::vector<Node> nodes(2);
  nodes[1].parent = 0, nodes[1].translation = {0, 0.25, 0};
  // The same joints, with one at the end of the second bone, which has no weight.
  std::vector<Node> with_tip = nodes;
  with_tip.resize(3);
  with_tip[2].parent = 1, with_tip[2].translation = {0, 0.25, 0};
  const std::vector<Vec3<double>> points{
      {0.05, 0.25, 0}, {0.05, 0.3, 0}, {0.05, 0.4, 0}, {-0.05, 0.4, 0}, {0, 0.3, 0.05}};
  const std::vector<std::vector<Influence>> influences(5, {{0, 0.6}, {1, 0.4}});
  const Rig rig = test::loose(points, nodes, influences);
  const Rig other = test::loose(points, with_tip, influences);
  const double s = std::sqrt(0.5);
  const Clip clip = test::clip_of({{{{0, 0, 0}}, {{0, 0.25, 0}, {s, 0, 0, s}}}});
  const Clip clip_of_other =
      test::clip_of({{{{0, 0, 0}}, {{0, 0.25, 0}, {s, 0, 0, s}}, {{0, 0.25, 0}}}});
  const auto drawn = test::captured(rig, &clip, 1, "dqs:bulge-free=1");
  const auto expected = test::captured(other, &clip_of_other, 1, "dqs:bulge-free=1");
  for (VertexIndex v = 0; v < 5; ++v) {
    CHECK(distance(drawn.exact_at(0, v), expected.exact_at(0, v)) < 1e-12);
  }
}

}  // namespace skinbake
