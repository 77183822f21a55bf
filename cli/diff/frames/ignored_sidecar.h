#pragma once

#include "skinbake/skinbake.h"

namespace skinbake::cli {

// A warning if a sidecar exists that does not belong to the cache in its present state. Reads the
// whole cache, once.
Issues ignored_sidecar(const CacheReader& cache);

}  // namespace skinbake::cli
