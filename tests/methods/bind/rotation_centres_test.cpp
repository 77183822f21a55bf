// Centres of rotation against a second implementation of the formulas: every vertex with every
// piece of every triangle, weights as dense vectors.

#include "methods/bind/rotation_centres.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>

#include "skinbake/error.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using test::distance;

void in_order(std::size_t count, const std::function<void(std::size_t, std::size_t)>& work) {
  work(0, count);
}

std::vector<double> dense_weights(const Rig& rig, VertexIndex v) {
  std::vector<double> weights(rig.joints.size());
  for (const Influence& i : rig.influences_of(v)) weights[i.joint] = i.weight;
  return weights;
}

std::vector<double> mean(const std::vector<double>& a, const std::vector<double>& b,
                         const std::vector<double>& c) {
  std::vector<double> m;
  for (std::size_t i = 0; i < a.size(); ++i) m.push_back((a[i] + b[i] + c[i]) / 3);
  return m;
}

struct Point {
  std::vector<double> x, weights;

  static Point between(const Point& a, const Point& b, double s) {
    Point p = a;
    for (std::size_t i = 0; i < p.x.size(); ++i) p.x[i] += s * (b.x[i] - a.x[i]);
    for (std::size_t i = 0; i < p.weights.size(); ++i) {
      p.weights[i] += s * (b.weights[i] - a.weights[i]);
    }
    return p;
  }
};

struct Sums {
  double x[3] = {0, 0, 0}, area = 0;
};

double similarity(const std::vector<double>& p, const std::vector<double>& t, double sigma) {
  double sum = 0;
  for (std::size_t j = 0; j < p.size(); ++j) {
    for (std::size_t k = 0; k < p.size(); ++k) {
      if (j == k) continue;
      const double d = p[j] * t[k] - p[k] * t[j];
      sum += p[j] * p[k] * t[j] * t[k] * std::exp(-d * d / (sigma * sigma));
    }
  }
  return sum;
}

// Adds one piece with corners a, b, c.
void add_piece(const Point& a, const Point& b, const Point& c, const std::vector<double>& p,
               double sigma, Sums& sums) {
  const double u[] = {b.x[0] - a.x[0], b.x[1] - a.x[1], b.x[2] - a.x[2]};
  const double v[] = {c.x[0] - a.x[0], c.x[1] - a.x[1], c.x[2] - a.x[2]};
  const double area =
      std::hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) /
      2;
  const double s = similarity(p, mean(a.weights, b.weights, c.weights), sigma) * area;
  for (int i = 0; i < 3; ++i) sums.x[i] += s * (a.x[i] + b.x[i] + c.x[i]) / 3;
  sums.area += s;
}

double longest_edge(const Point& a, const Point& b, const Point& c) {
  double longest = 0;
  for (const auto& [p, q] : {std::pair(&a, &b), std::pair(&b, &c), std::pair(&c, &a)}) {
    double sum = 0;
    for (std::size_t i = 0; i < p->weights.size(); ++i) {
      sum += std::pow(p->weights[i] - q->weights[i], 2);
    }
    longest = std::max(longest, std::sqrt(sum));
  }
  return longest;
}

Vec3<double> brute_force(const Rig& rig, VertexIndex v, double sigma, double epsilon) {
  const auto point = [&](VertexIndex i) {
    const float* p = rig.mesh->positions.data() + std::size_t{i} * 3;
    return Point{{p[0], p[1], p[2]}, dense_weights(rig, i)};
  };
  const Point self = point(v);
  Sums sums;
  for (const auto& t : rig.mesh->triangles) {
    const Point a = point(t[0]), b = point(t[1]), c = point(t[2]);
    const int n = std::max(1, static_cast<int>(std::ceil(longest_edge(a, b, c) / epsilon)));
    // Corners of the grid: i steps towards b, then j steps towards c.
    const auto corner = [&](int i, int j) {
      Point p = Point::between(a, b, double(i) / n);
      const Point along = Point::between(a, c, double(j) / n);
      for (int x = 0; x < 3; ++x) p.x[x] += along.x[x] - a.x[x];
      for (std::size_t w = 0; w < p.weights.size(); ++w) {
        p.weights[w] += along.weights[w] - a.weights[w];
      }
      return p;
    };
    for (int i = 0; i < n; ++i) {
      for (int j = 0; i + j < n; ++j) {
        add_piece(corner(i, j), corner(i + 1, j), corner(i, j + 1), self.weights, sigma, sums);
        if (i + j + 2 > n) continue;
        add_piece(corner(i + 1, j + 1), corner(i, j + 1), corner(i + 1, j), self.weights, sigma,
                  sums);
      }
    }
  }
  if (sums.area == 0) return {self.x[0], self.x[1], self.x[2]};
  return {sums.x[0] / sums.area, sums.x[1] / sums.area, sums.x[2] / sums.area};
}

