// What formats ask of a header that hold a mesh and not only its positions.

#pragma once

#include <string>

#include "skinbake/caches.h"

namespace skinbake {

// `format`: "GLB". Throws Error (kUsage) if the cache is not made from a rig, or not in our axes.
void require_rig(const std::string& format, const std::string& path, const CacheHeader& header);

}  // namespace skinbake
