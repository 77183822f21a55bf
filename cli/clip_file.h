// --clip FILE[#ID]: clips from another file.

#pragma once

#include "bake_options.h"
#include "skinbake/skinbake.h"

namespace skinbake::cli {

// If --clip names a file, the asset's clips become those of the file that were asked for, matched
// to the rig by name (--map); the options then ask for all of them. Throws Error.
void use_clip_file(BakeOptions& options, Asset& asset);

}  // namespace skinbake::cli
