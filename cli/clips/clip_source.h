// Where the clips of --clip come from: the rig's file, another file, or a formula.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "skinbake/frames.h"
#include "skinbake/gltf.h"

namespace skinbake::cli {

// A value of --clip that names a file, FILE[#ID].
struct FileClip {
  std::string path;  // empty: the value does not name a file
  std::string id;    // empty: the only clip
};
FileClip split_clip(const std::string& value);

// Values of --clip that are made without an animation: a range of motion, and a list of poses.
inline constexpr std::string_view kRom = "rom", kPoses = "poses:";
bool is_made_clip(std::string_view value);

// The values of --clip, and how clips of other files move the rig.
struct ClipSource {
  // "ID", "FILE[#ID]", "rom", "rom:PART" or "poses:FILE"
  std::vector<std::string> clips;
  std::string map;                      // a file of name pairs; empty: names are the same
  std::string humanoid, clip_humanoid;  // files with bones and nodes; empty: none
  std::string ranges;                   // a file of muscle ranges; empty: none
  double fps = 30;                      // of poses that have no duration
  Space space = Space::kScene;          // of the positions
  RetargetOptions retarget = {};
};

}  // namespace skinbake::cli
