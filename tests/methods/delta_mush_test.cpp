// Delta mush against a second implementation of the formulas, in plain doubles.

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <set>

#include "methods/plain_vectors.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using test::Capture;
using test::captured;
using test::cross_of;
using test::difference;
using test::distance;
using test::dot_of;
using test::unit_of;
using test::Vector3;
using Points = std::vector<Vector3>;

struct DeltaMushSettings {
  int iterations = 10;
  double step = 0.5;
  bool pins = true;
  double scale = 1;
};

// The neighbours of every vertex of a mesh without seams.
Points smoothed(const Mesh& mesh, Points points, const DeltaMushSettings& settings) {
  std::vector<std::set<VertexIndex>> neighbours(points.size());
  std::vector<std::multiset<VertexIndex>> uses(points.size());
  for (const auto& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      const VertexIndex a = t[k], b = t[(k + 1) % 3];
      neighbours[a].insert(b), neighbours[b].insert(a);
      uses[a].insert(b), uses[b].insert(a);
    }
  }
  for (int i = 0; i < settings.iterations; ++i) {
    Points next = points;
    for (std::size_t v = 0; v < points.size(); ++v) {
      bool border = false;
      for (const VertexIndex n : neighbours[v]) border = border || uses[v].count(n) == 1;
      if (neighbours[v].empty() || (border && settings.pins)) continue;
      for (int axis = 0; axis < 3; ++axis) {
        double mean = 0;
        for (const VertexIndex n : neighbours[v]) mean += points[n][axis];
        mean /= static_cast<double>(neighbours[v].size());
        next[v][axis] += settings.step * (mean - points[v][axis]);
      }
    }
    points = next;
  }
  return points;
}

// The axes of a corner.
std::array<Vector3, 3> frame(const Points& s, VertexIndex a, VertexIndex b, VertexIndex c) {
  const Vector3 u = unit_of(difference(s[b], s[a])), v = unit_of(difference(s[c], s[a]));
  const Vector3 x = unit_of({u[0] + v[0], u[1] + v[1], u[2] + v[2]}), z = unit_of(cross_of(u, v));
  return {x, cross_of(z, x), z};
}

Points mushed(const Mesh& mesh, const Points& rest, const Points& posed, double k,
              const DeltaMushSettings& settings) {
  const Points s0 = smoothed(mesh, rest, settings), s = smoothed(mesh, posed, settings);
  Points sums(rest.size(), Vector3{0, 0, 0});
  std::vector<double> angles(rest.size(), 0);
  for (const auto& t : mesh.triangles) {
    for (int corner = 0; corner < 3; ++corner) {
      const VertexIndex a = t[corner], b = t[(corner + 1) % 3], c = t[(corner + 2) % 3];
      const auto before = frame(s0, a, b, c), after = frame(s, a, b, c);
      const double angle =
          std::acos(dot_of(unit_of(difference(s0[b], s0[a])), unit_of(difference(s0[c], s0[a]))));
      angles[a] += angle;
      for (int e = 0; e < 3; ++e) {
        const double d =
            dot_of(before[e], difference(rest[a], s0[a])) * (e == 2 ? k : std::fabs(k));
        for (int axis = 0; axis < 3; ++axis) sums[a][axis] += angle * d * after[e][axis];
      }
    }
  }
  Points result = s;
  for (std::size_t v = 0; v < result.size(); ++v) {
    if (angles[v] == 0) continue;
    for (int axis = 0; axis < 3; ++axis) {
      result[v][axis] += settings.scale * sums[v][axis] / angles[v];
    }
  }
  return result;
}

Points rest_of(const Rig& rig) {
  Points points;
  for (std::size_t v = 0; v < rig.mesh->vertex_count(); ++v) {
    const float* p = rig.mesh->positions.data() + v * 3;
    points.push_back({p[0], p[1], p[2]});
  }
  return points;
}

Points frame_of(const Capture& capture, std::int64_t frame, std::size_t count) {
  Points points;
  for (VertexIndex v = 0; v < count; ++v) {
    const Vec3<double> p = capture.exact_at(frame, v);
    points.push_back({p.x, p.y, p.z});
  }
  return points;
}

