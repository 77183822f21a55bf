#include "skinbake/compare.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "skinbake/error.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

struct TwistedTube {
  Rig rig = test::tube({});
  Clip clip = test::turning_clip(rig, {0, 1, 0}, 3);
  FrameRange frames = frames_of(clip, 30);
  Reference lbs{Reference::Kind::kMethod, parse_method("lbs")};
};

}  // namespace

TEST_CASE("measure: results are those of metrics that are fed by a bake") {
  const TwistedTube tube;
  const Measurement all = measure({tube.rig, &tube.clip, parse_method("dqs"), tube.frames},
                                  tube.lbs, {"volume", "error", "in_between", "edge_stretch"});
  const auto error = measure_position_error(tube.rig, tube.frames);
  const BaselinePose baseline = bind_baseline(tube.rig);
  const Topology topology = build_topology(tube.rig, baseline);
  const auto volume = measure_volume(tube.rig, topology, tube.frames);
  BakePlan plan;
  plan.rig = &tube.rig;
  plan.clip = &tube.clip;
  plan.frames = tube.frames;
  plan.reference = tube.lbs;
  plan.runs = {{parse_method("dqs"), {error.get(), volume.get()}}};
  bake(plan);
  REQUIRE(all.error);
  CHECK(all.error->max > 0.01);
  CHECK(all.error->max == error->result().max);
  CHECK(all.error->max_relative == error->result().max_relative);
  CHECK(all.error->max_relative == all.error->max / baseline.bbox_diagonal_m);
  CHECK(all.bbox_diagonal_m == baseline.bbox_diagonal_m);
  REQUIRE(all.volume);
  CHECK(all.volume->loss == volume->result().loss);
  REQUIRE(all.others.size() == 2);  // in the order of metrics()
  CHECK(all.others[0].id == "edge_stretch");
  CHECK(all.others[1].id == "in_between");
}

TEST_CASE("measure: nothing is measured that was not asked for") {
  const TwistedTube tube;
  const Measurement error =
      measure({tube.rig, &tube.clip, parse_method("lbs"), tube.frames}, tube.lbs, {"error"});
  CHECK(error.error->max == 0);
  CHECK_FALSE(error.volume);
  CHECK(error.others.empty());
}

TEST_CASE("measure: metrics of triangles are absent where there are none") {
  const Rig points = test::loose({{1, 2, 3}}, {Node{}}, {{{0, 1}}});
  const Measurement all = measure({points, nullptr, parse_method("lbs"), {}},
                                  {Reference::Kind::kExact}, {"error", "volume", "dihedral"});
  CHECK(all.error);
  CHECK_FALSE(all.volume);
  CHECK(all.others.empty());
}

TEST_CASE("measure: unknown metrics, and an error without a reference, are refused with a code") {
  const TwistedTube tube;
  const auto code_of = [&](const Reference& reference, const std::string& metric) {
    try {
      measure({tube.rig, &tube.clip, parse_method("lbs"), tube.frames}, reference, {metric});
    } catch (const Error& error) {
      return error.code();
    }
    return std::string();
  };
  CHECK(code_of(tube.lbs, "beauty") == "METRIC_UNKNOWN");
  CHECK(code_of({}, "error") == "REFERENCE_MISSING");
  CHECK(code_of({}, "volume").empty());
}

}  // namespace skinbake
