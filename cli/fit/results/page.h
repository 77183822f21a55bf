// The web page of a fit: linear blending before, after, and the target, as three runs of a report.

#pragma once

#include <vector>

#include "fit/options.h"
#include "report/write/fit_report.h"
#include "skinbake/fit.h"

namespace skinbake::cli {

// The pages of --html, --markdown and --junit, in the order of PageOptions::given(). They measure
// the fit of every clip once more. `plans`: one for each mesh.
std::vector<std::string> fit_pages(const FitOptions& options, const FitReport& fit,
                                   const std::vector<const FitPlan*>& plans);

}  // namespace skinbake::cli
