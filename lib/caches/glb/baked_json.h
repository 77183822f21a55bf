// The JSON of a baked GLB: the document of its meshes with the frames of the layout.

#pragma once

#include <string>
#include <string_view>

#include "caches/glb/layout.h"

namespace skinbake {

// The beginning of the JSON, which only baked GLBs have; the version follows.
inline constexpr std::string_view kBakedGlbBeginning = R"({"asset":{"generator":"skinbake )";

// The JSON text of a layout. Precondition: all ranges and bounds of the layout are set.
std::string glb_json(const GlbLayout& layout);

}  // namespace skinbake
