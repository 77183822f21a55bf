// What a fit found, and the page that shows it.

#pragma once

#include <string>
#include <vector>

#include "fit/options.h"
#include "report/write/fit_report.h"
#include "skinbake/error.h"
#include "skinbake/fit.h"
#include "skinbake/gltf.h"

namespace skinbake::cli {

// ---- What a fit finds: bounds that are exceeded, collapses, and clips that get worse.

// Prints the meshes that exceed their bound, and returns them as issues.
Issues check_bounds(const FitOptions& options, const Asset& asset,
                    const std::vector<FitResult>& results);

// Surprises: collapses, and a bound that is exceeded between the frames. `file`: of the rig.
Issues issues_of(const FitResult& result, const std::string& file);

// What the fit does to the clips that it does not contain.
FitLeftOut measure_others(const FitOptions& options, const Asset& asset, const FitPlan& plan,
                          const FitResult& result);

// A finding for each clip outside the fit that its changes make worse, or that is not measured.
Issues issues_of(const FitLeftOut& left_out, const FitOptions& options, const FitPlan& plan,
                 const FitResult& result, const std::string& file);

// ---- The web page of a fit: linear blending before, after, and the target, as three runs of a
// report.

// The forms of the report. Pages measure the fit of every clip once more. `plans`: one for each
// mesh. All must outlive the result.
ReportTexts fit_texts(const FitOptions& options, const FitReport& fit,
                      const std::vector<const FitPlan*>& plans);

// Returns work(). An error about a helper joint or a position that is not finite then names the
// file and the mesh's node. `remedy`: for an error about a position, what else helps.
template <class Work>
auto with_clip_remedy(const std::string& file, const Rig& rig, const std::string& remedy,
                      const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    const bool is_position = error.code() == "NON_FINITE_POSITION";
    const bool is_of_mesh = is_position || error.code() == "HELPERS_IMPOSSIBLE";
    if (!is_of_mesh || !error.location().file.empty()) throw;
    throw Error(error.code(), error.message() + (is_position ? ", " + remedy : ""),
                {file, "/nodes/" + std::to_string(rig.node)}, error.remedy());
  }
}

}  // namespace skinbake::cli
