// The paper's experiment, and the properties that lib/methods/core_line/core_line.h states.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

#include "math/scalar.h"
#include "methods/limb.h"
#include "skinbake/gltf.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using test::bend_of;
using test::core_of;
using test::distance;
using test::height;
using test::kFamily;
using test::Line;
using test::linear;
using test::Ramp;
using test::smoothstep;

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

// The largest distance of the points from the wedge x <= 0, y <= 0 between the bones, which are
// bent to the left by 90 degrees.
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
    CHECK(bulge(core) < smooth + 1e-6);  // as sampled by 79 points
    CHECK(bulge(core) > smooth - 2e-3);
    char line[100];
    std::snprintf(line, sizeof line, "%-22s %7.4f  %7.4f  %7.4f\n", method, smooth, straight,
                  bulge(core));
    table += line;
  }
  MESSAGE(table);
}

TEST_CASE("core line: keeping the rest pose makes sbs++ bulge for a linear ramp") {
  CHECK(std::fabs(bulge("sbs++", linear) - 0.0024) < 5e-5);
  CHECK(bulge("sbs-ellipse", linear) < 0.002);
  CHECK(bulge("sbs-conic", linear) < 1e-12);
}

TEST_CASE("core line: smooth curves do not have corners at their bounds") {
  for (const double x : {-0.5, 0.25}) {
    for (const char* method : kSmooth) {
      CAPTURE(method);
      CHECK(corner(std::string(method) + ":faithful=1", x) < 0.005);
    }
    CHECK(corner("sbs-core", x) > 0.2);
    CHECK(corner("sbs+", x) > 0.1);
  }
}

TEST_CASE("core line: beyond its bounds the core moves with its bones") {
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
  // that bone; on the other bone a^2 is multiplied by (1 - h q / k_2)^2, q = 2 k_2 - k_1, with h
  // the distance along that bone.
  const Line line{.d0 = 1, .d1 = 0.5, .from = -1, .to = 0.5, .points = 49};
  const auto p = posed(line, "sbs-ellipse:faithful=1", 0);
  const double a = std::sqrt(1.5 / 0.5);
  for (int i = 0; i < line.points; ++i) {
    const double k3 = height(line, i) + 1, h = std::max(0.0, height(line, i) / 0.5);
    const double b = a * (1 - 0.5 * h);
    CHECK(distance(p[i], {0, -1 + a * k3 / std::sqrt(k3 * k3 + b * b), 0}) < 1e-15);
  }
  CHECK(std::fabs(p[32].y - -0.134) < 1e-3);  // at the joint: 13 %
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

}  // namespace skinbake
