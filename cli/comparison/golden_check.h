// The check of caches by their goldens, and its text.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "batch/goldens/golden.h"
#include "thresholds/thresholds.h"

namespace skinbake::cli {

// The extension of goldens.
inline constexpr const char* kGoldenExtension = ".golden";

// The golden of a cache in a folder of goldens.
std::string golden_path(const std::string& folder, const std::string& name);

// The limit of a golden: error.max in metres. Throws UsageError for another one.
void require_golden_limits(const Thresholds& thresholds);

// Compares a cache with a golden. If the cache is missing, a sidecar with the golden's hash is
// enough. `limit_m`: of the sample; none: every position must be identical.
// Warns of a clip of another name. Throws Error; kNotComparable also if there is a limit, and the
// frames have other rates or numbers, another space, or clips in another order.
GoldenResult check_golden(const std::string& golden_path, const std::string& cache_path,
                          std::optional<double> limit_m);

// ---- The results of a check as text for a terminal.

// "within 1e-05 m on the sample of 64 vertices: at most …", "identical, by its sidecar".
std::string golden_line(const GoldenResult& result, std::optional<double> limit_m);

// A line for each cache that is not identical, the worst first, and the counts.
std::string golden_results_text(std::vector<GoldenResult> results, std::optional<double> limit_m);

// Warns of the caches that pass although they are not identical, and if the text is not printed
// names the first of those that fail.
void log_golden_results(std::span<const GoldenResult> results, std::optional<double> limit_m,
                        bool is_quiet);

}  // namespace skinbake::cli
