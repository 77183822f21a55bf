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

// The worst departure from radius 1 and 2 atan2(w sin a/2, 1 - w + w cos a/2).
test::Turned worst(const TwoJoints& joints, bool rounded) {
  test::Turned most{0, 0};
  for (int d = 0; d < test::kDegrees; ++d) {
    const double half = TwoJoints::radians(d) / 2;
    for (int i = 0; i < test::kWeights; ++i) {
      const double w = TwoJoints::weight(i);
      const double angle = 2 * std::atan2(w * std::sin(half), (1 - w) + w * std::cos(half));
      const auto [r, a] = rounded ? joints.rounded(d, i) : joints.exact(d, i);
      most.radius = std::max(most.radius, std::fabs(r - test::kRadius));
      most.angle = std::max(most.angle, std::fabs(a - angle));
    }
  }
  return most;
}

// One frame's joints as blend reads them: [joint][8][16 frames], all frames alike.
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

TEST_CASE("dual quaternion: radius and angle of any weight, twisted and bent") {
  for (const Vec3<double>& axis : {test::kTwist, test::kBend}) {
    const TwoJoints joints(axis, "dqs");
    CHECK(worst(joints, false).radius < 1e-14);
    CHECK(worst(joints, false).angle < 1e-13);
    CHECK(worst(joints, true).radius < 1e-6);
    CHECK(worst(joints, true).angle < 2e-6);
  }
}

TEST_CASE("dual quaternion: the angle departs from a share of the turn by what is known") {
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

TEST_CASE("dual quaternion: of three joints the heaviest decides the signs") {
  // Half angles 0, 75 and -75 degrees: the last two are more than a right angle apart, but each is
  // within one of the first. A running sum of the first two would turn the third round.
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

TEST_CASE("dual quaternion: sign=first goes by the joint that the file lists first") {
  // As above: half angles 75, -75 and 0 degrees, the heaviest is the last. Towards the first joint
  // the second, more than a right angle away, is turned round.
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

TEST_CASE("dual quaternion: sign=temporal follows a twist beyond half a turn") {
  const TwoJoints joints(test::kTwist, "dqs:sign=temporal", 0, 300);
  for (int d = 0; d < 300; ++d) {
    const double half = TwoJoints::radians(d) / 2, w = TwoJoints::weight(4);
    const double angle = 2 * std::atan2(w * std::sin(half), (1 - w) + w * std::cos(half));
    const double off = joints.exact(d, 4).angle - angle;
    CHECK(std::fabs(off - 2 * std::numbers::pi * std::round(off / (2 * std::numbers::pi))) < 1e-12);
  }
}

TEST_CASE("dual quaternion: about what scale acts, for one vertex at three origins") {
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
  // With scale=vertex the joints' rigid parts carry the vertex to where their matrices take it:
  // (0.5, 0.25) and, turned and stretched about (1, 0), (1 - 0.25, -1): blended as quaternions.
  const double half = std::numbers::pi / 8;
  const Vec3<double> vertex = posed("dqs:scale=vertex", 0);
  const double t = std::tan(half);  // the screw's centre is t from the middle, across
  const Vec3<double> a{0.5, 0.25, 0}, b{0.75, -1, 0};
  const Vec3<double> middle = 0.5 * (a + b);
  const Vec3<double> across{-(b.y - a.y) / 2 * t, (b.x - a.x) / 2 * t, 0};
  CHECK(std::min(distance(vertex, middle + across), distance(vertex, middle - across)) < 1e-12);
}

TEST_CASE("dual quaternion: bulge-free=1 keeps what is outside a bend at its distance") {
  // An arm along y, bent at the middle by 90 degrees; the outside of the elbow, half of each joint.
  std::vector<Node> nodes(3);
  nodes[1].parent = 0, nodes[1].translation = {0, 1, 0};
  nodes[2].parent = 1, nodes[2].translation = {0, 1, 0};
  const Rig rig = test::loose({{0.25, 1.5, 0}, {0, 2, 0}}, nodes, {{{0, 0.5}, {1, 0.5}}, {{2, 1}}});
  const double s = std::sqrt(0.5);
  const Clip clip = test::clip_of({{{{0, 0, 0}}, {{0, 1, 0}, {s, 0, 0, s}}, {{0, 1, 0}}}});
  const auto plain = test::captured(rig, &clip, 1, "dqs").exact_at(0, 0);
  const auto drawn = test::captured(rig, &clip, 1, "dqs:bulge-free=1").exact_at(0, 0);
  // At rest 0.25 from the forearm's bone and, above its end, sqrt(0.25^2 + 0.5^2) from the upper
  // arm's; the blend is farther from the forearm only, by which it is drawn half of the way.
  const auto from_forearm = [](const Vec3<double>& p) {  // from (0, 1) along -x, of length 1
    const double along = std::min(1.0, std::max(0.0, -p.x));
    return std::hypot(p.x + along, p.y - 1);
  };
  const double outside = from_forearm(plain) - 0.25;
  REQUIRE(outside > 0.01);
  CHECK(std::fabs(from_forearm(drawn) - (from_forearm(plain) - outside / 2)) < 1e-12);
}

}  // namespace skinbake
