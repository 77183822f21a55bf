// A cache that was written with --up or --scale, in metres and y up again.

#pragma once

#include <memory>

#include "skinbake/skinbake.h"

namespace skinbake::cli {

// Null if the cache's sidecar is stale, says nothing of its axes, or says that they are ours. Of a
// cache whose axes are other ones, all is read, for the sidecar's hash. `cache` must outlive it.
std::unique_ptr<FrameSource> turned_cache(const CacheReader& cache);

}  // namespace skinbake::cli
