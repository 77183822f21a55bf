// What a fit reads: the meshes and clips of the rig's file, caches and parameters.

#pragma once

#include <string>
#include <vector>

#include "fit/options.h"
#include "skinbake/gltf.h"

namespace skinbake::cli {

// Throws UsageError if the options do not belong together.
void check_together(const FitOptions& options);

// The selected meshes that have a skin. Throws Error and UsageError.
std::vector<const Rig*> select_skinned(const FitOptions& options, const Asset& asset);

// The selected clips, of the rig's file. Throws Error and UsageError.
std::vector<const Clip*> select_animated(const FitOptions& options, const Asset& asset);

// The inputs beside the rig's file: caches and parameters.
std::vector<std::string> other_inputs(const FitOptions& options,
                                      const std::vector<std::string>& targets);

// Throws Error if an output would replace an input. `targets`: the caches.
void refuse_inputs(const FitOptions& options, const Asset& asset,
                   const std::vector<std::string>& targets);

}  // namespace skinbake::cli
