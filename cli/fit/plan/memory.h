// The memory of a fit.

#pragma once

#include "fit/options.h"
#include "skinbake/fit.h"
#include "skinbake/gltf.h"

namespace skinbake::cli {

// Throws Error (kInput, MEMORY_LIMIT) if the fit of a mesh needs more than --max-memory.
void require_memory(const FitOptions& options, const Asset& asset, const FitPlan& plan);

}  // namespace skinbake::cli
