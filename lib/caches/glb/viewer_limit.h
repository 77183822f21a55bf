// The number of morph targets that viewers show. A GLB may hold more.

#pragma once

#include <cstdint>
#include <span>

#include "skinbake/caches.h"

namespace skinbake {

// three.js (and <model-viewer>, which contains it) and Babylon.js store the targets of a mesh as
// the layers of a WebGL texture array. Graphics cards have at most 2048 layers
// (MAX_ARRAY_TEXTURE_LAYERS); a texture with more is not created, and the mesh stands still.
inline constexpr std::int64_t kMaxViewerTargets = 2048;

// An issue, GLB_MANY_TARGETS, if meshes of the file have more targets. `headers`: those of a file.
Issues viewer_issues(std::span<const CacheHeader> headers);

}  // namespace skinbake
