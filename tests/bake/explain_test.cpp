#include "bake/explain.h"

#include <doctest/doctest.h>

#include <cmath>

#include "support/rigs.h"

namespace skinbake {
namespace {

constexpr double kPi = 3.141592653589793;

// One vertex between two joints, the second of which turns by `angle` about z in a second.
struct Joined {
  Rig rig;
  Clip clip;

  explicit Joined(double weight, double angle) {
    rig = test::loose({{1, 0, 0}}, {Node{}, Node{}}, {{{0, 1 - weight}, {1, weight}}});
    clip = test::turning_clip(rig, {0, 0, 1}, angle, 1);
  }
  Explanation at_end(const char* method) const {
    return explain(rig, &clip, 1, 0, parse_method(method));
  }
};

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("explain: two joints with a large angle between them share a vertex") {
  const Joined joined(0.46, 171 * kPi / 180);
  const Explanation e = joined.at_end("lbs");
  REQUIRE(e.influences.size() == 2);
  CHECK(e.influences[0].joint == 0);
  CHECK(e.influences[0].angle_rad == 0);
  CHECK(e.influences[1].angle_rad == doctest::Approx(171 * kPi / 180).epsilon(1e-7));
  REQUIRE(e.widest);
  CHECK(e.widest->angle_rad == e.influences[1].angle_rad);
  CHECK(contains(e.cause, "171 degrees apart, have 54 % and 46 % of the vertex"));
  CHECK(contains(e.cause, "linear blending collapses it"));
  CHECK(contains(joined.at_end("dqs").cause, "may jump"));
  CHECK(contains(Joined(0.25, kPi / 2).at_end("dqs").cause,
                 "75 % and 25 % of the vertex: the blend turns it"));
}

// Joints that are turned by 0, 80 and 120 degrees about z.
TEST_CASE("explain: the cause is the pair that does most harm, not the widest") {
  Rig rig =
      test::loose({{1, 0, 0}}, {Node{}, Node{}, Node{}}, {{{0, 0.57F}, {1, 0.4F}, {2, 0.03F}}});
  auto skeleton = std::make_shared<Skeleton>(*rig.skeleton);
  for (const auto& [joint, half_rad] :
       {std::pair(1, 40 * kPi / 180), std::pair(2, 60 * kPi / 180)}) {
    Node& node = skeleton->nodes[static_cast<std::size_t>(rig.joints[joint].node)];
    node.rotation = {std::cos(half_rad), 0, 0, std::sin(half_rad)};
  }
  rig.skeleton = skeleton;
  const Explanation e = explain(rig, nullptr, 0, 0, parse_method("lbs"));
  REQUIRE(e.widest);
  CHECK(e.widest->second == 2);
  CHECK(e.widest->angle_rad == doctest::Approx(120 * kPi / 180).epsilon(1e-6));
  CHECK(contains(e.cause, "80 degrees apart, have 57 % and 40 % of the vertex"));
}

TEST_CASE("explain: the effect of joints that are far apart follows from the method's properties") {
  const Joined joined(0.4, kPi / 2);
  CHECK(contains(joined.at_end("jst").cause, "keeps no distances"));
  CHECK(contains(joined.at_end("ddm").cause, "smoothing over its neighbours"));
  CHECK(contains(joined.at_end("cor").cause, "turns it about an arc"));
}

TEST_CASE("explain: a vertex that is hardly turned, and one with a single joint") {
  CHECK(contains(Joined(0.5, 0.1).at_end("lbs").cause, "no more than 6 degrees apart"));
  Rig rig = test::loose({{1, 0, 0}}, {Node{}}, {{{0, 1}}});
  const Explanation e = explain(rig, nullptr, 0, 0, parse_method("lbs"));
  CHECK_FALSE(e.widest);
  CHECK(contains(e.cause, "alone moves the vertex"));
}

TEST_CASE("explain: a joint that mirrors and one that scales") {
  Joined mirrored(0.4, 0.1);
  auto skeleton = std::make_shared<Skeleton>(*mirrored.rig.skeleton);
  const NodeIndex node = mirrored.rig.joints[1].node;
  skeleton->nodes[static_cast<std::size_t>(node)].scale = {-1, 1, 1};
  mirrored.rig.skeleton = skeleton;
  Explanation e = mirrored.at_end("lbs");
  CHECK(e.influences[1].mirrored);
  CHECK_FALSE(e.influences[0].mirrored);
  CHECK(contains(e.cause, "mirrors"));

  skeleton = std::make_shared<Skeleton>(*mirrored.rig.skeleton);
  skeleton->nodes[static_cast<std::size_t>(node)].scale = {2, 2, 2};
  mirrored.rig.skeleton = skeleton;
  e = mirrored.at_end("dqs");
  CHECK(e.influences[1].scale == doctest::Approx(2).epsilon(1e-12));
  CHECK(contains(e.cause, "scales by another factor"));
}

TEST_CASE("explain: a vertex has an index in the file and in its primitive") {
  Rig rig =
      test::loose({{1, 0, 0}, {2, 0, 0}, {3, 0, 0}}, {Node{}}, {{{0, 1}}, {{0, 1}}, {{0, 1}}});
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->primitives = {{0, 1}, {1, 2}};
  rig.mesh = mesh;
  const Explanation e = explain(rig, nullptr, 0, 2, parse_method("lbs"));
  CHECK(e.vertex == 2);
  CHECK(e.primitive == 1);
  CHECK(e.primitive_vertex == 1);
}

}  // namespace
}  // namespace skinbake
