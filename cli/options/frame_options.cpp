#include "options/frame_options.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "options/numbers.h"
#include "options/usage_error.h"
#include "skinbake/error.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

[[noreturn]] void throw_outside(const std::string& clip, std::int64_t last,
                                const FrameOptions& options) {
  throw_usage("FRAMES_OUTSIDE",
              fmt::format("{} has frames 0:{} at {} fps, not '{}'; choose some of these", clip,
                          last, options.fps, *options.frames));
}

struct ParsedFrames {
  std::int64_t first, final, step;
};

// Parses A[:[B][:STEP]], both ends included. `last`: the last frame of the clip, the default of B.
ParsedFrames parse_range(const std::string& text, std::int64_t last) {
  std::vector<std::int64_t> parts;
  std::string_view rest = text;
  for (bool more = true; more;) {
    const std::size_t colon = rest.find(':');
    more = colon != std::string_view::npos;
    const std::string_view part = rest.substr(0, colon);
    const bool is_to_the_end = parts.size() == 1 && part.empty();
    const auto number =
        is_to_the_end ? std::optional(std::max(last, parts.front())) : whole_number(part);
    if (!number || parts.size() == 3) {
      throw_usage("FRAMES_INVALID", "'" + text +
                                        "': write A:B, A: or A:B:STEP, such as 0:47; A: is to the "
                                        "end");
    }
    parts.push_back(*number);
    if (more) rest.remove_prefix(colon + 1);
  }
  const std::int64_t first = parts[0];
  const std::int64_t final = parts.size() > 1 ? parts[1] : parts[0];
  const std::int64_t step = parts.size() > 2 ? parts[2] : 1;
  if (first > final || step < 1) {
    throw_usage("FRAMES_INVALID", "'" + text + "': A must not exceed B, STEP is 1 or more");
  }
  return {first, final, step};
}

// `last`: the last frame of the clip. `clip`: for messages.
FrameRange parse_frames(const std::string& clip, const FrameOptions& options, std::int64_t last) {
  const auto [first, final, step] = parse_range(*options.frames, last);
  if (final > last) throw_outside(clip, last, options);
  return {options.fps, first, step, (final - first) / step + 1};
}

}  // namespace

double parse_fps(const std::string& text, const std::string& forms) {
  const std::optional<double> fps = parse_rate(text);
  if (!fps) {
    throw UsageError("--fps", (text.empty() ? "the value is empty" : "'" + text + "' is no rate") +
                                  "; write " + forms);
  }
  if (!is_frame_rate(*fps)) throw UsageError("--fps", "must be a number from 1e-15 to 1e15");
  return *fps;
}

void set_fps(const std::string& text, FrameOptions& options) {
  options.fps_of_clip = text == "clip";
  if (!options.fps_of_clip) options.fps = parse_fps(text, "a number, N/D or clip");
}

std::vector<KeyedClip> keyed_clips(const std::string& path, const Skeleton& skeleton,
                                   std::span<const Clip* const> clips) {
  std::vector<KeyedClip> keyed;
  for (const Clip* clip : clips) keyed.push_back({clip, &skeleton, path});
  return keyed;
}

void settle_fps(std::span<const KeyedClip> clips, FrameOptions& options) {
  if (options.fps_of_clip) options.fps = clip_rate(clips);
}

std::int64_t clip_frame_count(const Clip& clip, double fps, bool loop) {
  const std::int64_t last = last_frame(clip.duration_s, fps);
  return loop && last > 0 ? last : last + 1;
}

FrameRange select_frames(const std::string& path, const Clip* clip, const FrameOptions& options) {
  const double duration = clip == nullptr ? 0 : clip->duration_s;
  if (last_frame(duration, options.fps) > 2147483646) {
    throw_usage("TOO_MANY_FRAMES",
                fmt::format("{}: clip '{}' lasts {} s: more than 2147483647 frames at "
                            "{} fps; lower the rate",
                            path, clip->id, duration, options.fps));
  }
  const std::int64_t last =
      clip == nullptr ? 0 : clip_frame_count(*clip, options.fps, options.loop) - 1;
  const std::string name =
      path + ": " + (clip == nullptr ? "the rest pose" : "clip '" + clip->id + "'");
  const FrameRange range =
      options.frames ? parse_frames(name, options, last) : FrameRange{options.fps, 0, 1, last + 1};
  if (range.frame_count > options.max_frames) {
    throw_usage("TOO_MANY_FRAMES",
                fmt::format("{}: clip '{}' has {} frames at {} fps, more than the limit of {}; "
                            "lower the rate, choose fewer frames, or raise the limit",
                            path, clip == nullptr ? "" : clip->id, range.frame_count, options.fps,
                            options.max_frames));
  }
  return clip == nullptr ? range : sampled_to_end(range, *clip);
}

}  // namespace skinbake::cli
