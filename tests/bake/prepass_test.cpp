#include <doctest/doctest.h>

#include <atomic>

#include "skinbake/bake.h"
#include "skinbake/frames.h"
#include "support/capture.h"
#include "support/frames.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using test::Capture;
using test::plan_of;

// A sink with a prepass; both record the blocks that they consume.
class SinkWithPrepass final : public FrameSink {
 public:
  class Prepass final : public FrameSink {
   public:
    explicit Prepass(const Rig& rig) : capture(rig) {}
    std::unique_ptr<BlockState> new_state() const override { return capture.new_state(); }
    void consume(const FrameBlock& tile, BlockState& state) override {
      if (tile.reference != nullptr || tile.exact != nullptr) was_given_more = true;
      capture.consume(tile, state);
    }
    void finish(const FrameBlock&, BlockState&) override {}
    void merge(const FrameBlock& block, BlockState& state) override { capture.merge(block, state); }
    void end() override { ++ends; }

    Capture capture;
    int ends = 0;
    std::atomic<bool> was_given_more = false;  // tiles come from several threads
  };

  explicit SinkWithPrepass(const Rig& rig) : first(rig), capture(rig) {}

  FrameSink* prepass() override { return &first; }
  std::unique_ptr<BlockState> new_state() const override { return capture.new_state(); }
  void consume(const FrameBlock& tile, BlockState& state) override {
    if (first.ends == 0) came_early = true;
    capture.consume(tile, state);
  }
  void finish(const FrameBlock&, BlockState&) override {}
  void merge(const FrameBlock& block, BlockState& state) override { capture.merge(block, state); }

  Prepass first;
  Capture capture;
  std::atomic<bool> came_early = false;
};

struct Arm {
  Rig rig = test::loose({{0, 1, 0}, {1, 1, 0}, {0.5, 2, 1}}, {Node{}, Node{}},
                        {{{0, 1}}, {{0, 0.5}, {1, 0.5}}, {{1, 1}}});
  Clip clip = test::turning_clip(rig, {0, 0, 1}, 2, 1);
};

TEST_CASE("prepass: it consumes all frames and is ended before its sink consumes the first") {
  const Arm arm;
  const Capture expected = test::captured(arm.rig, &arm.clip, 53, "dqs");
  for (const int threads : {1, 3}) {
    SinkWithPrepass sink(arm.rig);
    Capture beside(arm.rig), other(arm.rig);
    BakePlan plan = plan_of(arm.rig, &arm.clip, 53);
    plan.threads = threads;
    plan.runs = {{parse_method("lbs"), {&other}}, {parse_method("dqs"), {&beside, &sink}}};
    plan.reference = {Reference::Kind::kMethod, parse_method("lbs")};
    bake(plan);
    CHECK(sink.first.ends == 1);
    CHECK_FALSE(sink.came_early);
    CHECK_FALSE(sink.first.was_given_more);
    CHECK((sink.first.capture.positions == expected.positions));
    CHECK((sink.capture.positions == expected.positions));
    CHECK((beside.positions == expected.positions));
    CHECK((beside.reference == other.positions));  // the other sinks consume every frame once
    CHECK(beside.merged_blocks.size() == 4);
    CHECK(other.merged_blocks.size() == 4);
  }
}

TEST_CASE("prepass: of a method that relaxes it consumes the frames of its own run") {
  const Rig rig = test::tube({});
  SinkWithPrepass sink(rig);
  Capture other(rig);
  BakePlan plan = plan_of(rig, nullptr, 20);
  plan.runs = {{parse_method("dm"), {&sink}}, {parse_method("dm:iterations=3"), {&other}}};
  bake(plan);
  CHECK((sink.first.capture.positions == sink.capture.positions));
  CHECK(sink.capture.frame_count() == 20);
  CHECK(other.frame_count() == 20);
}

TEST_CASE("prepass: progress counts a frame as half done after the first pass") {
  const Arm arm;
  SinkWithPrepass sink(arm.rig);
  BakePlan plan = plan_of(arm.rig, &arm.clip, 40);
  plan.runs = {{parse_method("lbs"), {&sink}}};
  std::vector<std::int64_t> seen;
  plan.progress = [&](std::int64_t done) { seen.push_back(done); };
  bake(plan);
  CHECK(seen == std::vector<std::int64_t>{8, 16, 20, 28, 36, 40});
}

TEST_CASE(
    "prepass: stream_frames streams frames twice too, and progress is shared by both passes") {
  const Arm arm;
  const test::MemoryFrames source = test::numbered_frames(3, 37);
  SinkWithPrepass sink(arm.rig);
  Capture beside(arm.rig);
  std::vector<std::int64_t> seen;
  stream_frames({&source,
                 &source,
                 {&sink, &beside},
                 2,
                 [&](std::int64_t done) { seen.push_back(done); },
                 nullptr});
  CHECK(seen == std::vector<std::int64_t>{8, 16, 18, 26, 34, 37});
  CHECK_FALSE(sink.came_early);
  CHECK_FALSE(sink.first.was_given_more);
  CHECK((sink.first.capture.positions == source.positions));
  CHECK((sink.capture.positions == source.positions));
  CHECK((beside.reference == source.positions));
}

}  // namespace
}  // namespace skinbake
