// The warnings about meshes of a GLB with more morph targets than viewers show.

#pragma once

#include <span>
#include <string>

#include "skinbake/caches.h"

namespace skinbake {

// An issue, GLB_MANY_TARGETS, for each mesh of the file that has more targets. `headers`: those of
// the file at `path`.
Issues viewer_issues(const std::string& path, std::span<const CacheHeader> headers);

}  // namespace skinbake
