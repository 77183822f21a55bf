#include "skinbake/bake.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>

#include "bake/evaluate.h"
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

// Points in a row between two joints, the second of which turns.
struct Row {
  Rig rig;
  Clip clip;

  explicit Row(int points) {
    std::vector<Vec3<double>> at;
    std::vector<std::vector<Influence>> influences;
    for (int v = 0; v < points; ++v) {
      const double w = (v % 8) / 16.0;
      at.push_back({v % 512 / 256.0, 1, 0});
      influences.push_back(w == 0 ? std::vector<Influence>{{0, 1}}
                                  : std::vector<Influence>{{0, 1 - w}, {1, w}});
    }
    rig = test::loose(at, {Node{}, Node{}}, influences);
    clip = test::turning_clip(rig, {0, 0, 1}, 2, 1);
  }
};

// Does something in its end.
class Ending final : public FrameSink {
 public:
  explicit Ending(std::function<void()> at_end) : at_end_(std::move(at_end)) {}
  std::unique_ptr<BlockState> new_state() const override { return std::make_unique<BlockState>(); }
  void consume(const FrameBlock&, BlockState&) override {}
  void finish(const FrameBlock&, BlockState&) override {}
  void merge(const FrameBlock&, BlockState&) override {}
  void end() override { at_end_(); }

 private:
  std::function<void()> at_end_;
};

// Forwards to a capture and throws at one of the three calls.
class Failing final : public FrameSink {
 public:
  enum class At { kConsume, kFinish, kMerge, kEnd };
  explicit Failing(At at) : at_(at) {}

  std::unique_ptr<BlockState> new_state() const override { return std::make_unique<BlockState>(); }
  void consume(const FrameBlock& tile, BlockState&) override { fail(At::kConsume, tile.index); }
  void finish(const FrameBlock& block, BlockState&) override { fail(At::kFinish, block.index); }
  void merge(const FrameBlock& block, BlockState&) override { fail(At::kMerge, block.index); }
  void end() override { fail(At::kEnd, 2); }

 private:
  void fail(At at, std::int64_t block) const {
    if (at == at_ && block == 2) throw Error(ErrorKind::kOutput, "SINK", "the disk is full");
  }
  At at_;
};

// Compares the whole block that `finish` gets with the tiles that came before.
class WholeBlocks final : public FrameSink {
 public:
  struct Seen : BlockState {
    std::mutex mutex;
    std::vector<float> lane0 = std::vector<float>(100000);
    VertexIndex vertices = 0;
  };
  std::unique_ptr<BlockState> new_state() const override { return std::make_unique<Seen>(); }
  bool needs_whole_block() const override { return true; }
  void consume(const FrameBlock& tile, BlockState& state) override {
    auto& seen = static_cast<Seen&>(state);
    if (tile.vertices.first % kVerticesPerTile != 0) wrong = true;
    for (VertexIndex i = 0; i < tile.vertices.count; ++i) {
      seen.lane0[tile.vertices.first + i] = *tile.position(tile.vertices.first + i);
    }
    const std::lock_guard lock(seen.mutex);
    seen.vertices += tile.vertices.count;
  }
  void finish(const FrameBlock& block, BlockState& state) override {
    auto& seen = static_cast<Seen&>(state);
    if (block.positions == nullptr || seen.vertices != block.vertices.count) wrong = true;
    for (VertexIndex v = 0; v < block.vertices.count && !wrong; ++v) {
      if (*block.position(v) != seen.lane0[v]) wrong = true;
    }
    seen.vertices = 0;
    ++finished;
  }
  void merge(const FrameBlock&, BlockState&) override {}

  std::atomic<bool> wrong = false;
  std::atomic<int> finished = 0;
};

