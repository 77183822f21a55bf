#include "report/changes.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "base/nearest_word.h"
#include "json/text.h"
#include "report/pages/runs.h"

namespace skinbake {

bool ReportChange::is_worse() const {
  return before && after && badness(field, *after) > badness(field, *before);
}

bool ReportChange::is_better() const {
  return before && after && badness(field, *after) < badness(field, *before);
}

double ReportChange::relative() const {
  if (!before || !after) return 1;
  const double larger = std::max(std::abs(*before), std::abs(*after));
  return larger > 0 ? std::abs(*after - *before) / larger : 0;
}

bool ReportChanges::is_beyond() const {
  if (tolerance.empty()) return false;
  return !only_after.empty() || !only_before.empty() ||
         std::any_of(changes.begin(), changes.end(),
                     [](const ReportChange& change) { return change.is_beyond; });
}

namespace {

[[noreturn]] void refuse(const Run& run, const std::string& text) {
  throw Error("NOT_COMPARABLE", "mesh '" + run.mesh_id + "'" +
                                    (run.clip.empty() ? "" : ", clip '" + run.clip + "'") + ": " +
                                    text);
}

// The names of the references of a run's sections.
std::set<std::string> references_of(const Run& run) {
  std::set<std::string> references;
  for (const auto& [ignored, section] : run.json->items()) {
    const std::string reference = text_in(section, "reference");
    if (!reference.empty()) references.insert(reference);
  }
  return references;
}

void require_alike(const Run& after, const Run& before) {
  if (after.frames.fps != before.frames.fps ||
      after.frames.frame_step != before.frames.frame_step) {
    refuse(after, "the frame rates differ; measure both at one rate");
  }
  if (references_of(after) != references_of(before)) {
    refuse(after, "the references differ; measure both against one");
  }
}

bool is_within(const Tolerance& tolerance, double a, double b) {
  const double scale = tolerance.relative ? std::max(std::abs(a), std::abs(b)) : 1;
  return std::abs(a - b) <= tolerance.value * scale;
}

using NumberKey = std::pair<std::string, std::string>;  // path, part

std::map<NumberKey, Number> numbers_by_key(const Run& run) {
  std::map<NumberKey, Number> all;
  for (auto numbers : {numbers_of, parts_of}) {
    for (Number& number : numbers(run)) {
      all.try_emplace({number.path, number.part}, std::move(number));
    }
  }
  return all;
}

class Comparison {
 public:
  explicit Comparison(const Tolerances& tolerances) : tolerances_(tolerances) {}

  ReportChanges result;
  std::set<std::string> keys;  // of all numbers

  void compare(const Run& after, const Run& before) {
    require_alike(after, before);
    std::map<NumberKey, Number> old = numbers_by_key(before);
    for (const auto& [key, number] : numbers_by_key(after)) {
      const auto found = old.find(key);
      add(after, number, number.value, found == old.end() ? std::nullopt : found->second.value);
      if (found != old.end()) old.erase(found);
    }
    for (const auto& [key, number] : old) add(after, number, std::nullopt, number.value);
  }

 private:
  void add(const Run& run, const Number& number, std::optional<double> after,
           std::optional<double> before) {
    keys.insert(number.path);
    if (!after && !before) return;
    ++result.compared;
    if (after == before) return;
    const auto own = tolerances_.of.find(number.path);
    const std::optional<Tolerance> tolerance =
        own == tolerances_.of.end() ? tolerances_.all : own->second;
    const bool is_beyond =
        tolerance && (!after || !before || !is_within(*tolerance, *after, *before));
    result.changes.push_back({run.report, run.mesh_id, run.clip, run.method, number.path,
                              number.part, number.field, before, after, is_beyond});
  }

