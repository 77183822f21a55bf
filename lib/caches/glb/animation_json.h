// The animation of a clip in a baked GLB, as JSON.

#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>

#include "caches/glb/accessor_json.h"
#include "caches/glb/layout.h"

namespace skinbake {

// Adds the accessors of the clip to `arrays`. Returns the element of `animations`.
nlohmann::json animation_json(const GlbLayout& layout, std::size_t clip, AccessorArrays& arrays);

}  // namespace skinbake
