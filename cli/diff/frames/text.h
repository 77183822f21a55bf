// The text that `diff` of frames prints.

#pragma once

#include <string>
#include <vector>

#include "skinbake/caches.h"
#include "skinbake/report.h"

namespace skinbake::cli {

// The difference of two caches, in the only run of the report. `parts`: the meshes of a cache of
// several.
std::string difference_text(const Report& report, const std::vector<CachePart>& parts);

}  // namespace skinbake::cli
