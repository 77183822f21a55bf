#include "skinbake/bake.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "bake/block/baked_block.h"
#include "bake/row.h"
#include "math/scalar.h"
#include "skinbake/error.h"
#include "support/capture.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rigs.h"
#include "support/targets.h"

namespace skinbake {
namespace {

using test::Capture;
using test::captured;
using test::distance;
using test::plan_of;
using test::Row;

// Frames in memory: number n of frame f is f + n / 1000.
class NumberedFrames final : public FrameSource {
 public:
  NumberedFrames(std::int64_t frames, std::int64_t vertices)
      : frames_(frames), vertices_(vertices) {}
  std::int64_t frame_count() const override { return frames_; }
  std::int64_t vertex_count() const override { return vertices_; }
  static float number(std::int64_t frame, std::size_t n) {
    return static_cast<float>(static_cast<double>(frame) + static_cast<double>(n) / 1000);
  }
  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    for (std::int64_t f = first_frame; f < first_frame + count; ++f) {
      if (f == fails_at || f >= frames_) throw Error("FILE_UNREADABLE", "gone");
      for (std::size_t n = 0; n < static_cast<std::size_t>(vertices_) * 3; ++n) {
        *rows++ = number(f, n);
      }
    }
  }
  std::int64_t fails_at = -1;

 private:
  std::int64_t frames_, vertices_;
};

}  // namespace

TEST_CASE("bake: one vertex and one frame without a clip give the vertex at rest") {
  const Rig rig = test::loose({{1, 2, 3}}, {Node{}}, {{{0, 1}}});
  const Capture capture = captured(rig, nullptr, 1, "lbs");
  CHECK(capture.frame_count() == 1);
  CHECK(distance(capture.at(0, 0), {1, 2, 3}) == 0);
}

TEST_CASE("bake: any number of threads gives the same bytes, merged in order") {
  const int rings = 2 * static_cast<int>(kVerticesPerTile) / 16 + 1;
  const Rig rig = test::tube({.rings = rings, .segments = 16, .joints = 4, .influences = 4});
  const Clip clip = test::turning_clip(rig, {0.6, 0, 0.8}, 2.5, 5);
  for (const MethodInfo& method : methods()) {
    BakePlan plan = plan_of(rig, &clip, 150);
    const Capture one = captured(plan, method.id);
    std::vector<std::int64_t> in_order(10);
    std::iota(in_order.begin(), in_order.end(), 0);
    CHECK(one.merged_blocks == in_order);
    for (const int threads : {2, 7}) {
      CAPTURE(threads);
      plan.threads = threads;
      const Capture many = captured(plan, method.id);
      CHECK((many.positions == one.positions));
      CHECK((many.exact == one.exact));
      CHECK(many.merged_blocks == in_order);
    }
  }
}

TEST_CASE("bake: a frame and a vertex do not depend on the limits of blocks and tiles") {
  const int tile = kVerticesPerTile;
  const Row all(3 * tile - 7);
  for (const MethodInfo& method : methods()) {
    const Capture whole = captured(all.rig, &all.clip, 33, method.id);
    CHECK(whole.frame_count() == 33);
    for (const std::int64_t frames : {1, 15, 16, 17}) {
      const Capture part = captured(all.rig, &all.clip, frames, method.id);
      CHECK(part.frame_count() == frames);
      CHECK(std::equal(part.positions.begin(), part.positions.end(), whole.positions.begin()));
    }
    for (const int vertices : {1, tile - 1, tile, tile + 1, 2 * tile + 1}) {
      const Row row(vertices);
      const Capture part = captured(row.rig, &row.clip, 33, method.id);
      REQUIRE(part.frame_count() == 33);
      // Positions are relative to the centre, and a shorter row has another centre: floats are
      // rounded differently.
      for (const int i : {0, vertices / 2, vertices - 1}) {
        const auto v = static_cast<VertexIndex>(i);
        CHECK(distance(part.at(32, v), whole.at(32, v)) < 1e-6);
        CHECK(distance(part.exact_at(32, v), whole.exact_at(32, v)) < 1e-13);
      }
    }
  }
}

TEST_CASE("bake: a range of frames has the bytes of those frames of the whole clip") {
  const Row row(40);
  for (const MethodInfo& method : methods()) {
    const Capture whole = captured(row.rig, &row.clip, 31, method.id);
    BakePlan plan = plan_of(row.rig, &row.clip, 0);
    plan.frames = {30, 5, 3, 8};
    const Capture part = captured(plan, method.id);
    for (std::int64_t k = 0; k < 8; ++k) {
      for (VertexIndex v = 0; v < 40; ++v) {
        CHECK(distance(part.at(k, v), whole.at(5 + 3 * k, v)) == 0);
      }
    }
  }
}