std::string error_of(const BakePlan& plan) {
  try {
    bake(plan);
  } catch (const Error& error) {
    return error.code() + ": " + error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("bake: one vertex, one frame, no clip is the vertex at rest") {
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

TEST_CASE("bake: where blocks and tiles end makes no difference to a frame or a vertex") {
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
      // Positions are centred, and a shorter row has another centre: floats differ by a rounding.
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

TEST_CASE("bake: an unknown instruction set is a usage error that names the known ones") {
  try {
    force_target("ABACUS");
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kUsage);
    CHECK(error.code() == "TARGET_UNKNOWN");
    CHECK(std::string(error.what()).find(supported_targets().front()) != std::string::npos);
  }
}

TEST_CASE("bake: what is a run already is not evaluated again as a reference or under delta mush") {
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

TEST_CASE("bake: several methods and a reference in one pass are those of separate passes") {
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

// Frames in memory: number n of frame f is f + n / 1000.
class MadeUp final : public FrameSource {
 public:
  MadeUp(std::int64_t frames, std::int64_t vertices) : frames_(frames), vertices_(vertices) {}
  std::int64_t frame_count() const override { return frames_; }
  std::int64_t vertex_count() const override { return vertices_; }
  static float number(std::int64_t frame, std::size_t n) {
    return static_cast<float>(static_cast<double>(frame) + static_cast<double>(n) / 1000);
  }
  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    for (std::int64_t f = first_frame; f < first_frame + count; ++f) {
      if (f == fails_at || f >= frames_) throw Error(ErrorKind::kInput, "FILE_UNREADABLE", "gone");
      for (std::size_t n = 0; n < static_cast<std::size_t>(vertices_) * 3; ++n) {
        *rows++ = number(f, n);
      }
    }
  }
  std::int64_t fails_at = -1;

 private:
  std::int64_t frames_, vertices_;
};

TEST_CASE("bake: a reference of frames that are there reaches every method's sinks") {
  const int vertices = 2 * static_cast<int>(kVerticesPerTile) + 5;
  const Row row(vertices);
  MadeUp reference(37, vertices);
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
      if (lbs.reference[i] != MadeUp::number(frame, i % numbers)) ++wrong;
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

TEST_CASE("bake: a sink that asks for whole blocks gets what its tiles held") {
  const Row row(3 * static_cast<int>(kVerticesPerTile) - 7);
  WholeBlocks sink;
  Capture beside(row.rig);
  BakePlan plan = plan_of(row.rig, &row.clip, 100);
  plan.threads = 2;
  plan.runs = {{parse_method("lbs"), {&sink, &beside}}};
  bake(plan);
  CHECK_FALSE(sink.wrong);
  CHECK(sink.finished == 7);
  CHECK((beside.positions == captured(row.rig, &row.clip, 100, "lbs").positions));
}

TEST_CASE("bake: progress rises block by block to the number of frames") {
  const Row row(600);
  Capture capture(row.rig);
  for (const int threads : {1, 7}) {
    std::vector<std::int64_t> seen;
    BakePlan plan = plan_of(row.rig, &row.clip, 100);
    plan.threads = threads;
    plan.runs = {{parse_method("lbs"), {&capture}}};
    plan.progress = [&](std::int64_t done) { seen.push_back(done); };
    bake(plan);
    CHECK(seen == std::vector<std::int64_t>{16, 32, 48, 64, 80, 96, 100});
  }
}

TEST_CASE("bake: a run that is cancelled throws, before its end") {
  const Row row(100);
  Capture capture(row.rig);
  std::atomic<bool> cancelled = false;
  BakePlan plan = plan_of(row.rig, &row.clip, 100000);
  plan.threads = 2;
  plan.runs = {{parse_method("lbs"), {&capture}}};
  plan.cancelled = &cancelled;
  plan.progress = [&](std::int64_t done) {
    if (done >= 160) cancelled = true;
  };
  CHECK_THROWS_AS(bake(plan), Cancelled);
  CHECK(capture.frame_count() >= 160);
  CHECK(capture.frame_count() < 1000);
}

TEST_CASE("bake: a run that is cancelled while a sink ends throws, and no other ends") {
  const Row row(100);
  std::atomic<bool> cancelled = false;
  int ends = 0;
  Ending first([&] {
    cancelled = true;
    ++ends;
  });
  Ending second([&] { ++ends; });
  BakePlan plan = plan_of(row.rig, &row.clip, 20);
  plan.runs = {{parse_method("lbs"), {&first, &second}}};
  plan.cancelled = &cancelled;
  CHECK_THROWS_AS(bake(plan), Cancelled);
  CHECK(ends == 1);
}

TEST_CASE("bake: what a sink throws comes out") {
  const Row row(600);
  using At = Failing::At;
  for (const At at : {At::kConsume, At::kFinish, At::kMerge, At::kEnd}) {
    for (const int threads : {1, 2}) {
      Failing sink(at);
      BakePlan plan = plan_of(row.rig, &row.clip, 200);
      plan.threads = threads;
      plan.runs = {{parse_method("dqs"), {&sink}}};
      CHECK(error_of(plan) == "SINK: the disk is full");
    }
  }
}

TEST_CASE("bake: a position that is not finite is named, the same one for any threads") {
  Row row(3 * static_cast<int>(kVerticesPerTile) - 7);
  // From frame 20 on joint 1 is infinitely far: vertices that follow it are not finite.
  const double infinity = std::numeric_limits<double>::infinity();
  row.clip.channels.push_back(test::channel(1, ChannelPath::kTranslation, Interpolation::kStep,
                                            {0, 20 / 30.0}, {0, 0, 0, infinity, 0, 0}, 3));
  for (const MethodInfo& method : methods()) {
    for (const int threads : {1, 2, 7}) {
      Capture capture(row.rig);
      BakePlan plan = plan_of(row.rig, &row.clip, 100);
      plan.threads = threads;
      plan.runs = {{parse_method(method.id), {&capture}}};
      const std::string said = error_of(plan);
      CHECK(said.find("NON_FINITE_POSITION: mesh 'loose', frame 20, vertex 1:") == 0);
      CHECK(capture.frame_count() == 16);  // the block before the bad one
    }
  }
}

TEST_CASE("bake: a bad position names the frame's number, not its place in the run") {
  Row row(20);
  row.clip.channels = {
      test::channel(1, ChannelPath::kScale, Interpolation::kStep, {0, 1}, {1, 1, 1, NAN, 1, 1}, 3)};
  Capture capture(row.rig);
  BakePlan plan = plan_of(row.rig, &row.clip, 0);
  plan.frames = {30, 10, 5, 8};
  plan.runs = {{parse_method("lbs"), {&capture}}};
  CHECK(error_of(plan).find("frame 30, vertex 1:") != std::string::npos);
}

}  // namespace skinbake
