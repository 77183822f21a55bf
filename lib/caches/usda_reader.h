// USD text as `bake` writes it, for `verify`; other programs' has many more ways to say the same.

#pragma once

#include <memory>
#include <string>

#include "skinbake/caches.h"

namespace skinbake {

// The samples of a mesh, by its place in the file. Throws Error (kInput) if they are not of
// `frames`.
std::unique_ptr<StoredFrames> read_usda(const std::string& path, std::size_t mesh,
                                        const FrameRange& frames);

}  // namespace skinbake
