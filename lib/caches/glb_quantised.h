#pragma once

#include <memory>

#include "caches/glb_mesh_writer.h"

namespace skinbake {

// A writer of `quantize=1`. The lattice depends on all frames, so they are surveyed first.
std::unique_ptr<CacheWriter> make_quantised_writer(std::shared_ptr<GlbFile> file,
                                                   std::size_t index);

}  // namespace skinbake
