#include <doctest/doctest.h>

#include <cmath>

#include "metrics/measure.h"
#include "skinbake/bake.h"
#include "skinbake/metrics.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using namespace test;

// A triangle at `radius` from the z axis, whose joint rotates about z by `speed` radians per
// second.
struct Wheel {
  Wheel(double radius, double speed, double duration_s) {
    const Surface surface{{{radius, 0, 0}, {0, radius / 2, 0}, {0, 0, 1}}, {{0, 1, 2}}};
    rig = rigid(surface);
    const double half = speed * duration_s / 2;
    clip.duration_s = duration_s;
    clip.channels = {channel(0, ChannelPath::kRotation, Interpolation::kLinear, {0, duration_s},
                             {0, 0, 0, 1, 0, 0, std::sin(half), std::cos(half)}, 4)};
  }
  MetricResult measured(FrameRange frames, std::optional<double> limit_m = {}) const {
    BakePlan plan;
    plan.rig = &rig;
    plan.clip = &clip;
    MetricInput input;
    input.rig = &rig;
    input.clip = &clip;
    input.frames = frames;
    input.limit = limit_m;
    for (const MetricInfo& info : metrics()) {
      if (info.id != "in_between") continue;
      const auto metric = info.make(input);
      plan.runs = {{parse_method("lbs"), {metric.get()}}};
      while (const auto next = metric->next_frames()) {
        plan.frames = *next;
        bake(plan);
      }
      return metric->result();
    }
    return {};
  }
  Rig rig;
  Clip clip;
};

}  // namespace

TEST_CASE("in-between: the error on a circle is 1 - cos of half the angle per frame") {
  const Wheel wheel(2, 3, 1);
  for (const std::int64_t frames : {2, 8, 9, 10, 17, 31}) {
    CAPTURE(frames);
    const MetricResult r = wheel.measured({30, 0, 1, frames});
    const double error = 2 * (1 - std::cos(3.0 / 30 / 2));
    CHECK(number(r, "max") == doctest::Approx(error).epsilon(1e-4));
    CHECK(place(r, "max_at").vertex == 0);
    const std::vector<double> rms = numbers(r, "per_interval.rms");
    REQUIRE(static_cast<std::int64_t>(rms.size()) == frames - 1);
    for (const double value : rms) {
      CHECK(value == doctest::Approx(error * std::sqrt((1 + 0.25) / 3)).epsilon(1e-3));
    }
    CHECK(number(r, "rms") == doctest::Approx(rms[0]).epsilon(1e-3));
  }
}

TEST_CASE("in-between: a frame step widens the intervals") {
  const Wheel wheel(1, 1.5, 2);
  const MetricResult r = wheel.measured({30, 3, 4, 6});
  CHECK(numbers(r, "per_interval.max").size() == 5);
  CHECK(number(r, "max") == doctest::Approx(1 - std::cos(4 * 1.5 / 30 / 2)).epsilon(1e-4));
  CHECK(place(r, "max_at").frame >= 0);
  CHECK(place(r, "max_at").frame < 5);
}

TEST_CASE("in-between: the worst interval contains the reversal of the motion") {
  // Up and down with a key between frames 4 and 5: all other intervals are linear.
  Wheel wheel(1, 0, 1);
  wheel.clip.channels = {channel(0, ChannelPath::kTranslation, Interpolation::kLinear,
                                 {0, 4.5 / 10, 0.9}, {0, 0, 0, 1, 0, 0, 0, 0, 0}, 3)};
  const MetricResult r = wheel.measured({10, 0, 1, 10});
  CHECK(place(r, "max_at").frame == 4);
  CHECK(number(r, "max") == doctest::Approx(0.5 / 4.5).epsilon(1e-5));
  CHECK(numbers(r, "per_interval.max")[3] < 1e-6);
}

TEST_CASE("in-between: a single frame does not have intervals") {
  const MetricResult r = Wheel(1, 1, 1).measured({30, 5, 1, 1}, 0.1);
  CHECK(std::isnan(number(r, "max")));
  CHECK(place(r, "max_at").frame == -1);
  CHECK(numbers(r, "per_interval.rms").empty());
  CHECK(std::isnan(number(r, "sufficient_fps.fps")));
}

TEST_CASE("in-between: the sufficient rate is the lowest whose error is below the limit") {
  const double radius = 1, speed = 3;
  const Wheel wheel(radius, speed, 1);
  const auto error_at = [&](double fps) { return radius * (1 - std::cos(speed / fps / 2)); };
  for (const double fps : {12.0, 24.0, 60.0, 240.0}) {
    const MetricResult r = wheel.measured({30, 0, 1, 31}, error_at(fps) * 1.01);
    CHECK(number(r, "sufficient_fps.fps") == fps);
    CHECK(number(r, "sufficient_fps.limit") == error_at(fps) * 1.01);
    CHECK(number(r, "max") == doctest::Approx(error_at(30)).epsilon(1e-3));  // the rate of the run
  }
  CHECK(
      std::isnan(number(wheel.measured({30, 0, 1, 31}, error_at(240) / 2), "sufficient_fps.fps")));
  CHECK_THROWS(number(wheel.measured({30, 0, 1, 31}), "sufficient_fps.fps"));  // without a limit
}

}  // namespace skinbake