// Random points and triangles between them.
Rig soup(const test::RandomShape& shape, int triangles) {
  Rig rig = test::random_rig(shape);
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  test::Random random(shape.seed + 1);
  mesh->triangles.clear();
  for (int t = 0; t < triangles; ++t) {
    std::array<VertexIndex, 3> corners{};
    for (VertexIndex& c : corners) c = static_cast<VertexIndex>(random.below(shape.points));
    mesh->triangles.push_back(corners);
  }
  rig.mesh = mesh;
  return rig;
}

// Scattered points of three joints: each pair of joints has all points and all triangles.
Rig scattered(int points, std::uint64_t seed) {
  return soup({.seed = seed, .points = points, .joints = 3, .influences = 3}, 2 * points);
}

double seconds_for(const Rig& rig) {
  const std::clock_t start = std::clock();
  rotation_centres(rig, {0, 0, 0}, {0.1, 10}, in_order);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace

TEST_CASE("centres of rotation: they equal those by brute force") {
  for (const auto& [sigma, epsilon] : {std::pair(0.1, 0.1), std::pair(0.03, 0.4)}) {
    for (const std::uint64_t seed : {80, 81}) {
      const Rig rig = soup({.seed = seed, .points = 50, .joints = 6}, 90);
      const auto centres = rotation_centres(rig, {0, 0, 0}, {sigma, epsilon}, in_order);
      double worst = 0;
      for (VertexIndex v = 0; v < centres.size(); v += 10) {  // brute force takes its time
        worst = std::max(worst, distance(centres[v], brute_force(rig, v, sigma, epsilon)));
      }
      CHECK(worst < 1e-12);
    }
  }
}

TEST_CASE("centres of rotation: many vertices that share joints have those by brute force too") {
  const Rig rig = scattered(2500, 85);
  for (const double sigma : {0.1, 0.4, 1e-3}) {  // cells, terms, and no expansion
    const auto centres = rotation_centres(rig, {0, 0, 0}, {sigma, 10}, in_order);
    double worst = 0;
    for (VertexIndex v = 0; v < centres.size(); v += 500) {
      worst = std::max(worst, distance(centres[v], brute_force(rig, v, sigma, 10)));
    }
    CHECK(worst < 1e-12);
  }
}

TEST_CASE("centres of rotation: a vertex far from all others in weights has that by brute force") {
  // Triangles of size 1e-5 with other weights than the rest: their share of the sums is 1e-10.
  Rig rig = scattered(6000, 86);
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->triangles.resize(12000);
  for (VertexIndex v = 0; v < 6000; ++v) {
    const bool apart = v < 3;
    const double first = apart ? 0.02 + 0.01 * v : 0.6 + 0.0001 * (v % 3000);
    rig.influences.resize(v == 0 ? 0 : 2 * v);
    rig.first_influence.resize(v + 1);
    rig.influences.push_back({0, first});
    rig.influences.push_back({1, 1 - first});
    rig.first_influence.push_back(static_cast<std::uint32_t>(rig.influences.size()));
    if (!apart) continue;
    float* x = mesh->positions.data() + std::size_t{v} * 3;
    x[0] = 1e-5F * static_cast<float>(v * v), x[1] = 1e-5F * static_cast<float>(v), x[2] = 0;
  }
  for (auto& t : mesh->triangles) {
    for (VertexIndex& corner : t) corner = corner < 3 ? 3 : corner;
  }
  mesh->triangles.push_back({0, 1, 2});
  rig.mesh = mesh;
  const auto centres = rotation_centres(rig, {0, 0, 0}, {0.1, 10}, in_order);
  for (const VertexIndex v : {0, 1, 2, 3, 5999}) {
    CHECK(distance(centres[v], brute_force(rig, v, 0.1, 10)) < 1e-12);
  }
}

TEST_CASE("centres of rotation: the time grows with the vertices, not with their square") {
  const double few = seconds_for(scattered(2000, 87)), many = seconds_for(scattered(16000, 87));
  MESSAGE("2 000 vertices: " << few << " s; 16 000: " << many << " s");
  CHECK(many < 24 * few);  // linear: 8; quadratic: 64
}

TEST_CASE(
    "centres of rotation: they are on the axis of a tube whose weights depend on the height") {
  const Rig rig = test::tube({.rings = 21, .segments = 16, .joints = 4, .influences = 3});
  const auto centres = rotation_centres(rig, {0, 0, 0}, {}, in_order);
  double worst = 0;
  int blended = 0;
  for (VertexIndex v = 0; v < centres.size(); ++v) {
    if (rig.influences_of(v).size() == 1) continue;
    ++blended;
    worst = std::max(worst, std::hypot(centres[v].x, centres[v].z));
  }
  CHECK(blended > 300);
  CHECK(worst < 1e-6 * 0.5);  // of the radius
}

TEST_CASE(
    "centres of rotation: a vertex that does not share two joints with the surface is its own "
    "centre") {
  Rig rig = soup({.seed = 82, .points = 12, .joints = 4}, 20);
  rig.influences.clear();
  rig.first_influence = {0};
  for (VertexIndex v = 0; v < 12; ++v) {
    // The triangles touch the first eleven vertices; only the last has joints 2 and 3.
    const bool last = v == 11;
    rig.influences.push_back({last ? 2u : 0u, 0.75});
    rig.influences.push_back({last ? 3u : 1u, 0.25});
    rig.first_influence.push_back(static_cast<std::uint32_t>(rig.influences.size()));
  }
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  for (auto& t : mesh->triangles) {
    for (VertexIndex& corner : t) corner %= 11;
  }
  rig.mesh = mesh;
  const auto centres = rotation_centres(rig, {0, 0, 0}, {}, in_order);
  const float* p = mesh->positions.data() + 33;
  CHECK(distance(centres[11], {p[0], p[1], p[2]}) == 0);
  CHECK(distance(centres[0], centres[1]) == 0);  // equal weights, one centre
  CHECK(distance(centres[0], brute_force(rig, 0, 0.1, 0.1)) < 1e-12);
}

TEST_CASE("centres of rotation: the bits do not depend on how the work is divided") {
  const Rig rig = soup({.seed = 83, .points = 60, .joints = 5}, 80);
  const auto backwards = [](std::size_t count, const auto& work) {
    for (std::size_t i = count; i-- > 0;) work(i, i + 1);
  };
  const auto once = rotation_centres(rig, {0.5, 0, 0}, {}, in_order);
  const auto again = rotation_centres(rig, {0.5, 0, 0}, {}, backwards);
  for (std::size_t v = 0; v < once.size(); ++v) CHECK(test::same_bits(once[v], again[v]));
}

TEST_CASE("centres of rotation: an epsilon that makes too many pieces is refused") {
  const Rig rig = soup({.seed = 84, .points = 10, .joints = 3}, 5);
  CHECK_THROWS_AS(rotation_centres(rig, {0, 0, 0}, {0.1, 1e-300}, in_order), Error);
}

namespace {

// The terms that a refusal names.
double named_terms(const Rig& rig, const CentreParameters& parameters) {
  try {
    rotation_centres(rig, {0, 0, 0}, parameters, in_order);
  } catch (const Error& error) {
    const std::string text = error.what();
    REQUIRE(error.code() == "METHOD_PARAMETER_INVALID");
    REQUIRE(text.find("write a greater sigma=") != std::string::npos);
    return std::stod(text.substr(text.find(" have ") + 6));
  }
  FAIL("not refused");
  return 0;
}

}  // namespace

TEST_CASE("centres of rotation: sums with too many terms are refused before they are evaluated") {
  // Three pairs of joints, each with at most all vertices and triangles; sigma is too small to
  // expand.
  const Rig rig = scattered(500, 88);
  CHECK(named_terms(rig, {1e-3, 10, 1e5}) > 5e5);
  CHECK(named_terms(rig, {1e-3, 10, 1e5}) <= 3.0 * 500 * 1000);
  CHECK_NOTHROW(rotation_centres(rig, {0, 0, 0}, {1e-3, 10, 2e6}, in_order));
  // Fewer than 1e9 pieces, but with 5000 vertices.
  CHECK(named_terms(scattered(5000, 88), {1e-3, 4e-3}) > CentreParameters::kMostTerms);
}

TEST_CASE("centres of rotation: an expansion has few terms") {
  const Rig rig = scattered(4000, 89);
  CHECK(named_terms(rig, {1e-3, 10, 1e5}) > 2e7);
  CHECK(named_terms(rig, {0.5, 10, 1e5}) < 1e7);
}

TEST_CASE("centres of rotation: the parts that are done ascend to the whole") {
  for (const double sigma : {0.1, 1e-3}) {
    std::vector<double> parts{0};
    const auto noted = [&](std::size_t count, const auto& work, double until) {
      work(0, count);
      parts.push_back(until);
    };
    rotation_centres(scattered(200, 90), {0, 0, 0}, {sigma, 1}, noted);
    CHECK(std::is_sorted(parts.begin(), parts.end()));
    CHECK(parts.size() > 3);
    CHECK(parts[1] > 0);
    CHECK(parts.back() >= 0.9);  // the second sums are not always needed
    CHECK(parts.back() <= 1);
  }
}

}  // namespace skinbake
