#include "batch/goldens/golden.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "skinbake/caches.h"
#include "skinbake/error.h"
#include "support/temporary_folder.h"

namespace skinbake::test {
namespace {

// A row of points along x.
std::vector<float> row(std::size_t count) {
  std::vector<float> positions;
  for (std::size_t i = 0; i < count; ++i) {
    positions.insert(positions.end(), {static_cast<float>(i), 0, 0});
  }
  return positions;
}

Golden small_golden() {
  Golden golden;
  golden.format = "pc2";
  golden.bytes = 80;
  golden.xxh128 = std::string(32, 'a');
  golden.mesh = "Body";
  golden.vertex_count = 2;
  golden.frames = {24, 3, 2, 2};
  golden.blocks = {std::string(32, 'b')};
  golden.sample = {{0, 1}, {"hip", "knee"}};
  golden.positions = {0, -0.0F, 1e-30F, 0.25F, 1, -2, 3, 4, 5, 6, 7, 1e30F};
  return golden;
}

}  // namespace

TEST_CASE("golden: a sample has one vertex of a hundred, at least 8 and at most 64") {
  CHECK(golden_sample_size(1) == 1);
  CHECK(golden_sample_size(8) == 8);
  CHECK(golden_sample_size(700) == 8);
  CHECK(golden_sample_size(3000) == 30);
  CHECK(golden_sample_size(1'000'000) == 64);
}

TEST_CASE("golden: a sample begins with the ends, then takes the farthest vertex") {
  const std::vector<float> positions = row(9);
  CHECK(stratified_sample(positions, nullptr, 2).vertices == std::vector<VertexIndex>{0, 8});
  CHECK(stratified_sample(positions, nullptr, 3).vertices == std::vector<VertexIndex>{0, 4, 8});
  CHECK(stratified_sample(positions, nullptr, 3).joints.empty());
}

TEST_CASE("golden: a sample of all vertices has each once") {
  const std::vector<float> positions = row(9);
  for (const std::int64_t count : {9, 100}) {
    const GoldenSample sample = stratified_sample(positions, nullptr, count);
    CHECK(sample.vertices == std::vector<VertexIndex>{0, 1, 2, 3, 4, 5, 6, 7, 8});
  }
  const std::vector<float> equal(30, 1.0F);  // ten vertices at one place
  const GoldenSample sample = stratified_sample(equal, nullptr, 10);
  CHECK(std::set<VertexIndex>(sample.vertices.begin(), sample.vertices.end()).size() == 10);
}

TEST_CASE("golden: the text of a golden reads back, bit by bit") {
  const Golden golden = small_golden();
  const std::string text = golden_text(golden);
  const Golden read = parse_golden(text, "g");
  CHECK(golden_text(read) == text);
  CHECK(read.positions == golden.positions);
  CHECK(std::signbit(read.positions[1]));
  CHECK(read.sample.joints == golden.sample.joints);
  CHECK(read.frames.frame(1) == 5);
  CHECK(read.clip.empty());
}

TEST_CASE("golden: the space and several clips read back, and an older golden has neither") {
  Golden golden = small_golden();
  CHECK(!parse_golden(golden_text(golden), "g").space);
  golden.space = Space::kMesh;
  golden.clips = {{"run", 3, 2, 1}, {"walk", 0, 1, 1}};
  const std::string text = golden_text(golden);
  const Golden read = parse_golden(text, "g");
  CHECK(golden_text(read) == text);
  CHECK(read.space == Space::kMesh);
  REQUIRE(read.clips.size() == 2);
  CHECK(read.clips[1].clip == "walk");
  CHECK(read.clips[0].frame_step == 2);
  for (const std::int64_t count : {-1, 0, 2}) {
    golden.clips[0].frame_count = count;
    CHECK_THROWS_AS(parse_golden(golden_text(golden), "g"), Error);
  }
  golden.clips.pop_back();
  golden.clips[0].frame_count = 1;
  CHECK_THROWS_AS(parse_golden(golden_text(golden), "g"), Error);
}

TEST_CASE("golden: a quantum rounds the sample, and reads back") {
  Golden golden = small_golden();
  golden.quantum_m = 0.5;
  golden.sample_blocks = golden.blocks;
  golden.positions = {0, 0.5F, -0.5F, 1000.5F, -1000, 1, 2, 3, 4, 5, 6, 7};
  const Golden read = parse_golden(golden_text(golden), "g");
  CHECK(read.positions == golden.positions);
  CHECK(read.sample_blocks == golden.sample_blocks);
}

TEST_CASE("golden: without a limit any difference fails, with one the sample decides") {
  using Status = GoldenResult::Status;
  const auto status = [](bool identical, double max_m, std::optional<double> limit_m,
                         std::int64_t unseen = 0) {
    GoldenDifference difference;
    difference.unseen_blocks = unseen;
    difference.identical = identical;
    difference.max_m = max_m;
    GoldenResult result;
    judge(difference, limit_m, result);
    return result.status;
  };
  CHECK(status(true, 0, {}) == Status::kIdentical);
  CHECK(status(false, 0, {}) == Status::kDiffers);
  CHECK(status(false, 0, 0.0) == Status::kWithin);
  CHECK(status(false, 0.5, 0.5) == Status::kWithin);
  CHECK(status(false, 0.6, 0.5) == Status::kDiffers);
  CHECK(status(false, 0.5, 0.5, 1) == Status::kUnseen);
  CHECK(status(false, 0.6, 0.5, 1) == Status::kDiffers);
  CHECK(status(false, std::numeric_limits<double>::infinity(), 0.5) == Status::kDiffers);
}

}  // namespace skinbake::test
