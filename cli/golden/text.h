// The results of a check of goldens as text for a terminal.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "batch/goldens/golden.h"

namespace skinbake::cli {

// "within 1e-05 m on the sample of 64 vertices: at most …", "identical, by its sidecar".
std::string golden_line(const GoldenResult& result, std::optional<double> limit_m);

// A line for each cache that is not identical, the worst first, and the counts.
std::string golden_results_text(std::vector<GoldenResult> results, std::optional<double> limit_m);

// Warns of the caches that pass although they are not identical, and if the text is not printed
// names the first of those that fail.
void log_golden_results(std::span<const GoldenResult> results, std::optional<double> limit_m,
                        bool is_quiet);

// "left out as rigs or clips: 'hero.glb', 'ogre.vrm' and 3 more", or nothing.
std::string left_out_text(const std::vector<std::string>& names);

}  // namespace skinbake::cli
