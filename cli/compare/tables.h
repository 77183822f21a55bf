// The tables at the end of a comparison.

#pragma once

#include <string>

#include "report/report.h"

namespace skinbake::cli {

// The ranked methods, best first: a table for each mesh and clip, if there are few, and one over
// all.
std::string comparison_text(const Report& report);

// The candidates of --recommend, cheapest first, and the recommended method. Empty without
// --recommend.
std::string recommendation_text(const Report& report);

// A paragraph for each explained vertex.
std::string explanations_text(const Report& report);

}  // namespace skinbake::cli