  const Tolerances& tolerances_;
};

// Runs by rig, mesh and clip, then by method. The rig counts if a side has several.
using PairKey = std::tuple<std::string, bool, std::string, std::string>;
using RunsByPair = std::map<PairKey, std::map<std::string, const Run*>>;

RunsByPair by_pair(const std::vector<Run>& runs, bool by_subject) {
  RunsByPair all;
  for (const Run& run : runs) {
    all[{by_subject ? run.subject : "", run.is_body, run.mesh_id, run.clip}].try_emplace(run.method,
                                                                                         &run);
  }
  return all;
}

bool has_subjects(const std::vector<Run>& runs) {
  return std::any_of(runs.begin(), runs.end(),
                     [&](const Run& run) { return run.subject != runs.front().subject; });
}

void add_unpaired(const std::map<std::string, const Run*>& runs,
                  const std::map<std::string, const Run*>& others, std::vector<UnpairedRun>& all) {
  for (const auto& [method, run] : runs) {
    if (others.contains(method)) continue;
    all.push_back({run->report, run->mesh_id, run->clip, run->method});
  }
}

void require_known(const Tolerances& tolerances, const std::set<std::string>& keys) {
  for (const auto& [key, ignored] : tolerances.of) {
    if (keys.contains(key)) continue;
    const std::vector<std::string> known(keys.begin(), keys.end());
    throw Error("METRIC_UNKNOWN", "--tolerance: the reports do not have the number '" + key + "'" +
                                      did_you_mean(key, known));
  }
}

}  // namespace

ReportChanges changes_between(std::span<const NamedReport> after,
                              std::span<const NamedReport> before, const Tolerances& tolerances) {
  const std::vector<Run> new_runs = runs_in(after), old_runs = runs_in(before);
  const bool by_subject = has_subjects(new_runs) || has_subjects(old_runs);
  const RunsByPair new_pairs = by_pair(new_runs, by_subject);
  const RunsByPair old_pairs = by_pair(old_runs, by_subject);
  Comparison comparison(tolerances);
  ReportChanges& result = comparison.result;
  result.tolerance = tolerances.text;
  bool is_any_paired = false;
  for (const auto& [key, runs] : new_pairs) {
    const auto found = old_pairs.find(key);
    if (found == old_pairs.end()) {
      add_unpaired(runs, {}, result.only_after);
      continue;
    }
    bool has_common = false;
    for (const auto& [method, run] : runs) {
      const auto other = found->second.find(method);
      if (other == found->second.end()) continue;
      has_common = is_any_paired = true;
      comparison.compare(*run, *other->second);
    }
    if (!has_common) refuse(*runs.begin()->second, "the reports have no method in common");
    add_unpaired(runs, found->second, result.only_after);
    add_unpaired(found->second, runs, result.only_before);
  }
  for (const auto& [key, runs] : old_pairs) {
    if (!new_pairs.contains(key)) add_unpaired(runs, {}, result.only_before);
  }
  if (!is_any_paired) {
    throw Error("NOT_COMPARABLE",
                "has no mesh, clip and method in common with '" + printable(before.front().name) +
                    "'; give reports of one rig",
                {after.front().name, ""});
  }
  require_known(tolerances, comparison.keys);
  std::stable_sort(result.changes.begin(), result.changes.end(),
                   [](const ReportChange& a, const ReportChange& b) {
                     return std::tuple(!a.is_beyond, !a.is_worse(), -a.relative()) <
                            std::tuple(!b.is_beyond, !b.is_worse(), -b.relative());
                   });
  return std::move(result);
}

namespace {

Json json_of(const ReportChange& change) {
  const auto value = [](const std::optional<double>& number) {
    return number ? Json(*number) : Json();
  };
  Json json = Json::object();
  json["verdict"] = change.is_worse() ? "worse" : change.is_better() ? "better" : "changed";
  json["mesh"] = change.mesh;
  json["clip"] = change.clip.empty() ? Json() : Json(change.clip);
  json["method"] = change.method;
  json["key"] = change.key;
  json["joint"] = change.part.empty() ? Json() : Json(change.part);
  json["unit"] = change.field.unit;
  json["before"] = value(change.before);
  json["after"] = value(change.after);
  const bool has_both = change.before && change.after;
  json["change"] = has_both ? Json(*change.after - *change.before) : Json();
  json["within_tolerance"] = !change.is_beyond;
  return json;
}

Json json_of(const UnpairedRun& run) {
  Json json = Json::object();
  json["mesh"] = run.mesh;
  json["clip"] = run.clip.empty() ? Json() : Json(run.clip);
  json["method"] = run.method;
  return json;
}

}  // namespace

void add_changes(const ReportChanges& changes, std::span<NamedReport> after) {
  for (NamedReport& report : after) {
    Json& member = report.document["changes"] = Json::object();
    if (!changes.tolerance.empty()) member["tolerance"] = changes.tolerance;
    for (const char* key : {"values", "only_after", "only_before"}) member[key] = Json::array();
  }
  for (const ReportChange& change : changes.changes) {
    after[change.report].document["changes"]["values"].push_back(json_of(change));
  }
  for (const UnpairedRun& run : changes.only_after) {
    after[run.report].document["changes"]["only_after"].push_back(json_of(run));
  }
  for (const UnpairedRun& run : changes.only_before) {
    after[0].document["changes"]["only_before"].push_back(json_of(run));
  }
}

}  // namespace skinbake
