// The methods that `report --recommend` recommends for a library.

#pragma once

#include <span>
#include <string>

#include "report/options.h"
#include "report/read_report.h"

namespace skinbake::cli {

// What is printed, and whether a character, or all of them, have a method within the limits. A
// character by which no limit can be judged does not fail.
struct RecommendedMethods {
  std::string text;
  bool passed = true;
};
RecommendedMethods recommended_methods(const ReportOptions& options,
                                       std::span<const NamedReport> reports);

}  // namespace skinbake::cli
