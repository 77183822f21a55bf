// The paper's experiment, and what is said of the family in lib/methods/core_line.h.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

#include "bake/binding.h"
#include "math/scalar.h"
#include "methods/all-inl.h"
#include "skinbake/gltf.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using test::distance;

// The share of the child at the height x above the joint, between -d_0 and d_1.
using Ramp = double (*)(double share);
double linear(double share) {
  return share;
}
double smoothstep(double share) {
  return share * share * (3 - 2 * share);
}

struct Line {
  double d0 = 0.5, d1 = 0.25;
  Ramp ramp = linear;
  double from = -1, to = 1;
  int points = 4097;
};

double height(const Line& line, int i) {
  return line.from + (line.to - line.from) * i / (line.points - 1);
}

// Two bones of length 1 on the y axis, the joint at the origin; points on the core itself.
Rig core_of(const Line& line) {
  std::vector<Node> nodes(3);
  nodes[0].name = "upper", nodes[1].name = "lower", nodes[2].name = "tip";
  nodes[0].translation = {0, -1, 0};
  nodes[1].translation = nodes[2].translation = {0, 1, 0};
  nodes[1].parent = 0, nodes[2].parent = 1;
  std::vector<Vec3<double>> points;
  std::vector<std::vector<Influence>> influences;
  for (int i = 0; i < line.points; ++i) {
    const double x = height(line, i);
    const double w = line.ramp(std::clamp((x + line.d0) / (line.d0 + line.d1), 0.0, 1.0));
    points.push_back({0, x, 0});
    std::vector<Influence> both{{0, 1 - w}, {1, w}};
    if (w > 0.5) std::swap(both[0], both[1]);
    if (both[1].weight == 0) both.pop_back();
    influences.push_back(both);
  }
  return test::loose(points, nodes, influences);
}

// The child turned to the left by these degrees, one a frame.
Clip bend_of(const std::vector<double>& degrees) {
  std::vector<std::vector<test::Local>> frames;
  for (const double d : degrees) {
    const double half = d * std::numbers::pi / 360;
    frames.push_back(
        {{{0, -1, 0}}, {{0, 1, 0}, {std::cos(half), 0, 0, std::sin(half)}}, {{0, 1, 0}}});
  }
  return test::clip_of(frames);
}

std::vector<Vec3<double>> posed(const Line& line, const std::string& method, double degrees) {
  const Rig rig = core_of(line);
  const Clip clip = bend_of({degrees});
  BakePlan plan = test::plan_of(rig, &clip, 1);
  plan.joint_parameters["lower"] = {{"r0", line.d0}, {"r1", line.d1}};
  const test::Capture capture = test::captured(plan, method);
  std::vector<Vec3<double>> points;
  for (int i = 0; i < line.points; ++i) {
    points.push_back(capture.exact_at(0, static_cast<VertexIndex>(i)));
  }
  return points;
}

// How far the points leave the wedge x <= 0, y <= 0 of the bones, bent to the left by 90 degrees.
double bulge(const std::vector<Vec3<double>>& points) {
  double most = 0;
  for (const Vec3<double>& p : points) {
    most = std::max(most, std::hypot(std::max(p.x, 0.0), std::max(p.y, 0.0)));
  }
  return most;
}

double bulge(const std::string& method, Ramp ramp) {
  return bulge(posed({.ramp = ramp}, method, 90));
}

// The angle by which the posed core turns at the height x, over steps of 2^-12.
double corner(const std::string& method, double x) {
  constexpr double h = 0x1p-12;
  const auto p = posed({.from = x - h, .to = x + h, .points = 3}, method, 90);
  const Vec3<double> before = p[1] - p[0], after = p[2] - p[1];
  return std::atan2(norm(cross(before, after)), dot(before, after));
}

