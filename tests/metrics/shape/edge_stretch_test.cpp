#include <doctest/doctest.h>

#include <cmath>

#include "metrics/measure.h"

namespace skinbake {
namespace {

using namespace test;

// Two triangles: edges 0-1 and 2-3 along x, 0-2 and 1-3 along y, and a diagonal.
const Surface kSquare{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {{0, 1, 3}, {0, 3, 2}}};

Points scaled(double x, double y) {
  Points points = kSquare.points;
  for (Vec3<double>& p : points) p = {x * p.x, y * p.y, p.z};
  return points;
}

}  // namespace

TEST_CASE("edge stretch: at rest no edge is stretched") {
  const Rig rig = rigid(kSquare);
  const Motion motion{kSquare.points};
  const MetricResult result = measure("edge_stretch", {&rig, &motion});
  CHECK(number(result, "worst") == 1);
  CHECK(numbers(result, "per_frame.mean_abs") == std::vector<double>{0});
  CHECK(numbers(result, "per_frame.rms_log") == std::vector<double>{0});
}

TEST_CASE("edge stretch: the statistics of a stretched square with five edges") {
  const Rig rig = rigid(kSquare);
  const Motion motion{kSquare.points, scaled(2, 1), scaled(1, 0.25), scaled(0, 1)};
  const MetricResult result = measure("edge_stretch", {&rig, &motion});
  const double diagonal = std::sqrt(5.0 / 2), flat = std::sqrt((1 + 0.0625) / 2);
  CHECK(numbers(result, "per_frame.max")[1] == 2);
  CHECK(numbers(result, "per_frame.min")[2] == 0.25);
  CHECK(numbers(result, "per_frame.mean_abs")[1] == doctest::Approx((2 + diagonal - 1) / 5));
  CHECK(numbers(result, "per_frame.mean_abs")[2] == doctest::Approx((1.5 + 1 - flat) / 5));
  const auto log2 = [](double x) { return std::log(x) * std::log(x); };
  CHECK(numbers(result, "per_frame.rms_log")[1] ==
        doctest::Approx(std::sqrt((2 * log2(2) + log2(diagonal)) / 5)));
  // Edges without length count as a stretch of 1e-6.
  CHECK(numbers(result, "per_frame.rms_log")[3] ==
        doctest::Approx(std::sqrt((2 * log2(1e-6) + log2(std::sqrt(0.5))) / 5)));
}

TEST_CASE("edge stretch: the worst value differs most from 1 as a factor, and names its edge") {
  const Rig rig = rigid(kSquare);
  const Motion motion{kSquare.points, scaled(3, 1), scaled(1, 0.25), scaled(1, 4)};
  const MetricResult result = measure("edge_stretch", {&rig, &motion});
  CHECK(number(result, "worst") == 0.25);  // as bad as 4, and earlier
  CHECK(place(result, "worst_at").frame == 2);
  CHECK(place(result, "worst_at").edge == std::array<std::int64_t, 2>{2, 0});
}

TEST_CASE("edge stretch: the worst value has the largest |ln sigma|, also below 1e-6") {
  const Rig rig = rigid(kSquare);
  const auto worst = [&](const Motion& motion) {
    const MetricResult result = measure("edge_stretch", {&rig, &motion});
    return std::pair(number(result, "worst"), place(result, "worst_at").frame);
  };
  // As a factor 0x1p-24 is worse than 0x1p22, which is worse than 1e-6.
  CHECK(worst({scaled(0x1p22, 1), scaled(1, 0x1p-24)}) == std::pair(0x1p-24, std::int64_t{1}));
  CHECK(worst({scaled(1, 0x1p-24), scaled(1, 0x1p-30)}) == std::pair(0x1p-30, std::int64_t{1}));
  CHECK(worst({scaled(1, 0x1p-30), scaled(0, 1), scaled(1, 0)}) == std::pair(0.0, std::int64_t{1}));
}

TEST_CASE("edge stretch: of equal factors in a frame that of the lower edge counts") {
  const Rig rig = rigid(kSquare);
  const auto first_edge = [&](const Points& points) {
    const Motion motion{points};
    return place(measure("edge_stretch", {&rig, &motion}), "worst_at").edge;
  };
  // The same edge is 4 times as long, or a quarter as long, and another edge the reverse.
  CHECK(first_edge(scaled(4, 0.25)) == first_edge(scaled(0.25, 4)));
}

TEST_CASE("edge stretch: an edge of a seam counts once, short edges are ignored") {
  Surface seam = kSquare;  // the second triangle has separate vertices
  seam.points.push_back(seam.points[0]);
  seam.points.push_back(seam.points[3]);
  seam.triangles[1] = {4, 5, 2};
  const Rig split = rigid(seam), whole = rigid(kSquare);
  Points drawn = scaled(2, 1);
  drawn.push_back(drawn[0]);
  drawn.push_back(drawn[3]);
  const Motion motion{drawn}, plain{scaled(2, 1)};
  CHECK(numbers(measure("edge_stretch", {&split, &motion}), "per_frame.mean_abs") ==
        numbers(measure("edge_stretch", {&whole, &plain}), "per_frame.mean_abs"));

  Surface fine = kSquare;
  fine.points[3] = {1e-10, 1, 0};  // its edge to vertex 2 is shorter than 1e-9 D
  const Rig short_edge = rigid(fine);
  Points away = fine.points;
  away[3] = {1, 1, 0};
  const Motion opened{away};
  CHECK(numbers(measure("edge_stretch", {&short_edge, &opened}), "per_frame.max")[0] < 2);
}

}  // namespace skinbake
