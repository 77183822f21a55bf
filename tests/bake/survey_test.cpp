#include <doctest/doctest.h>

#include <atomic>

#include "skinbake/bake.h"
#include "skinbake/play.h"
#include "support/capture.h"
#include "support/frames.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using test::Capture;
using test::plan_of;

// A sink with a survey; both keep what they see.
class Surveyor final : public FrameSink {
 public:
  class Survey final : public FrameSink {
   public:
    explicit Survey(const Rig& rig) : capture(rig) {}
    std::unique_ptr<BlockState> new_state() const override { return capture.new_state(); }
    void consume(const FrameBlock& tile, BlockState& state) override {
      if (tile.reference != nullptr || tile.exact != nullptr) was_shown_more = true;
      capture.consume(tile, state);
    }
    void finish(const FrameBlock&, BlockState&) override {}
    void merge(const FrameBlock& block, BlockState& state) override { capture.merge(block, state); }
    void end() override { ++ends; }

    Capture capture;
    int ends = 0;
    std::atomic<bool> was_shown_more = false;  // tiles come from several threads
  };

  explicit Surveyor(const Rig& rig) : of_survey(rig), capture(rig) {}

  FrameSink* survey() override { return &of_survey; }
  std::unique_ptr<BlockState> new_state() const override { return capture.new_state(); }
  void consume(const FrameBlock& tile, BlockState& state) override {
    if (of_survey.ends == 0) came_early = true;
    capture.consume(tile, state);
  }
  void finish(const FrameBlock&, BlockState&) override {}
  void merge(const FrameBlock& block, BlockState& state) override { capture.merge(block, state); }

  Survey of_survey;
  Capture capture;
  std::atomic<bool> came_early = false;
};

struct Arm {
  Rig rig = test::loose({{0, 1, 0}, {1, 1, 0}, {0.5, 2, 1}}, {Node{}, Node{}},
                        {{{0, 1}}, {{0, 0.5}, {1, 0.5}}, {{1, 1}}});
  Clip clip = test::turning_clip(rig, {0, 0, 1}, 2, 1);
};

TEST_CASE("survey: it sees all frames to its end, the same ones, before its sink sees one") {
  const Arm arm;
  const Capture expected = test::captured(arm.rig, &arm.clip, 53, "dqs");
  for (const int threads : {1, 3}) {
    Surveyor surveyor(arm.rig);
    Capture beside(arm.rig), other(arm.rig);
    BakePlan plan = plan_of(arm.rig, &arm.clip, 53);
    plan.threads = threads;
    plan.runs = {{parse_method("lbs"), {&other}}, {parse_method("dqs"), {&beside, &surveyor}}};
    plan.reference = {Reference::Kind::kMethod, parse_method("lbs")};
    bake(plan);
    CHECK(surveyor.of_survey.ends == 1);
    CHECK_FALSE(surveyor.came_early);
    CHECK_FALSE(surveyor.of_survey.was_shown_more);
    CHECK((surveyor.of_survey.capture.positions == expected.positions));
    CHECK((surveyor.capture.positions == expected.positions));
    CHECK((beside.positions == expected.positions));
    CHECK((beside.reference == other.positions));  // the other sinks are shown everything, once
    CHECK(beside.merged_blocks.size() == 4);
    CHECK(other.merged_blocks.size() == 4);
  }
}

TEST_CASE("survey: it is shown what a method that relaxes makes of its run, and of no other's") {
  const Rig rig = test::tube({});
  Surveyor surveyor(rig);
  Capture other(rig);
  BakePlan plan = plan_of(rig, nullptr, 20);
  plan.runs = {{parse_method("dm"), {&surveyor}}, {parse_method("dm:iterations=3"), {&other}}};
  bake(plan);
  CHECK((surveyor.of_survey.capture.positions == surveyor.capture.positions));
  CHECK(surveyor.capture.frame_count() == 20);
  CHECK(other.frame_count() == 20);
}

TEST_CASE("survey: a frame is half done after the first of two passes") {
  const Arm arm;
  Surveyor surveyor(arm.rig);
  BakePlan plan = plan_of(arm.rig, &arm.clip, 40);
  plan.runs = {{parse_method("lbs"), {&surveyor}}};
  std::vector<std::int64_t> seen;
  plan.progress = [&](std::int64_t done) { seen.push_back(done); };
  bake(plan);
  CHECK(seen == std::vector<std::int64_t>{8, 16, 20, 28, 36, 40});
}

TEST_CASE("survey: frames that are played come twice too") {
  const Arm arm;
  const test::MemoryFrames source = test::numbered_frames(3, 37);
  Surveyor surveyor(arm.rig);
  Capture beside(arm.rig);
  play({&source, &source, {&surveyor, &beside}, 2, {}, nullptr});
  CHECK_FALSE(surveyor.came_early);
  CHECK_FALSE(surveyor.of_survey.was_shown_more);
  CHECK((surveyor.of_survey.capture.positions == source.positions));
  CHECK((surveyor.capture.positions == source.positions));
  CHECK((beside.reference == source.positions));
}

}  // namespace
}  // namespace skinbake
