// The charts of the HTML page, as inline SVG without scripts, which is printed; uPlot draws the
// same curves again from its data (charts/charts.js). Colours are classes of page.css. Only + - * /
// are used, which have equal results on every machine.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "report/pages/html.h"
#include "report/pages/words.h"
#include "report/report_text.h"

namespace skinbake {

std::string coordinate(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, 1).ptr;
  std::string digits(text, end);
  if (digits.ends_with(".0")) digits.resize(digits.size() - 2);
  return digits == "-0" ? "0" : digits;
}

bool is_drawable(const Json& value) {
  constexpr double kLargest = 1e30;  // differences and products stay finite
  return value.is_number() && std::abs(value.get<double>()) <= kLargest;
}

namespace {

// From values to coordinates.
struct Scale {
  double low = 0, high = 0;  // of the values
  double from = 0, to = 1;   // their coordinates

  double operator()(double value) const {
    return from + (value - low) / (high - low) * (to - from);
  }
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
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
  // About five round numbers.
  std::vector<double> ticks() const {
    constexpr int kCount = 5;
    const double raw = (high - low) / kCount;
    double power = 1;
    while (power > raw) power /= 10;
    while (power * 10 <= raw) power *= 10;
    const double step = raw < 2 * power ? 2 * power : raw < 5 * power ? 5 * power : 10 * power;
    std::vector<double> all;
    const double first = std::ceil(low / step);
    // A step is longer than a fifth of the range, so that there are at most six numbers.
    for (int k = 0; k <= kCount && (first + k) * step <= high; ++k)
      all.push_back((first + k) * step);
    return all;
  }
};

constexpr std::size_t kColumns = 300;
constexpr double kLeft = 74, kRight = 630, kTop = 10, kBottom = 214;  // of 640 x 236

struct Curve {
  std::size_t number = 0;  // of the run
  const Run* run = nullptr;
  const Json* values = nullptr;

