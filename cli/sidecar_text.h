// What a cache's sidecar says, before anybody has proved that it is the cache's: that takes as long
// as reading the cache. What it says is believed only once CacheReader::origin() says the same.

#pragma once

#include <optional>
#include <string>

#include "skinbake/skinbake.h"

namespace skinbake::cli {

// None: there is no sidecar.
std::optional<std::string> sidecar_text(const CacheReader& cache);

// When its frames are and in which space; none: it does not say.
struct FrameKind {
  double fps = 0;
  Space space = Space::kScene;
};
std::optional<FrameKind> claimed_kind(const CacheReader& cache);

// A warning if there is a file of its name which is not the sidecar of the cache as it is now.
// Reads the whole cache, once.
Issues ignored_sidecar(const CacheReader& cache);

}  // namespace skinbake::cli
