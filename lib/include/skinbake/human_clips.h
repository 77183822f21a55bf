// Clips of humanoids that are made without an animation: their range of motion, and poses of a
// file.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skinbake/clip.h"
#include "skinbake/gltf.h"
#include "skinbake/humanoid.h"

namespace skinbake {

// How a made clip moves a rig.
struct HumanClipOptions {
  TPoseChoice t_pose = {};  // of the rig
  MuscleRanges ranges = {};
};

// The parts of the body whose range of motion is a clip of its own: "arms", "legs", …
std::vector<std::string_view> range_of_motion_parts();

// A clip, "rom" or "rom:arms", that moves every muscle of a part from the T-pose to both ends of
// its range, one second each way, and then through combined poses. An empty part is the whole body.
// Finds the humanoid map if the asset does not have one. Throws Error (kUsage, CLIP_UNKNOWN) if
// there is no such part, and Error (kInput): HUMANOID_UNKNOWN if the rig is not a humanoid,
// HUMANOID_INCOMPLETE or HUMANOID_NOT_FINITE if the map does not determine a T-pose,
// CLIP_MOVES_NOTHING if the rig does not have a bone that moves. Thread-safe.
Clip range_of_motion(const Asset& rig, std::string_view part, const HumanClipOptions& options = {});

struct PosesClip {
  Clip clip;        // its id is "poses:" and the name of the file
  InputFile input;  // role "parameters"
};

// A clip of the poses of a JSON file, which cli/README.md describes. A pose without a duration is
// shown for one frame at the rate `fps`. Throws the errors of range_of_motion, and Error (kInput,
// FILE_UNREADABLE, POSES_INVALID). Thread-safe.
PosesClip load_poses(const std::string& path, const Asset& rig, double fps,
                     const HumanClipOptions& options = {});

}  // namespace skinbake
