#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "metrics/measure.h"
#include "metrics/shape/triangle_tree.h"
#include "support/random.h"

namespace skinbake {
namespace {

using namespace test;

bool cross(const Points& six) {
  return triangles_cross(six, {0, 1, 2}, {3, 4, 5});
}
const Points kFlat{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}};
Points with_second(std::initializer_list<Vec3<double>> second) {
  Points all = kFlat;
  all.insert(all.end(), second);
  return all;
}

MetricResult measured(const Surface& surface, const Motion& motion) {
  const Rig rig = rigid(surface);
  return measure("self_intersection", {&rig, &motion});
}

}  // namespace

TEST_CASE("triangles cross if an edge of one passes through the interior of the other") {
  CHECK(cross(with_second({{0.5, 0.5, -1}, {0.5, 0.5, 1}, {3, 3, 0.5}})));
  CHECK(cross(with_second({{0.5, -1, -1}, {0.5, -1, 1}, {0.5, 1, 0.25}})));
  // The edge passes through the plane outside the triangle.
  CHECK_FALSE(cross(with_second({{2, 2, -1}, {2, 2, 1}, {3, 3, 0}})));
}

TEST_CASE("triangles that touch or are coplanar do not cross") {
  CHECK_FALSE(cross(with_second({{0.5, 0.5, 0}, {0.5, 0.5, 1}, {1, 0.5, 1}})));    // a corner
  CHECK_FALSE(cross(with_second({{0.25, 0.25, 0}, {0.5, 0.5, 0}, {1, 0.5, 1}})));  // an edge
  CHECK_FALSE(cross(with_second({{0.5, 0.5, 0}, {3, 0.5, 0}, {0.5, 3, 0}})));      // a plane
  CHECK_FALSE(cross(with_second({{1, 0, -1}, {1, 0, 1}, {1, -1, 0}})));   // an edge on an edge
  CHECK_FALSE(cross(with_second({{0, 0, -1}, {0, 0, 1}, {-1, -1, 0}})));  // through a corner
  const double up = 0x1p-300;                                             // almost zero
  CHECK(cross(with_second({{0.5, 0.5, -up}, {0.5, 0.5, 1}, {1, 0.5, 1}})));
  CHECK_FALSE(cross(with_second({{0.5, 0.5, up}, {0.5, 0.5, 1}, {1, 0.5, 1}})));
}

// Small triangles whose corners are exactly on a large one. The joint turns the mesh at rest, so
// that the rounded points of the bind baseline are on both sides of the large triangle.
TEST_CASE("self-intersection: triangles that touch at bind do not cross in the baseline") {
  Surface surface{{{-2, -2, 0}, {3, -2, 0}, {-2, 3, 0}}, {{0, 1, 2}}};
  for (int i = 0; i < 20; ++i) {
    const auto first = static_cast<VertexIndex>(surface.points.size());
    const double x = i / 32.0, y = i / 64.0;
    surface.points.insert(surface.points.end(), {{x, y, 0}, {x, y, 1}, {x + 1, y, 1}});
    surface.triangles.push_back({first, first + 1, first + 2});
  }
  Rig rig = rigid(surface);
  auto skeleton = std::make_shared<Skeleton>(*rig.skeleton);
  skeleton->nodes[rig.joints[0].node].rotation = {10.0 / 11, 1.0 / 11, 2.0 / 11, 4.0 / 11};
  rig.skeleton = skeleton;
  const Motion motion{surface.points};
  const MetricResult r = measure("self_intersection", {&rig, &motion});
  CHECK(count(r, "baseline_pairs") == 0);
}

TEST_CASE("self-intersection: a cube moved into another has known pairs, at rest it has none") {
  const Surface cubes = joined(cube({0, 0, 0}), cube({4, 0, 0}));
  Points pushed = cubes.points;
  // One corner is inside the first cube: three faces of two triangles each cross three faces.
  for (std::size_t v = 8; v < 16; ++v) {
    pushed[v] = {pushed[v].x - 3.25, pushed[v].y + 0.5, pushed[v].z + 0.375};
  }
  const Motion motion{cubes.points, pushed, cubes.points};
  const MetricResult r = measured(cubes, motion);
  CHECK(count(r, "baseline_pairs") == 0);
  const std::vector<std::int64_t> pairs = counts(r, "per_frame.new_pairs");
  CHECK(pairs[0] == 0);
  CHECK(pairs[2] == 0);
  std::int64_t by_hand = 0;  // all pairs
  std::vector<bool> marked(cubes.triangles.size());
  for (std::size_t a = 0; a < 12; ++a) {
    for (std::size_t b = 12; b < 24; ++b) {
      if (!triangles_cross(pushed, cubes.triangles[a], cubes.triangles[b])) continue;
      ++by_hand;
      marked[a] = marked[b] = true;
    }
  }
  CHECK(by_hand >= 6);  // three lines of intersection on each cube
  CHECK(pairs[1] == by_hand);
  CHECK(counts(r, "per_frame.triangles")[1] == std::count(marked.begin(), marked.end(), true));
  CHECK(count(r, "worst") == by_hand);
  CHECK(place(r, "worst_at").frame == 1);
}

