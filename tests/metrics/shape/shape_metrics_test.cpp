// Contracts of all shape metrics. A new metric of the list is tested without a change here.

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <string>

#include "metrics/measure.h"
#include "support/random.h"
#include "support/targets.h"

namespace skinbake {
namespace {

using namespace test;

// Coordinates of ten bits: right-angled rotations and integer translations are exact.
double on_grid(double x) {
  return std::round(x * 1024) / 1024;
}

Points on_grid(Points points) {
  for (Vec3<double>& p : points) p = {on_grid(p.x), on_grid(p.y), on_grid(p.z)};
  return points;
}

// A closed tube, an open tube, and three triangles at one edge: several components, one of which is
// not manifold. The first tube has a seam: two file vertices at one point.
Surface all_kinds() {
  Surface tube = cylinder(12, 17, 0.25, 2);
  tube.points.push_back(tube.points[5]);
  for (VertexIndex& corner : tube.triangles[10]) {
    if (corner == 5) corner = static_cast<VertexIndex>(tube.points.size() - 1);
  }
  Surface open = open_cylinder(10, 5, 0.5, 2);
  for (Vec3<double>& p : open.points) p.x += 2;
  const Surface fins{{{4, 0, 0}, {4, 0, 1}, {5, 0, 0}, {4, 1, 0}, {3, -1, 0}},
                     {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}}};
  Surface all = joined(joined(tube, open), fins);
  all.points = on_grid(all.points);
  return all;
}

Weights ramp(const Points& points) {
  Weights weights;
  for (const Vec3<double>& p : points) {
    const double w = on_grid(std::fmin(1, std::fmax(0, p.z / 2)));
    weights.push_back(w <= 0    ? std::vector<Influence>{{0, 1.0}}
                      : w >= 1  ? std::vector<Influence>{{1, 1.0}}
                      : w > 0.5 ? std::vector<Influence>{{1, w}, {0, 1 - w}}
                                : std::vector<Influence>{{0, 1 - w}, {1, w}});
  }
  return weights;
}

// Two joints are on the z axis, at 0 and 2. Normals are parallel to the axis.
Rig rig_with_ramp(const Surface& surface) {
  Rig rig = chained_on_z(surface, ramp(surface.points));
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  for (std::size_t v = 0; v < surface.points.size(); ++v) {
    mesh->normals.insert(mesh->normals.end(), {0, 0, 1});
  }
  rig.mesh = mesh;
  return rig;
}

// Frames with random displacements of every vertex.
Motion shaken(const Points& rest, int frames) {
  Random random(7);
  Motion motion{rest};
  for (int f = 1; f < frames; ++f) {
    Points points = rest;
    for (Vec3<double>& p : points) {
      p = {p.x + random.between(-0.1, 0.1), p.y + random.between(-0.1, 0.1),
           p.z + random.between(-0.1, 0.1)};
    }
    motion.push_back(on_grid(points));
  }
  return motion;
}

// Random normals for these frames.
Motion shaken_normals(const Motion& motion) {
  return shaken(Points(motion[0].size(), {0, 0, 1}), static_cast<int>(motion.size()));
}

// The rotation x y z -> y z x and a translation: exact in float and double.
Vec3<double> moved(const Vec3<double>& p) {
  return {p.y + 8, p.z - 16, p.x + 4};
}
Motion moved(const Motion& motion) {
  Motion result = motion;
  for (Points& points : result) {
    for (Vec3<double>& p : points) p = moved(p);
  }
  return result;
}

Motion rotated(Motion directions) {
  for (Points& frame : directions) {
    for (Vec3<double>& d : frame) d = {d.y, d.z, d.x};
  }
  return directions;
}

// A clip that moves the root by the same motion, for metrics that use joints.
Clip moving_clip() {
  const auto values = [](std::vector<double> v) {
    return std::make_shared<const std::vector<double>>(std::move(v));
  };
  Clip clip;
  clip.duration_s = 1;
  clip.channels = {{0, ChannelPath::kTranslation, Interpolation::kLinear, 3, 0, values({0}),
                    values({8, -16, 4})},
                   {0, ChannelPath::kRotation, Interpolation::kLinear, 4, 0, values({0}),
                    values({-0.5, -0.5, -0.5, 0.5})}};
  return clip;
}

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-9 * std::abs(a) + 1e-300;
}

}  // namespace

