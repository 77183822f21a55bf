#pragma once

#include <memory>
#include <string>

#include "skinbake/caches.h"

namespace skinbake {

// Opens a GLB that belongs to another cache. It does not get a sidecar: the sidecar of the cache
// describes both files. Throws Error (kOutput or kUsage).
std::unique_ptr<CacheWriter> open_auxiliary_glb(const std::string& path, const CacheHeader& header);

}  // namespace skinbake
