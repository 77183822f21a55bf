// Which frames of a clip, and where positions are: of every command that evaluates a rig.

#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "skinbake/skinbake.h"

namespace skinbake::cli {

struct FrameOptions {
  double fps = 30;
  std::optional<double> in_between_limit_m;  // --fps auto: the rate is chosen by what it loses
  double in_between_error_m = 0;             // then: what it loses
  std::optional<std::string> frames;         // A[:B[:STEP]], inclusive
  bool loop = false;                         // without the last frame, which equals the first
  std::int64_t max_frames = 1'000'000;
  Space space = Space::kScene;
};

// Adds --fps, which may be auto:METRES or not, --frames, --max-frames, --loop and --space.
enum class AutoFps { kNo, kYes };
void add_frame_options(CLI::App& command, FrameOptions& options, AutoFps auto_fps);
// The same without auto, under a heading of the help or none.
void add_frame_options(CLI::App& command, FrameOptions& options, const std::string& group = "");

// `path` is the clip's file. Throws Error (kUsage) that says which frames there are.
FrameRange select_frames(const std::string& path, const Clip* clip, const FrameOptions& options);

}  // namespace skinbake::cli
