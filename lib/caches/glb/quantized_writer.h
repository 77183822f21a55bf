#pragma once

#include <memory>
#include <vector>

#include "caches/glb/file.h"

namespace skinbake {

// Makes the writers of the clips of one mesh of a file with quantize=1. They have a prepass.
std::vector<std::unique_ptr<CacheWriter>> make_quantized_writers(
    const std::shared_ptr<GlbFile>& file, std::size_t mesh);

}  // namespace skinbake
