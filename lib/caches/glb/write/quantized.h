#pragma once

#include <memory>

#include "caches/glb/write/file.h"

namespace skinbake {

// Makes the writer of one mesh of a file with quantize=1. The writer has a prepass.
std::unique_ptr<CacheWriter> make_quantized_writer(std::shared_ptr<GlbFile> file,
                                                   std::size_t index);

}  // namespace skinbake
