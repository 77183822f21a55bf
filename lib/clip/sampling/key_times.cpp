#include "clip/sampling/key_times.h"

#include <algorithm>

#include "clip/sampling/sample.h"

namespace skinbake {

namespace {

// The key on the way from `from` to `to`, 1 being `to`.
void interpolate(ChannelPath path, const std::vector<float>& from, const std::vector<float>& to,
                 double share, float* key) {
  if (path == ChannelPath::kRotation) {
    const Quat<double> q =
        slerp({from[3], from[0], from[1], from[2]}, {to[3], to[0], to[1], to[2]}, share);
    const double numbers[] = {q.x, q.y, q.z, q.w};
    for (int i = 0; i < 4; ++i) key[i] = static_cast<float>(numbers[i]);
    return;
  }
  for (std::size_t i = 0; i < to.size(); ++i) {
    key[i] = static_cast<float>(from[i] + share * (double(to[i]) - from[i]));
  }
}

}  // namespace

float key_time(const FrameRange& frames, std::int64_t k) {
  return static_cast<float>(frames.time_s(k));
}

std::vector<float> key_times(const FrameRange& frames) {
  std::vector<float> times;
  times.reserve(static_cast<std::size_t>(frames.frame_count));
  for (std::int64_t k = 0; k < frames.frame_count; ++k) times.push_back(key_time(frames, k));
  return times;
}

void move_to_key_times(const FrameRange& frames, ClipTrack& track) {
  const auto width = static_cast<std::size_t>(track.width);
  const double step_s = static_cast<double>(frames.frame_step) / frames.fps;
  const auto frame_at = [&](std::int64_t k) {
    const float* first = track.keys.data() + static_cast<std::size_t>(k) * width;
    return std::vector<float>(first, first + width);
  };
  std::vector<float> before;  // the value at the frame before, which its key may no longer have
  for (std::int64_t k = 0; k < frames.frame_count; ++k) {
    const std::vector<float> here = frame_at(k);
    const double late_s = double(key_time(frames, k)) - frames.time_s(k);
    float* const key = track.keys.data() + static_cast<std::size_t>(k) * width;
    if (late_s > 0 && k > 0) {
      interpolate(track.path, before, here, 1 + late_s / step_s, key);
    } else if (late_s < 0 && k + 1 < frames.frame_count) {
      interpolate(track.path, frame_at(k + 1), here, 1 - late_s / step_s, key);
    }
    before = here;
  }
}

}  // namespace skinbake
