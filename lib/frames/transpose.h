// Transposes between blocks, [vertex][axis][frame], and the rows of files, [frame][vertex][axis].

#pragma once

#include <cstddef>

namespace skinbake {

// Writes rows[frame * row_stride + i] for the first `frame_count` frames and i < count.
// `block`: [i][frame] of 16 frames, aligned to 64 bytes.
void transpose_to_rows(const float* block, std::size_t count, int frame_count, float* rows,
                       std::size_t row_stride);

// The inverse: writes `frame_count` rows to a block, aligned to 64 bytes. Lanes from `frame_count`
// on repeat the last frame.
void transpose_from_rows(const float* rows, std::size_t row_stride, std::size_t count,
                         int frame_count, float* block);

}  // namespace skinbake
