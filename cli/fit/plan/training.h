// The motions from which `fit --influences` learns.

#pragma once

#include <string>
#include <vector>

#include "fit/options.h"
#include "options/fit_training.h"
#include "skinbake/gltf.h"

namespace skinbake::cli {

// What the new influences of a fit learn from.
struct FitMotions {
  std::vector<const Clip*> clips;  // of the fit
  std::vector<const Clip*> more;   // ranges of motion; empty without --influences
  std::vector<std::string> names;  // "clips", "rom", "rom:arms"; empty without --influences
};

// Throws UsageError, if N:fit=… names something else than the clips of the fit and ranges of
// motion. The ranges live as long as `made`. Throws those of range_of_motion.
FitMotions fit_motions(const FitOptions& options, std::vector<const Clip*> clips,
                       FitTraining& made);

}  // namespace skinbake::cli
