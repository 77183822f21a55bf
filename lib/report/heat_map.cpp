// Frames across, joints down: what each joint's region loses (or gains) of its volume. Neighbouring
// cells of one shade are one rectangle. Long clips show the extreme of each column.

#include <algorithm>
#include <cmath>

#include "report/chart_scale.h"
#include "report/charts.h"
#include "report/escape.h"
#include "report/page_text.h"

namespace skinbake {

namespace {

constexpr std::int64_t kColumns = 160;
constexpr std::size_t kMostJoints = 40;
constexpr int kShades = 10;
constexpr double kLabel = 130, kWidth = 300, kRow = 14;  // labels, then cells

double extreme(const JointView& joint) {
  double largest = 0;
  for (const double loss : joint.loss) {
    if (is_drawable(loss)) largest = std::max(largest, std::abs(loss));
  }
  return largest;
}

// The joints with the largest changes, in the order of the report.
std::vector<const JointView*> worst_joints(const RunView& run) {
  std::vector<std::pair<double, const JointView*>> all;
  for (const JointView& joint : run.joints) all.emplace_back(extreme(joint), &joint);
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (all.size() > kMostJoints) all.resize(kMostJoints);
  std::vector<const JointView*> joints;
  for (const auto& [ignored, joint] : all) joints.push_back(joint);
  std::sort(joints.begin(), joints.end());  // they lie in one array
  return joints;
}

// From -kShades (gained) to kShades (lost).
int shade_of(const std::vector<double>& loss, const Bucket& columns, double largest) {
  double worst = 0;
  for (std::int64_t k = columns.first; k < columns.last; ++k) {
    const double value = loss[static_cast<std::size_t>(k)];
    if (is_drawable(value) && std::abs(value) > std::abs(worst)) worst = value;
  }
  return static_cast<int>(std::lround(worst / largest * kShades));
}

std::string cell(int shade, double x, double y, double width) {
  return "<rect class=\"" + std::string(shade > 0 ? "loss" : "gain") + "\" x=\"" + coordinate(x) +
         "\" y=\"" + coordinate(y) + "\" width=\"" + coordinate(width) + "\" height=\"" +
         coordinate(kRow - 1) + "\" fill-opacity=\"" + coordinate(std::abs(shade) * 1.0 / kShades) +
         "\"/>";
}

std::string row(const JointView& joint, double y, double largest) {
  constexpr std::size_t kLongestName = 20;
  const auto count = static_cast<std::int64_t>(joint.loss.size());
  const std::int64_t columns = std::min(count, kColumns);
  const auto x = [&](std::int64_t column) {
    return kLabel + kWidth * static_cast<double>(column) / static_cast<double>(columns);
  };
  const std::string place = place_text(joint.max_loss_at);
  std::string svg = "<g><title>" + escaped(joint.name) + ": " + with_unit(joint.max_loss, "1") +
                    " lost at most" + (place.empty() ? "" : ", " + place) + "</title><text x=\"" +
                    coordinate(kLabel - 6) + "\" y=\"" + coordinate(y + kRow / 2) +
                    "\" class=\"left\">" + escaped(shortened(joint.name, kLongestName)) +
                    "</text><rect class=\"empty\" x=\"" + coordinate(kLabel) + "\" y=\"" +
                    coordinate(y) + "\" width=\"" + coordinate(kWidth) + "\" height=\"" +
                    coordinate(kRow - 1) + "\"/>";
  for (std::int64_t c = 0; c < columns;) {
    const int shade = shade_of(joint.loss, bucket(c, columns, count), largest);
    std::int64_t end = c + 1;
    while (end < columns && shade_of(joint.loss, bucket(end, columns, count), largest) == shade)
      ++end;
    if (shade != 0) svg += cell(shade, x(c), y, x(end) - x(c));
    c = end;
  }
  return svg + "</g>\n";
}

std::string drawing(const Curve& curve, double largest) {
  const std::vector<const JointView*> joints = worst_joints(*curve.run);
  const FrameRange& frames = curve.run->frames;
  const double height = kRow * static_cast<double>(joints.size());
  const std::string label = escaped(curve.label);
  std::string html =
      "<div>\n<h4><bdi>" + label + "</bdi></h4>\n<svg class=\"heat\" viewBox=\"0 0 432 " +
      coordinate(height + 20) + "\" role=\"img\" aria-label=\"" + label + ": loss of volume at " +
      counted(joints.size(), "joint", "joints") + " over the frames\">\n";
  double y = 0;
  for (const JointView* joint : joints) {
    html += row(*joint, y, largest);
    y += kRow;
  }
  html += "<text x=\"" + coordinate(kLabel) + "\" y=\"" + coordinate(height + 14) + "\">frame " +
          std::to_string(frames.first_frame) + "</text><text x=\"" + coordinate(kLabel + kWidth) +
          "\" y=\"" + coordinate(height + 14) + "\" class=\"end\">frame " +
          std::to_string(frames.frame(frames.frame_count - 1)) + "</text>\n</svg>\n";
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
    for (const JointView& joint : curve.run->joints) largest = std::max(largest, extreme(joint));
  }
  constexpr double kRounding = 1e-6;  // of float32: no change at all
  if (largest < kRounding) return "";
  for (const Curve& curve : curves) {
    if (!curve.run->joints.empty()) html += drawing(curve, largest);
  }
  return "<figure>\n<figcaption>Volume around each joint: <span class=\"swatch loss\"></span> "
         "lost, "
         "<span class=\"swatch gain\"></span> gained; full colour is " +
         with_unit(largest, "1") + "</figcaption>\n<div class=\"grid\">\n" + html +
         "</div>\n</figure>\n";
}

}  // namespace skinbake
