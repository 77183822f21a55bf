// The drawings of the HTML page, as inline SVG that needs no script. Colours are classes of
// page.css, so that they suit light and dark pages.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skinbake/report_view.h"

namespace skinbake {

// A run of a report, as charts show it.
struct Curve {
  std::string label;  // not escaped
  const MeshView* mesh = nullptr;
  const RunView* run = nullptr;
};

// What a line chart is of.
struct LineChart {
  std::string title;
  std::string_view section, series;  // of a run
};

// Each returns a <figure>, or nothing if no curve has such values.
std::string line_chart(const LineChart& chart, std::span<const Curve> curves);
std::string histograms(std::span<const Curve> curves);  // of the vertices' largest errors
std::string heat_maps(std::span<const Curve> curves);   // joints over frames, by loss of volume

// The class of the curve with this number: a colour, and from the ninth on dashes.
std::string curve_class(std::size_t number);

}  // namespace skinbake
