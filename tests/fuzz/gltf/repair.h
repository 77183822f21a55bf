// Makes a changed glTF file consistent, so that its changed values reach the code behind the
// loader's checks.

#pragma once

#include "gltf/gltf_file.h"

namespace skinbake::fuzz {

// Replaces indices out of range, lengths past a buffer, forms that an accessor's use does not
// allow, cycles of nodes, key times that do not ascend and numbers that are not finite. Values that
// are allowed stay, also unusual ones.
void repair(GltfFile& file);

}  // namespace skinbake::fuzz
