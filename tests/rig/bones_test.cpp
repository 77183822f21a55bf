#include "rig/bones.h"

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

TEST_CASE("bones: a joint without weight is nobody's parent, but ends a bone") {
  const Rig rig =
      test::loose({{0, 0, 0}, {0, 2, 0}},
                  {node(-1, {0, 0, 0}), node(0, {0, 1, 0}), node(1, {0, 1, 0})}, {of(0), of(2)});
  const Bones bones(rig);
  CHECK(bones.weight(1) == 0);
  CHECK(bones.parent(2) == 0u);
  CHECK_FALSE(bones.parent(0));
  REQUIRE(bones.tip(0));
  CHECK(bones.tip(0)->child == 1u);
  CHECK(distance(bones.tip(0)->position, {0, 1, 0}) < 1e-15);
}

TEST_CASE("bones: of several children the one whose subtree carries most, then the nearest") {
  const std::vector<Node> nodes{node(-1, {0, 0, 0}), node(0, {1, 0, 0}), node(0, {0, 3, 0}),
                                node(2, {0, 1, 0})};
  const Rig heavy = test::loose({{1, 0, 0}, {0, 3, 0}, {0, 4, 0}}, nodes, {of(1), of(2), of(3)});
  CHECK(Bones(heavy).tip(0)->child == 2u);
  const Rig even = test::loose({{1, 0, 0}, {0, 4, 0}}, nodes, {of(1), of(3)});
  CHECK(Bones(even).tip(0)->child == 1u);
}

TEST_CASE("bones: a child at the joint's own place stands for its children") {
  const Rig rig =
      test::loose({{0, 0, 0}, {0, 2, 0}},
                  {node(-1, {0, 0, 0}), node(0, {0, 0, 0}), node(1, {0, 2, 0})}, {of(1), of(2)});
  CHECK(Bones(rig).tip(0)->child == 2u);
  CHECK(Bones(rig).tip(1)->child == 2u);
}

TEST_CASE("bones: a leaf's bone goes on from its parent, as far as its vertices") {
  const Rig rig = test::loose({{0, 1.25, 0}, {5, 1.5, 0}, {0, 9, 0}},
                              {node(-1, {0, 0, 0}), node(0, {0, 1, 0})}, {of(1), of(1), of(0)});
  REQUIRE(Bones(rig).tip(1));
  CHECK_FALSE(Bones(rig).tip(1)->child);
  CHECK(distance(Bones(rig).tip(1)->position, {0, 1.5, 0}) < 1e-15);
}

TEST_CASE("bones: no length, no tip") {
  const Rig behind = test::loose({{0, 0.5, 0}, {0, 0, 0}},
                                 {node(-1, {0, 0, 0}), node(0, {0, 1, 0})}, {of(1), of(0)});
  CHECK_FALSE(Bones(behind).tip(1));
  const Rig alone = test::loose({{0, 1, 0}}, {node(-1, {0, 0, 0})}, {of(0)});
  CHECK_FALSE(Bones(alone).tip(0));
}

}  // namespace skinbake
