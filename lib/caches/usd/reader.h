// The reader of USD text as `bake` writes it, for verification. It is not a general USD parser.

#pragma once

#include <memory>
#include <string>

#include "skinbake/caches.h"

namespace skinbake {

// Opens the time samples of one mesh. `mesh`: position in the file. Throws Error (kInput) if the
// samples do not belong to `frames`.
std::unique_ptr<StoredFrames> read_usda(const std::string& path, std::size_t mesh,
                                        const FrameRange& frames);

}  // namespace skinbake
