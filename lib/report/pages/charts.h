// The charts of the HTML page, as inline SVG without scripts. Colours are classes of page.css,
// which has a light and a dark theme.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/read/parsed_report.h"

namespace skinbake {

// A run of a report and its label in legends.
struct Curve {
  std::string label;       // not escaped
  std::size_t report = 0;  // position of the report
  const ParsedMesh* mesh = nullptr;
  const ParsedRun* run = nullptr;
};

struct LineChart {
  std::string title;
  std::string_view section, series;  // the values: a series of a section of each run
};

// Each function returns a <figure>, or an empty string if no curve has the values.

// Values over time, one curve per run.
std::string line_chart(const LineChart& chart, std::span<const Curve> curves);

// The distribution of the vertices' largest errors, one drawing per run.
std::string histograms(std::span<const Curve> curves);

// The loss of volume around each joint over the frames, one drawing per run.
std::string heat_maps(std::span<const Curve> curves);

}  // namespace skinbake