TEST_CASE("self-intersection: pairs that cross at the baseline are not counted") {
  const Surface cubes = joined(cube({0, 0, 0}), cube({0.5, 0.5, 0.375}));
  const Motion motion{cubes.points};
  const MetricResult r = measured(cubes, motion);
  CHECK(count(r, "baseline_pairs") >= 6);
  CHECK(counts(r, "per_frame.new_pairs")[0] == 0);
  CHECK(counts(r, "per_frame.triangles")[0] == 0);
}

TEST_CASE("self-intersection: neighbours are ignored, even across a seam") {
  // A hinge closed by more than its angle. The two triangles share an edge, which is split in the
  // file.
  const Surface seam{{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 0}, {0, 1, 0}, {-1, 0, 0}},
                     {{0, 2, 1}, {3, 4, 5}}};
  Points closed = seam.points;
  closed[5] = {1, 0.5, 0.25};
  closed[2] = {1, 0.25, 0.5};
  closed[3] = {0, 0, 0.125};  // separated: an edge passes through the other triangle
  const Motion motion{closed};
  CHECK(counts(measured(seam, motion), "per_frame.new_pairs")[0] == 0);
}

TEST_CASE("self-intersection: the tree finds the same pairs as an exhaustive search") {
  Random random(5);
  Surface soup;
  for (int t = 0; t < 150; ++t) {
    const Vec3<double> at = random.vector(1);
    for (int i = 0; i < 3; ++i) {
      const Vec3<double> by = random.vector(0.3);
      soup.points.push_back({at.x + by.x, at.y + by.y, at.z + by.z});
    }
    const auto v = static_cast<VertexIndex>(3 * t);
    soup.triangles.push_back({v, v + 1, v + 2});
  }
  const auto rounded = [](Points points) {
    for (Vec3<double>& p : points) {
      p = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
    }
    return points;
  };
  soup.points = rounded(soup.points);
  Points mixed = soup.points;
  for (Vec3<double>& p : mixed) {
    const Vec3<double> by = random.vector(0.2);
    p = {p.x + by.x, p.y + by.y, p.z + by.z};
  }
  mixed = rounded(mixed);
  std::int64_t before = 0, fresh = 0;
  for (std::size_t a = 0; a < soup.triangles.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const bool was = triangles_cross(soup.points, soup.triangles[a], soup.triangles[b]);
      before += was;
      fresh += !was && triangles_cross(mixed, soup.triangles[a], soup.triangles[b]);
    }
  }
  CHECK(before > 20);
  CHECK(fresh > 20);
  const Motion motion{mixed};
  const MetricResult r = measured(soup, motion);
  CHECK(count(r, "baseline_pairs") == before);
  CHECK(counts(r, "per_frame.new_pairs")[0] == fresh);
}

TEST_CASE("self-intersection: a fan whose boxes all overlap is counted unless it is long") {
  const auto fan = [](VertexIndex count) {
    Surface surface{{{0, 0, 0}, {1, 1, 0}}, {}};
    for (VertexIndex i = 0; i < count; ++i) {
      surface.points.push_back({1, 1 + (i + 1) / double(count), 0});
      surface.triangles.push_back({0, i + 1, i + 2});
    }
    return surface;
  };
  const Surface brief = fan(300), lengthy = fan(3000);
  const Motion brief_motion(2, brief.points), long_motion(18, lengthy.points);
  const MetricResult counted = measured(brief, brief_motion);
  CHECK(count(counted, "baseline_pairs") == 0);
  CHECK(counts(counted, "per_frame.new_pairs") == std::vector<std::int64_t>{0, 0});
  CHECK(counted.issues.empty());

  const MetricResult given_up = measured(lengthy, long_motion);
  CHECK(std::isnan(number(given_up, "baseline_pairs")));
  CHECK(std::isnan(number(given_up, "worst")));
  CHECK(place(given_up, "worst_at").frame == -1);
  for (const char* key : {"per_frame.new_pairs", "per_frame.triangles"}) {
    const std::vector<double> nulls = numbers(given_up, key);
    CHECK(nulls.size() == 18);
    CHECK(std::all_of(nulls.begin(), nulls.end(), [](double n) { return std::isnan(n); }));
  }
  REQUIRE(given_up.issues.size() == 1);
  CHECK(given_up.issues[0].code == "INTERSECTIONS_NOT_COUNTED");
  CHECK(given_up.issues[0].count == 18);
}

TEST_CASE("self-intersection: only frames in which all boxes overlap are not counted") {
  constexpr VertexIndex kCount = 3000;
  Surface row;  // separate triangles
  Points heap;  // the same triangles in nearby parallel planes
  for (VertexIndex i = 0; i < kCount; ++i) {
    const double x = 2.0 * i, h = i / (4.0 * kCount);
    row.points.insert(row.points.end(), {{x, 0, 0}, {x + 1, 0, 0}, {x, 1, 0}});
    row.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    heap.insert(heap.end(), {{0, 0, h}, {1, 0, 1 + h}, {0, 1, 1 + h}});
  }
  const Motion motion{row.points, heap, row.points};
  const MetricResult r = measured(row, motion);
  CHECK(count(r, "baseline_pairs") == 0);
  CHECK(count(r, "worst") == 0);
  CHECK(place(r, "worst_at").frame == 0);
  const std::vector<double> pairs = numbers(r, "per_frame.new_pairs");
  CHECK(pairs[0] == 0);
  CHECK(std::isnan(pairs[1]));
  CHECK(pairs[2] == 0);
  REQUIRE(r.issues.size() == 1);
  CHECK(r.issues[0].count == 1);
}

}  // namespace skinbake
