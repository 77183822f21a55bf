// The animations of a baked GLB's JSON: one of each clip.

#pragma once

#include "caches/glb/write/json/accessor_arrays.h"
#include "caches/glb/write/layout.h"
#include "json/json_writer.h"

namespace skinbake {

// Writes the member `animations` of the open object, and adds the accessors of the animations.
void write_animations(const GlbLayout& layout, AccessorArrays& arrays, JsonWriter& json);

}  // namespace skinbake
