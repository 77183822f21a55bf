// What a cache's sidecar says, read back.

#pragma once

#include <optional>
#include <string>

#include "skinbake/caches.h"

namespace skinbake {

// Nothing if there is no sidecar, if it is stale (of another hash), or not as sidecar.h has it: a
// cache is readable without.
std::optional<CacheOrigin> read_origin(const CacheReader& cache);

}  // namespace skinbake
