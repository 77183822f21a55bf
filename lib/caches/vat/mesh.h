// The static mesh beside a vertex animation texture: frame 0, with the texture lookup as
// TEXCOORD_1.

#pragma once

#include "caches/vat/layout.h"
#include "skinbake/caches.h"

namespace skinbake {

// The header of the GLB beside the texture: one frame, and the materials of `header` with the
// lookup added. The file's TEXCOORD_1, 2, … become 2, 3, …, in its materials too. A mesh without
// TEXCOORD_0, which glTF requires before TEXCOORD_1, gets one of (0, 0). Normals are those of frame
// 0.
CacheHeader vat_mesh_header(const CacheHeader& header, const VatLayout& layout, bool with_normals);

}  // namespace skinbake
