// `skinbake fit hero.glb --clip run --method dqs --max-error 0.001 -o hero_fit.glb`: writes a rig
// whose linear blending reproduces another method.

#pragma once

#include "fit/options.h"

namespace skinbake::cli {

// Returns the exit code. Throws Error and UsageError.
int run_fit(FitOptions options);

}  // namespace skinbake::cli
