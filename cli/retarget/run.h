// `skinbake retarget run.glb hero.glb -o hero_run.glb`: writes a rig with the clip of another
// character.

#pragma once

#include "retarget/options.h"

namespace skinbake::cli {

// Returns the exit code. Throws Error and UsageError.
int run_retarget(RetargetCommandOptions options);

}  // namespace skinbake::cli
