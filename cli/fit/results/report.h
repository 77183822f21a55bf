// The report of a run of `skinbake fit`.

#pragma once

#include <string>
#include <vector>

#include "fit/options.h"
#include "report/write/fit_report.h"
#include "skinbake/gltf.h"

namespace skinbake::cli {

// The fits of all meshes, and for each what was chosen, and the bytes that it adds.
struct Fits {
  std::vector<FitResult> results;
  std::vector<std::optional<FitChoice>> choices;
  std::vector<FitBytes> bytes;
};

// Without its output and issues. `targets`: paths of caches. The report points to `fits`.
FitReport report_of(const FitOptions& options, const Asset& asset,
                    const std::vector<std::string>& targets, const Fits& fits);

}  // namespace skinbake::cli
