#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "metrics/shapes.h"
#include "skinbake/error.h"
#include "skinbake/metrics.h"
#include "support/near.h"
#include "support/rigs.h"
#include "support/targets.h"

namespace skinbake {
namespace {

using namespace test;

struct Pair {
  Motion reference, measured;
};

// Coordinates are exact in float32, so that plain loops over doubles use the same values.
Pair random_motion(std::size_t vertices, std::size_t frames) {
  std::mt19937 random(5);
  const auto coordinate = [&] { return static_cast<float>(random() % 4001) / 1024.0f - 2.0f; };
  const auto error = [&] { return static_cast<float>(random() % 65) / 4096.0f; };
  Pair pair{Motion(frames), Motion(frames)};
  for (std::size_t f = 0; f < frames; ++f) {
    for (std::size_t v = 0; v < vertices; ++v) {
      const Vec3<double> p{coordinate(), coordinate(), coordinate()};
      pair.reference[f].push_back(p);
      pair.measured[f].push_back({p.x + error(), p.y + error(), p.z + error()});
    }
  }
  return pair;
}

PositionErrorResult measured_error(const Pair& pair, TileOrder order = TileOrder::kForward,
                                   bool exact = false) {
  Surface points;
  points.points = pair.reference[0];
  const auto metric = measure_position_error(
      rigid(points), {30, 0, 1, static_cast<std::int64_t>(pair.measured.size())}, 2.0);
  run({&pair.measured, &pair.reference, exact, order}, *metric);
  return metric->result();
}

void check_equal(const PositionErrorResult& a, const PositionErrorResult& b) {
  CHECK(a.rms == b.rms);
  CHECK(a.mean == b.mean);
  CHECK(a.max == b.max);
  CHECK(a.erms == b.erms);
  CHECK(a.kg_percent == b.kg_percent);
  CHECK(a.per_frame.rms == b.per_frame.rms);
  CHECK(a.per_frame.mean == b.per_frame.mean);
  CHECK(a.per_frame.max_vertex == b.per_frame.max_vertex);
  CHECK(a.per_frame.p50 == b.per_frame.p50);
  CHECK(a.per_vertex.rms == b.per_vertex.rms);
  CHECK(a.per_vertex.max == b.per_vertex.max);
  CHECK(a.per_vertex.max_frame == b.per_vertex.max_frame);
}

}  // namespace

TEST_CASE("position error: of equal frames it is 0, and the first frame and vertex are its place") {
  Pair pair = random_motion(5, 3);
  pair.measured = pair.reference;
  const PositionErrorResult e = measured_error(pair);
  CHECK(e.rms == 0);
  CHECK(e.max == 0);
  CHECK(e.max_at.frame == 0);
  CHECK(e.max_at.vertex == 0);
  CHECK(e.per_frame.max_vertex == std::vector<std::int64_t>{0, 0, 0});
  CHECK(*e.kg_percent == 0);
}

TEST_CASE("position error: all statistics agree with plain loops") {
  const std::size_t vertices = 1500, frames = 35;
  const Pair pair = random_motion(vertices, frames);
  const PositionErrorResult e = measured_error(pair);
  double square = 0, sum = 0, largest = -1, spread = 0;
  std::vector<double> vertex_square(vertices, 0), vertex_max(vertices, -1);
  std::vector<std::int64_t> vertex_frame(vertices, -1);
  for (std::size_t f = 0; f < frames; ++f) {
    double frame_square = 0, frame_sum = 0, frame_max = -1;
    std::int64_t at = -1;
    std::vector<float> sorted;
    Vec3<double> mean{0, 0, 0};
    for (std::size_t v = 0; v < vertices; ++v) {
      const double d = distance(pair.measured[f][v], pair.reference[f][v]);
      frame_square += d * d;
      frame_sum += d;
      if (d > frame_max) frame_max = d, at = static_cast<std::int64_t>(v);
      vertex_square[v] += d * d;
      if (d > vertex_max[v]) vertex_max[v] = d, vertex_frame[v] = static_cast<std::int64_t>(f);
      sorted.push_back(static_cast<float>(d));
      const Vec3<double>& p = pair.reference[f][v];
      mean = {mean.x + p.x / vertices, mean.y + p.y / vertices, mean.z + p.z / vertices};
    }
    for (const Vec3<double>& p : pair.reference[f]) {
      spread += distance(p, mean) * distance(p, mean);
    }
    std::sort(sorted.begin(), sorted.end());
    CHECK(e.per_frame.rms[f] == doctest::Approx(std::sqrt(frame_square / vertices)).epsilon(1e-13));
    CHECK(e.per_frame.mean[f] == doctest::Approx(frame_sum / vertices).epsilon(1e-13));
    CHECK(e.per_frame.max[f] == doctest::Approx(frame_max).epsilon(1e-15));
    CHECK(e.per_frame.max_vertex[f] == at);
    CHECK(e.per_frame.p50[f] == sorted[(50 * vertices + 99) / 100 - 1]);
    CHECK(e.per_frame.p95[f] == sorted[(95 * vertices + 99) / 100 - 1]);
    CHECK(e.per_frame.p99[f] == sorted[(99 * vertices + 99) / 100 - 1]);
    square += frame_square;
    sum += frame_sum;
    if (frame_max > largest) {
      largest = frame_max;
      CHECK(e.max_at.frame <= static_cast<std::int64_t>(frames));
    }
  }
  const double count = static_cast<double>(vertices * frames);
  CHECK(e.rms == doctest::Approx(std::sqrt(square / count)).epsilon(1e-13));
  CHECK(e.mean == doctest::Approx(sum / count).epsilon(1e-13));
  CHECK(e.max == doctest::Approx(largest).epsilon(1e-15));
  CHECK(e.rms_relative == e.rms / 2);
  CHECK(e.erms == doctest::Approx(1000 * std::sqrt(square) / std::sqrt(3 * count)).epsilon(1e-13));
  CHECK(*e.kg_percent == doctest::Approx(100 * std::sqrt(square / spread)).epsilon(1e-12));
  for (std::size_t v = 0; v < vertices; ++v) {
    const double rms = std::sqrt(vertex_square[v] / frames);
    REQUIRE(e.per_vertex.rms[v] == doctest::Approx(rms).epsilon(1e-13));
    REQUIRE(e.per_vertex.max[v] == doctest::Approx(vertex_max[v]).epsilon(1e-15));
    REQUIRE(e.per_vertex.max_frame[v] == vertex_frame[v]);
  }
}

TEST_CASE("position error: ties go to the lowest frame, then to the lowest vertex") {
  Pair pair = random_motion(600, 20);
  pair.measured = pair.reference;
  for (const std::size_t f : {4, 5, 18}) {
    for (const std::size_t v : {70, 530, 90}) pair.measured[f][v].x += 0.25;
  }
  const PositionErrorResult e = measured_error(pair);
  CHECK(e.max == 0.25);
  CHECK(e.max_at.frame == 4);
  CHECK(e.max_at.vertex == 70);
  CHECK(e.per_frame.max_vertex[18] == 70);
  CHECK(e.per_vertex.max_frame[530] == 4);
  CHECK(e.per_vertex.max_frame[0] == 0);
}

TEST_CASE("position error: in an incomplete last block, repeated lanes are not counted") {
  const Pair pair = random_motion(3, 1);
  const PositionErrorResult e = measured_error(pair);
  REQUIRE(e.per_frame.rms.size() == 1);
  CHECK(e.rms == doctest::Approx(e.per_frame.rms[0]).epsilon(1e-15));
  CHECK(e.per_vertex.rms[1] == doctest::Approx(e.per_vertex.max[1]).epsilon(1e-15));
}

TEST_CASE("position error: the order and the size of the tiles do not matter") {
  const Pair pair = random_motion(1300, 18);
  const PositionErrorResult forward = measured_error(pair);
  check_equal(forward, measured_error(pair, TileOrder::kBackward));
  check_equal(forward, measured_error(pair, TileOrder::kOneTile));
}

TEST_CASE("position error: every instruction set gives the same bits") {
  const Pair pair = random_motion(700, 37);
  std::optional<PositionErrorResult> first, first_exact;
  test::for_each_simd_target([&](const std::string&) {
    const PositionErrorResult e = measured_error(pair);
    const PositionErrorResult exact = measured_error(pair, TileOrder::kForward, true);
    if (!first) first = e, first_exact = exact;
    check_equal(*first, e);
    check_equal(*first_exact, exact);
  });
}

TEST_CASE("position error: an exact reference is not rounded to float") {
  Pair pair = random_motion(2, 1);
  pair.reference[0] = {{0.1, 0, 0}, {0, 0, 0}};
  pair.measured[0] = {{0.1, 0, 0}, {0, 0, 0}};
  CHECK(measured_error(pair).max == 0);
  CHECK(measured_error(pair, TileOrder::kForward, true).max ==
        doctest::Approx(std::abs(double{0.1f} - 0.1)).epsilon(1e-12));
}

TEST_CASE("position error: a reference of a single position does not have a KG error") {
  Pair pair = random_motion(4, 2);
  for (Points& points : pair.reference) points.assign(4, {1, 2, 3});
  CHECK_FALSE(measured_error(pair).kg_percent);
}

TEST_CASE("position error: KG does not lose digits far from the origin") {
  Pair near = random_motion(1100, 3), far = near;
  for (Motion* motion : {&far.reference, &far.measured}) {
    for (Points& points : *motion) {
      for (Vec3<double>& p : points) p.x += 1024;  // exact: coordinates are multiples of 2^-12
    }
  }
  CHECK(*measured_error(near, TileOrder::kForward, true).kg_percent ==
        doctest::Approx(*measured_error(far, TileOrder::kForward, true).kg_percent).epsilon(1e-6));
}

TEST_CASE("position error: vertices over a limit are counted per run and per frame") {
  const Pair pair = random_motion(700, 35);  // incomplete tiles and blocks
  std::vector<std::vector<double>> distances;
  double largest = 0;
  for (std::size_t f = 0; f < pair.measured.size(); ++f) {
    for (std::size_t v = 0; v < pair.measured[f].size(); ++v) {
      distances.resize(f + 1);
      distances[f].push_back(distance(pair.measured[f][v], pair.reference[f][v]));
      largest = std::max(largest, distances[f].back());
    }
  }
  const std::vector<double> limits{0, distances[3][5], 0.02, largest, 1};
  Surface points;
  points.points = pair.reference[0];
  for (const TileOrder order : {TileOrder::kForward, TileOrder::kBackward, TileOrder::kOneTile}) {
    const auto metric = measure_position_error(rigid(points), {30, 0, 1, 35}, 2.0, {limits});
    run({&pair.measured, &pair.reference, false, order}, *metric);
    const PositionErrorResult e = metric->result();
    REQUIRE(e.over.size() == limits.size());
    for (std::size_t l = 0; l < limits.size(); ++l) {
      CAPTURE(limits[l]);
      OverLimit expected{limits[l], 0, 0, 0, {}};
      std::vector<bool> any(distances[0].size());
      for (std::size_t f = 0; f < distances.size(); ++f) {
        std::int64_t found = 0;
        for (std::size_t v = 0; v < any.size(); ++v) {
          if (!(distances[f][v] > limits[l])) continue;
          ++found;
          any[v] = true;
        }
        expected.frames += found > 0;
        if (found <= expected.most) continue;
        expected.most = found;
        expected.most_at.frame = static_cast<std::int64_t>(f);
      }
      expected.vertices = std::count(any.begin(), any.end(), true);
      CHECK(e.over[l].limit_m == expected.limit_m);
      CHECK(e.over[l].vertices == expected.vertices);
      CHECK(e.over[l].frames == expected.frames);
      CHECK(e.over[l].most == expected.most);
      CHECK(e.over[l].most_at.frame == expected.most_at.frame);
    }
    CHECK(e.over[0].vertices > 0);
    CHECK(e.over[3].vertices == 0);
  }
}

TEST_CASE("position error: NaN is larger than any number, and its first occurrence counts") {
  for (const std::size_t vertices : {5, 700}) {  // both algorithms of the percentiles
    Pair pair = random_motion(vertices, 40);
    const double nan = std::nan("");
    pair.measured[20][4].y = nan;
    pair.measured[20][3].z = nan;
    pair.reference[33][1].x = nan;
    Surface points;
    points.points = pair.reference[0];
    std::vector<std::vector<float>> rows(40);
    const auto take_row = [&rows](std::int64_t position, std::span<const float> distances) {
      rows[static_cast<std::size_t>(position)].assign(distances.begin(), distances.end());
    };
    const auto metric =
        measure_position_error(rigid(points), {30, 0, 1, 40}, 2.0, {{0.02, 1e9}, take_row});
    run({&pair.measured, &pair.reference, false, TileOrder::kForward}, *metric);
    const PositionErrorResult e = metric->result();
    CHECK(std::isnan(e.max));
    CHECK(std::isnan(e.max_relative));
    CHECK(std::isnan(e.rms));
    CHECK(e.max_at.frame == 20);
    CHECK(e.max_at.vertex == 3);
    CHECK(std::isnan(e.per_frame.max[20]));
    CHECK(std::isnan(e.per_frame.max[33]));
    CHECK(e.per_frame.max_vertex[33] == 1);
    CHECK(std::isfinite(e.per_frame.max[21]));
    CHECK(std::isfinite(e.per_frame.p50[20]));
    CHECK(std::isinf(e.per_frame.p99[20]) == (vertices == 5));  // 2 of 700 are above p99
    CHECK(std::isnan(e.per_vertex.max[3]));
    CHECK(e.per_vertex.max_frame[3] == 20);
    CHECK(std::isnan(e.per_vertex.max[1]));
    CHECK(e.per_vertex.max_frame[1] == 33);
    CHECK(std::isfinite(e.per_vertex.max[0]));
    CHECK(e.over[1].vertices == 3);
    CHECK(e.over[1].frames == 2);
    CHECK(e.over[1].most == 2);
    CHECK(e.over[1].most_at.frame == 20);
    // Rows contain NaN with a fixed sign.
    CHECK(std::isnan(rows[20][3]));
    CHECK_FALSE(std::signbit(rows[20][3]));
    CHECK(std::isnan(rows[20][4]));
    CHECK(std::isnan(rows[33][1]));
    CHECK(*std::max_element(rows[21].begin(), rows[21].end()) ==
          static_cast<float>(e.per_frame.max[21]));
    for (const std::vector<float>& row : rows) CHECK(row.size() == vertices);
  }
}

}  // namespace skinbake

TEST_CASE("position error: a block without a reference is rejected") {
  using namespace skinbake;
  const Rig rig = test::tube({});
  const auto metric = measure_position_error(rig, {}, 1);
  const auto state = metric->new_state();
  std::vector<float> positions(std::size_t{rig.mesh->vertex_count()} * 3 * kFramesPerBlock);
  FrameBlock tile;
  tile.frame_count = 1;
  tile.vertices = {0, 1};
  tile.positions = positions.data();
  CHECK_THROWS_AS(metric->consume(tile, *state), Error);
}