// Differences between `dm` and the oracle, both applied to the result of `base`.
struct Worst {
  double exact = 0, rounded = 0;
};
Worst worst_difference(const Rig& rig, const Clip& clip, const std::string& base,
                       const std::string& name, const DeltaMushSettings& settings, double k = 1) {
  constexpr std::int64_t kFrames = 17;  // a full block and one more
  const Capture before = captured(rig, &clip, kFrames, base);
  const Capture after = captured(rig, &clip, kFrames, name);
  const Points rest = rest_of(rig);
  Worst worst;
  for (std::int64_t f = 0; f < kFrames; ++f) {
    const Points expected = mushed(*rig.mesh, rest, frame_of(before, f, rest.size()), k, settings);
    for (VertexIndex v = 0; v < rest.size(); ++v) {
      const Vec3<double> e{expected[v][0], expected[v][1], expected[v][2]};
      worst.exact = std::max(worst.exact, distance(after.exact_at(f, v), e));
      worst.rounded = std::max(worst.rounded, distance(after.at(f, v), e));
    }
  }
  return worst;
}

Rig rough_tube(bool open) {
  Rig rig = test::tube({.rings = 8, .segments = 9, .joints = 3, .influences = 2});
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  test::Random random(95);
  for (float& x : mesh->positions) x += static_cast<float>(random.between(-0.05, 0.05));
  if (open) mesh->triangles.resize(mesh->triangles.size() - 4);
  rig.mesh = mesh;
  return rig;
}

}  // namespace

TEST_CASE("delta mush: results equal the formulas") {
  for (const bool open : {false, true}) {
    const Rig rig = rough_tube(open);
    const Clip clip = test::turning_clip(rig, {0.48, 0.6, 0.64}, 2);
    const auto check = [&](const std::string& base, const std::string& name,
                           const DeltaMushSettings& settings) {
      CAPTURE(name);
      const Worst worst = worst_difference(rig, clip, base, name, settings);
      CHECK(worst.exact < 1e-13);
      // Each of ten sweeps sums some 7 numbers of 1 m, each rounded to 6e-8, and halves the error
      // of the previous sweep: 2 x 7 roundings. Frames of edges of 0.1 m amplify them tenfold, for
      // details of 0.05 m.
      CHECK(worst.rounded < 4e-6);
      CHECK(worst.rounded > 0);
    };
    check("lbs", "dm:iterations=10", {});
    check("dqs", "dm:base=dqs,iterations=3,step=0.8", {3, 0.8, true, 1});
    check("lbs", "dm:iterations=10,pin=0,scale=0.5", {10, 0.5, false, 0.5});
    check("lbs", "dm:iterations=0", {0, 0.5, true, 1});
  }
}

TEST_CASE("delta mush: a common scale scales the detail, a mirror flips it") {
  const Rig rig = rough_tube(false);
  for (const Vec3<double>& scale : {Vec3<double>{0.01, 0.01, 0.01}, Vec3<double>{-2, 2, 2}}) {
    const double k = scale.x < 0 ? -2 : 0.01;
    Clip clip = test::turning_clip(rig, {0.48, 0.6, 0.64}, 2);
    const NodeIndex root = rig.joints[0].node;
    clip.channels.push_back(test::channel(root, ChannelPath::kScale, Interpolation::kStep, {0},
                                          {scale.x, scale.y, scale.z}, 3));
    const Worst worst = worst_difference(rig, clip, "lbs", "dm:iterations=10", {}, k);
    CHECK(worst.exact < 1e-12);
  }
}

TEST_CASE("delta mush: morph targets change the rest pose from which details are computed") {
  Rig rig = rough_tube(false);
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  test::Random random(96);
  MorphTarget target;
  for (std::size_t i = 0; i < mesh->positions.size(); ++i) {
    target.positions.push_back(static_cast<float>(random.between(-0.02, 0.02)));
  }
  mesh->morph_targets.push_back(target);
  rig.mesh = mesh;
  rig.morph_weights = {0.75};
  // In the bind pose the result is the morphed mesh: corners are weighted by angles, but all of
  // them give the same point.
  const Capture capture = captured(rig, nullptr, 1, "dm");
  double worst = 0, worst_rounded = 0;
  for (VertexIndex v = 0; v < mesh->vertex_count(); ++v) {
    Vec3<double> e;
    double* axes[] = {&e.x, &e.y, &e.z};
    for (std::size_t a = 0; a < 3; ++a) {
      *axes[a] = mesh->positions[v * 3 + a] + 0.75 * target.positions[v * 3 + a];
    }
    worst = std::max(worst, distance(capture.exact_at(0, v), e));
    worst_rounded = std::max(worst_rounded, distance(capture.at(0, v), e));
  }
  CHECK(worst < 1e-13);
  CHECK(worst_rounded < 1e-6);
}

