// The check of one cache by its golden.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "batch/goldens/golden.h"

namespace skinbake::cli {

// Compares a cache with a golden. If the cache is missing, a sidecar with the golden's hash is
// enough. `limit_m`: of the sample; none: every position must be identical.
// Warns of a clip of another name. Throws Error; kNotComparable also if there is a limit, and the
// frames have other rates or numbers, another space, or clips in another order.
GoldenResult check_golden(const std::string& golden_path, const std::string& cache_path,
                          std::optional<double> limit_m);

}  // namespace skinbake::cli
