// From lanes to rows: a block is [vertex][axis][frame], files are [frame][vertex][axis].

#pragma once

#include <cstddef>

namespace skinbake {

// block: [number][16 frames], aligned to 64 bytes. Writes the first `frame_count` frames:
// rows[frame * row_stride + number], for count numbers.
void transpose_to_rows(const float* block, std::size_t count, int frame_count, float* rows,
                       std::size_t row_stride);

// The way back: rows of `frame_count` frames to a block, aligned to 64 bytes, whose lanes from
// `frame_count` on repeat the last frame.
void transpose_from_rows(const float* rows, std::size_t row_stride, std::size_t count,
                         int frame_count, float* block);

}  // namespace skinbake
