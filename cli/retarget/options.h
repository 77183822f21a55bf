// The options of `skinbake retarget`.

#pragma once

#include <string>

#include "clips/clip_source.h"
#include "options/option_groups.h"

namespace skinbake::cli {

struct RetargetCommandOptions : CommonOptions {
  std::string clip_file;  // "FILE" or "FILE#ID"; empty: --clip names every clip
  std::string rig;
  ClipSource clips;
  FrameOptions frames;
  std::string output;
  std::string depfile;
  LoadOptions load;
  bool strict = false;
  bool sync = false;
};

}  // namespace skinbake::cli
