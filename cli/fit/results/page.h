// The web page of a fit: linear blending before, after, and the target, as three runs of a report.

#pragma once

#include <vector>

#include "fit/options.h"
#include "report/write/fit_report.h"
#include "skinbake/fit.h"

namespace skinbake::cli {

// The forms of the report. Pages measure the fit of every clip once more. `plans`: one for each
// mesh. All must outlive the result.
ReportTexts fit_texts(const FitOptions& options, const FitReport& fit,
                      const std::vector<const FitPlan*>& plans);

}  // namespace skinbake::cli
