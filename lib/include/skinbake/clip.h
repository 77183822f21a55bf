// Keyframed motion, and the frames at which it is sampled.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

enum class Interpolation { kStep, kLinear, kCubicSpline };
enum class ChannelPath { kTranslation, kRotation, kScale, kWeights };

// The motion of one property of one node.
struct Channel {
  NodeIndex node = -1;
  ChannelPath path = ChannelPath::kTranslation;
  Interpolation interpolation = Interpolation::kLinear;
  int width = 3;  // numbers per value: 3, 4 (x y z w) or the count of morph weights that it moves
  int first_weight = 0;                               // the first of them
  std::shared_ptr<const std::vector<double>> times;   // [key] seconds, not descending, not empty
  std::shared_ptr<const std::vector<double>> values;  // [key][width]; cubic: [key][3][width]
};

struct Clip {
  std::string id;  // unique: its name if no other clip has it, else "#<index>"
  int index = 0;   // position in the file
  std::string name;
  double duration_s = 0;  // the greatest key time of all channels, unmatched ones too
  std::vector<Channel> channels;
};

// Frames first_frame, first_frame + frame_step, …; frame i is at i / fps seconds.
struct FrameRange {
  double fps = 30;
  std::int64_t first_frame = 0;
  std::int64_t frame_step = 1;
  std::int64_t frame_count = 1;

  std::int64_t frame(std::int64_t k) const { return first_frame + k * frame_step; }
  double time_s(std::int64_t k) const { return static_cast<double>(frame(k)) / fps; }
};

// The number of the last frame of a clip: floor(duration * fps + 1e-3). Key times are float32, so
// a duration that was meant as a whole number of frames is often stored a little short.
std::int64_t last_frame(double duration_s, double fps);

}  // namespace skinbake