TEST_CASE("delta mush: a single triangle, a loose vertex and a flat mesh do not change") {
  Rig rig = test::loose({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 5, 5}}, std::vector<Node>(1),
                        std::vector<std::vector<Influence>>(4, {{0, 1}}));
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->triangles = {{0, 1, 2}, {0, 0, 1}};
  rig.mesh = mesh;
  for (const char* name : {"dm", "dm:pin=0", "dm:iterations=0"}) {
    const Capture capture = captured(rig, nullptr, 1, name);
    for (VertexIndex v = 0; v < 4; ++v) {
      const float* p = mesh->positions.data() + v * 3;
      CHECK(distance(capture.exact_at(0, v), {p[0], p[1], p[2]}) < 1e-12);
    }
  }
}

namespace {

// Rows of `width` points, in squares of two triangles each, with one joint.
Rig sheet(const std::vector<Vec3<double>>& points, VertexIndex width) {
  Rig rig = test::loose(points, std::vector<Node>(1),
                        std::vector<std::vector<Influence>>(points.size(), {{0, 1}}));
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  for (VertexIndex v = 0; v + width < points.size(); ++v) {
    if ((v + 1) % width == 0) continue;  // the end of a row
    mesh->triangles.push_back({v, v + 1, v + width + 1});
    mesh->triangles.push_back({v, v + width + 1, v + width});
  }
  rig.mesh = mesh;
  return rig;
}

}  // namespace

TEST_CASE("delta mush: two hundred sweeps over a sheet with a fixed border") {
  constexpr int kSide = 16;
  std::vector<Vec3<double>> points;
  test::Random random(97);
  for (int i = 0; i < kSide * kSide; ++i) {
    points.push_back({i % kSide / 16.0, i / kSide / 16.0, random.between(-0.05, 0.05)});
  }
  const Rig rig = sheet(points, kSide);
  const Capture capture = captured(rig, nullptr, 1, "dm:iterations=200");
  double worst = 0, worst_rounded = 0;
  for (VertexIndex v = 0; v < points.size(); ++v) {
    const float* p = rig.mesh->positions.data() + std::size_t{v} * 3;
    worst = std::max(worst, distance(capture.exact_at(0, v), {p[0], p[1], p[2]}));
    worst_rounded = std::max(worst_rounded, distance(capture.at(0, v), {p[0], p[1], p[2]}));
  }
  CHECK(worst < 1e-14);
  CHECK(worst_rounded < 1e-6);
}

// A strip a hundred times as long as its edges across: its corners have sines of 0.01 and less. Its
// ends are 48 from the middle, where a float's last bits are 4e-6.
TEST_CASE("delta mush: corners that are nearly flat keep a float's precision") {
  constexpr int kSide = 96, kWidth = 5;
  std::vector<Vec3<double>> points;
  test::Random random(98);
  for (int i = 0; i < kSide * kWidth; ++i) {
    const double along = i / kWidth, across = i % kWidth;
    points.push_back({along, 0.01 * across, random.between(-0.2, 0.2)});
  }
  const Rig rig = sheet(points, kWidth);
  const Capture capture = captured(rig, nullptr, 1, "dm:iterations=10,pin=0");
  double worst = 0;
  for (VertexIndex v = 0; v < points.size(); ++v) {
    const float* p = rig.mesh->positions.data() + std::size_t{v} * 3;
    CHECK(distance(capture.exact_at(0, v), {p[0], p[1], p[2]}) < 1e-9);
    worst = std::max(worst, distance(capture.at(0, v), capture.exact_at(0, v)));
  }
  // Rounded positions, relative to the middle, would differ by 1.5e-5.
  CHECK(worst < 6e-6);
}

TEST_CASE("delta mush: its base may be any method that does not read neighbours") {
  CHECK(parse_method("dm:base=dqs").canonical() == "dm:base=dqs");
  CHECK_THROWS(parse_method("dm:base=dm"));
  CHECK_THROWS(parse_method("dm:base=ddm"));
}

}  // namespace skinbake
