// --verify: reads the written rig back and measures it again.

#pragma once

#include <span>

#include "base/output_file.h"
#include "report/write/fit_report.h"
#include "skinbake/fit.h"
#include "skinbake/gltf.h"

namespace skinbake::cli {

// Returns the largest error. Throws Error (kOutput, VERIFICATION_FAILED) if the file cannot be
// read, if a mesh or a clip is missing, or if an error of the meshes is larger than its result
// states. `plans` and `results`: one for each mesh. The file is not committed yet.
FitReadBack verify_fit(const OutputFile& file, std::span<const FitPlan* const> plans,
                       std::span<const FitResult> results, const LoadOptions& load);

}  // namespace skinbake::cli
