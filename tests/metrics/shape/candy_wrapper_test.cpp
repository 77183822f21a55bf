#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <string>

#include "metrics/measure.h"

namespace skinbake {
namespace {

using namespace test;

// Surfaces around the z axis with a joint segment from z = 0 to z = 2.
Rig rig_with_segment(const Surface& surface) {
  Rig rig = chained_on_z(surface, Weights(surface.points.size(), {{0, 1.0}}));
  auto skeleton = std::make_shared<Skeleton>(*rig.skeleton);
  skeleton->nodes[0].name = "upper";
  rig.skeleton = skeleton;
  return rig;
}

// A tube with a ring at every station: the polygons are the rings.
constexpr int kTubeRings = 33;

// Linear blending of a point and the point rotated by `angle`.
Points twisted(Points points, double angle) {
  for (Vec3<double>& p : points) {
    const double w = p.z / 2, c = 1 - w + w * std::cos(angle), s = w * std::sin(angle);
    p = {c * p.x - s * p.y, s * p.x + c * p.y, p.z};
  }
  return points;
}

double field(const MetricResult& result, std::string_view key) {
  const std::vector<SectionField> bone = objects(result, "bones").at(0);
  for (const SectionField& f : bone) {
    if (f.key != key) continue;
    const auto* whole = std::get_if<std::int64_t>(&f.value);
    return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(f.value);
  }
  return NAN;
}

}  // namespace

TEST_CASE("candy wrapper: the loss at rest is 0, and segments name their joints") {
  const Surface tube = cylinder(16, kTubeRings, 0.5, 2);
  const Rig rig = rig_with_segment(tube);
  const Motion motion{tube.points};
  const MetricResult r = measure("candy_wrapper", {&rig, &motion});
  CHECK(number(r, "worst") == doctest::Approx(0));
  CHECK(field(r, "stations") == 16);
  REQUIRE(objects(r, "bones").size() == 1);
  CHECK(std::get<std::string>(objects(r, "bones")[0][0].value) == "upper");
  CHECK(std::get<std::string>(objects(r, "bones")[0][1].value) == "#1");
}

TEST_CASE("candy wrapper: a twisted tube loses 2 w (1 - w)(1 - cos) of its cross-section") {
  for (const Surface& tube :
       {cylinder(16, kTubeRings, 0.5, 2), open_cylinder(12, kTubeRings, 0.25, 2)}) {
    const Rig rig = rig_with_segment(tube);
    for (const double angle : {0.5, 1.5, 3.0}) {
      const Motion motion{tube.points, twisted(tube.points, angle), tube.points};
      const MetricResult r = measure("candy_wrapper", {&rig, &motion});
      const double w = 7.5 / 16;  // one of the two stations nearest to the middle
      const double lost = 2 * w * (1 - w) * (1 - std::cos(angle));
      CHECK(number(r, "worst") == doctest::Approx(lost).epsilon(1e-6));
      CHECK(place(r, "worst_at").frame == 1);
      CHECK(place(r, "worst_at").joint == "upper");
      CHECK(field(r, "index") == number(r, "worst"));
      CHECK((field(r, "station") == 7 || field(r, "station") == 8));
    }
  }
}

TEST_CASE("candy wrapper: polygons between rings consist of points on edges") {
  const Surface tube = cylinder(16, 4, 0.5, 2);
  const Rig rig = rig_with_segment(tube);
  Points thin = tube.points;
  for (Vec3<double>& p : thin) p = {p.x / 2, p.y / 2, p.z};
  const Motion motion{thin};
  const MetricResult r = measure("candy_wrapper", {&rig, &motion});
  CHECK(number(r, "worst") == doctest::Approx(0.75));
  CHECK(field(r, "stations") == 16);
}

TEST_CASE("candy wrapper: of several polygons the smallest around the segment counts") {
  // A coat around the tube, and a post beside them.
  Surface coat = open_cylinder(20, kTubeRings, 1, 2), post = cylinder(8, 3, 0.1, 2);
  for (Vec3<double>& p : post.points) p.x += 3;
  const Surface tube = cylinder(16, kTubeRings, 0.5, 2);
  const Surface all = joined(joined(coat, tube), post);
  const Rig rig = rig_with_segment(all);
  Points squeezed = all.points;
  for (std::size_t v = 0; v < coat.points.size(); ++v) squeezed[v].x *= 0.1;
  for (std::size_t v = coat.points.size() + tube.points.size(); v < squeezed.size(); ++v) {
    squeezed[v].y = 0;
  }
  const Motion others{squeezed};
  CHECK(number(measure("candy_wrapper", {&rig, &others}), "worst") == doctest::Approx(0));
  for (std::size_t v = 0; v < tube.points.size(); ++v) {
    squeezed[coat.points.size() + v].x *= 0.5;
  }
  const Motion itself{squeezed};
  CHECK(number(measure("candy_wrapper", {&rig, &itself}), "worst") == doctest::Approx(0.5));
}

TEST_CASE("candy wrapper: polygons are those of the bind pose, whatever the baseline") {
  // In the first frame the coat is within the tube, and the tube is half as thick as at bind.
  const Surface coat = open_cylinder(20, kTubeRings, 1, 2);
  const Surface all = joined(coat, cylinder(16, kTubeRings, 0.5, 2));
  const Rig rig = rig_with_segment(all);
  Motion motion{all.points, all.points};
  for (std::size_t v = 0; v < all.points.size(); ++v) {
    const bool of_coat = v < coat.points.size();
    for (Vec3<double>& p : {std::ref(motion[0][v]), std::ref(motion[1][v])}) {
      p.x *= of_coat ? 0.05 : 0.5;
    }
    if (!of_coat) motion[1][v].y *= 0.25;
  }
  const auto index = [&](Baseline baseline) {
    return number(measure("candy_wrapper", {.rig = &rig, .motion = &motion, .baseline = baseline}),
                  "worst");
  };
  CHECK(index(Baseline::kBind) == doctest::Approx(1 - 0.5 * 0.25));
  CHECK(index(Baseline::kFirstFrame) == doctest::Approx(1 - 0.25));
}

TEST_CASE("candy wrapper: without a polygon around the segment there is no value") {
  // Half a tube is open along its length. A sheet across the segment is not cut in a closed
  // polygon.
  Surface half = open_cylinder(16, kTubeRings, 0.5, 2);
  std::erase_if(half.triangles, [&](const auto& t) {
    return half.points[t[0]].x + half.points[t[1]].x + half.points[t[2]].x > 0;
  });
  const Rig rig = rig_with_segment(half);
  const Motion motion{half.points};
  const MetricResult r = measure("candy_wrapper", {&rig, &motion});
  CHECK(std::isnan(number(r, "worst")));
  CHECK(field(r, "stations") == 0);
  CHECK(std::isnan(field(r, "station")));
}

TEST_CASE("candy wrapper: fins on a tube do not hide its cross-section") {
  // Three sheets share an edge: the polyline has a branch with an open end.
  Surface tube = open_cylinder(16, kTubeRings, 0.5, 2);
  const auto tip = static_cast<VertexIndex>(tube.points.size());
  tube.points.push_back({1, 0, 0});
  tube.points.push_back({1, 0, 2});
  const auto last = static_cast<VertexIndex>(16 * (kTubeRings - 1));
  tube.triangles.push_back({0, tip, last});
  tube.triangles.push_back({tip, tip + 1, last});
  for (int r = 0; r + 1 < kTubeRings; ++r) {
    tube.triangles.push_back(
        {static_cast<VertexIndex>(16 * r), static_cast<VertexIndex>(16 * r + 16), tip});
  }
  const Rig rig = rig_with_segment(tube);
  const Motion motion{twisted(tube.points, 2)};
  const MetricResult r = measure("candy_wrapper", {&rig, &motion});
  CHECK(field(r, "stations") == 16);
  const double w = 7.5 / 16;
  CHECK(number(r, "worst") == doctest::Approx(2 * w * (1 - w) * (1 - std::cos(2.0))).epsilon(1e-6));
}

}  // namespace skinbake