// What bind finds for the only edge of a rig.
CoreEdge only_edge(const Rig& rig, const JointParameters& by_hand = {}) {
  const Vec3<double> centre = centre_of(*rig.mesh);
  const JointTree tree(rig, centre);
  const double parameters[] = {0};
  const Bound bound = CoreConic<double>::bind(
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

constexpr const char* kFamily[] = {"sbs-core", "sbs+", "sbs++", "sbs-ellipse", "sbs-conic"};
constexpr const char* kSmooth[] = {"sbs++", "sbs-ellipse", "sbs-conic"};

}  // namespace

TEST_CASE("core line: the paper's experiment, outward bulge of each method") {
  // Bones of length 1, bounds 0.5 and 0.25 from the joint, bent by 90 degrees.
  struct Row {
    const char* method;
    double smoothstep, linear;
  };
  const Row expected[] = {{"lbs", 0.0705, 0.0833},
                          {"sbs-core:faithful=1", 0.0705, 0.0833},
                          {"sbs+:faithful=1", 0.0021, 0.0104},
                          {"sbs++:faithful=1", 0, 0},
                          {"sbs-ellipse:faithful=1", 0, 0},
                          {"sbs-conic:faithful=1", 0, 0}};
  const Asset model = load_asset(SKINBAKE_SOURCE_DIR "/data/rigs/core_line.gltf");
  BakePlan plan = test::plan_of(model.rigs[0], &model.clips[0], 2, 1);
  plan.joint_parameters["child"] = {{"r0", 0.5}, {"r1", 0.25}};
  std::string table = "outward bulge       smoothstep   linear   the 79 triangles\n";
  for (const Row& row : expected) {
    const char* method = row.method;
    CAPTURE(method);
    const double smooth = bulge(method, smoothstep), straight = bulge(method, linear);
    CHECK(std::fabs(smooth - row.smoothstep) < 5e-5);
    CHECK(std::fabs(straight - row.linear) < 5e-5);
    const test::Capture capture = test::captured(plan, method);
    std::vector<Vec3<double>> core;
    for (VertexIndex v = 0; v < model.rigs[0].mesh->vertex_count(); v += 3) {
      core.push_back(capture.exact_at(1, v) - Vec3<double>{0, 1, 0});
    }
    CHECK(core.size() == 79);
    CHECK(bulge(core) < smooth + 1e-6);  // as far as 79 points show it
    CHECK(bulge(core) > smooth - 2e-3);
    char line[100];
    std::snprintf(line, sizeof line, "%-22s %7.4f  %7.4f  %7.4f\n", method, smooth, straight,
                  bulge(core));
    table += line;
  }
  MESSAGE(table);
}

TEST_CASE("core line: what is kept at rest of sbs++ costs a bulge of a linear ramp") {
  CHECK(std::fabs(bulge("sbs++", linear) - 0.0024) < 5e-5);
  CHECK(bulge("sbs-ellipse", linear) < 0.002);
  CHECK(bulge("sbs-conic", linear) < 1e-12);
}

TEST_CASE("core line: no corner at the bounds of smooth curves") {
  for (const double x : {-0.5, 0.25}) {
    for (const char* method : kSmooth) {
      CAPTURE(method);
      CHECK(corner(std::string(method) + ":faithful=1", x) < 0.005);
    }
    CHECK(corner("sbs-core", x) > 0.2);
    CHECK(corner("sbs+", x) > 0.1);
  }
}

TEST_CASE("core line: beyond its bounds the core goes with its bones") {
  for (const char* method : kFamily) {
    CAPTURE(method);
    const Line line{.points = 9};
    const auto p = posed(line, method, 75);
    const double s = std::sin(75 * std::numbers::pi / 180),
                 c = std::cos(75 * std::numbers::pi / 180);
    for (const int i : {0, 1, 2}) CHECK(distance(p[i], {0, height(line, i), 0}) < 1e-15);
    for (const int i : {5, 6, 7, 8}) {
      CHECK(distance(p[i], {-s * height(line, i), c * height(line, i), 0}) < 1e-15);
    }
  }
}

TEST_CASE("core line: the conic of equal bounds is a circle, and the ellipse is it") {
  for (const double degrees : {1.0, 45.0, 90.0, 135.0, 179.0}) {
    const Line line{.d0 = 0.5, .d1 = 0.5, .from = -0.5, .to = 0.5, .points = 65};
    const auto conic = posed(line, "sbs-conic:faithful=1", degrees);
    const auto ellipse = posed(line, "sbs-ellipse:faithful=1", degrees);
    const double half = degrees * std::numbers::pi / 360;
    const double radius = 0.5 / std::tan(half);
    const Vec3<double> centre{-radius, -0.5, 0};
    for (int i = 0; i < line.points; ++i) {
      CHECK(std::fabs(distance(conic[i], centre) - radius) < 1e-12 * (1 + radius));
      CHECK(std::fabs(distance(ellipse[i], centre) - radius) < 1e-12 * (1 + radius));
    }
  }
}

TEST_CASE("core line: the ellipse of a straight limb is the limit of the paper's") {
  // A core point at the distance k_3 from the farther bound moves to a k_3 / sqrt(k_3^2 + a^2) on
  // that bone; on the other a^2 counts (1 - h q / k_2)^2, q = 2 k_2 - k_1, h how far it is along
  // it.
  const Line line{.d0 = 1, .d1 = 0.5, .from = -1, .to = 0.5, .points = 49};
  const auto p = posed(line, "sbs-ellipse:faithful=1", 0);
  const double a = std::sqrt(1.5 / 0.5);
  for (int i = 0; i < line.points; ++i) {
    const double k3 = height(line, i) + 1, h = std::max(0.0, height(line, i) / 0.5);
    const double b = a * (1 - 0.5 * h);
    CHECK(distance(p[i], {0, -1 + a * k3 / std::sqrt(k3 * k3 + b * b), 0}) < 1e-15);
  }
  CHECK(std::fabs(p[32].y - -0.134) < 1e-3);  // the joint itself: by 13 %
}

TEST_CASE("core line: the ellipse of a right angle has its centre across both bounds") {
  const Line line{.d0 = 0.5, .d1 = 0.25, .from = -0.5, .to = 0.25, .points = 49};
  const auto p = posed(line, "sbs-ellipse:faithful=1", 90);
  for (int i = 0; i < line.points; ++i) {
    const double x = (p[i].x + 0.25) / 0.25, y = (p[i].y + 0.5) / 0.5;
    CHECK(std::fabs(x * x + y * y - 1) < 1e-14);
  }
}

TEST_CASE("core line: a limb that folds back is regular") {
  for (const char* method : kFamily) {
    CAPTURE(method);
    for (const double d1 : {0.25, 0.5, 0.75}) {
      const Line line{.d0 = 0.5, .d1 = d1, .from = -0.5, .to = d1, .points = 49};
      const auto folded = posed(line, method, 180);
      const auto nearly = posed(line, method, 180 - 1e-6);
      for (int i = 0; i < line.points; ++i) {
        CHECK(std::isfinite(folded[i].x + folded[i].y + folded[i].z));
        CHECK(distance(folded[i], nearly[i]) < 1e-3);
        CHECK(folded[i].y < 1e-12 + bulge(nearly));
      }
    }
  }
}

TEST_CASE("core line: bounds are found from a linear ramp on a tube") {
  for (const double d0 : {0.25, 0.5, 0.75}) {
    for (const double d1 : {0.125, 0.25, 0.375}) {
      const CoreEdge edge = only_edge(ramp_tube(d0, d1));
      CHECK(std::fabs(edge.parent_reach - d0) < 2e-3);
      CHECK(std::fabs(edge.child_reach - d1) < 2e-3);
    }
  }
}

TEST_CASE("core line: bounds are within their bones") {
  // Weights that are equal all along ask for more than there is: 1 m and 0.5 m.
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
  // One vertex has no deviation: 1 % of the shorter bone.
  std::vector<Node> nodes(3);
  nodes[1].parent = 0, nodes[2].parent = 1;
  nodes[1].translation = {0, 2, 0}, nodes[2].translation = {0, 0.5, 0};
  const CoreEdge least = only_edge(test::loose({{0, 2, 0}}, nodes, {{{0, 0.5}, {1, 0.5}}}));
  CHECK(std::fabs(least.parent_reach - 0.005) < 1e-15);
  CHECK(std::fabs(least.child_reach - 0.005) < 1e-15);
}

TEST_CASE("core line: vertices that are one point of the surface count once") {
  Rig rig = ramp_tube(0.5, 0.25, 41);
  const CoreEdge once = only_edge(rig);
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  for (VertexIndex v = 0; v < 200; ++v) {  // the lower part, doubled
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

TEST_CASE("core line: bounds given by hand are taken as they are") {
  const CoreEdge edge = only_edge(ramp_tube(0.5, 0.25), {{"joint1", {{"r0", 3}}}});
  CHECK(edge.parent_reach == 3);
  CHECK(std::fabs(edge.child_reach - 0.25) < 2e-3);
}

TEST_CASE("core line: s of one joint takes the place of the method's") {
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

TEST_CASE("core line: a vertex is continuous as a weight goes to nothing") {
  // Far beyond the bound of the joint that it leaves.
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

TEST_CASE("core line: a bone that is stretched takes the joint with it") {
  // The parent is scaled along the limb, the child's scale undoes it: the core stays continuous.
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
    for (VertexIndex v = 0; v < 65; ++v) {  // nothing turns: all methods are one
      CHECK(distance(capture.exact_at(0, v), linear_blend.exact_at(0, v)) < 0.02);
    }
    CHECK(distance(capture.exact_at(0, 32), {0, 0.5, 0}) < 0.02);  // at b
  }
}

}  // namespace skinbake
