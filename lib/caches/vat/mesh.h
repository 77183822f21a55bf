// The static mesh beside a vertex animation texture: frame 0, with the texture lookup as
// TEXCOORD_1.

#pragma once

#include <memory>
#include <string>

#include "caches/vat/layout.h"
#include "skinbake/caches.h"

namespace skinbake {

// Opens the GLB beside the texture: one frame, with the lookup added. The file's TEXCOORD_1, 2, …
// become 2, 3, …, in its materials too. A mesh without TEXCOORD_0 gets one of (0, 0), because glTF
// requires it before TEXCOORD_1. Normals are of frame 0. Throws Error (kOutput or kUsage).
std::unique_ptr<CacheWriter> open_vat_mesh(const std::string& path, const CacheHeader& header,
                                           const VatLayout& layout, bool with_normals);

}  // namespace skinbake
