// The memory of a baked GLB that is being written, from its counts.

#pragma once

#include <span>
#include <string>

#include "skinbake/caches.h"

namespace skinbake {

// An upper bound for the writers of a GLB, before anything is allocated. `headers`: [mesh][clip].
// Throws Error (kUsage) as plan_glb does.
CacheMemory glb_memory(const std::string& path, std::span<const CacheHeader> headers);

}  // namespace skinbake
