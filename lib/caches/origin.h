// What a cache's sidecar says, read back.

#pragma once

#include <optional>
#include <string>

#include "skinbake/caches.h"

namespace skinbake {

// Nothing if there is no sidecar, if it is stale (of another hash), or not as sidecar.h has it: a
// cache is readable without.
// `chosen_mesh`: the id of the cache's mesh, if its file has several.
std::optional<CacheOrigin> read_origin(const CacheReader& cache, const std::string& chosen_mesh);

}  // namespace skinbake
