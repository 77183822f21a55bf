// --target: the caches that a fit reproduces.

#pragma once

#include <memory>
#include <vector>

#include "fit/options.h"
#include "skinbake/fit.h"
#include "skinbake/gltf.h"

namespace skinbake::cli {

// The caches of one rig, one for each clip; empty: a method is the target. `frames`: of each clip.
// `found` gets their warnings. Throws Error (kInput, kNotComparable) and UsageError.
std::vector<std::unique_ptr<FrameSource>> open_targets(const FitOptions& options,
                                                       const Asset& asset, const Rig& rig,
                                                       const std::vector<const Clip*>& clips,
                                                       const std::vector<FrameRange>& frames,
                                                       Issues& found);

// The paths of all caches.
std::vector<std::string> target_paths(const FitOptions& options,
                                      const std::vector<const Rig*>& rigs,
                                      const std::vector<const Clip*>& clips);

// Throws UsageError if --target does not name a cache of its own for each clip and mesh.
void require_targets(const FitOptions& options, const std::vector<const Clip*>& clips,
                     const std::vector<const Rig*>& meshes);

}  // namespace skinbake::cli
