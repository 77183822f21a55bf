// The JSON of a baked GLB.

#pragma once

#include <string>

#include "caches/glb/write/layout.h"

namespace skinbake {

// The JSON text of a layout. Precondition: all ranges and bounds of the layout are set.
std::string glb_json(const GlbLayout& layout);

}  // namespace skinbake
