// From what the user typed to clips, meshes and frames of an asset. All throw Error (kUsage),
// naming what there is.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "skinbake/skinbake.h"

namespace skinbake::cli {

// --clip: an exact id, "all", "#index"; empty: the only clip. A file without clips gives one null:
// the rest pose.
std::vector<const Clip*> select_clips(const Asset& asset, const std::string& wanted);

// --mesh, repeated: exact ids or "#node"; none: every mesh node. In the order of the file.
std::vector<const Rig*> select_meshes(const Asset& asset, const std::vector<std::string>& wanted);

struct FrameOptions {
  double fps = 30;
  std::optional<std::string> frames;  // A[:B[:STEP]], inclusive
  bool loop = false;                  // without the last frame, which equals the first
};
FrameRange select_frames(const Clip* clip, const FrameOptions& options);

}  // namespace skinbake::cli
