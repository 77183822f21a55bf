#include "report/pages/html/places.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "report/pages/escape.h"
#include "report/pages/numbers.h"
#include "report/pages/page_text.h"
#include "report/pages/table.h"

namespace skinbake {

namespace {

constexpr std::size_t kMostPlaces = 5;
constexpr std::size_t kMostMethods = 8;  // whose values are beside a place
constexpr std::size_t kLongestName = 60;
constexpr int kPlaceDigits = 3;  // of coordinates and times

// A method's value at a place.
struct Rival {
  const Curve* curve = nullptr;
  double value = 0;
  std::optional<double> peak;  // the largest in the clip, if `value` is that of a frame
};

struct WorstPlace {
  const Pair* pair = nullptr;
  const Curve* curve = nullptr;  // the run with the largest value
  double value = 0;
  std::string_view unit;  // for with_unit()
  ParsedPlace at;
  std::string title;          // HTML
  std::string when;           // of the rivals' values: "in this frame"
  std::vector<Rival> rivals;  // of every method
};

// The value of a series in a frame of its run; none: not measured there.
std::optional<double> value_in(const std::vector<double>& values, const FrameRange& frames,
                               std::int64_t frame) {
  const std::int64_t offset = frame - frames.first_frame;
  if (offset < 0 || offset % frames.frame_step != 0) return {};
  const auto k = static_cast<std::size_t>(offset / frames.frame_step);
  if (k >= values.size() || !std::isfinite(values[k])) return {};
  return values[k];
}

// ---- Joints

const ParsedJoint* joint_of(const ParsedRun& run, const std::string& name) {
  const auto found = std::find_if(run.joints.begin(), run.joints.end(),
                                  [&](const ParsedJoint& joint) { return joint.name == name; });
  return found == run.joints.end() ? nullptr : &*found;
}

// The largest loss of each joint of a mesh over its clips and methods, the worst first.
std::vector<WorstPlace> worst_joints(std::span<const Pair> pairs) {
  std::map<std::pair<std::string_view, std::string_view>, WorstPlace> worst;  // [mesh, joint]
  for (const Pair& pair : pairs) {
    for (const Curve& curve : pair.curves) {
      for (const ParsedJoint& joint : curve.run->joints) {
        if (!joint.max_loss || !joint.max_loss_at || !(*joint.max_loss >= kRoundingRatio)) continue;
        WorstPlace& place = worst[{pair.mesh, joint.name}];
        if (place.pair != nullptr && *joint.max_loss <= place.value) continue;
        place = {&pair, &curve, *joint.max_loss, "1", *joint.max_loss_at, "", "in this frame", {}};
        place.at.joint = joint.name;
      }
    }
  }
  std::vector<WorstPlace> all;
  for (auto& [ignored, place] : worst) all.push_back(std::move(place));
  std::stable_sort(all.begin(), all.end(),
                   [](const WorstPlace& a, const WorstPlace& b) { return a.value > b.value; });
  return all;
}

void finish_joint(WorstPlace& place) {
  place.title =
      "volume lost at <bdi>" + escaped(shortened(place.at.joint, kLongestName)) + "</bdi>";
  for (const Curve& curve : place.pair->curves) {
    const ParsedJoint* joint = joint_of(*curve.run, place.at.joint);
    if (joint == nullptr) continue;
    const auto value = value_in(joint->loss, curve.run->frames, place.at.frame);
    if (value) place.rivals.push_back({&curve, *value, joint->max_loss});
  }
}

// ---- Numbers of sections

// The largest value of a number over all runs. `is_rounding`: whether a run's value is left out.
std::optional<WorstPlace> worst_number(std::span<const Pair> pairs, const char* section,
                                       const char* number,
                                       const std::function<bool(const ParsedRun&)>& is_rounding) {
  std::optional<WorstPlace> worst;
  for (const Pair& pair : pairs) {
    for (const Curve& curve : pair.curves) {
      const ParsedNumber* value = number_of(*curve.run, section, number);
      if (value == nullptr || !value->value || !value->at || is_rounding(*curve.run)) continue;
      if (worst && *value->value <= worst->value) continue;
      worst = {&pair,
               &curve,
               *value->value,
               unit_of(*curve.run->section(section), number),
               *value->at,
               "",
               "",
               {}};
    }
  }
  return worst;
}

std::optional<WorstPlace> worst_triangle(std::span<const Pair> pairs) {
  constexpr double kAtRest = 4;  // the symmetric Dirichlet energy of an undistorted triangle
  auto worst = worst_number(pairs, "triangle_distortion", "worst", [](const ParsedRun& run) {
    return *number_of(run, "triangle_distortion", "worst")->value < kAtRest + kRoundingRatio;
  });
  if (!worst) return worst;
  worst->title = "largest distortion of a triangle (4 at rest): " + escaped(worst->at.element);
  worst->when = "worst triangle of the clip";
  for (const Curve& curve : worst->pair->curves) {
    const ParsedNumber* value = number_of(*curve.run, "triangle_distortion", "worst");
    if (value != nullptr && value->value) worst->rivals.push_back({&curve, *value->value, {}});
  }
  return worst;
}

std::optional<WorstPlace> worst_vertex(std::span<const Pair> pairs) {
  auto worst = worst_number(pairs, "error", "max", [](const ParsedRun& run) {
    const ParsedNumber* relative = number_of(run, "error", "max_relative");
    return run.method == run.reference ||
           (relative != nullptr && relative->value && *relative->value < kRoundingRatio);
  });
  if (!worst || !(worst->value > 0)) return {};
  worst->title = "from <bdi>" + escaped(shortened(worst->curve->run->reference, kLongestName)) +
                 "</bdi> at " + escaped(worst->at.element);
  worst->when = "farthest in this frame";
  for (const Curve& curve : worst->pair->curves) {
    if (curve.run->method == curve.run->reference) continue;
    const ParsedSection* section = curve.run->section("error");
    const ParsedSeries* series = section == nullptr ? nullptr : section->series("max");
    if (series == nullptr) continue;
    const auto value = value_in(series->values, curve.run->frames, worst->at.frame);
    const ParsedNumber* peak = section->number("max");
    if (value) {
      worst->rivals.push_back({&curve, *value, peak == nullptr ? std::nullopt : peak->value});
    }
  }
  return worst;
}

// ---- HTML

std::string amount_text(double value, std::string_view unit) {
  if (unit == "1" && std::abs(value) < kRoundingRatio) return "0 %";
  if (unit == "m" && std::abs(value) < 1) return read_with_unit(1000 * value, "mm");
  return read_with_unit(value, unit);
}

// A bar whose length is a share of the place's value.
std::string bar(double share) {
  const double width = std::clamp(share, 0.0, 1.0) * 60;
  return "<svg class=\"bar\" viewBox=\"0 0 60 4\" preserveAspectRatio=\"none\" "
         "aria-hidden=\"true\"><rect width=\"60\" "
         "height=\"4\" class=\"rest\"/><rect width=\"" +
         short_number(width, kPlaceDigits) + "\" height=\"4\"/></svg>";
}

std::string rivals_html(const WorstPlace& place) {
  if (place.rivals.size() < 2) return "";
  const bool has_peaks = std::any_of(place.rivals.begin(), place.rivals.end(),
                                     [](const Rival& rival) { return rival.peak.has_value(); });
  std::string html = "<span class=\"rivals\"><span class=\"when\">" + place.when +
                     (has_peaks ? ", and at worst in the clip" : "") + "</span>";
  const std::size_t shown = std::min(place.rivals.size(), kMostMethods);
  for (std::size_t r = 0; r < shown; ++r) {
    const Rival& rival = place.rivals[r];
    html += "<span class=\"rival\"><bdi>" + escaped(shortened(rival.curve->label, kLongestName)) +
            "</bdi> " + amount_text(rival.value, place.unit) + bar(rival.value / place.value) +
            (rival.peak
                 ? "<span class=\"peak\">worst " + amount_text(*rival.peak, place.unit) + "</span>"
                 : "") +
            "</span>";
  }
  return html + "</span>";
}

std::string attribute(const char* name, const std::string& value) {
  return value.empty()
             ? ""
             : std::string(" data-") + name + "=\"" + escaped(shortened(value, kLongestKey)) + "\"";
}

std::string place_html(const WorstPlace& place) {
  const ParsedRun& run = *place.curve->run;
  const std::string frame = std::to_string(place.at.frame);
  const std::string time =
      short_number(static_cast<double>(place.at.frame) / run.frames.fps, kPlaceDigits) + " s";
  return "<li><button type=\"button\" class=\"place\" data-frame=\"" + frame + "\"" +
         attribute("clip", run.clip) + attribute("mesh", place.curve->mesh->id) +
         attribute("method", run.method) + attribute("joint", place.at.joint) +
         attribute("element", place.at.element) + "><span><span class=\"amount\">" +
         amount_text(place.value, place.unit) + "</span> <span class=\"what\">" + place.title +
         "</span></span> <span class=\"where\"><bdi>" +
         escaped(shortened(place.curve->label, kLongestName)) + "</bdi>, " +
         (place.at.pose.empty() ? "" : isolated(shortened(place.at.pose, kLongestName)) + ", ") +
         "frame " + frame + " (" + time + "), mesh " +
         isolated(shortened(place.pair->mesh, kLongestName)) + ", " +
         (run.clip.empty() ? "rest pose" : "clip " + isolated(shortened(run.clip, kLongestName))) +
         "</span>" + rivals_html(place) + "</button></li>\n";
}

}  // namespace

std::string worst_places(std::span<const Pair> pairs) {
  if (pairs.empty()) return "";
  std::vector<WorstPlace> places = worst_joints(pairs);
  std::optional<WorstPlace> triangle = worst_triangle(pairs), vertex = worst_vertex(pairs);
  const std::size_t others = (triangle ? 1 : 0) + (vertex ? 1 : 0);
  if (places.size() > kMostPlaces - others) places.resize(kMostPlaces - others);
  for (WorstPlace& place : places) finish_joint(place);
  if (triangle) places.push_back(*std::move(triangle));
  if (vertex) places.push_back(*std::move(vertex));
  if (places.empty()) return "<p>Every measured change is rounding: below 0.0001 %.</p>\n";
  std::string html = "<ol class=\"places\">\n";
  for (const WorstPlace& place : places) html += place_html(place);
  return html + "</ol>\n";
}

}  // namespace skinbake
