#include "report/pages/charts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "report/pages/drawing.h"
#include "report/pages/escape.h"
#include "report/pages/numbers.h"
#include "report/pages/page_text.h"
#include "report/pages/pairs.h"

namespace skinbake {

namespace {

// ---- Scales: from values to coordinates. Only + - * / and square roots, which have equal results
// on every machine.

struct Scale {
  double low = 0, high = 1;  // of the values
  double from = 0, to = 1;   // their coordinates
  double operator()(double value) const {
    return from + (value - low) / (high - low) * (to - from);
  }
};

// The range of the drawable values and zero.
struct ValueRange {
  double low = 0, high = 0;

  void include(double value) {
    if (!is_drawable(value)) return;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  void include(std::span<const double> values) {
    for (const double value : values) include(value);
  }
  // Widens a range that is empty, or that rounding would make empty: at 2^53, adding 1 changes
  // nothing.
  void open() {
    constexpr double kSmallest = 1e-30;  // quotients stay finite
    constexpr double kSmallestShare = 1e-9, kWidenedShare = 1e-6;
    const double farthest = std::max(std::abs(low), std::abs(high));
    if (high - low >= std::max(kSmallest, kSmallestShare * farthest)) return;
    high = low + std::max(1.0, kWidenedShare * farthest);
  }
};

// About five round numbers within a range that is open.
std::vector<double> ticks(double low, double high) {
  constexpr int kCount = 5;
  const double raw = (high - low) / kCount;
  double power = 1;
  while (power > raw) power /= 10;
  while (power * 10 <= raw) power *= 10;
  const double step = raw < 2 * power ? 2 * power : raw < 5 * power ? 5 * power : 10 * power;
  std::vector<double> all;
  const double first = std::ceil(low / step);
  // A step is longer than a fifth of the range, so that there are at most six numbers.
  for (int k = 0; k <= kCount && (first + k) * step <= high; ++k) all.push_back((first + k) * step);
  return all;
}

// ---- Line chart

constexpr std::int64_t kLineColumns = 300;
constexpr double kLeft = 74, kRight = 630, kTop = 10, kBottom = 214;  // of 640 x 236

struct Drawn {
  std::size_t number = 0;  // index of the curve
  const ParsedSeries* series = nullptr;
  const FrameRange* frames = nullptr;
};

struct Axes {
  Scale x, y;
  std::string_view unit;
};

// The positions of a series that are drawn, ascending. A long series is drawn by the lowest and the
// highest value of each column, which keeps every peak.
std::vector<std::int64_t> drawn_positions(const std::vector<double>& values) {
  const auto count = static_cast<std::int64_t>(values.size());
  std::vector<std::int64_t> positions;
  const std::int64_t columns = count <= 2 * kLineColumns ? count : kLineColumns;
  for (std::int64_t c = 0; c < columns; ++c) {
    const Bucket b = bucket(c, columns, count);
    std::int64_t least = b.first, greatest = b.first;
    for (std::int64_t k = b.first; k < b.last; ++k) {
      const double value = values[static_cast<std::size_t>(k)];
      if (!is_drawable(value)) continue;
      const double low = values[static_cast<std::size_t>(least)];
      const double high = values[static_cast<std::size_t>(greatest)];
      if (!is_drawable(low) || value < low) least = k;
      if (!is_drawable(high) || value > high) greatest = k;
    }
    positions.push_back(std::min(least, greatest));
    if (least != greatest) positions.push_back(std::max(least, greatest));
  }
  return positions;
}

std::string path_of(const Drawn& drawn, const Axes& axes) {
  std::string path;
  bool is_connected = false;
  for (const std::int64_t k : drawn_positions(drawn.series->values)) {
    const double value = drawn.series->values[static_cast<std::size_t>(k)];
    if (!is_drawable(value)) {
      is_connected = false;
      continue;
    }
    path += (is_connected ? "L" : "M") + coordinate(axes.x(drawn.frames->time_s(k))) + " " +
            coordinate(axes.y(value));
    if (!is_connected) path += "h0";  // draws a single value as a dot
    is_connected = true;
  }
  return path;
}

// The values that are drawn with six digits, and their frames, for the script that draws the curve
// again; "-" is a value that cannot be drawn.
std::string data_of(const Drawn& drawn) {
  std::string frames, values;
  for (const std::int64_t k : drawn_positions(drawn.series->values)) {
    const double value = drawn.series->values[static_cast<std::size_t>(k)];
    const std::string separator = frames.empty() ? "" : " ";
    frames += separator + std::to_string(drawn.frames->frame(k));
    values += separator + (is_drawable(value) ? short_number(value, 6) : "-");
  }
  return "data-fps=\"" + short_number(drawn.frames->fps) + "\" data-frames=\"" + frames +
         "\" data-values=\"" + values + "\"";
}

std::string grid(const Axes& axes) {
  std::string svg;
  for (const double value : ticks(axes.y.low, axes.y.high)) {
    const std::string y = coordinate(axes.y(value));
    svg += "<path class=\"rule\" d=\"M" + coordinate(kLeft) + " " + y + "H" + coordinate(kRight) +
           "\"/><text x=\"" + coordinate(kLeft - 6) + "\" y=\"" + y + "\" class=\"left\">" +
           escaped(read_with_unit(value, axes.unit)) + "</text>";
  }
  for (const double time : ticks(axes.x.low, axes.x.high)) {
    const std::string x = coordinate(axes.x(time));
    svg += "<path class=\"rule\" d=\"M" + x + " " + coordinate(kTop) + "V" + coordinate(kBottom) +
           "\"/><text x=\"" + x + "\" y=\"" + coordinate(kBottom + 16) + "\" class=\"below\">" +
           short_number(time) + " s</text>";
  }
  return svg + "\n";
}

Axes axes_of(const std::vector<Drawn>& all) {
  Axes axes;
  ValueRange values;
  ValueRange times{all.front().frames->time_s(0), all.front().frames->time_s(0)};
  for (const Drawn& drawn : all) {
    values.include(drawn.series->values);
    times.include(drawn.frames->time_s(0));
    times.include(drawn.frames->time_s(drawn.frames->frame_count - 1));
  }
  values.open();
  times.open();
  axes.x = {times.low, times.high, kLeft, kRight};
  axes.y = {values.low, values.high, kBottom, kTop};
  return axes;
}

// The class of a curve: one of eight colours, with dashes from the ninth curve on.
std::string curve_class(std::size_t number) {
  constexpr std::size_t kColours = 8, kDashes = 4;
  return "curve c" + std::to_string(number % kColours) + " d" +
         std::to_string(number / kColours % kDashes);
}

std::string legend(const std::vector<Drawn>& all, std::span<const Curve> curves) {
  std::string html = "<ul class=\"legend\">";
  for (const Drawn& drawn : all) {
    html += "<li><svg width=\"24\" height=\"10\" aria-hidden=\"true\"><path class=\"" +
            curve_class(drawn.number) + "\" d=\"M2 5H22\"/></svg> <bdi>" +
            escaped(curves[drawn.number].label) + "</bdi></li>";
  }
  return html + "</ul>\n";
}

// ---- Histogram

constexpr std::size_t kBins = 32;
constexpr double kBarsWidth = 320, kBarsTop = 6, kBarsBottom = 96;  // of 320 x 116

using BinCounts = std::array<std::int64_t, kBins>;

BinCounts bin_counts(const std::vector<double>& values, double largest) {
  BinCounts counts{};
  for (const double value : values) {
    if (!is_drawable(value) || value < 0) continue;
    const auto bin = static_cast<std::size_t>(value / largest * kBins);
    ++counts[std::min(bin, kBins - 1)];
  }
  return counts;
}

std::string counted_vertices(const ParsedRun& run, std::int64_t count) {
  const auto of = static_cast<std::size_t>(count);
  return run.compares_points() ? counted(of, "point", "points") : counted(of, "vertex", "vertices");
}

// Heights are square roots of counts, because most vertices have small errors.
std::string bars(const ParsedRun& run, const BinCounts& counts, double largest, double most) {
  constexpr double kBar = kBarsWidth / kBins;
  std::string svg;
  for (std::size_t b = 0; b < kBins; ++b) {
    if (counts[b] == 0) continue;
    const double height =
        std::sqrt(static_cast<double>(counts[b])) / std::sqrt(most) * (kBarsBottom - kBarsTop);
    const double from = static_cast<double>(b) * largest / kBins;
    svg += "<rect x=\"" + coordinate(static_cast<double>(b) * kBar) + "\" y=\"" +
           coordinate(kBarsBottom - height) + "\" width=\"" + coordinate(kBar - 1) +
           "\" height=\"" + coordinate(height) + "\"><title>" + short_number(from) + " to " +
           with_unit(from + largest / kBins, "m") + ": " + counted_vertices(run, counts[b]) +
           "</title></rect>\n";
  }
  return svg;
}

std::string histogram(const Curve& curve, const BinCounts& counts, double largest, double most) {
  const std::string label = escaped(curve.label);
  return "<div>\n<h4><bdi>" + label +
         "</bdi></h4>\n<svg class=\"bars\" viewBox=\"0 0 320 116\" role=\"img\" aria-label=\"" +
         label + (curve.run->compares_points() ? ": points" : ": vertices") +
         " by their largest error, from 0 to " + with_unit(largest, "m") + "\">\n" +
         bars(*curve.run, counts, largest, most) + "<path class=\"axis\" d=\"M0 " +
         coordinate(kBarsBottom) + "H" + coordinate(kBarsWidth) +
         "\"/><text x=\"0\" y=\"112\">0</text><text x=\"" + coordinate(kBarsWidth) +
         "\" y=\"112\" class=\"end\">" + with_unit(largest, "m") + "</text>\n</svg>\n</div>\n";
}

// Whether a run is the reference of its own errors, which are 0 in every frame.
bool is_own_reference(const ParsedRun& run) {
  return run.method == run.reference;
}

// Whether a series is the rounding of float32 positions: ratios below 1e-6, or errors below 1e-6 of
// the mesh's diagonal. Series of other sections are always drawn.
bool changes_by_rounding(const Curve& curve, std::string_view section, const ParsedSeries& series) {
  if (section != "volume" && section != "error") return false;
  const double scale = section == "error" ? curve.mesh->bbox_diagonal_m : 1;
  if (!(scale > 0)) return false;
  return std::none_of(series.values.begin(), series.values.end(), [&](double value) {
    return is_drawable(value) && std::abs(value) >= kRoundingRatio * scale;
  });
}

}  // namespace

std::string line_chart(const LineChart& chart, std::span<const Curve> curves) {
  std::vector<Drawn> all;
  std::string_view unit;
  bool is_rounding = true;
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const ParsedSection* section = curves[c].run->section(chart.section);
    const ParsedSeries* series = section == nullptr ? nullptr : section->series(chart.series);
    if (series == nullptr) continue;
    if (chart.section == "error" && is_own_reference(*curves[c].run)) continue;
    unit = unit_of(*section, chart.series);
    is_rounding = is_rounding && changes_by_rounding(curves[c], chart.section, *series);
    all.push_back({c, series, &curves[c].run->frames});
  }
  if (all.empty() || is_rounding) return "";
  Axes axes = axes_of(all);
  axes.unit = unit;
  std::string html =
      "<figure>\n<figcaption>" + escaped(chart.title) + "</figcaption>\n" +
      "<svg class=\"chart\" viewBox=\"0 0 640 236\" role=\"img\" tabindex=\"0\" aria-label=\"" +
      escaped(chart.title) + " over time, " + counted(all.size(), "curve", "curves") +
      ", at most " + escaped(read_with_unit(axes.y.high, unit)) + "\" data-unit=\"" +
      escaped(unit) + "\" data-fps=\"" + short_number(all.front().frames->fps) + "\" data-clip=\"" +
      escaped(shortened(curves.front().run->clip, kLongestKey)) + "\">\n" + grid(axes);
  for (const Drawn& drawn : all) {
    html += "<path class=\"" + curve_class(drawn.number) + "\" data-name=\"" +
            escaped(curves[drawn.number].label) + "\" " + data_of(drawn) + " d=\"" +
            path_of(drawn, axes) + "\"><title>" + escaped(curves[drawn.number].label) +
            "</title></path>\n";
  }
  return html + "</svg>\n" + legend(all, curves) + "</figure>\n";
}

std::string histograms(std::span<const Curve> curves) {
  ValueRange range;
  for (const Curve& curve : curves) range.include(curve.run->vertex_max);
  if (!(range.high > 0)) return "";
  std::vector<std::pair<const Curve*, BinCounts>> all;
  std::int64_t most = 1;
  for (const Curve& curve : curves) {
    if (curve.run->vertex_max.empty()) continue;
    all.emplace_back(&curve, bin_counts(curve.run->vertex_max, range.high));
    for (const std::int64_t count : all.back().second) most = std::max(most, count);
  }
  const ParsedRun& run = *all.front().first->run;
  std::string html = std::string("<figure>\n<figcaption>") +
                     (run.compares_points() ? "Points" : "Vertices") +
                     " by their largest error, square-root heights; the highest bar is " +
                     counted_vertices(run, most) + "</figcaption>\n<div class=\"grid\">\n";
  for (const auto& [curve, counts] : all) {
    html += histogram(*curve, counts, range.high, static_cast<double>(most));
  }
  return html + "</div>\n</figure>\n";
}

}  // namespace skinbake
