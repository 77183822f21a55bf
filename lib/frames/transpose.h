// From lanes to rows: a block is [vertex][axis][frame], files are [frame][vertex][axis].

#pragma once

#include <cstddef>

namespace skinbake {

// block: [number][16 frames], aligned to 64 bytes. Writes the first `frame_count` frames:
// rows[frame * row_stride + number], for count numbers.
void transpose_to_rows(const float* block, std::size_t count, int frame_count, float* rows,
                       std::size_t row_stride);

}  // namespace skinbake