TEST_CASE("bake: first_frame_positions are those of the first frame, in both spaces") {
  const Row row(40);
  for (const MethodInfo& method : methods()) {
    for (const Space space : {Space::kScene, Space::kMesh}) {
      BakePlan plan = plan_of(row.rig, &row.clip, 0);
      plan.space = space;
      plan.frames = {30, 5, 3, 2};
      const Capture baked = captured(plan, method.id);
      plan.runs = {{parse_method(method.id), {}}};
      const std::vector<double> first = first_frame_positions(plan);
      REQUIRE(first.size() == std::size_t{40 * 3});
      CHECK(std::equal(first.begin(), first.end(), baked.positions.begin()));
    }
  }
}

TEST_CASE("bake: every instruction set gives the same bytes") {
  const test::RandomShape shape{.seed = 40, .points = 700, .joints = 9, .scale_spread = 0.3};
  const Rig rig = test::random_rig(shape);
  const Clip clip = test::random_clip(rig, shape, 20);
  for (const MethodInfo& method : methods()) {
    const Capture best = captured(rig, &clip, 20, method.id);
    test::for_each_simd_target([&](const std::string&) {
      const Capture other = captured(rig, &clip, 20, method.id);
      CHECK((other.positions == best.positions));
      CHECK((other.exact == best.exact));
    });
  }
}

TEST_CASE("targets: an unknown instruction set is a usage error that lists the known ones") {
  try {
    force_target("ABACUS");
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kUsage);
    CHECK(error.code() == "TARGET_UNKNOWN");
    CHECK(std::string(error.what()).find(supported_targets().front()) != std::string::npos);
  }
}

TEST_CASE("bake: a run that is also a reference, or the base of delta mush, is evaluated once") {
  const Row row(4);
  BakePlan plan = plan_of(row.rig, &row.clip, 1);
  for (const char* method : {"lbs", "dm:base=cor", "cor"}) {
    plan.runs.push_back({parse_method(method), {}});
  }
  plan.reference = {Reference::Kind::kMethod, parse_method("cor")};
  const Job shared(plan);
  CHECK(shared.methods.size() == 3);
  CHECK(shared.reference == 2);
  CHECK(shared.methods[1].base == 2);
  plan.reference.method = parse_method("dqs");
  CHECK(Job(plan).methods.size() == 4);
  CHECK(Job(plan).reference == 3);
  plan.reference.method = parse_method("cor:sigma=0.2");
  CHECK(Job(plan).methods.size() == 4);
}

TEST_CASE("bake: several methods and a reference in one bake equal those of separate bakes") {
  const Row row(600);
  Capture lbs(row.rig), dqs(row.rig);
  BakePlan plan = plan_of(row.rig, &row.clip, 20);
  plan.threads = 2;
  plan.runs = {{parse_method("lbs"), {&lbs}}, {parse_method("dqs"), {&dqs}}};
  plan.reference = {Reference::Kind::kMethod, parse_method("lbs")};
  bake(plan);
  CHECK((lbs.positions == captured(row.rig, &row.clip, 20, "lbs").positions));
  CHECK((dqs.positions == captured(row.rig, &row.clip, 20, "dqs").positions));
  CHECK((dqs.reference == lbs.positions));
  CHECK((lbs.reference == lbs.positions));
}

TEST_CASE("bake: a reference of existing frames reaches the sinks of every method") {
  const int vertices = 2 * static_cast<int>(kVerticesPerTile) + 5;
  const Row row(vertices);
  NumberedFrames reference(37, vertices);
  for (const int threads : {1, 3}) {
    Capture lbs(row.rig), dqs(row.rig);
    BakePlan plan = plan_of(row.rig, &row.clip, 37);
    plan.threads = threads;
    plan.runs = {{parse_method("lbs"), {&lbs}}, {parse_method("dqs"), {&dqs}}};
    plan.reference = {Reference::Kind::kFrames, {}, &reference};
    bake(plan);
    std::size_t wrong = 0;
    const std::size_t numbers = static_cast<std::size_t>(vertices) * 3;
    for (std::size_t i = 0; i < lbs.reference.size(); ++i) {
      const auto frame = static_cast<std::int64_t>(i / numbers);
      if (lbs.reference[i] != NumberedFrames::number(frame, i % numbers)) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(lbs.reference.size() == 37 * numbers);
    CHECK((dqs.reference == lbs.reference));
    CHECK((dqs.positions == captured(row.rig, &row.clip, 37, "dqs").positions));
  }
  Capture capture(row.rig);
  BakePlan plan = plan_of(row.rig, &row.clip, 37);
  plan.runs = {{parse_method("lbs"), {&capture}}};
  plan.reference = {Reference::Kind::kFrames, {}, &reference};
  reference.fails_at = 20;
  CHECK_THROWS_AS(bake(plan), Error);
}

}  // namespace skinbake
