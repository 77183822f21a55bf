// `skinbake inspect rig.glb`: prints the content of a file and its issues.

#pragma once

#include <string>

#include "skinbake/gltf.h"
#include "skinbake/tool/inspect.h"

namespace skinbake::cli {

struct InspectOptions {
  std::string rig;
  bool json = false;
  bool strict = false;
  double fps = kInspectionFps;
  std::string
      humanoid;  // the path of a humanoid map; empty: the file's own, or the one that is found
  LoadOptions load;
};

// Returns the exit code. Throws Error.
int run_inspect(const InspectOptions& options);

}  // namespace skinbake::cli
