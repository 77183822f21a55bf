#include "thresholds/thresholds.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "options/parsing/numbers.h"
#include "options/parsing/usage_error.h"

namespace skinbake::cli {

namespace {

bool is_limit_of_vertices(const Threshold& threshold) {
  return threshold.metric == "error.max" || threshold.metric == "error.max_relative";
}

// Turns the limits of vertex errors of one severity, which no vertex may exceed, into limits of the
// part of the vertices that may exceed them.
void count_vertices(std::vector<Threshold>& given, CheckSeverity severity, double part) {
  const std::string option = "--" + std::string(to_string(severity)) + "-percent";
  bool any = false;
  for (Threshold& t : given) {
    if (t.severity != severity || !is_limit_of_vertices(t) || t.option == kHardFail) continue;
    t.vertex_limit = t.limit;
    t.vertex_limit_is_relative = t.metric == "error.max_relative";
    t.option = option;
    t.metric = kOver;
    t.unit = Unit::kRatio;
    t.limit = part;
    any = true;
  }
  if (any) return;
  const std::string prefix = "--" + std::string(to_string(severity));
  throw UsageError(option, "needs " + prefix + "-max or " + prefix +
                               "-max-relative: the limit over which vertices are counted");
}

}  // namespace

double parse_limit(const std::string& option, Unit unit, std::string text) {
  const bool percent = text.ends_with('%');
  if (percent && unit == Unit::kNumber) throw UsageError(option, "is not a percentage: " + text);
  if (percent && unit == Unit::kMetres) {
    const bool has_other = option != kHardFail;
    throw UsageError(option,
                     "a limit in metres is not a percentage" +
                         (has_other ? "; use " + option + "-relative for a part of the mesh's size"
                                    : std::string()));
  }
  if (percent) text.pop_back();
  const std::optional<double> limit = finite_number(text);
  if (!limit) {
    throw UsageError(option, "'" + text + (percent ? "%" : "") + "' is " +
                                 (unit == Unit::kMetres   ? "not a number of metres"
                                  : unit == Unit::kNumber ? "not a number"
                                                          : "neither a number nor a percentage"));
  }
  if (*limit < 0) throw UsageError(option, "a limit must not be below 0: " + text);
  // "5" is a mistake for "5%": a limit of 500 % would never be exceeded.
  if (!percent && *limit > 1 && unit == Unit::kRatio) {
    throw UsageError(option, text + " is more than the whole; write " + text + "%");
  }
  return percent ? *limit / 100 : *limit;
}

bool applies_to(const Threshold& threshold, const std::vector<Threshold>& given,
                const std::string& method) {
  if (!threshold.method.empty()) return threshold.method == method;
  return std::none_of(given.begin(), given.end(), [&](const Threshold& other) {
    return !other.method.empty() && other.method == method && other.option == threshold.option &&
           other.vertex_limit_is_relative == threshold.vertex_limit_is_relative;
  });
}

void Thresholds::require_methods(const std::vector<std::string>& methods) const {
  for (const Threshold& t : given) {
    if (t.method.empty() || std::find(methods.begin(), methods.end(), t.method) != methods.end()) {
      continue;
    }
    std::string known;
    for (const std::string& method : methods) known += (known.empty() ? "" : ", ") + method;
    throw UsageError(t.option,
                     "'" + t.method + "' is not a method of the run; there are: " + known);
  }
}

void Thresholds::settle() {
  if (fail_percent) count_vertices(given, CheckSeverity::kFail, *fail_percent);
  if (warn_percent) count_vertices(given, CheckSeverity::kWarn, *warn_percent);
  fail_percent = warn_percent = {};
}

std::vector<double> Thresholds::vertex_limits_m(double bbox_diagonal_m) const {
  std::vector<double> limits;
  for (const Threshold& t : given) {
    if (t.metric == kOver) limits.push_back(t.vertex_limit_m(bbox_diagonal_m));
    if (t.metric == "error.max") limits.push_back(t.limit);
    if (t.metric == "error.max_relative") limits.push_back(t.limit * bbox_diagonal_m);
  }
  std::erase_if(limits, [](double limit) { return !std::isfinite(limit); });
  std::sort(limits.begin(), limits.end());
  limits.erase(std::unique(limits.begin(), limits.end()), limits.end());
  return limits;
}

bool Thresholds::need_error() const {
  return std::any_of(given.begin(), given.end(),
                     [](const Threshold& t) { return t.metric.starts_with("error."); });
}

bool Thresholds::need_volume() const {
  return std::any_of(given.begin(), given.end(),
                     [](const Threshold& t) { return t.metric.starts_with("volume."); });
}

}  // namespace skinbake::cli
