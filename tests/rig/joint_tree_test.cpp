#include "rig/joint_tree.h"

#include <doctest/doctest.h>

#include "support/near.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using test::distance;

// Joints as (parent, offset from the parent), and one vertex per (position, joint).
Rig tree(const std::vector<std::pair<int, Vec3<double>>>& joints,
         const std::vector<std::pair<Vec3<double>, JointIndex>>& vertices) {
  std::vector<Node> nodes;
  for (const auto& [parent, step] : joints) {
    Node& node = nodes.emplace_back();
    node.parent = parent;
    node.translation = step;
  }
  std::vector<Vec3<double>> points;
  std::vector<std::vector<Influence>> influences;
  for (const auto& [position, joint] : vertices) {
    points.push_back(position);
    influences.push_back({{joint, 1}});
  }
  return test::loose(points, nodes, influences);
}

}  // namespace

TEST_CASE("joint tree: a joint without weight is not in the tree, but can be a tip") {
  const Rig rig =
      tree({{-1, {0, 0, 0}}, {0, {0, 1, 0}}, {1, {0, 1, 0}}}, {{{0, 0, 0}, 0}, {{0, 2, 0}, 2}});
  const JointTree joints(rig, {0, 0, 0});
  CHECK(joints.parents == std::vector<int>{-1, 0, 0});
  CHECK(joints.depths[2] == 1);
  CHECK(joints.order == std::vector<JointIndex>{0, 2});
  CHECK(distance(joints.tips[0], {0, 1, 0}) == 0);
  CHECK(distance(joints.directions[0], {0, 1, 0}) == 0);
}

TEST_CASE("joint tree: the tip is the child with the heaviest subtree") {
  const Rig rig = tree({{-1, {0, 0, 0}}, {0, {1, 0, 0}}, {0, {0, 2, 0}}, {2, {0, 1, 0}}},
                       {{{0, 0, 0}, 0}, {{1, 0, 0}, 1}, {{0, 3, 0}, 3}, {{0, 3, 0}, 3}});
  CHECK(distance(JointTree(rig, {0, 0, 0}).tips[0], {0, 2, 0}) == 0);
}

TEST_CASE("joint tree: a child at its parent's position is replaced by its children") {
  const Rig rig = tree({{-1, {0, 0, 0}}, {0, {0, 0, 0}}, {1, {0, 0, 3}}},
                       {{{0, 0, 0}, 0}, {{0, 0, 0}, 1}, {{0, 0, 3}, 2}});
  const JointTree joints(rig, {0, 0, 0});
  CHECK(distance(joints.tips[0], {0, 0, 3}) == 0);
  CHECK(distance(joints.tips[1], {0, 0, 3}) == 0);
}

TEST_CASE("joint tree: the segment of a leaf reaches as far as its vertices") {
  const Rig rig = tree({{-1, {0, 0, 0}}, {0, {0, 2, 0}}},
                       {{{0, 0, 0}, 0}, {{5, 2.5, 0}, 1}, {{0, 2.25, 0}, 1}});
  const JointTree joints(rig, {0, 1, 0});  // positions are relative to it
  CHECK(distance(joints.heads[1], {0, 1, 0}) == 0);
  CHECK(distance(joints.tips[1], {0, 1.5, 0}) == 0);
  CHECK(distance(joints.directions[1], {0, 1, 0}) == 0);
}

TEST_CASE("joint tree: a leaf that dominates no vertex continues the segment into it") {
  // The second joint has weight, but less than the first at every vertex.
  const auto vertex_of_both = [](std::vector<std::pair<int, Vec3<double>>> joints,
                                 JointIndex leaf) {
    Rig rig = tree(joints, {{{0.25, 2.5, 0}, 0}});
    rig.influences = {{0, 0.75}, {leaf, 0.25}};
    rig.first_influence = {0, 2};
    return JointTree(rig, {0, 0, 0});
  };
  const JointTree two = vertex_of_both({{-1, {0, 0, 0}}, {0, {0, 2, 0}}}, 1);
  CHECK(distance(two.tips[1], {0, 4, 0}) == 0);
  CHECK(distance(two.directions[1], {0, 1, 0}) == 0);
  // A joint without weight between the two changes neither the parent nor the length.
  const JointTree three = vertex_of_both({{-1, {0, 0, 0}}, {0, {0, 1.5, 0}}, {1, {0, 0.5, 0}}}, 2);
  CHECK(distance(three.tips[2], {0, 4, 0}) == 0);
}

TEST_CASE("joint tree: equal names are numbered, so that no two joints have one") {
  using Names = std::vector<std::string>;
  CHECK(distinct_names({"hand", "foot", "hand", "hand"}) ==
        Names{"hand", "foot", "hand (2)", "hand (3)"});
  CHECK(distinct_names({"hand (2)", "hand", "hand"}) == Names{"hand (2)", "hand", "hand (3)"});
}

TEST_CASE("joint tree: a single joint has a segment without length") {
  const Rig rig = tree({{-1, {1, 2, 3}}}, {{{4, 5, 6}, 0}});
  const JointTree joints(rig, {0, 0, 0});
  CHECK(distance(joints.tips[0], {1, 2, 3}) == 0);
  CHECK(distance(joints.directions[0], {0, 0, 0}) == 0);
}

TEST_CASE("joint tree: a chain of 50 000 joints does not exhaust the stack") {
  std::vector<std::pair<int, Vec3<double>>> chain;
  for (int j = 0; j < 50000; ++j) chain.push_back({j - 1, {0, 1.0 / 1024, 0}});
  const Rig rig = tree(chain, {{{0, 0, 0}, 0}, {{0, 40, 0}, 49999}});
  const JointTree joints(rig, {0, 0, 0});
  CHECK(joints.parents[49999] == 0);
}

}  // namespace skinbake
