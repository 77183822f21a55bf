#pragma once

#include <memory>
#include <string>

#include "skinbake/caches.h"

namespace skinbake {

// Opens a GLB as `bake` writes it: `mesh` of it, by its id, or all of its meshes, one after
// another, if that is empty or there is only one. Anything else is refused by name. Throws Error
// (kInput; kUsage if there is no such mesh).
std::unique_ptr<CacheReader> open_glb_cache(const std::string& path, const std::string& mesh);

}  // namespace skinbake
