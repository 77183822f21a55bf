// The memory of a fit.

#pragma once

#include <vector>

#include "fit/options.h"
#include "fit/plan/mesh_fit.h"
#include "skinbake/gltf.h"

namespace skinbake::cli {

// Throws Error (kInput, MEMORY_LIMIT) if the fits of the meshes, one after another, and the file
// with all of them need more than --max-memory. Precondition: there is a mesh.
void require_memory(const FitOptions& options, const Asset& asset,
                    const std::vector<MeshFit>& meshes);

}  // namespace skinbake::cli
