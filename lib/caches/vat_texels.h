// The texels of a vertex animation texture that is written, as its format's library decodes them.

#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace skinbake {

struct TexelCounts {
  std::int64_t width = 0, height = 0;
};

// Takes row y, from the top: [x][red, green, blue], 0 … 1.
using TakeTexels = std::function<void(std::int64_t y, const float* texels)>;

// One row is in memory at a time. Throw Error (kInput) if it is no such image, or not of this size.
void read_exr_texels(const std::string& path, const TexelCounts& counts, const TakeTexels& take);
void read_png_texels(const std::string& path, const TexelCounts& counts, const TakeTexels& take);

}  // namespace skinbake