  double time_s(std::size_t k) const { return run->frames.time_s(static_cast<std::int64_t>(k)); }
};

struct Axes {
  Scale x, y;
};

// The positions of a series that are drawn, ascending. A long series is drawn by the lowest and the
// highest value of each column, which keeps every peak.
std::vector<std::size_t> drawn_positions(const Json& values) {
  const std::size_t count = values.size();
  const std::size_t columns = count <= 2 * kColumns ? count : kColumns;
  std::vector<std::size_t> positions;
  for (std::size_t c = 0; c < columns; ++c) {
    const std::size_t first = c * count / columns, last = (c + 1) * count / columns;
    std::size_t least = first, greatest = first;
    for (std::size_t k = first; k < last; ++k) {
      if (!is_drawable(values[k])) continue;
      const double value = values[k].get<double>();
      if (!is_drawable(values[least]) || value < values[least].get<double>()) least = k;
      if (!is_drawable(values[greatest]) || value > values[greatest].get<double>()) greatest = k;
    }
    positions.push_back(std::min(least, greatest));
    if (least != greatest) positions.push_back(std::max(least, greatest));
  }
  return positions;
}

Axes axes_of(const std::vector<Curve>& curves) {
  const double start = curves.front().time_s(0);
  Axes axes{{start, start, kLeft, kRight}, {0, 0, kBottom, kTop}};
  for (const Curve& curve : curves) {
    for (const Json& value : *curve.values) {
      if (is_drawable(value)) axes.y.include(value.get<double>());
    }
    axes.x.include(curve.time_s(0));
    axes.x.include(curve.time_s(curve.values->size() - 1));
  }
  axes.x.open();
  axes.y.open();
  return axes;
}

// The class of a curve: one of eight colours, with dashes from the ninth curve on.
std::string curve_class(std::size_t number) {
  constexpr std::size_t kColours = 8, kDashes = 4;
  return "curve c" + std::to_string(number % kColours) + " d" +
         std::to_string(number / kColours % kDashes);
}

// The path, and its values with six digits for the script; "-" is a value that cannot be drawn.
std::string curve_svg(const Curve& curve, const Axes& axes) {
  std::string path, frames, values;
  bool is_connected = false;
  for (const std::size_t k : drawn_positions(*curve.values)) {
    const Json& value = (*curve.values)[k];
    const std::string separator = frames.empty() ? "" : " ";
    frames += separator + std::to_string(curve.run->frames.frame(static_cast<std::int64_t>(k)));
    const bool is_drawn = is_drawable(value);
    values += separator + (is_drawn ? short_number(value.get<double>(), 6) : "-");
    if (is_drawn) {
      path += (is_connected ? "L" : "M") + coordinate(axes.x(curve.time_s(k))) + " " +
              coordinate(axes.y(value.get<double>()));
      if (!is_connected) path += "h0";  // draws a single value as a dot
    }
    is_connected = is_drawn;
  }
  const std::string label = escaped(shortened(curve.run->label, kLongestShown));
  return "<path class=\"" + curve_class(curve.number) + "\" data-name=\"" + label +
         "\" data-fps=\"" + short_number(curve.run->frames.fps) + "\" data-frames=\"" + frames +
         "\" data-values=\"" + values + "\" d=\"" + path + "\"><title>" + label +
         "</title></path>\n";
}

std::string grid_svg(const Axes& axes, std::string_view unit) {
  std::string svg;
  for (const double value : axes.y.ticks()) {
    const std::string y = coordinate(axes.y(value));
    svg += "<path class=\"rule\" d=\"M" + coordinate(kLeft) + " " + y + "H" + coordinate(kRight) +
           "\"/><text x=\"" + coordinate(kLeft - 6) + "\" y=\"" + y + "\" class=\"left\">" +
           escaped(read_with_unit(value, unit)) + "</text>";
  }
  for (const double time : axes.x.ticks()) {
    const std::string x = coordinate(axes.x(time));
    svg += "<path class=\"rule\" d=\"M" + x + " " + coordinate(kTop) + "V" + coordinate(kBottom) +
           "\"/><text x=\"" + x + "\" y=\"" + coordinate(kBottom + 16) + "\" class=\"below\">" +
           short_number(time) + " s</text>";
  }
  return svg + "\n";
}

std::string legend(const std::vector<Curve>& curves) {
  std::string html = "<ul class=\"legend\">";
  for (const Curve& curve : curves) {
    html += "<li><svg width=\"24\" height=\"10\" aria-hidden=\"true\"><path class=\"" +
            curve_class(curve.number) + "\" d=\"M2 5H22\"/></svg> " + isolated(curve.run->label) +
            "</li>";
  }
  return html + "</ul>\n";
}

// Whether a curve is more than the rounding of float32 positions.
bool is_visible(const Json& values, std::string_view unit) {
  const double rounding = unit == "1" ? 1e-6 : 0;
  return std::any_of(values.begin(), values.end(), [&](const Json& value) {
    return is_drawable(value) && std::abs(value.get<double>()) > rounding;
  });
}

}  // namespace

std::string line_chart(const std::string& path, std::span<const Run> runs) {
  std::vector<Curve> curves;
  std::string_view unit;
  bool is_any_visible = false;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (const RunSeries& series : series_of(runs[r])) {
      if (series.path != path) continue;
      unit = series.unit;
      curves.push_back({r, &runs[r], series.values});
      is_any_visible = is_any_visible || is_visible(*series.values, unit);
    }
  }
  if (!is_any_visible) return "";
  const Axes axes = axes_of(curves);
  const std::string title = escaped(path_words(path));
  std::string html =
      "<figure>\n<figcaption>" + title +
      "</figcaption>\n<svg class=\"chart\" viewBox=\"0 0 640 236\" role=\"img\" "
      "tabindex=\"0\" aria-label=\"" +
      title + " over time, " + counted(curves.size(), "curve", "curves") + ", at most " +
      escaped(read_with_unit(axes.y.high, unit)) + "\" data-unit=\"" + escaped(unit) +
      "\" data-fps=\"" + short_number(curves.front().run->frames.fps) + "\" data-clip=\"" +
      escaped(shortened(runs.front().clip, kLongestKey)) + "\">\n" + grid_svg(axes, unit);
  for (const Curve& curve : curves) html += curve_svg(curve, axes);
  return html + "</svg>\n" + legend(curves) + "</figure>\n";
}

}  // namespace skinbake
