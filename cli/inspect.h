// `skinbake inspect rig.glb`: prints the content of a file and its issues, or what a clip does to a
// human body.

#pragma once

#include <optional>
#include <string>

#include "clips/clip_source.h"
#include "inspect/inspect.h"
#include "skinbake/gltf.h"

namespace skinbake::cli {

struct InspectOptions {
  std::string rig;
  bool json = false;
  bool strict = false;
  double fps = kInspectionFps;
  std::string humanoid;  // the path of a map; empty: the file's own, or the one that is found
  ClipSource clips;      // of --pose-json and --limits
  std::optional<double> at_s;
  bool pose_json = false;
  bool limits = false;
  LoadOptions load;
};

// Returns the exit code. Throws Error.
int run_inspect(const InspectOptions& options);

}  // namespace skinbake::cli
