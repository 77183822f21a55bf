#include "frame_options.h"

#include <spdlog/fmt/fmt.h>

#include <cmath>
#include <vector>

#include "choices.h"
#include "skinbake/in_between.h"

namespace skinbake::cli {

namespace {

[[noreturn]] void usage(const std::string& code, const std::string& message) {
  throw Error(ErrorKind::kUsage, code, message);
}

// A[:B[:STEP]], both included; `last` is the clip's last frame.
FrameRange parse_frames(const std::string& text, std::int64_t last, double fps) {
  std::vector<std::int64_t> parts;
  std::string_view rest = text;
  for (bool more = true; more;) {
    const std::size_t colon = rest.find(':');
    more = colon != std::string_view::npos;
    const auto number = whole_number(rest.substr(0, colon));
    if (!number || parts.size() == 3) {
      usage("FRAMES_INVALID", "--frames " + text + ": write A:B or A:B:STEP, such as 0:47");
    }
    parts.push_back(*number);
    if (more) rest.remove_prefix(colon + 1);
  }
  const std::int64_t first = parts[0], final = parts.size() > 1 ? parts[1] : parts[0];
  const std::int64_t step = parts.size() > 2 ? parts[2] : 1;
  if (first > final || step < 1) {
    usage("FRAMES_INVALID", "--frames " + text + ": A must not exceed B, STEP is 1 or more");
  }
  if (final > last) {
    usage("FRAMES_OUTSIDE",
          fmt::format("--frames {}: the clip has frames 0:{} at {} fps", text, last, fps));
  }
  return {fps, first, step, (final - first) / step + 1};
}

// "12, 15, 24 … 240"
std::string usual_rates() {
  std::string text;
  for (const double hz : usual_rates_hz())
    text += (text.empty() ? "" : ", ") + fmt::format("{}", hz);
  return text;
}

void set_fps(const std::string& text, AutoFps auto_fps, FrameOptions& options) {
  constexpr std::string_view kAuto = "auto";
  const bool is_auto = text.starts_with(kAuto);
  if (is_auto && auto_fps == AutoFps::kNo) {
    throw CLI::ValidationError(
        "--fps", "only bake looks for a rate; give a number in the place of '" + text + "'");
  }
  const bool has_limit = is_auto && text.substr(kAuto.size()).starts_with(':');
  const std::string number = has_limit ? text.substr(kAuto.size() + 1) : is_auto ? "" : text;
  double value = 0;
  if (number.empty() || !CLI::detail::lexical_cast(number, value)) {
    throw CLI::ValidationError("--fps", auto_fps == AutoFps::kNo
                                            ? "'" + text + "' is no number"
                                            : "'" + text + "' is neither a number nor auto:METRES");
  }
  if (!is_auto) {
    options.fps = value;
    return;
  }
  if (const std::string wrong = positive(number); !wrong.empty()) {
    throw CLI::ValidationError("--fps", text + ": " + wrong);
  }
  options.in_between_limit_m = value;
}

CLI::Option* add_fps(CLI::App& command, FrameOptions& options, AutoFps auto_fps) {
  const bool has_auto = auto_fps == AutoFps::kYes;
  return command
      .add_option_function<std::string>(
          "--fps",
          [&options, auto_fps](const std::string& text) { set_fps(text, auto_fps, options); },
          has_auto ? "Frames per second; auto: the lowest of " + usual_rates() +
                         " at which frames interpolated linearly, halfway between two, stay nearer "
                         "than this to the motion there, for all clips and meshes of the run"
                   : "Frames per second")
      ->type_name(has_auto ? "F|auto:METRES" : "F")
      ->default_str(fmt::format("{}", options.fps));
}

std::vector<CLI::Option*> add_all(CLI::App& command, FrameOptions& options, AutoFps auto_fps) {
  std::vector<CLI::Option*> added{add_fps(command, options, auto_fps)};
  added.push_back(command
                      .add_option("--frames", options.frames,
                                  std::string("Frames A to B, both included") +
                                      (auto_fps == AutoFps::kYes ? ", not with --fps auto" : "") +
                                      "; default: all")
                      ->type_name("A[:B[:STEP]]"));
  added.push_back(
      command
          .add_option("--max-frames", options.max_frames, "Refuse clips of more frames than this")
          ->check(CLI::Range(std::int64_t{1}, std::int64_t{2147483647}))
          ->type_name("N")
          ->capture_default_str());
  added.push_back(command.add_flag("--loop", options.loop,
                                   "Leave out the last frame, which repeats the first"));
  added.push_back(add_choice<Space>(
      command, "--space", options.space, {{"scene", Space::kScene}, {"mesh", Space::kMesh}},
      "Positions in the scene, or relative to the mesh's own node", "scene"));
  return added;
}

}  // namespace

void add_frame_options(CLI::App& command, FrameOptions& options, AutoFps auto_fps) {
  add_all(command, options, auto_fps);
}

void add_frame_options(CLI::App& command, FrameOptions& options, const std::string& group) {
  for (CLI::Option* option : add_all(command, options, AutoFps::kNo)) {
    if (!group.empty()) option->group(group);
  }
}

FrameRange select_frames(const std::string& path, const Clip* clip, const FrameOptions& options) {
  if (!(options.fps > 0) || !std::isfinite(options.fps)) {
    usage("FPS_INVALID", "--fps must be a positive number");
  }
  const double duration = clip == nullptr ? 0 : clip->duration_s;
  if (duration * options.fps > 2147483646.0) {
    usage("TOO_MANY_FRAMES", fmt::format("{}: clip '{}' lasts {} s: more than 2147483647 frames at "
                                         "{} fps; choose a smaller --fps",
                                         path, clip->id, duration, options.fps));
  }
  std::int64_t last = last_frame(duration, options.fps);
  if (options.loop && last > 0) --last;
  const FrameRange range = options.frames ? parse_frames(*options.frames, last, options.fps)
                                          : FrameRange{options.fps, 0, 1, last + 1};
  if (range.frame_count > options.max_frames) {
    usage("TOO_MANY_FRAMES",
          fmt::format("{}: clip '{}' has {} frames at {} fps, more than the {} of --max-frames; "
                      "choose a smaller --fps, some --frames, or a larger --max-frames",
                      path, clip == nullptr ? "" : clip->id, range.frame_count, options.fps,
                      options.max_frames));
  }
  return range;
}

}  // namespace skinbake::cli
