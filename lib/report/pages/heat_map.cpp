// The heat map: frames across, joints down. Neighbouring cells of one shade are one rectangle; a
// column of a long clip shows its extreme value.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "report/pages/charts.h"
#include "report/pages/drawing.h"
#include "report/pages/escape.h"
#include "report/pages/numbers.h"
#include "report/pages/page_text.h"
#include "report/pages/pairs.h"

namespace skinbake {

namespace {

constexpr std::int64_t kHeatColumns = 160;
constexpr std::size_t kMostJoints = 40;
constexpr int kShades = 10;
constexpr double kLabelWidth = 130, kHeatWidth = 300, kRow = 14;

// The largest loss or gain.
double extreme(const ParsedJoint& joint) {
  double largest = 0;
  for (const double loss : joint.loss) {
    if (is_drawable(loss)) largest = std::max(largest, std::abs(loss));
  }
  return largest;
}

// The joints with the largest changes, in the order of the report.
std::vector<const ParsedJoint*> worst_joints(const ParsedRun& run) {
  std::vector<std::pair<double, const ParsedJoint*>> all;
  for (const ParsedJoint& joint : run.joints) all.emplace_back(extreme(joint), &joint);
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (all.size() > kMostJoints) all.resize(kMostJoints);
  std::vector<const ParsedJoint*> joints;
  for (const auto& [ignored, joint] : all) joints.push_back(joint);
  std::sort(joints.begin(), joints.end());  // by address: they are elements of one array
  return joints;
}

// The largest loss or gain in some frames.
double extreme_in(const std::vector<double>& loss, const Bucket& frames) {
  double worst = 0;
  for (std::int64_t k = frames.first; k < frames.last; ++k) {
    const double value = loss[static_cast<std::size_t>(k)];
    if (is_drawable(value) && std::abs(value) > std::abs(worst)) worst = value;
  }
  return worst;
}

// The columns of a joint as parts of the largest change: from -1, gained, to 1, lost.
std::vector<double> columns_of(const ParsedJoint& joint, double largest) {
  const auto count = static_cast<std::int64_t>(joint.loss.size());
  std::vector<double> columns(static_cast<std::size_t>(std::min(count, kHeatColumns)));
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto index = static_cast<std::int64_t>(c),
               all = static_cast<std::int64_t>(columns.size());
    columns[c] = extreme_in(joint.loss, bucket(index, all, count)) / largest;
  }
  return columns;
}

int shade_of(double part) {
  return static_cast<int>(std::lround(part * kShades));
}

// The columns in thousandths, which page.js shows under the pointer; empty: all are 0.
std::string thousandths(const std::vector<double>& columns) {
  std::string text;
  bool is_still = true;
  for (const double part : columns) {
    const long thousandth = std::lround(part * 1000);
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

std::string heat_row(const ParsedJoint& joint, double y, double largest) {
  constexpr std::size_t kLongestName = 20;
  const std::vector<double> columns = columns_of(joint, largest);
  const auto x = [&](std::size_t column) {
    return kLabelWidth +
           kHeatWidth * static_cast<double>(column) / static_cast<double>(columns.size());
  };
  const std::string place = place_text(joint.max_loss_at, escaped);
  std::string svg =
      "<g data-joint=\"" + escaped(shortened(joint.name, kLongestKey)) + "\" data-loss=\"" +
      thousandths(columns) + "\"><title>" + escaped(shortened(joint.name, kLongestShown)) + ": " +
      read_with_unit(joint.max_loss, "1") + " lost at most" + (place.empty() ? "" : ", " + place) +
      "</title><text x=\"" + coordinate(kLabelWidth - 6) + "\" y=\"" + coordinate(y + kRow / 2) +
      "\" class=\"left\">" + escaped(shortened(joint.name, kLongestName)) +
      "</text><rect class=\"empty\" x=\"" + coordinate(kLabelWidth) + "\" y=\"" + coordinate(y) +
      "\" width=\"" + coordinate(kHeatWidth) + "\" height=\"" + coordinate(kRow - 1) + "\"/>";
  for (std::size_t c = 0; c < columns.size();) {
    const int shade = shade_of(columns[c]);
    std::size_t end = c + 1;
    while (end < columns.size() && shade_of(columns[end]) == shade) ++end;
    if (shade != 0) svg += heat_cell(shade, x(c), y, x(end) - x(c));
    c = end;
  }
  return svg + "</g>\n";
}

std::string heat_map(const Curve& curve, double largest) {
  const std::vector<const ParsedJoint*> joints = worst_joints(*curve.run);
  const FrameRange& frames = curve.run->frames;
  const double height = kRow * static_cast<double>(joints.size());
  const std::string label = escaped(curve.label);
  std::string html =
      "<div>\n<h4><bdi>" + label + "</bdi></h4>\n<svg class=\"heat\" viewBox=\"0 0 432 " +
      coordinate(height + 20) + "\" role=\"img\" tabindex=\"0\" data-grid=\"" +
      coordinate(kLabelWidth) + " " + coordinate(kHeatWidth) + " " + coordinate(kRow) +
      "\" data-frames=\"" + std::to_string(frames.first_frame) + " " +
      std::to_string(frames.frame_step) + " " + std::to_string(frames.frame_count) +
      "\" data-full=\"" + short_number(largest) + "\" aria-label=\"" + label +
      ": loss of volume at " + counted(joints.size(), "joint", "joints") + " over the frames\">\n";
  double y = 0;
  for (const ParsedJoint* joint : joints) {
    html += heat_row(*joint, y, largest);
    y += kRow;
  }
  html += "<text x=\"" + coordinate(kLabelWidth) + "\" y=\"" + coordinate(height + 14) +
          "\">frame " + std::to_string(frames.first_frame) + "</text><text x=\"" +
          coordinate(kLabelWidth + kHeatWidth) + "\" y=\"" + coordinate(height + 14) +
          "\" class=\"end\">frame " + std::to_string(frames.frame(frames.frame_count - 1)) +
          "</text>\n</svg>\n";
  if (joints.size() < curve.run->joints.size()) {
    html += "<p>" + counted(curve.run->joints.size() - joints.size(), "joint", "joints") +
            " with smaller changes not shown.</p>\n";
  }
  return html + "</div>\n";
}

}  // namespace

std::string heat_maps(std::span<const Curve> curves) {
  double largest = 0;
  std::string html;
  for (const Curve& curve : curves) {
    for (const ParsedJoint& joint : curve.run->joints) largest = std::max(largest, extreme(joint));
  }
  if (largest < kRoundingRatio) return "";
  for (const Curve& curve : curves) {
    if (!curve.run->joints.empty()) html += heat_map(curve, largest);
  }
  return "<figure>\n<figcaption>Volume around each joint: <span class=\"swatch loss\"></span> "
         "lost, "
         "<span class=\"swatch gain\"></span> gained; full colour is " +
         read_with_unit(largest, "1") + "</figcaption>\n<div class=\"grid\">\n" + html +
         "</div>\n</figure>\n";
}

}  // namespace skinbake
