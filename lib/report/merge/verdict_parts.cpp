#include "report/merge/verdict_parts.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <vector>

#include "report/limits.h"

namespace skinbake {

namespace {

using Json = nlohmann::json;

// A metric of thresholds: the section and the member of a run, and the member with its place.
struct CheckedMetric {
  std::string_view metric;
  const char *section, *value, *at;  // at: null if a threshold does not name the place
  // Members of which one is not null or empty if the run has the metric.
  std::array<const char*, 2> needs = {};
};

constexpr std::array kChecked{
    CheckedMetric{"error.max", "error", "max", "max_at"},
    CheckedMetric{"error.rms", "error", "rms", nullptr},
    CheckedMetric{"error.max_relative", "error", "max_relative", "max_at"},
    CheckedMetric{"error.rms_relative", "error", "rms_relative", nullptr},
    CheckedMetric{
        "volume.max_loss", "volume", "max_loss", "max_loss_at", {"baseline", "components"}}};

const CheckedMetric* checked_metric(const std::string& id) {
  const auto found = std::ranges::find(kChecked, id, &CheckedMetric::metric);
  return found == kChecked.end() ? nullptr : &*found;
}

// The members of a check that come from the measurement.
constexpr std::array kMeasured{"value", "passed", "failures", "mesh", "clip", "method", "at"};

// The methods whose runs the threshold applies to.
std::set<std::string> methods_of(const JsonCursor& check) {
  std::set<std::string> methods;
  if (const auto list = check.find("methods")) {
    for (const JsonCursor& method : list->elements()) methods.insert(method.at("method").text());
  } else {
    methods.insert(check.at("method").text_or_null());
  }
  return methods;
}

// The check of one run; none if the run does not have the metric. Null is a value that is not a
// finite number, which no limit allows.
std::optional<Json> measured_of(const CheckedMetric& metric, double limit, const Json& mesh,
                                const Json& run) {
  const auto section = run.find(metric.section);
  if (section == run.end()) return {};
  const auto is_there = [&](const char* key) {
    const auto member = section->find(key);
    return member != section->end() && !member->is_null() &&
           !(member->is_array() && member->empty());
  };
  if (metric.needs[0] != nullptr && std::ranges::none_of(metric.needs, is_there)) return {};
  const Json& value = section->at(metric.value);
  const bool passed = !value.is_null() && value.get<double>() <= limit;
  return Json{{"value", value},
              {"passed", passed},
              {"failures", passed ? 0 : 1},
              {"mesh", mesh.at("id")},
              {"clip", run.at("clip")},
              {"method", run.at("method")},
              {"at", metric.at == nullptr ? Json() : section->at(metric.at)}};
}

// Null is worse than every number.
bool is_worse_check(const Json& check, const Json& than) {
  const Json& value = check.at("value");
  const Json& other = than.at("value");
  if (value.is_null() || other.is_null()) return value.is_null() && !other.is_null();
  return value.get<double>() > other.get<double>();
}

// Updates the worst check; of equal ones it keeps the first.
void take(const Json& measured, Json& worst) {
  const std::int64_t failures =
      worst.at("failures").get<std::int64_t>() + measured.at("failures").get<std::int64_t>();
  if (is_worse_check(measured, worst)) worst = measured;
  worst["failures"] = failures;
  worst["passed"] = failures == 0;
}

// The worst check of each method, in the order of the runs.
std::vector<Json> checks_of_methods(const Json& report, const CheckedMetric& metric, double limit,
                                    const std::set<std::string>& methods) {
  std::vector<Json> found;
  for (const Json& mesh : report.at("meshes")) {
    for (const Json& run : mesh.at("runs")) {
      if (!methods.contains(run.at("method").get<std::string>())) continue;
      const std::optional<Json> measured = measured_of(metric, limit, mesh, run);
      if (!measured) continue;
      const auto same = std::ranges::find_if(
          found, [&](const Json& of) { return of.at("method") == measured->at("method"); });
      if (same == found.end()) {
        found.push_back(*measured);
      } else {
        take(*measured, *same);
      }
    }
  }
  std::ranges::stable_sort(found, is_worse_check);
  return found;
}

void evaluate(const Json& report, const JsonCursor& cursor, Json& check) {
  const CheckedMetric& metric = *checked_metric(cursor.at("metric").text());
  const std::vector<Json> methods =
      checks_of_methods(report, metric, cursor.at("limit").number(), methods_of(cursor));
  if (methods.empty()) return;  // no run has the metric, in no part
  Json worst = methods.front();
  for (std::size_t m = 1; m < methods.size(); ++m) take(methods[m], worst);
  for (const char* key : kMeasured) check[key] = worst.at(key);
  if (check.contains("methods")) check["methods"] = methods;
}

}  // namespace

void require_mergeable_thresholds(const JsonCursor& verdict, const std::string& path) {
  for (const JsonCursor& check : verdict.at("checks").elements()) {
    if (checked_metric(check.at("metric").text()) != nullptr) continue;
    throw_part_invalid(path, "the threshold " + check.at("option").text() +
                                 " cannot be evaluated on the whole; apply it to the merged cache "
                                 "with skinbake diff");
  }
}

void require_same_thresholds(const PartSection& verdict) {
  require_mergeable_thresholds(verdict.cursor(), verdict.path);
  const PartSection checks = verdict.member("checks");
  require_same_size(checks);
  for (std::size_t i = 0; i < checks.part.size(); ++i) {
    const PartSection check = checks.element(i);
    require_same_keys(check);
    for (const char* key : {"option", "metric", "limit", "unit", "severity"}) {
      require_equal(check.member(key));
    }
  }
}

void evaluate_again(Json& report, const std::string& path) {
  Json& verdict = report.at("verdict");
  std::string status = verdict.at("checks").empty() ? "none" : "pass";
  for (Json& check : verdict.at("checks")) {
    const JsonCursor cursor(path, check);
    evaluate(report, cursor, check);
    if (cursor.at("passed").truth()) continue;
    const bool fails = cursor.at("severity").word({"fail", "warn"}) == "fail";
    if (fails || status == "pass") status = fails ? "fail" : "warn";
  }
  verdict["status"] = status;
}

}  // namespace skinbake
