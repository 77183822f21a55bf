// Keys at times in float32 whose interpolation has the values of frames at the frames' own times.

#include "clip/sampling/clip_tracks.h"

#include <doctest/doctest.h>

#include <cmath>

#include "clip/sampling/sample.h"
#include "support/rigs.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

// Frames after half an hour, where the times of floats are 1/8192 s apart.
constexpr FrameRange kLate{30, 54000, 1, 40};

std::vector<double> key_times_of(const FrameRange& frames) {
  std::vector<double> times;
  for (std::int64_t k = 0; k < frames.frame_count; ++k) times.push_back(key_time(frames, k));
  return times;
}

// The largest difference between the values of the frames and those of a file that is played.
double error_when_played(const ClipTrack& values, const FrameRange& frames, const ClipTrack& keys) {
  const Channel played =
      channel(0, values.path, Interpolation::kLinear, key_times_of(frames),
              std::vector<double>(keys.keys.begin(), keys.keys.end()), values.width);
  double largest = 0;
  std::vector<double> value(static_cast<std::size_t>(values.width));
  for (std::int64_t k = 0; k < frames.frame_count; ++k) {
    sample(played, frames.time_s(k), value.data());
    for (std::size_t i = 0; i < value.size(); ++i) {
      const double expected = values.keys[static_cast<std::size_t>(k) * value.size() + i];
      largest = std::max(largest, std::abs(value[i] - expected));
    }
  }
  return largest;
}

ClipTrack moved(ClipTrack track, const FrameRange& frames) {
  move_to_key_times(frames, track);
  return track;
}

}  // namespace

TEST_CASE("key times: keys at times that float32 stores exactly do not change") {
  const FrameRange frames{32, 0, 3, 100};
  ClipTrack track{0, ChannelPath::kTranslation, 3, {}};
  for (int i = 0; i < 300; ++i) track.keys.push_back(static_cast<float>(i * i));
  CHECK(moved(track, frames).keys == track.keys);
}

TEST_CASE("key times: a single frame keeps its value") {
  const ClipTrack track{0, ChannelPath::kTranslation, 3, {1, 2, 3}};
  CHECK(moved(track, {30, 54001, 1, 1}).keys == track.keys);
}

TEST_CASE("key times: a steady motion has the value of the clip at each time of a key") {
  ClipTrack track{0, ChannelPath::kTranslation, 3, {}};
  for (std::int64_t k = 0; k < kLate.frame_count; ++k) {
    for (const float metres_per_frame : {1.0f, -2.0f, 0.5f}) {
      track.keys.push_back(static_cast<float>(k) * metres_per_frame);
    }
  }
  const ClipTrack found = moved(track, kLate);
  for (std::int64_t k = 0; k < kLate.frame_count; ++k) {
    const double frame = (double(key_time(kLate, k)) - kLate.time_s(0)) * kLate.fps;
    const bool is_first_or_last = k == 0 || k + 1 == kLate.frame_count;  // constant beyond them
    if (!is_first_or_last) {
      CHECK(found.keys[static_cast<std::size_t>(3 * k + 1)] == doctest::Approx(-2 * frame));
    }
  }
}

TEST_CASE("key times: a motion with steps plays as sampled at the times of the frames") {
  ClipTrack track{0, ChannelPath::kWeights, 1, {}};
  for (int k = 0; k < 40; ++k) track.keys.push_back(k % 2 == 0 ? 0.0f : 1.0f);
  const double rounding_of_times = std::pow(2.0, -14) * 30;  // in frames
  CHECK(error_when_played(track, kLate, track) > 0.1 * rounding_of_times);
  // The neighbour's own displacement, in the same proportion, is all that is left.
  CHECK(error_when_played(track, kLate, moved(track, kLate)) < 2 * std::pow(rounding_of_times, 2));
}

TEST_CASE("key times: rotations move along their arcs and keep their length") {
  ClipTrack track{0, ChannelPath::kRotation, 4, {}};
  for (int k = 0; k < 40; ++k) {  // 60 degrees from frame to frame
    const double half = k * 3.141592653589793 / 6;
    for (const double number : {0.0, std::sin(half), 0.0, std::cos(half)}) {
      track.keys.push_back(static_cast<float>(number));
    }
  }
  const ClipTrack found = moved(track, kLate);
  CHECK(error_when_played(track, kLate, track) > 1e-4);
  CHECK(error_when_played(track, kLate, found) < 1e-6);
  for (std::size_t k = 0; k < found.keys.size(); k += 4) {
    CHECK(std::hypot(found.keys[k + 1], found.keys[k + 3]) == doctest::Approx(1).epsilon(1e-6));
  }
}

TEST_CASE("key times: the end of a clip is a key at its own time") {
  // Ten frames after half an hour, and an end a third of a frame after the last one.
  FrameRange frames{30, 54000, 1, 11};
  frames.end_s = 54009.0 / 30 + 1.0 / 90;
  CHECK(frames.is_end(10));
  CHECK(key_time(frames, 10) == static_cast<float>(frames.end_s));
  ClipTrack track{0, ChannelPath::kTranslation, 3, {}};
  for (std::int64_t k = 0; k < frames.frame_count; ++k) {
    const double metres = 30 * (frames.time_s(k) - frames.time_s(0));
    for (int i = 0; i < 3; ++i) track.keys.push_back(static_cast<float>(metres));
  }
  CHECK(error_when_played(track, frames, track) > 1e-4);
  // Of second order, over a third of a frame.
  const double rounding_of_times = std::pow(2.0, -14) * 30;  // in frames
  CHECK(error_when_played(track, frames, moved(track, frames)) <
        2 * std::pow(rounding_of_times, 2) * 3);
}
