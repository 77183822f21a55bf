// How the vertices' largest errors are distributed: a small drawing for each run, all of one scale.
// Most vertices err little, so that heights are square roots of counts.

#include <array>
#include <cmath>

#include "report/chart_scale.h"
#include "report/charts.h"
#include "report/escape.h"
#include "report/page_text.h"

namespace skinbake {

namespace {

constexpr std::size_t kBins = 32;
constexpr double kWidth = 320, kTop = 6, kBottom = 96;  // of 320 x 116

using Counts = std::array<std::int64_t, kBins>;

Counts counts_of(const std::vector<double>& values, double largest) {
  Counts counts{};
  for (const double value : values) {
    if (!is_drawable(value) || value < 0) continue;
    const auto bin = static_cast<std::size_t>(value / largest * kBins);
    ++counts[std::min(bin, kBins - 1)];
  }
  return counts;
}

std::string bars(const Counts& counts, double largest, double most) {
  constexpr double kBar = kWidth / kBins;
  std::string svg;
  for (std::size_t b = 0; b < kBins; ++b) {
    if (counts[b] == 0) continue;
    const double height =
        std::sqrt(static_cast<double>(counts[b])) / std::sqrt(most) * (kBottom - kTop);
    const double from = static_cast<double>(b) * largest / kBins;
    svg += "<rect x=\"" + coordinate(static_cast<double>(b) * kBar) + "\" y=\"" +
           coordinate(kBottom - height) + "\" width=\"" + coordinate(kBar - 1) + "\" height=\"" +
           coordinate(height) + "\"><title>" + short_number(from) + " to " +
           with_unit(from + largest / kBins, "m") + ": " +
           counted(static_cast<std::size_t>(counts[b]), "vertex", "vertices") + "</title></rect>\n";
  }
  return svg;
}

std::string drawing(const Curve& curve, const Counts& counts, double largest, double most) {
  const std::string label = escaped(curve.label);
  return "<div>\n<h4><bdi>" + label +
         "</bdi></h4>\n<svg class=\"bars\" viewBox=\"0 0 320 116\" role=\"img\" aria-label=\"" +
         label + ": vertices by their largest error, from 0 to " + with_unit(largest, "m") +
         "\">\n" + bars(counts, largest, most) + "<path class=\"axis\" d=\"M0 " +
         coordinate(kBottom) + "H" + coordinate(kWidth) +
         "\"/><text x=\"0\" y=\"112\">0</text><text x=\"" + coordinate(kWidth) +
         "\" y=\"112\" class=\"end\">" + with_unit(largest, "m") + "</text>\n</svg>\n</div>\n";
}

}  // namespace

std::string histograms(std::span<const Curve> curves) {
  ValueRange range;
  for (const Curve& curve : curves) range.include(curve.run->vertex_max);
  if (!(range.high > 0)) return "";
  std::vector<std::pair<const Curve*, Counts>> all;
  std::int64_t most = 1;
  for (const Curve& curve : curves) {
    if (curve.run->vertex_max.empty()) continue;
    all.emplace_back(&curve, counts_of(curve.run->vertex_max, range.high));
    for (const std::int64_t count : all.back().second) most = std::max(most, count);
  }
  std::string html =
      "<figure>\n<figcaption>Vertices by their largest error, square-root heights; the highest bar "
      "is " +
      counted(static_cast<std::size_t>(most), "vertex", "vertices") +
      "</figcaption>\n<div class=\"grid\">\n";
  for (const auto& [curve, counts] : all) {
    html += drawing(*curve, counts, range.high, static_cast<double>(most));
  }
  return html + "</div>\n</figure>\n";
}

}  // namespace skinbake