TEST_CASE("shape metrics: a rigid motion changes every number by less than 1e-9") {
  const Surface surface = all_kinds();
  const Rig rig = rig_with_ramp(surface);
  const Motion motion = shaken(surface.points, 20), away = moved(motion);
  const Motion normals = shaken_normals(motion), turned_normals = rotated(normals);
  const Clip clip = moving_clip();
  for (const std::string_view metric : shape_metrics()) {
    const auto here =
        all_numbers(measure(metric, {.rig = &rig, .motion = &motion, .normals = &normals}));
    const auto there = all_numbers(
        measure(metric, {.rig = &rig, .motion = &away, .clip = &clip, .normals = &turned_normals}));
    REQUIRE(here.size() == there.size());
    REQUIRE(here.size() > 3);
    for (std::size_t i = 0; i < here.size(); ++i) {
      CAPTURE(here[i].name);
      CAPTURE(i);
      CAPTURE(here[i].value);
      CAPTURE(there[i].value);
      CHECK(same(here[i].value, there[i].value));
    }
  }
}

TEST_CASE("shape metrics: every instruction set and every order of tiles gives the same bits") {
  const Surface surface = joined(all_kinds(), open_cylinder(30, 20, 1, 2));
  const Rig rig = rig_with_ramp(surface);
  const Motion motion = shaken(surface.points, 18), normals = shaken_normals(motion);
  for (const std::string_view metric : shape_metrics()) {
    CAPTURE(metric);
    const auto first =
        all_numbers(measure(metric, {.rig = &rig, .motion = &motion, .normals = &normals}));
    test::for_each_simd_target([&](const std::string&) {
      for (const TileOrder order : {TileOrder::kForward, TileOrder::kBackward}) {
        const auto other = all_numbers(measure(metric, {&rig, &motion, nullptr, order, &normals}));
        REQUIRE(other.size() == first.size());
        for (std::size_t i = 0; i < first.size(); ++i) {
          CAPTURE(first[i].name);
          CHECK(std::memcmp(&first[i].value, &other[i].value, sizeof(double)) == 0);
        }
      }
    });
  }
}

TEST_CASE("shape metrics: unused lanes of a block are not counted") {
  const Surface surface = all_kinds();
  const Rig rig = rig_with_ramp(surface);
  const Motion motion = shaken(surface.points, 17);
  const Motion first_frames(motion.begin(), motion.begin() + 3);
  const Motion normals = shaken_normals(motion);
  for (const std::string_view metric : shape_metrics()) {
    CAPTURE(metric);
    const MetricResult some =
        measure(metric, {.rig = &rig, .motion = &first_frames, .normals = &normals});
    const MetricResult all = measure(metric, {.rig = &rig, .motion = &motion, .normals = &normals});
    for (const SectionField& field : some.fields) {
      if (field.key != "per_frame") continue;
      for (const SectionField& array : std::get<std::vector<SectionField>>(field.value)) {
        const std::string key = "per_frame." + std::string(array.key);
        if (const auto* few = std::get_if<std::vector<double>>(&array.value)) {
          std::vector<double> many = numbers(all, key);
          CHECK(many.size() == 17);
          many.resize(3);
          CHECK(many == *few);
        } else {
          std::vector<std::int64_t> many = counts(all, key);
          CHECK(many.size() == 17);
          many.resize(3);
          CHECK(many == std::get<std::vector<std::int64_t>>(array.value));
        }
      }
    }
  }
}

TEST_CASE("shape metrics: triangles without extent give NaN, not infinity") {
  const Surface point{{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, {{0, 1, 2}}};
  const Surface needle{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}}};
  for (const Surface& surface : {point, needle}) {
    const Rig rig = rigid(surface);
    const Motion motion{surface.points, surface.points};
    for (const std::string_view metric : shape_metrics()) {
      CAPTURE(metric);
      for (const NamedNumber& n : all_numbers(measure(metric, {&rig, &motion}))) {
        CAPTURE(n.name);
        CHECK_FALSE(std::isinf(n.value));
      }
    }
  }
}

}  // namespace skinbake
