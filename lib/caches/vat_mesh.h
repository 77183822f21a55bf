// The mesh that a vertex animation texture moves: frame 0, looking its vertices up with TEXCOORD_1.

#pragma once

#include "caches/vat_layout.h"
#include "skinbake/caches.h"

namespace skinbake {

// What the GLB beside the texture is opened with: one frame, and the looks of `header` with the
// lookup in them. The file's own TEXCOORD_1, 2, … become 2, 3, …, in its materials too; without a
// TEXCOORD_0, which glTF then wants, that is (0, 0) everywhere. Its normals are those of frame 0.
CacheHeader vat_mesh_header(const CacheHeader& header, const VatLayout& layout, bool with_normals);

}  // namespace skinbake
