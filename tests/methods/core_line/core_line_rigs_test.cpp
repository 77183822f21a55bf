// Core lines of realistic rigs: bounds from weights, and rigs that are not a limb of two bones.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "bake/kernels/packed_rig.h"
#include "math/scalar.h"
#include "methods/all-inl.h"
#include "methods/limb.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using test::bend_of;
using test::core_of;
using test::distance;
using test::kFamily;
using test::Line;

// The bound edge of a rig with a single one.
CoreEdge only_edge(const Rig& rig, const JointParameters& by_hand = {}) {
  const Vec3<double> centre = centre_of(*rig.mesh);
  const JointTree tree(rig, centre);
  const double parameters[] = {0};
  const BindData bound = CoreConic<double>::bind(
      {rig, tree, centre, parameters, by_hand,
       [](std::size_t count, const auto& work) { work(std::size_t{0}, count); }});
  REQUIRE(bound.part_count() == 1);
  return edge_of({bound.part_joints, bound.part_numbers});
}

// A tube of two bones of length 1 with a linear ramp from -d0 to d1.
Rig ramp_tube(double d0, double d1, int rings = 161) {
  Rig tube = test::tube({.rings = rings, .segments = 8});
  tube.first_influence = {0};
  tube.influences.clear();
  for (VertexIndex v = 0; v < tube.mesh->vertex_count(); ++v) {
    const double y = tube.mesh->positions[std::size_t{v} * 3 + 1] - 1.5;  // joints at 0.5 and 1.5
    const double w = std::clamp((y + d0) / (d0 + d1), 0.0, 1.0);
    const Influence parent{0, 1 - w}, child{1, w};
    if (w < 1 && w <= 0.5) tube.influences.push_back(parent);
    if (w > 0) tube.influences.push_back(child);
    if (w < 1 && w > 0.5) tube.influences.push_back(parent);
    tube.first_influence.push_back(static_cast<std::uint32_t>(tube.influences.size()));
  }
  return tube;
}

}  // namespace

TEST_CASE("core line: bounds are recovered from a linear ramp on a tube") {
  for (const double d0 : {0.25, 0.5, 0.75}) {
    for (const double d1 : {0.125, 0.25, 0.375}) {
      const CoreEdge edge = only_edge(ramp_tube(d0, d1));
      CHECK(std::fabs(edge.parent_reach - d0) < 2e-3);
      CHECK(std::fabs(edge.child_reach - d1) < 2e-3);
    }
  }
}

TEST_CASE("core line: bounds are within their bones") {
  // Constant weights give bounds beyond the bones, whose lengths are 1 m and 0.5 m.
  Rig rig = ramp_tube(0.5, 0.25);
  rig.first_influence = {0};
  rig.influences.clear();
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    rig.influences.insert(rig.influences.end(), {{1, 0.5625}, {0, 0.4375}});
    rig.first_influence.push_back(2 * v + 2);
  }
  const CoreEdge edge = only_edge(rig);
  CHECK(std::fabs(edge.parent_reach - 1) < 1e-12);
  CHECK(std::fabs(edge.child_reach - 0.5) < 1e-12);
  // The standard deviation of one vertex is zero: the bounds are 1 % of the shorter bone.
  std::vector<Node> nodes(3);
  nodes[1].parent = 0, nodes[2].parent = 1;
  nodes[1].translation = {0, 2, 0}, nodes[2].translation = {0, 0.5, 0};
  const CoreEdge least = only_edge(test::loose({{0, 2, 0}}, nodes, {{{0, 0.5}, {1, 0.5}}}));
  CHECK(std::fabs(least.parent_reach - 0.005) < 1e-15);
  CHECK(std::fabs(least.child_reach - 0.005) < 1e-15);
}

TEST_CASE("core line: welded vertices count once") {
  Rig rig = ramp_tube(0.5, 0.25, 41);
  const CoreEdge once = only_edge(rig);
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  for (VertexIndex v = 0; v < 200; ++v) {  // duplicates the lower part
    for (int a = 0; a < 3; ++a) mesh->positions.push_back(mesh->positions[std::size_t{v} * 3 + a]);
    for (const Influence& i :
         std::vector<Influence>(rig.influences_of(v).begin(), rig.influences_of(v).end())) {
      rig.influences.push_back(i);
    }
    rig.first_influence.push_back(static_cast<std::uint32_t>(rig.influences.size()));
  }
  rig.mesh = mesh;
  const CoreEdge twice = only_edge(rig);
  CHECK(twice.parent_reach == once.parent_reach);
  CHECK(twice.child_reach == once.child_reach);
}

