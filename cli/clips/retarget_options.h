// The options of clips of other characters: which nodes are the bones of a human body, and how the
// motion of one body becomes that of another.

#pragma once

#include <CLI/CLI.hpp>

#include "clips/clip_source.h"

namespace skinbake::cli {

void add_t_pose_option(CLI::App& command, ClipSource& clips);
void add_map_option(CLI::App& command, ClipSource& clips);
void add_retarget_options(CLI::App& command, ClipSource& clips);

}  // namespace skinbake::cli
