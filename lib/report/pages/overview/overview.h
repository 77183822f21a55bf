// The page of a library: many reports at one look.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/read/parsed_report.h"

namespace skinbake {

// More reports than these are not legible side by side.
inline constexpr std::size_t kMostSideBySide = 8;

struct OverviewInput {
  std::span<const ParsedReport> reports;
  // [report] The address of the report's own page, relative to the overview; empty: none.
  std::span<const std::string> links;
  // [report] The report's own HTML page, which the overview contains and shows; empty: none.
  std::span<const std::string> pages;
  // Reports whose values are subtracted, paired by the names of rig, clip and method; may be empty.
  std::span<const ParsedReport> against;
};

// A warning for each older report of which no rig, clip and method is in the newer ones.
Issues unpaired_reports(std::span<const ParsedReport> reports,
                        std::span<const ParsedReport> against);

// An HTML page with a matrix of characters and clips (or methods), coloured by a measurement, and a
// list of the worst places. A character is a rig; the worst of its meshes counts. Equal reports
// give equal bytes. All names are escaped.
std::string to_overview(const OverviewInput& input);

}  // namespace skinbake
