// The JSON of a baked GLB: the document of its meshes with the frames of the layout.

#pragma once

#include <string>

#include "caches/glb/layout.h"

namespace skinbake {

// The JSON text of a layout. Precondition: all ranges and bounds of the layout are set.
std::string glb_json(const GlbLayout& layout);

}  // namespace skinbake
