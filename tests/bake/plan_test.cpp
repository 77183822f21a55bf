// Plans that break one condition of `validate`.

#include <doctest/doctest.h>

#include <limits>

#include "bake/row.h"
#include "skinbake/bake.h"
#include "skinbake/frames.h"
#include "support/capture.h"
#include "support/frames.h"

namespace skinbake {
namespace {

// The message of the Error that `run` throws.
template <class Run>
std::string message_of(const Run& run) {
  try {
    run();
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kUsage);
    CHECK(error.code() == "PLAN_INVALID");
    return error.what();
  }
  FAIL("accepted");
  return "";
}

void check_message(const std::string& message, const std::string& expected) {
  CAPTURE(message);
  CAPTURE(expected);
  CHECK(message.find(expected) != std::string::npos);
}

struct Plans {
  test::Row row{4};
  test::Capture capture{row.rig};
  test::MemoryFrames frames = test::numbered_frames(4, 3);

  BakePlan bake_plan() {
    BakePlan plan = test::plan_of(row.rig, &row.clip, 3);
    plan.runs = {{parse_method("lbs"), {&capture}}};
    return plan;
  }
  StreamPlan stream_plan() { return {&frames, nullptr, {&capture}, 1, {}, nullptr}; }
};

}  // namespace

TEST_CASE("plan: a valid one is accepted") {
  Plans plans;
  CHECK_NOTHROW(validate(plans.bake_plan()));
  CHECK_NOTHROW(validate(plans.stream_plan()));
}

TEST_CASE("plan: bake names the condition that a plan breaks") {
  Plans plans;
  Rig without_mesh = plans.row.rig;
  without_mesh.mesh = nullptr;
  const test::Row other(5);
  const test::MemoryFrames short_frames = test::numbered_frames(4, 2);
  const test::MemoryFrames few_vertices = test::numbered_frames(3, 3);
  const auto check = [&](const std::string& expected, const auto& spoil) {
    BakePlan plan = plans.bake_plan();
    spoil(plan);
    check_message(message_of([&] { bake(plan); }), expected);
  };
  check("rig is null", [](BakePlan& plan) { plan.rig = nullptr; });
  check("rig must have a mesh", [&](BakePlan& plan) { plan.rig = &without_mesh; });
  check("fps", [](BakePlan& plan) { plan.frames.fps = 0; });
  check("fps", [](BakePlan& plan) { plan.frames.fps = std::numeric_limits<double>::quiet_NaN(); });
  check("first_frame", [](BakePlan& plan) { plan.frames.first_frame = -1; });
  check("frame_step", [](BakePlan& plan) { plan.frames.frame_step = 0; });
  check("frame_count", [](BakePlan& plan) { plan.frames.frame_count = -1; });
  check("runs[0].method.index", [](BakePlan& plan) { plan.runs[0].method.index = -1; });
  check("runs[0].method.index", [](BakePlan& plan) { plan.runs[0].method.index = 1000; });
  check("runs[0].method.values", [](BakePlan& plan) { plan.runs[0].method.values = {1}; });
  check("runs[0].sinks[1] is null", [](BakePlan& plan) { plan.runs[0].sinks.push_back(nullptr); });
  check("runs[0].rig", [&](BakePlan& plan) { plan.runs[0].rig = &other.rig; });
  check("reference.method.index", [](BakePlan& plan) {
    plan.reference.kind = Reference::Kind::kMethod;
    plan.reference.method.index = 1000;
  });
  check("reference.frames is null",
        [](BakePlan& plan) { plan.reference.kind = Reference::Kind::kFrames; });
  check("as many frames", [&](BakePlan& plan) {
    plan.reference = {Reference::Kind::kFrames, {}, &short_frames};
  });
  check("as many vertices", [&](BakePlan& plan) {
    plan.reference = {Reference::Kind::kFrames, {}, &few_vertices};
  });
  check("threads", [](BakePlan& plan) { plan.threads = -1; });
}

TEST_CASE("plan: all broken conditions are listed") {
  Plans plans;
  BakePlan plan = plans.bake_plan();
  plan.rig = nullptr;
  plan.threads = -1;
  const std::string message = message_of([&] { bake(plan); });
  check_message(message, "rig is null");
  check_message(message, "threads");
}

TEST_CASE("plan: stream_frames names the condition that a plan breaks") {
  Plans plans;
  const test::MemoryFrames short_frames = test::numbered_frames(4, 2);
  const auto check = [&](const std::string& expected, const auto& spoil) {
    StreamPlan plan = plans.stream_plan();
    spoil(plan);
    check_message(message_of([&] { stream_frames(plan); }), expected);
  };
  check("frames is null", [](StreamPlan& plan) { plan.frames = nullptr; });
  check("reference", [&](StreamPlan& plan) { plan.reference = &short_frames; });
  check("sinks[1] is null", [](StreamPlan& plan) { plan.sinks.push_back(nullptr); });
  check("threads", [](StreamPlan& plan) { plan.threads = -1; });
}

TEST_CASE("plan: pose_positions checks the method") {
  const test::Row row(4);
  Method method = parse_method("lbs");
  method.index = 1000;
  check_message(message_of([&] { pose_positions(row.rig, {}, method); }), "method.index");
}

}  // namespace skinbake
