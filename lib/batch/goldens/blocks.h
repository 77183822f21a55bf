// The blocks of frames of a cache, as goldens hash them.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "batch/goldens/golden.h"

namespace skinbake {

// The cache in metres, +Y up; `turned` owns it if the cache is not.
const FrameSource& in_metres(const CacheReader& cache, std::unique_ptr<FrameSource>& turned);

// Calls `take` with each block: the position of its first frame, the number of its frames, its rows
// [frame][vertex][axis].
void for_each_block(const FrameSource& source,
                    const std::function<void(std::int64_t first, std::int64_t count,
                                             const std::vector<float>&)>& take);

std::string hash_of_block(const std::vector<float>& rows);

// Whether the vertices of a sample are all there, in every frame, but some at other indices: each
// has a vertex of the source with its positions.
bool is_reordered(const Golden& golden, const FrameSource& source);

}  // namespace skinbake
