// The results of a fit as text.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "skinbake/fit.h"
#include "skinbake/tool/fit_report.h"

namespace skinbake::cli {

// A table: for each mesh and clip the error before and after, with the place of the largest one.
std::string table_of(std::span<const FitResult> results);

// Lines with the helper joints, and with the distances of fitted influences; empty without either.
std::string joints_of(const FitReport& report);

// A line for each mesh for which helper joints or correctives alone were chosen, with the reason.
std::string choices_of(const FitReport& report);

// "mesh 'Body', clip 'run': 0.0012 m in frame 7 at vertex 3012 exceeds 0.001 m with 64 correctives;
// …" for the clip with the largest error. Precondition: the bound is not met.
std::string excess_of(const FitResult& result);

// What is not as a user may expect: collapses, and a bound that is exceeded between the frames.
// `file`: of the rig.
Issues issues_of(const FitResult& result, const std::string& file);

// The bytes of the positions of all vertices and frames in float32.
std::uint64_t cache_bytes(std::span<const FitResult> results);

}  // namespace skinbake::cli
