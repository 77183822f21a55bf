#include "report/report_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "report/surface_report.h"

namespace skinbake {

namespace {

// "mesh 'arm', clip 'bend', dqs against lbs, frame 42, vertex 7".
std::string location_text(const Check& check) {
  std::string text = "mesh '" + check.mesh + "'";
  if (!check.clip.empty()) text += ", clip '" + check.clip + "'";
  if (!check.method.empty()) text += ", " + check.method;
  if (!check.reference.empty()) text += " against " + check.reference;
  if (!check.pose.empty()) text += ", " + check.pose;
  if (check.frame) text += ", frame " + std::to_string(*check.frame);
  if (check.vertex) text += ", " + vertex_text(check);
  if (!check.joint.empty()) text += ", joint '" + check.joint + "'";
  return text;
}

constexpr double kMostCounted = 1e15;  // exact in double

bool is_count(double value) {
  return value >= 0 && value <= kMostCounted && value == std::floor(value);
}

// One decimal, so that an angle that is only rounding shows as "0.0°".
std::string degrees_text(double degrees) {
  constexpr double kLargest = 360;  // an untrusted report may contain any number
  if (!(std::abs(degrees) <= kLargest)) return short_number(degrees) + "°";
  char text[32];
  const auto end =
      std::to_chars(text, text + sizeof text, degrees, std::chars_format::fixed, 1).ptr;
  return std::string(text, end) + "°";
}

}  // namespace

std::string short_number(double value, int digits) {
  char text[32];
  const auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr;
  return value == 0 ? "0" : std::string(text, end);  // "0" for -0 too
}

std::string with_unit(std::optional<double> value, std::string_view unit, int digits) {
  if (!value || std::isnan(*value)) return "not a number";
  if (unit == "1") {
    const double percent = *value * 100;
    const bool is_too_large = std::isinf(percent) && std::isfinite(*value);
    if (is_too_large) return std::string(percent > 0 ? "above " : "below -") + "1e+308 %";
    return short_number(percent, digits) + " %";
  }
  if (unit.empty() && is_count(*value)) return std::to_string(static_cast<std::int64_t>(*value));
  if (unit == "m3") return short_number(*value, digits) + " m³";
  return short_number(*value, digits) + (unit.empty() ? "" : " ") + std::string(unit);
}

std::string with_unit(std::optional<double> value, Unit unit, int digits) {
  return with_unit(value, to_string(unit), digits);
}

std::size_t as_count(double value) {
  return value > 0 ? static_cast<std::size_t>(std::min(value, kMostCounted)) : 0;
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

bool is_clip_check(const Check& check) {
  return check.key == kMissingClip || check.key == kFramesLeftOut || check.key == kMissingArea;
}

std::string limit_text(const Check& check, int digits) {
  if (check.key == kMissingClip) return "clip '" + check.clip + "' has a partner";
  if (check.key == kFramesLeftOut) return "clip '" + check.clip + "' has its partner's length";
  if (check.key == kMissingArea) {
    return "area at least " + with_unit(check.limit, check.unit, digits) + " of the other file's";
  }
  std::string text = check.key + " at most " + with_unit(check.limit, check.unit, digits);
  if (check.is_relative) text += " of the diagonal";
  if (!check.share_limit) return text;
  return text + " but for " + with_unit(check.share_limit, Unit::kRatio, digits) +
         " of the vertices";
}

std::string vertex_text(const Check& check) {
  if (!check.vertex) return "";
  return (check.inside_face ? "point " : "vertex ") + std::to_string(*check.vertex);
}

std::string value_text(const Check& check, int digits) {
  if (check.key == kMissingClip) return "none";
  if (check.key == kFramesLeftOut) {
    // At a low rate, a clip may be shorter by less than the time between two frames.
    const std::size_t frames = as_count(check.value.value_or(0));
    return frames == 0 ? "no frame at the times that only one has"
                       : counted(frames, "frame", "frames") + " not compared";
  }
  if (check.mesh.empty()) return "not measured";
  std::string text = with_unit(check.value, check.unit, digits);
  if (check.is_relative) text += " of the diagonal";
  if (!check.share) return text;
  return text + ", " + with_unit(check.share, Unit::kRatio, digits) + " of the vertices over it";
}

std::string place_text(const Check& check) {
  if (check.key == kMissingArea) return "file '" + check.mesh + "'";
  if (is_clip_check(check)) return "file '" + check.mesh + "', clip '" + check.clip + "'";
  if (!check.mesh.empty()) return location_text(check);
  const bool is_volume = check.key.starts_with("volume.");
  return is_volume ? "no part of a selected mesh is closed or nearly so"
                   : "no selected mesh has this measurement";
}

std::string exceeded_text(const Check& check, std::string (*shown)(std::string_view), int digits) {
  constexpr std::size_t kMostNames = 8;
  if (check.failed_clips) {
    return *check.failed_clips < 2
               ? ""
               : "exceeded in " + std::to_string(*check.failed_clips) + " clips";
  }
  if (check.failures < 2) return "";
  std::string text = "exceeded " + std::to_string(check.failures) + " times";
  std::size_t named = 0, more = 0;
  for (const Check& method : check.methods) {
    if (method.passed) continue;
    if (named == kMostNames) {
      ++more;
      continue;
    }
    text += (named++ == 0 ? ", by " : ", ") + shown(method.method) + " (" +
            with_unit(method.value, method.unit, digits) + ")";
  }
  return more == 0 ? text : text + " and " + std::to_string(more) + " more";
}

std::string limits_text(const Recommendation& recommendation) {
  std::string text;
  for (const RecommendLimit& limit : recommendation.limits) {
    text += (text.empty() ? "" : ", ") + limit.metric + " at most " +
            with_unit(limit.limit, limit.unit);
  }
  return text;
}

std::string place_text(const WorstValue& worst) {
  std::string text = worst.character.empty() ? "" : worst.character + ", ";
  text += "mesh '" + worst.mesh + "'";
  if (!worst.clip.empty()) text += ", clip '" + worst.clip + "'";
  if (worst.frame) text += ", frame " + std::to_string(*worst.frame);
  if (!worst.joint.empty()) text += ", joint '" + worst.joint + "'";
  if (worst.vertex) text += ", vertex " + std::to_string(*worst.vertex);
  if (worst.triangle) text += ", triangle " + std::to_string(*worst.triangle);
  return text;
}

std::string nearest_text(const Recommendation& recommendation) {
  if (!recommendation.nearest) return "";
  const NearestMiss& nearest = *recommendation.nearest;
  const RecommendLimit& limit = recommendation.limits[nearest.limit];
  std::string text = nearest.method + " comes nearest, with " + limit.metric + " " +
                     with_unit(nearest.worst.value, limit.unit);
  return nearest.worst.mesh.empty() ? text : text + " at " + place_text(nearest.worst);
}

std::string recommendation_text(const Recommendation& recommendation) {
  const std::string within = "within " + limits_text(recommendation);
  std::string text;
  if (recommendation.unmeasured.size() == recommendation.limits.size()) {
    text = "no method can be judged " + within;
  } else {
    text = recommendation.method ? *recommendation.method + " is the cheapest method " + within
                                 : "no method is " + within;
  }
  if (recommendation.nearest) text += "; " + nearest_text(recommendation);
  for (const std::size_t l : recommendation.unmeasured) {
    text += "; no mesh has " + recommendation.limits[l].metric;
  }
  return text;
}

std::string place_text(const Explanation& explanation, std::string (*shown)(std::string_view)) {
  std::string text = "vertex " + std::to_string(explanation.vertex) + " (primitive " +
                     std::to_string(explanation.primitive) + ", vertex " +
                     std::to_string(explanation.primitive_vertex);
  for (std::size_t i = 0; i < explanation.copies.size(); ++i) {
    text += (i == 0 ? "; split, also " : ", ") + std::to_string(explanation.copies[i]);
  }
  return text + ")" + (explanation.pose.empty() ? "" : ", " + shown(explanation.pose)) +
         ", frame " + std::to_string(explanation.frame);
}

std::string rotation_text(const ExplainedInfluence& influence) {
  constexpr double kDegreesPerRadian = 57.29577951308232, kVisibleScale = 1e-3;
  std::string text = degrees_text(influence.angle_rad * kDegreesPerRadian);
  if (influence.flipped) text += ", flipped";
  if (std::abs(influence.scale - 1) > kVisibleScale) {
    text += ", scale " + short_number(influence.scale);
  }
  if (influence.mirrored) text += ", mirrored";
  return text;
}

}  // namespace skinbake
