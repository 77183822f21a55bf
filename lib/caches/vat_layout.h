// Where a vertex animation texture has a vertex in a frame.
//
// Both layouts cut the vertices into strips of W:
//
//   unreal    the strips of a frame follow one another: row = frame * strips + i div W
//             strips = ceil(V / 4096), W = ceil(V / strips), H = F * strips
//   openvat   the frames of a strip follow one another: row = (i div W) * F + frame
//             W and H are powers of two, 64 … 8192, no more than twice one another if that can be,
//             of the smallest area
//
// Unreal: the plugin AnimToTexture of Unreal Engine 5. OpenVAT: openvat.org.

#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "caches/vat_options.h"

namespace skinbake {

struct VatLayout {
  VatOptions::Layout kind = VatOptions::Layout::kUnreal;
  std::int64_t vertices = 0, frames = 0;
  std::int64_t width = 0, height = 0;  // texels
  std::int64_t strips = 0;             // rows per frame

  struct Place {
    std::int64_t frame = 0;
    std::int64_t first_vertex = 0, count = 0;  // 0: the row is empty
  };
  Place row(std::int64_t y) const;

  // Where frame 0 of a vertex is looked up, v from the top.
  std::array<float, 2> texcoord(std::int64_t vertex) const;
};

// Throws Error (kUsage) if the texture would be larger than 8192 texels.
VatLayout plan_vat(const std::string& path, VatOptions::Layout kind, std::int64_t vertices,
                   std::int64_t frames);

}  // namespace skinbake
