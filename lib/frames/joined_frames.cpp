#include "frames/joined_frames.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

#include "skinbake/error.h"

namespace skinbake {

namespace {

std::string text_of(double number) {
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

std::int64_t last_of(const FrameRange& frames) {
  return frames.frame(frames.frame_count - 1);
}

// "frame 5", "frames 5 to 9"
std::string text_of(std::int64_t first, std::int64_t last) {
  if (first == last) return "frame " + std::to_string(first);
  return "frames " + std::to_string(first) + " to " + std::to_string(last);
}

// Throws unless `next` begins with the frame after the last one of `before`.
void require_successor(const FramesOfPart& before, const FramesOfPart& next) {
  const std::int64_t end = last_of(before.frames), first = next.frames.first_frame;
  const std::int64_t step = before.frames.frame_step;
  if (first == end + step) return;
  if (first <= end) {
    throw Error(ErrorKind::kInput, "PARTS_INCOMPLETE",
                text_of(first, std::min(end, last_of(next.frames))) + ": also in " + before.path +
                    "; give each frame once",
                {next.path, ""});
  }
  throw Error(ErrorKind::kInput, "PARTS_INCOMPLETE",
              first < end + step
                  ? "begins with frame " + std::to_string(first) + ", but " + before.path +
                        " ends with " + std::to_string(end) + " in steps of " +
                        std::to_string(step) + "; bake it from frame " + std::to_string(end + step)
                  : text_of(end + step, first - step) + ": missing between " + before.path +
                        " and this part; bake and give them too",
              {next.path, ""});
}

// `side`: "before" or "after".
[[noreturn]] void throw_missing(const std::string& path, std::int64_t first, std::int64_t last,
                                const std::string& side) {
  throw Error(ErrorKind::kInput, "PARTS_INCOMPLETE",
              text_of(first, last) + ": missing " + side +
                  " this part; bake and give them too, or state the frames of the whole with "
                  "--frames if they are not wanted",
              {path, ""});
}

}  // namespace

void throw_parts_differ(const std::string& path, const std::string& what, const std::string& value,
                        const std::string& other_path, const std::string& other_value) {
  throw Error(ErrorKind::kInput, "PARTS_DIFFER",
              what + " '" + value + "', but '" + other_value + "' in " + other_path +
                  "; give parts of one rig, clip, method and frame rate",
              {path, ""});
}

FrameRange whole_clip(const FrameRange& joined, std::int64_t clip_frame_count) {
  FrameRange whole = joined;
  whole.first_frame = joined.first_frame % joined.frame_step;
  const std::int64_t last = std::max(clip_frame_count - 1, last_of(joined));
  whole.frame_count = (last - whole.first_frame) / whole.frame_step + 1;
  return whole;
}

void require_whole(const std::vector<FramesOfPart>& parts, const JoinedFrames& joined,
                   const FrameRange& whole) {
  const std::string& first_path = parts[joined.order.front()].path;
  const std::string& last_path = parts[joined.order.back()].path;
  if (joined.frames.frame_step != whole.frame_step && joined.frames.frame_count > 1) {
    throw Error(ErrorKind::kInput, "PARTS_DIFFER",
                "frames in steps of " + std::to_string(joined.frames.frame_step) +
                    ", but the whole has steps of " + std::to_string(whole.frame_step) +
                    "; bake the parts in the steps of the whole",
                {first_path, ""});
  }
  const std::int64_t first = joined.frames.first_frame, last = last_of(joined.frames);
  const std::int64_t step = joined.frames.frame_step;
  if (first - step >= whole.first_frame) {
    throw_missing(first_path, whole.first_frame, first - step, "before");
  }
  if (last + step <= last_of(whole)) {
    throw_missing(last_path, last + step, last_of(whole), "after");
  }
  if (first == whole.first_frame && last == last_of(whole)) return;
  throw Error(ErrorKind::kInput, "PARTS_INCOMPLETE",
              text_of(first, last) + " are those of the parts, but the whole is to have " +
                  text_of(whole.first_frame, last_of(whole)) + "; give the parts of these alone",
              {first < whole.first_frame ? first_path : last_path, ""});
}

JoinedFrames join_frames(const std::vector<FramesOfPart>& parts) {
  const FramesOfPart& any = parts.front();
  for (const FramesOfPart& part : parts) {
    if (part.frames.fps != any.frames.fps) {
      throw_parts_differ(part.path, "frame rate", text_of(part.frames.fps), any.path,
                         text_of(any.frames.fps));
    }
    if (part.frames.frame_step != any.frames.frame_step) {
      throw_parts_differ(part.path, "frame step", std::to_string(part.frames.frame_step), any.path,
                         std::to_string(any.frames.frame_step));
    }
  }
  JoinedFrames joined;
  joined.order.resize(parts.size());
  std::iota(joined.order.begin(), joined.order.end(), std::size_t{0});
  std::ranges::stable_sort(joined.order, {},
                           [&](std::size_t p) { return parts[p].frames.first_frame; });
  joined.frames = parts[joined.order.front()].frames;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const FramesOfPart& next = parts[joined.order[i]];
    require_successor(parts[joined.order[i - 1]], next);
    joined.frames.frame_count += next.frames.frame_count;
  }
  return joined;
}

}  // namespace skinbake
