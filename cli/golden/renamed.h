// Caches that have another name than their goldens.

#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "batch/goldens/golden.h"
#include "golden/sources.h"

namespace skinbake::cli {

// Pairs caches without a golden with goldens without a cache that have all their positions, and
// says so in the results of these caches. `left`: names of the goldens, of which those that pair
// are removed. Precondition: a result for each source, in their order.
void find_renamed(const std::vector<GoldenSource>& sources, const std::string& folder,
                  std::set<std::string>& left, std::vector<GoldenResult>& results);

}  // namespace skinbake::cli
