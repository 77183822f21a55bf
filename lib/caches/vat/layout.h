// The layout of a vertex animation texture: which texel belongs to a vertex in a frame.
//
// Both layouts cut the vertices into strips of W:
//
//   unreal    the strips of a frame follow one another: row = frame * strips + i div W
//             strips = ceil(V / 4096), W = ceil(V / strips), H = F * strips
//   openvat   the frames of a strip follow one another: row = (i div W) * F + frame
//             W and H are powers of two, 64 … 8192, of the smallest area; if possible, neither is
//             more than twice the other
//
// Here i is the vertex, V and F count vertices and frames. Sources: the plugin AnimToTexture of
// Unreal Engine 5 (unreal); openvat.org (openvat).

#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "caches/vat/options.h"

namespace skinbake {

struct VatLayout {
  VatOptions::Layout kind = VatOptions::Layout::kUnreal;
  std::int64_t vertices = 0, frames = 0;
  std::int64_t width = 0, height = 0;  // texels
  std::int64_t strips = 0;             // rows per frame

  // The vertices of a row: one strip in one frame.
  struct Row {
    std::int64_t frame = 0;
    std::int64_t first_vertex = 0, count = 0;  // count 0: the row is empty
  };
  Row row(std::int64_t y) const;

  // The texture coordinates of a vertex in frame 0: the centre of its texel, v from the top.
  std::array<float, 2> texcoord(std::int64_t vertex) const;
};

// Throws Error (kUsage, CACHE_TOO_LARGE) if a side of the texture would exceed 8192 texels.
VatLayout plan_vat(const std::string& path, VatOptions::Layout kind, std::int64_t vertices,
                   std::int64_t frames);

}  // namespace skinbake
