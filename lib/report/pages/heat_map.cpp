// The heat map: frames across, joints down. Neighbouring cells of one shade are one rectangle; a
// column of a long clip shows its extreme value.

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "report/pages/html.h"
#include "report/pages/words.h"
#include "report/report_text.h"

namespace skinbake {

namespace {

constexpr std::size_t kHeatColumns = 160, kMostJoints = 40;
constexpr int kShades = 10;
constexpr double kLabelWidth = 130, kHeatWidth = 300, kRow = 14;
constexpr double kVisible = 1e-6;

// The extreme value of some frames.
double extreme(const Json& values, std::size_t first, std::size_t last) {
  double worst = 0;
  for (std::size_t k = first; k < last; ++k) {
    if (!is_drawable(values[k])) continue;
    const double value = values[k].get<double>();
    if (std::abs(value) > std::abs(worst)) worst = value;
  }
  return worst;
}

double extreme(const Number& part) {
  return std::abs(extreme(*part.series, 0, part.series->size()));
}

// The parts with series and the largest changes, by their first headline.
std::vector<Number> drawn_parts(const Run& run) {
  std::vector<Number> parts = parts_of(run);
  std::erase_if(parts, [&](const Number& part) {
    return part.series == nullptr || part.path != parts.front().path;
  });
  if (parts.size() <= kMostJoints) return parts;
  std::vector<double> all;
  for (const Number& part : parts) all.push_back(extreme(part));
  std::nth_element(all.begin(), all.begin() + kMostJoints - 1, all.end(), std::greater<>());
  const double least = all[kMostJoints - 1];
  std::erase_if(parts, [&](const Number& part) { return extreme(part) < least; });
  parts.resize(kMostJoints);
  return parts;
}

// The columns of a part as shares of the largest change: from -1 to 1.
std::vector<double> columns_of(const Json& values, double largest) {
  const std::size_t count = values.size();
  std::vector<double> columns(std::min(count, kHeatColumns));
  for (std::size_t c = 0; c < columns.size(); ++c) {
    columns[c] =
        extreme(values, c * count / columns.size(), (c + 1) * count / columns.size()) / largest;
  }
  return columns;
}

// The columns in thousandths, which page.js shows under the pointer; empty: all are 0.
std::string thousandths(const std::vector<double>& columns) {
  std::string text;
  bool is_still = true;
  for (const double share : columns) {
    const long thousandth = std::lround(share * 1000);
    is_still = is_still && thousandth == 0;
    text += (text.empty() ? "" : " ") + std::to_string(thousandth);
  }
  return is_still ? "" : text;
}

std::string heat_cell(int shade, double x, double y, double width) {
  return "<rect class=\"" + std::string(shade > 0 ? "loss" : "gain") + "\" x=\"" + coordinate(x) +
         "\" y=\"" + coordinate(y) + "\" width=\"" + coordinate(width) + "\" height=\"" +
         coordinate(kRow - 1) + "\" fill-opacity=\"" + coordinate(std::abs(shade) * 1.0 / kShades) +
         "\"/>";
}

std::string heat_row(const Number& part, double y, double largest) {
  constexpr std::size_t kLongestName = 20;
  const std::vector<double> columns = columns_of(*part.series, largest);
  const auto x = [&](std::size_t column) {
    return kLabelWidth +
           kHeatWidth * static_cast<double>(column) / static_cast<double>(columns.size());
  };
  const auto shade_of = [](double share) { return static_cast<int>(std::lround(share * kShades)); };
  std::string svg =
      "<g data-joint=\"" + escaped(shortened(part.part, kLongestKey)) + "\" data-values=\"" +
      thousandths(columns) + "\"><title>" + escaped(shortened(part.part, kLongestShown)) + ": " +
      escaped(read_with_unit(part.value, part.field.unit)) + " at most, " +
      escaped(place_words(*part.at)) + "</title><text x=\"" + coordinate(kLabelWidth - 6) +
      "\" y=\"" + coordinate(y + kRow / 2) + "\" class=\"left\">" +
      escaped(shortened(part.part, kLongestName)) + "</text><rect class=\"empty\" x=\"" +
      coordinate(kLabelWidth) + "\" y=\"" + coordinate(y) + "\" width=\"" + coordinate(kHeatWidth) +
      "\" height=\"" + coordinate(kRow - 1) + "\"/>";
  for (std::size_t c = 0; c < columns.size();) {
    const int shade = shade_of(columns[c]);
    std::size_t end = c + 1;
    while (end < columns.size() && shade_of(columns[end]) == shade) ++end;
    if (shade != 0) svg += heat_cell(shade, x(c), y, x(end) - x(c));
    c = end;
  }
  return svg + "</g>\n";
}

std::string heat_map(const Run& run, const std::vector<Number>& parts, double largest) {
  const FrameRange& frames = run.frames;
  const double height = kRow * static_cast<double>(parts.size());
  const std::string label = escaped(shortened(run.label, kLongestShown));
  std::string html = "<div>\n<h4><bdi>" + label +
                     "</bdi></h4>\n<svg class=\"heat\" viewBox=\"0 0 432 " +
                     coordinate(height + 20) + "\" role=\"img\" tabindex=\"0\" data-grid=\"" +
                     coordinate(kLabelWidth) + " " + coordinate(kHeatWidth) + " " +
                     coordinate(kRow) + "\" data-frames=\"" + std::to_string(frames.first_frame) +
                     " " + std::to_string(frames.frame_step) + " " +
                     std::to_string(frames.frame_count) + "\" data-full=\"" +
                     short_number(largest) + "\" data-unit=\"" + escaped(parts.front().field.unit) +
                     "\" aria-label=\"" + label + ": " + escaped(path_words(parts.front().path)) +
                     " of " + counted(parts.size(), "joint", "joints") + " over the frames\">\n";
  double y = 0;
  for (const Number& part : parts) {
    html += heat_row(part, y, largest);
    y += kRow;
  }
  return html + "<text x=\"" + coordinate(kLabelWidth) + "\" y=\"" + coordinate(height + 14) +
         "\">frame " + std::to_string(frames.first_frame) + "</text><text x=\"" +
         coordinate(kLabelWidth + kHeatWidth) + "\" y=\"" + coordinate(height + 14) +
         "\" class=\"end\">frame " +
         std::to_string(frames.frame(std::max<std::int64_t>(frames.frame_count - 1, 0))) +
         "</text>\n</svg>\n</div>\n";
}

}  // namespace

std::string heat_maps(std::span<const Run> runs) {
  double largest = 0;
  std::string html;
  std::vector<std::pair<const Run*, std::vector<Number>>> all;
  for (const Run& run : runs) {
    std::vector<Number> parts = drawn_parts(run);
    if (parts.empty()) continue;
    for (const Number& part : parts) largest = std::max(largest, extreme(part));
    all.emplace_back(&run, std::move(parts));
  }
  if (largest < kVisible) return "";
  for (const auto& [run, parts] : all) html += heat_map(*run, parts, largest);
  const Number& first = all.front().second.front();
  return "<figure>\n<figcaption>" + escaped(path_words(first.path)) +
         ": <span class=\"swatch loss\"></span> above 0, <span class=\"swatch gain\"></span> "
         "below 0; full colour is " +
         escaped(read_with_unit(largest, first.field.unit)) +
         "</figcaption>\n<div class=\"grid\">\n" + html + "</div>\n</figure>\n";
}

}  // namespace skinbake
