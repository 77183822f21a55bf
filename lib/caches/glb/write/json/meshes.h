// The meshes of a baked GLB's JSON: primitives and their morph targets.

#pragma once

#include "caches/glb/write/json/accessor_arrays.h"
#include "caches/glb/write/layout.h"
#include "json/json_writer.h"

namespace skinbake {

// Writes the member `meshes` of the open object, and adds the accessors of the meshes.
void write_meshes(const GlbLayout& layout, AccessorArrays& arrays, JsonWriter& json);

}  // namespace skinbake
