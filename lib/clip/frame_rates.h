// The usual frame rates, their text, and the rate on whose frames the keys of clips lie.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "skinbake/clip.h"

namespace skinbake {

// 12, 15, 24000/1001, 24, 25, 30000/1001, 30, 48, 50, 60000/1001, 60, 90, 100, 120 and 240 frames
// per second.
std::span<const double> clip_rates_hz();

// "30", or "24000/1001" for a rate that is a multiple of 1/1001.
std::string rate_text(double fps);

// Reads a number or a fraction N/D, which is rounded to the nearest double. None: the text is
// neither. The result may be no frame rate.
std::optional<double> parse_rate(std::string_view text);

// Whether the time is that of a frame, within frame_tolerance().
bool is_on_frame(double time_s, double fps);

// The times of STEP keys that count from a frame. If every key is on a frame of a usual rate, an
// exporter has rounded its time for that frame, and a later key is moved to it: sampled at its
// frame, it would not be reached. None: no key moves by more than 1e-6 s.
std::optional<std::vector<double>> moved_to_frames(const std::vector<double>& times);

// A clip with what a message about its keys names.
struct KeyedClip {
  const Clip* clip = nullptr;  // null: the rest pose, which does not have keys
  const Skeleton* skeleton = nullptr;
  std::string file;
};

// The lowest of clip_rates_hz() that has a frame at every key and at the end of every clip. Throws
// Error (kInput, CLIP_RATE_UNKNOWN) if there is none: it names the key that is farthest from a
// frame at the rate that comes nearest.
double clip_rate(std::span<const KeyedClip> clips);

}  // namespace skinbake
