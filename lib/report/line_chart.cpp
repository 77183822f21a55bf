// Curves over time, one for each run. Long series are drawn by the least and the greatest value of
// each column, so that no peak is lost.

#include <optional>

#include "report/chart_scale.h"
#include "report/charts.h"
#include "report/escape.h"
#include "report/page_text.h"

namespace skinbake {

namespace {

constexpr std::int64_t kColumns = 300;
constexpr double kLeft = 74, kRight = 630, kTop = 10, kBottom = 214;  // of 640 x 236

struct Drawn {
  std::size_t number = 0;  // of the curve
  const SeriesView* series = nullptr;
  const FrameRange* frames = nullptr;
};

struct Axes {
  Scale x, y;
  std::string_view unit;
};

// Which positions of the series are drawn, in order.
std::vector<std::int64_t> drawn_positions(const std::vector<double>& values) {
  const auto count = static_cast<std::int64_t>(values.size());
  std::vector<std::int64_t> positions;
  const std::int64_t columns = count <= 2 * kColumns ? count : kColumns;
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
  bool is_down = false;
  for (const std::int64_t k : drawn_positions(drawn.series->values)) {
    const double value = drawn.series->values[static_cast<std::size_t>(k)];
    if (!is_drawable(value)) {
      is_down = false;
      continue;
    }
    path += (is_down ? "L" : "M") + coordinate(axes.x(drawn.frames->time_s(k))) + " " +
            coordinate(axes.y(value));
    if (!is_down) path += "h0";  // a single value is a dot
    is_down = true;
  }
  return path;
}

std::string grid(const Axes& axes) {
  std::string svg;
  for (const double value : ticks(axes.y.low, axes.y.high)) {
    const std::string y = coordinate(axes.y(value));
    svg += "<path class=\"rule\" d=\"M" + coordinate(kLeft) + " " + y + "H" + coordinate(kRight) +
           "\"/><text x=\"" + coordinate(kLeft - 6) + "\" y=\"" + y + "\" class=\"left\">" +
           escaped(with_unit(value, axes.unit)) + "</text>";
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

std::string data_of(const Scale& scale) {
  return short_number(scale.low) + " " + short_number(scale.high) + " " + short_number(scale.from) +
         " " + short_number(scale.to);
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

}  // namespace

std::string curve_class(std::size_t number) {
  constexpr std::size_t kColours = 8, kDashes = 4;
  return "curve c" + std::to_string(number % kColours) + " d" +
         std::to_string(number / kColours % kDashes);
}

std::string line_chart(const LineChart& chart, std::span<const Curve> curves) {
  std::vector<Drawn> all;
  std::string_view unit;
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const SectionView* section = curves[c].run->section(chart.section);
    const SeriesView* series = section == nullptr ? nullptr : section->series(chart.series);
    if (series == nullptr) continue;
    unit = unit_of(*section, chart.series);
    all.push_back({c, series, &curves[c].run->frames});
  }
  if (all.empty()) return "";
  Axes axes = axes_of(all);
  axes.unit = unit;
  std::string html =
      "<figure>\n<figcaption>" + escaped(chart.title) + "</figcaption>\n" +
      "<svg class=\"chart\" viewBox=\"0 0 640 236\" role=\"img\" tabindex=\"0\" aria-label=\"" +
      escaped(chart.title) + " over time, " + counted(all.size(), "curve", "curves") +
      ", at most " + escaped(with_unit(axes.y.high, unit)) + "\" data-x=\"" + data_of(axes.x) +
      "\" data-y=\"" + data_of(axes.y) + "\" data-unit=\"" + escaped(unit) + "\" data-fps=\"" +
      short_number(all.front().frames->fps) + "\">\n" + grid(axes);
  for (const Drawn& drawn : all) {
    html += "<path class=\"" + curve_class(drawn.number) + "\" data-name=\"" +
            escaped(curves[drawn.number].label) + "\" d=\"" + path_of(drawn, axes) + "\"><title>" +
            escaped(curves[drawn.number].label) + "</title></path>\n";
  }
  return html + "</svg>\n" + legend(all, curves) + "</figure>\n";
}

}  // namespace skinbake
