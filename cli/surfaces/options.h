// The options of a comparison of surfaces.

#pragma once

#include <string>
#include <vector>

#include "compare/surface/surfaces.h"
#include "options/frame_options.h"
#include "options/option_groups.h"
#include "skinbake/gltf.h"
#include "thresholds/thresholds.h"

namespace skinbake::cli {

struct SurfaceOptions : CommonOptions {
  MatchPlan plan{.match = Match::kIndex};  // without the threads
  std::string rig_a, rig_b;                // of caches; empty: the sides are rigs
  std::vector<std::string> clips, meshes;  // empty: all
  // Of B. Clips pair with `clips` in their order; empty: B's have the names of A's. `meshes_b` are
  // the meshes of B's surface; empty: as of A.
  std::vector<std::string> clips_b, meshes_b;
  std::string method = "lbs";
  FrameOptions frames;
  LoadOptions load;
  bool hausdorff = false;  // also measure the Hausdorff distance
  bool overlap = false;    // accept clips of unequal length
  bool view = false;       // also keep frames for the 3D viewer
  Thresholds thresholds;
};

// Adds --sampling and --overlap.
void add_sampling_options(CLI::App& command, double& sampling, bool& overlap,
                          const std::string& group);

}  // namespace skinbake::cli
