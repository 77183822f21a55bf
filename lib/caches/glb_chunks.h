// The two chunks of a GLB as our writer lays them out.

#pragma once

#include "base/random_access_file.h"
#include "caches/glb_document.h"
#include "caches/glb_numbers.h"

namespace skinbake {

// Where the text of the JSON chunk begins.
inline constexpr std::uint64_t kGlbJson = kGlbHeaderBytes + kChunkHeaderBytes;

// The JSON of a GLB that is a header, the JSON chunk and the binary chunk, which fill the file.
// Anything else is refused, as is JSON that is too large or not valid.
GlbDocument read_glb_document(const RandomAccessFile& file, const GlbRefusal& refuse);

}  // namespace skinbake
