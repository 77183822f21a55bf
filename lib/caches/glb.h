#pragma once

#include <memory>
#include <string>

#include "skinbake/caches.h"

namespace skinbake {

extern const CacheFormat kGlb;

// A GLB that belongs to another file, whose sidecar speaks for both: it has none of its own.
std::unique_ptr<CacheWriter> open_companion_glb(const std::string& path, const CacheHeader& header);

}  // namespace skinbake
