#include "rig/joint_tree.h"

#include <doctest/doctest.h>

#include "support/near.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using test::distance;

Node node(NodeIndex parent, const Vec3<double>& translation) {
  Node made;
  made.parent = parent;
  made.translation = translation;
  return made;
}

std::vector<Influence> of(JointIndex joint) {
  return {{joint, 1}};
}

}  // namespace

TEST_CASE("joint segments: a joint without weight is not a parent, but can be a tip") {
  const Rig rig =
      test::loose({{0, 0, 0}, {0, 2, 0}},
                  {node(-1, {0, 0, 0}), node(0, {0, 1, 0}), node(1, {0, 1, 0})}, {of(0), of(2)});
  const JointSegments segments(rig);
  CHECK(segments.weight(1) == 0);
  CHECK(segments.parent(2) == 0u);
  CHECK_FALSE(segments.parent(0));
  REQUIRE(segments.tip(0));
  CHECK(segments.tip(0)->child == 1u);
  CHECK(distance(segments.tip(0)->position, {0, 1, 0}) < 1e-15);
}

TEST_CASE("joint segments: the tip is the child with the heaviest subtree, then the nearest one") {
  const std::vector<Node> nodes{node(-1, {0, 0, 0}), node(0, {1, 0, 0}), node(0, {0, 3, 0}),
                                node(2, {0, 1, 0})};
  const Rig heavy = test::loose({{1, 0, 0}, {0, 3, 0}, {0, 4, 0}}, nodes, {of(1), of(2), of(3)});
  CHECK(JointSegments(heavy).tip(0)->child == 2u);
  const Rig even = test::loose({{1, 0, 0}, {0, 4, 0}}, nodes, {of(1), of(3)});
  CHECK(JointSegments(even).tip(0)->child == 1u);
}

TEST_CASE("joint segments: a child at the joint's own position is replaced by its children") {
  const Rig rig =
      test::loose({{0, 0, 0}, {0, 2, 0}},
                  {node(-1, {0, 0, 0}), node(0, {0, 0, 0}), node(1, {0, 2, 0})}, {of(1), of(2)});
  CHECK(JointSegments(rig).tip(0)->child == 2u);
  CHECK(JointSegments(rig).tip(1)->child == 2u);
}

TEST_CASE("joint segments: the segment of a leaf reaches as far as its vertices") {
  const Rig rig = test::loose({{0, 1.25, 0}, {5, 1.5, 0}, {0, 9, 0}},
                              {node(-1, {0, 0, 0}), node(0, {0, 1, 0})}, {of(1), of(1), of(0)});
  REQUIRE(JointSegments(rig).tip(1));
  CHECK_FALSE(JointSegments(rig).tip(1)->child);
  CHECK(distance(JointSegments(rig).tip(1)->position, {0, 1.5, 0}) < 1e-15);
}

TEST_CASE("joint segments: a segment without length does not have a tip") {
  const Rig behind = test::loose({{0, 0.5, 0}, {0, 0, 0}},
                                 {node(-1, {0, 0, 0}), node(0, {0, 1, 0})}, {of(1), of(0)});
  CHECK_FALSE(JointSegments(behind).tip(1));
  const Rig alone = test::loose({{0, 1, 0}}, {node(-1, {0, 0, 0})}, {of(0)});
  CHECK_FALSE(JointSegments(alone).tip(0));
}

}  // namespace skinbake
