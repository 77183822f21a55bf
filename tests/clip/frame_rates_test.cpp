// Frame rates: their text, and the rate on whose frames keys lie.

#include "clip/frame_rates.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/rigs.h"

namespace skinbake {
namespace {

using namespace test;

Skeleton one_node() {
  Skeleton skeleton;
  skeleton.nodes.resize(1);
  skeleton.nodes[0].name = "hand";
  return skeleton;
}

Clip with_keys(std::vector<double> times) {
  Clip clip;
  clip.id = "run";
  clip.duration_s = times.back();
  std::vector<double> values(3 * times.size(), 0.0);
  clip.channels = {channel(0, ChannelPath::kTranslation, Interpolation::kLinear, std::move(times),
                           std::move(values), 3)};
  return clip;
}

double rate_of(const Clip& clip) {
  const Skeleton skeleton = one_node();
  return clip_rate(std::vector<KeyedClip>{{&clip, &skeleton, "a.glb"}});
}

}  // namespace

TEST_CASE("rates: the usual ones ascend and are frame rates") {
  const auto rates = clip_rates_hz();
  CHECK(rates.size() == 15);
  CHECK(std::is_sorted(rates.begin(), rates.end()));
  for (const double hz : rates) CHECK(parse_rate(rate_text(hz)) == hz);
  CHECK(rate_text(30) == "30");
  CHECK(rate_text(12.5) == "12.5");
  CHECK(rate_text(24000.0 / 1001) == "24000/1001");
}

TEST_CASE("rates: times that an exporter has rounded are those of frames") {
  for (const double fps : {24.0, 25.0, 30.0, 60.0, 24000.0 / 1001}) {
    CAPTURE(fps);
    std::vector<double> times;
    for (int k = 0; k < 90; ++k) times.push_back(std::round(k / fps * 1e5) / 1e5);
    const auto moved = moved_to_frames(times);
    REQUIRE(moved.has_value() == (fps != 25));  // at 25, rounding changes nothing
    if (!moved) continue;
    for (std::size_t k = 0; k < times.size(); ++k) {
      CAPTURE(k);
      CHECK((*moved)[k] <= static_cast<double>(k) / fps + 1e-12);
      CHECK((*moved)[k] <= times[k]);
      CHECK(times[k] - (*moved)[k] < 1e-3 / 12);
    }
  }
  // One key off every rate: the times are as they are meant.
  CHECK_FALSE(moved_to_frames({0, 0.0333334, 0.04321, 1.00003}).has_value());
  CHECK_FALSE(moved_to_frames({0, double(1.0F / 24), double(2.0F / 24)}).has_value());
}

TEST_CASE("rates: a fraction is the nearest double") {
  CHECK(parse_rate("30") == 30);
  CHECK(parse_rate("30000/1001") == 30000.0 / 1001);
  CHECK(parse_rate("1/3") == 1.0 / 3);
  for (const char* wrong : {"", "x", "/", "1/", "/1", "1/2/3", " 1", "1 ", "0x10"}) {
    CAPTURE(wrong);
    CHECK_FALSE(parse_rate(wrong).has_value());
  }
  CHECK_FALSE(is_frame_rate(*parse_rate("1/0")));
  CHECK_FALSE(is_frame_rate(*parse_rate("0/0")));
}

TEST_CASE("rates: the rate of a clip has a frame at every key in float32") {
  for (const double hz : clip_rates_hz()) {
    CAPTURE(hz);
    std::vector<double> times;
    for (int k = 0; k < 2000; ++k) times.push_back(static_cast<float>(k / hz));
    CHECK(rate_of(with_keys(times)) == hz);
    times.push_back(static_cast<float>(50'000 / hz));
    CHECK(rate_of(with_keys(times)) == hz);
  }
  CHECK(rate_of(with_keys({0})) == 12);
  CHECK(rate_of(Clip{}) == 12);
}

TEST_CASE("rates: the end of a clip counts as a key") {
  Clip clip = with_keys({0, 1});
  clip.duration_s = 1.02;  // of a channel that moves nothing
  CHECK(rate_of(clip) == 50);
}

TEST_CASE("rates: an error names the key that is farthest from a frame at the nearest rate") {
  const Clip clip = with_keys({0, 0.25, 0.25 + 0.2 / 240, 1});
  try {
    rate_of(clip);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.code() == "CLIP_RATE_UNKNOWN");
    CHECK(error.kind() == ErrorKind::kInput);
    const std::string text = error.what();
    CHECK(text.find("key 2 of the translation of node 'hand' of clip 'run' at 0.250833 s is ") !=
          std::string::npos);
    CHECK(text.find("at 12 fps, which comes nearest") != std::string::npos);
    CHECK(text.find("0.01 of a frame off") != std::string::npos);
  }
}

}  // namespace skinbake