TEST_CASE("core line: bounds given as joint parameters are not changed") {
  const CoreEdge edge = only_edge(ramp_tube(0.5, 0.25), {{"joint1", {{"r0", 3}}}});
  CHECK(edge.parent_reach == 3);
  CHECK(std::fabs(edge.child_reach - 0.25) < 2e-3);
}

TEST_CASE("core line: s of one joint overrides that of the method") {
  const Rig rig = core_of({});
  const Clip clip = bend_of({90});
  BakePlan plan = test::plan_of(rig, &clip, 1);
  const auto of = [&](const char* method) { return test::captured(plan, method).exact; };
  const std::vector<double> plain = of("sbs+");
  plan.joint_parameters["lower"] = {{"s", 1}};
  CHECK((of("sbs+") == of("sbs-core")));
  CHECK((of("sbs+:s=0.25") == of("sbs-core")));
  CHECK((plain != of("sbs+")));
}

TEST_CASE("core line: a vertex is continuous as a weight approaches zero") {
  // The vertex is far beyond the bound of the joint whose weight approaches zero.
  for (const char* method : kFamily) {
    CAPTURE(method);
    std::vector<Node> nodes(2);
    nodes[0].translation = {0, -1, 0};
    nodes[1].translation = {0, 1, 0};
    nodes[1].name = "lower";
    nodes[1].parent = 0;
    const Rig rig = test::loose({{0.3, 0.9, 0}, {0.3, 0.9, 0}}, nodes,
                                {{{0, 1}}, {{0, 1 - 1e-12}, {1, 1e-12}}});
    const Clip clip = bend_of({90});
    BakePlan plan = test::plan_of(rig, &clip, 1);
    plan.joint_parameters["lower"] = {{"r0", 0.5}, {"r1", 0.25}};
    const test::Capture capture = test::captured(plan, method);
    CHECK(distance(capture.exact_at(0, 0), capture.exact_at(0, 1)) < 1e-5);
  }
}

TEST_CASE("core line: vertices without a parent and child are blended linearly") {
  // Joints 1 and 2 are siblings.
  std::vector<Node> nodes(3);
  nodes[1].translation = {1, 0, 0}, nodes[2].translation = {0, 1, 0};
  nodes[1].parent = nodes[2].parent = 0;
  std::vector<Vec3<double>> points;
  std::vector<std::vector<Influence>> influences;
  test::Random random(83);
  for (int i = 0; i < 20; ++i) {
    points.push_back(random.vector(1));
    influences.push_back({{1, 0.75}, {2, 0.25}});
  }
  points.push_back({0, 0, 0});
  influences.push_back({{0, 1}});
  const Rig rig = test::loose(points, nodes, influences);
  const Clip clip = test::random_clip(rig, {.seed = 84, .joints = 3, .scale_spread = 0.3}, 10);
  const auto linear_blend = test::captured(rig, &clip, 10, "lbs");
  for (const char* method : kFamily) {
    CAPTURE(method);
    const auto capture = test::captured(rig, &clip, 10, method);
    double worst = 0;
    for (std::size_t i = 0; i < capture.exact.size(); ++i) {
      worst = std::max(worst, std::fabs(capture.exact[i] - linear_blend.exact[i]));
    }
    CHECK(worst < 1e-13);
  }
}

TEST_CASE("core line: a stretched bone moves the joint") {
  // The parent is scaled along the limb, and the child by the inverse: the core stays continuous.
  const Line line{.d0 = 0.5, .d1 = 0.25, .points = 65};
  const Rig rig = core_of(line);
  for (const char* method : kFamily) {
    CAPTURE(method);
    const Clip clip = test::clip_of({{{{0, -1, 0}, {1, 0, 0, 0}, {1, 1.5, 1}},
                                      {{0, 1, 0}, {1, 0, 0, 0}, {1, 1 / 1.5, 1}},
                                      {{0, 1, 0}}}});
    BakePlan plan = test::plan_of(rig, &clip, 1);
    plan.joint_parameters["lower"] = {{"r0", line.d0}, {"r1", line.d1}};
    const auto capture = test::captured(plan, method);
    const auto linear_blend = test::captured(plan, "lbs");
    for (VertexIndex v = 0; v < 65; ++v) {  // no joint turns: all methods are equal
      CHECK(distance(capture.exact_at(0, v), linear_blend.exact_at(0, v)) < 0.02);
    }
    CHECK(distance(capture.exact_at(0, 32), {0, 0.5, 0}) < 0.02);  // at b
  }
}

}  // namespace skinbake
