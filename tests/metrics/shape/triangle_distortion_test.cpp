#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "metrics/measure.h"

namespace skinbake {
namespace {

using namespace test;

// A square of 2 n^2 triangles in the plane z = 0.
Surface square(int n) {
  Surface s;
  for (int y = 0; y <= n; ++y) {
    for (int x = 0; x <= n; ++x) s.points.push_back({double(x) / n, double(y) / n, 0});
  }
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      const auto a = static_cast<VertexIndex>(y * (n + 1) + x), b = a + 1;
      const auto c = a + static_cast<VertexIndex>(n) + 1, d = c + 1;
      s.triangles.push_back({a, b, d});
      s.triangles.push_back({a, d, c});
    }
  }
  return s;
}

template <class Map>
MetricResult mapped(const Surface& surface, const Map& map) {
  const Rig rig = rigid(surface);
  Points points = surface.points;
  for (Vec3<double>& p : points) p = map(p);
  const Motion motion{surface.points, points};
  return measure("triangle_distortion", {&rig, &motion});
}

}  // namespace

TEST_CASE("triangle distortion: at rest the energies are 0, 4 and 1, and area ratios are 1") {
  const MetricResult r = mapped(square(4), [](Vec3<double> p) { return p; });
  CHECK(numbers(r, "per_frame.arap")[1] == doctest::Approx(0).epsilon(1e-15));
  CHECK(numbers(r, "per_frame.symmetric_dirichlet")[1] == doctest::Approx(4));
  CHECK(numbers(r, "per_frame.conformal")[1] == doctest::Approx(1));
  CHECK(numbers(r, "per_frame.area_ratio_min")[1] == doctest::Approx(1));
  CHECK(count(r, "dropped") == 0);
  CHECK(count(r, "degenerate_reference") == 0);
  CHECK(count(r, "clamped") == 0);
}

TEST_CASE("triangle distortion: a sheared square agrees with the closed forms") {
  // Singular values of [1 k; 0 1]: their product is 1, the sum of their squares 2 + k^2.
  for (const double k : {0.25, 1.0, 3.0}) {
    const MetricResult r = mapped(square(4), [&](Vec3<double> p) {
      return Vec3<double>{p.x + k * p.y, p.y, p.z};
    });
    const double arap = 4 + k * k - 2 * std::sqrt(4 + k * k);
    CHECK(numbers(r, "per_frame.arap")[1] == doctest::Approx(arap).epsilon(1e-9));
    CHECK(numbers(r, "per_frame.symmetric_dirichlet")[1] ==
          doctest::Approx(2 * (2 + k * k)).epsilon(1e-9));
    CHECK(numbers(r, "per_frame.conformal")[1] == doctest::Approx((2 + k * k) / 2).epsilon(1e-9));
    CHECK(numbers(r, "per_frame.area_ratio_max")[1] == doctest::Approx(1).epsilon(1e-9));
    CHECK(number(r, "worst") == doctest::Approx(2 * (2 + k * k)).epsilon(1e-9));
    CHECK(place(r, "worst_at").frame == 1);
  }
}

TEST_CASE("triangle distortion: the singular values are the stretches along the sides") {
  const MetricResult r = mapped(square(2), [](Vec3<double> p) {
    return Vec3<double>{4 * p.x, 0, 0.5 * p.y};
  });
  CHECK(numbers(r, "per_frame.arap")[1] == doctest::Approx(9 + 0.25));
  CHECK(numbers(r, "per_frame.symmetric_dirichlet")[1] == doctest::Approx(16 + 0.25 + 0.0625 + 4));
  CHECK(numbers(r, "per_frame.conformal")[1] == doctest::Approx(16.25 / 4));
  CHECK(numbers(r, "per_frame.area_ratio_min")[1] == doctest::Approx(2));
}

TEST_CASE("triangle distortion: bending a sheet without stretching it does not distort it") {
  // A strip rolled onto a cylinder: the lengths of its edges change from arcs to chords.
  const int n = 64;
  const MetricResult r = mapped(square(n), [&](Vec3<double> p) {
    const double chord = 2 * std::sin(0.5 / n) * n;  // chord over arc on a unit circle
    return Vec3<double>{std::sin(p.x) / chord, p.y, std::cos(p.x) / chord};
  });
  CHECK(numbers(r, "per_frame.arap")[1] < 1e-9);
}

TEST_CASE("triangle distortion: means are weighted by area, the worst triangle is a file index") {
  // A quarter of the area is stretched to twice its length. The first triangle is degenerate.
  Surface s{{{0, 0, 0}, {3, 0, 0}, {0, 2, 0}, {5, 0, 0}, {6, 0, 0}, {5, 2, 0}},
            {{0, 0, 1}, {0, 1, 2}, {3, 4, 5}}};
  const MetricResult r = mapped(s, [](Vec3<double> p) {
    return p.y > 0 && p.x > 4 ? Vec3<double>{5, 4, 0} : p;
  });
  CHECK(numbers(r, "per_frame.arap")[1] == doctest::Approx(0.25));
  CHECK(numbers(r, "per_frame.area_ratio_max")[1] == doctest::Approx(2));
  CHECK(place(r, "worst_at").triangle == 2);
  CHECK(count(r, "dropped") == 1);
}

TEST_CASE("triangle distortion: collapsed triangles are clamped and counted, not infinite") {
  const MetricResult line = mapped(square(1), [](Vec3<double> p) {
    return Vec3<double>{p.x, 0, 0};
  });
  CHECK(count(line, "clamped") == 2);
  CHECK(number(line, "worst") == doctest::Approx(1 + 1e-12 + 1 + 1e12));
  // Area ratios and ARAP energies are not clamped.
  CHECK(numbers(line, "per_frame.area_ratio_min")[1] == 0);
  CHECK(numbers(line, "per_frame.arap")[1] == 1);
  const MetricResult thin = mapped(square(1), [](Vec3<double> p) {
    return Vec3<double>{8 * p.x, 0x1p-30 * p.y, 0};
  });
  CHECK(numbers(thin, "per_frame.area_ratio_min")[1] * 0x1p27 == doctest::Approx(1));
  CHECK(numbers(thin, "per_frame.area_ratio_max")[1] * 0x1p27 == doctest::Approx(1));
  CHECK(count(thin, "clamped") == 2);
  const MetricResult point = mapped(square(1), [](Vec3<double>) { return Vec3<double>{}; });
  CHECK(numbers(point, "per_frame.area_ratio_max")[1] == 0);
  CHECK(numbers(point, "per_frame.arap")[1] == 2);
  CHECK(count(point, "clamped") == 2);
  CHECK(number(point, "worst") == doctest::Approx(2e12));

  Surface needle = square(1);
  needle.points.push_back({0.5, 0, 0});
  needle.triangles.push_back({0, 4, 1});
  CHECK(count(mapped(needle, [](Vec3<double> p) { return p; }), "degenerate_reference") == 1);
}

}  // namespace skinbake
