// The warning about a GLB with more morph targets than viewers show.

#pragma once

#include <span>

#include "skinbake/caches.h"

namespace skinbake {

// An issue, GLB_MANY_TARGETS, if meshes of the file have more targets. `headers`: those of a file.
Issues viewer_issues(std::span<const CacheHeader> headers);

}  // namespace skinbake
