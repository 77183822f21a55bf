#pragma once

#include <memory>
#include <string>

#include "skinbake/caches.h"

namespace skinbake {

// Opens a GLB as `bake` writes it; its meshes are one point set, one after another. Anything else
// is refused by name. Throws Error (kInput).
std::unique_ptr<CacheReader> open_glb_cache(const std::string& path);

}  // namespace skinbake
