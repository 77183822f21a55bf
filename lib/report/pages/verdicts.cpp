#include "report/pages/verdicts.h"

#include <algorithm>

#include "json/print.h"
#include "report/pages/words.h"
#include "report/report_text.h"
#include "report/surface_report.h"

namespace skinbake {

namespace {

void add_part(std::string& text, const std::string& more, const char* separator = ", ") {
  if (more.empty()) return;
  text += (text.empty() ? "" : separator) + more;
}

// Whether the limit is of a length, as a part of the bind diagonal.
bool is_of_diagonal(const Json& check) {
  return text_in(check, "unit") == "1" && field_of(text_in(check, "key"), "", false).unit == "m";
}

// "0.01 m", "1 % of the diagonal".
std::string amount_words(const Json& check, const char* key) {
  const std::string words = with_unit(number_in(check, key), text_in(check, "unit"));
  return words + (is_of_diagonal(check) ? " of the diagonal" : "");
}

std::string limit_words(const Json& check) {
  const std::string key = text_in(check, "key");
  const std::string clip = "clip '" + text_in(check, "clip") + "'";
  if (key == kMissingClip) return clip + " has a partner";
  if (key == kFramesLeftOut) return clip + " has its partner's length";
  if (key == kMissingArea) {
    return "area at least " + amount_words(check, "limit") + " of the other file's";
  }
  const std::string text = key + " at most " + amount_words(check, "limit");
  const std::optional<double> share = number_in(member(check, "share"), "limit");
  return share ? text + " but for " + with_unit(share, "1") + " of the vertices" : text;
}

bool is_within(const Field& field, double value, double limit) {
  const bool is_factor = field.worse && *field.worse == Worse::kFarFrom1;
  return is_factor ? badness(field, value) + 1 <= limit : value <= limit;
}

VerdictStatus status_in(const Json& check, bool passed) {
  if (passed) return VerdictStatus::kPass;
  return text_in(check, "severity") == "warn" ? VerdictStatus::kWarn : VerdictStatus::kFail;
}

Verdict plain(bool passed, std::string name, std::string value, std::string place = "") {
  return {passed ? VerdictStatus::kPass : VerdictStatus::kFail, std::move(name), std::move(value),
          std::move(place), ""};
}

void add_outputs(const Json& document, std::vector<Verdict>& verdicts) {
  for (const Json& output : elements_in(document, "verification")) {
    verdicts.push_back(plain(member(output, "passed") == Json(true),
                             "read back " + text_in(output, "path"),
                             with_unit(number_in(output, "max_m"), "m") + ", bound " +
                                 with_unit(number_in(output, "bound_m"), "m"),
                             where_words(output, member(output, "at"))));
  }
}

// Of changes since older reports: whether they are within the tolerances.
void add_changes(const Json& changes, std::vector<Verdict>& verdicts) {
  const std::string tolerance = text_in(changes, "tolerance");
  if (tolerance.empty()) return;
  const auto is_beyond = [](const Json& change) {
    return member(change, "within_tolerance") == Json(false);
  };
  const Json::array_t& values = elements_in(changes, "values");
  const auto beyond =
      static_cast<std::size_t>(std::count_if(values.begin(), values.end(), is_beyond));
  std::size_t unpaired = 0;
  for (const char* side : {"only_after", "only_before"})
    unpaired += elements_in(changes, side).size();
  verdicts.push_back(plain(beyond + unpaired == 0, "changes within " + tolerance,
                           counted(beyond, "number is", "numbers are") + " beyond it" +
                               (unpaired == 0 ? ""
                                              : ", and " + counted(unpaired, "run is", "runs are") +
                                                    " in one report only")));
}

// Of a diff without thresholds: whether anything differs.
void add_differences(const NamedReport& report, std::vector<Verdict>& verdicts) {
  const std::vector<Run> runs = runs_in({&report, 1});
  for (const Run& run : runs) {
    const Json& difference = member(*run.json, "difference");
    const std::optional<double> vertices = number_in(difference, "vertices");
    if (!vertices) continue;
    Verdict verdict =
        plain(*vertices == 0, "no difference",
              with_unit(vertices, "") + " of " + dumped(member(*run.mesh, "vertex_count")) +
                  " vertices differ, in " + dumped(member(difference, "frames")) + " of " +
                  std::to_string(run.frames.frame_count) + " frames",
              "mesh '" + run.mesh_id + "'" + (run.clip.empty() ? "" : ", clip '" + run.clip + "'"));
    if (*vertices == 0) verdict.value = "no vertex differs";
    verdict.note = cause_words(report.document, run);
    verdicts.push_back(std::move(verdict));
  }
}

void add_library(const Json& library, std::vector<Verdict>& verdicts) {
  if (member(library, "missing_fails") == Json(true)) {
    std::size_t missing = 0;
    for (const char* key : {"only_a", "only_b", "renamed"}) {
      missing += elements_in(library, key).size();
    }
    verdicts.push_back(plain(missing == 0, "nothing is missing",
                             counted(missing, "element is", "elements are") + " on one side only"));
  }
  for (const Json& pair : elements_in(library, "failed")) {
    verdicts.push_back(plain(false, "compare " + text_in(pair, "name"), text_in(pair, "message"),
                             text_in(pair, "clip")));
  }
}

std::string times_words(const Json& check) {
  std::string text;
  if (const double failures = number_in(check, "failures").value_or(0); failures > 1) {
    text = "exceeded " + with_unit(failures, "") + " times";
  }
  if (const std::optional<double> clips = number_in(check, "failed_clips")) {  // in two directions
    text = *clips > 1 ? "exceeded in " + with_unit(clips, "") + " clips" : "";
  }
  constexpr std::size_t kMostNames = 8;
  std::size_t named = 0;
  for (const Json& method : elements_in(check, "methods")) {
    if (member(method, "passed") == Json(true) || text.empty() || ++named > kMostNames) continue;
    text += (named == 1 ? ", by " : ", ") + text_in(method, "method");
  }
  return text;
}

}  // namespace

std::string cause_words(const Json& document, const Run& run) {
  constexpr std::size_t kMostCauses = 3, kMostData = 1000;
  const Json::array_t& data = elements_in(document, "rig_data");
  std::string text;
  std::size_t found = 0;
  for (std::size_t d = 0; d < std::min(data.size(), kMostData) && found < kMostCauses; ++d) {
    const std::string file = text_in(data[d], "file"), name = text_in(data[d], "name");
    const std::string id = file.empty() ? name : file + "/" + name;
    const bool is_of_file = name.empty() && run.mesh_id.starts_with(file);
    if (!is_of_file && id != run.mesh_id && name != run.clip) continue;
    ++found;
    add_part(text,
             text_in(data[d], "kind") + (name.empty() ? "" : " '" + name + "'") + ": " +
                 text_in(data[d], "difference"),
             "; ");
  }
  return text;
}

std::string where_words(const Json& object, const Json& place) {
  std::string text;
  for (const char* kind : {"mesh", "clip"}) {
    const std::string name = text_in(object, kind);
    if (!name.empty()) add_part(text, std::string(kind) + " '" + name + "'");
  }
  add_part(text, text_in(object, "method"));
  add_part(text, place_words(place));
  return text;
}

Verdict verdict_of(const Json& check) {
  Verdict verdict;
  verdict.status = status_in(check, member(check, "passed") == Json(true));
  verdict.name = limit_words(check);
  verdict.place = where_words(check, member(check, "at"));
  verdict.value = verdict.place.empty() ? "not measured" : amount_words(check, "value");
  verdict.note = times_words(check);
  return verdict;
}

std::vector<Verdict> verdicts_of(const NamedReport& report) {
  const Json& document = report.document;
  std::vector<Verdict> verdicts;
  const Json::array_t& checks = elements_in(member(document, "verdict"), "checks");
  for (const Json& check : checks) verdicts.push_back(verdict_of(check));
  if (const Json& recommended = member(document, "recommendation"); recommended.is_object()) {
    const std::string method = text_in(recommended, "method");
    verdicts.push_back(
        plain(!method.empty(), "a method is within the limits", method.empty() ? "none" : method));
  }
  add_outputs(document, verdicts);
  if (text_in(document, "command") == "diff" && checks.empty()) add_differences(report, verdicts);
  add_library(member(document, "library"), verdicts);
  add_changes(member(document, "changes"), verdicts);
  return verdicts;
}

namespace {

// Whether a check concerns a run's method: by its list of methods, or by its `method`.
bool is_of_method(const Json& check, const Run& run) {
  const auto names = [&](const Json& one) {
    const std::string name = text_in(one, "method");
    return name.empty() || name == run.method;
  };
  const Json::array_t& methods = elements_in(check, "methods");
  return methods.empty() ? names(check) : std::any_of(methods.begin(), methods.end(), names);
}

// The number of a run by its path; null: it has none.
const Number* number_by(const std::string& path, const std::vector<Number>& numbers) {
  const auto found = std::ranges::find(numbers, path, &Number::path);
  return found == numbers.end() ? nullptr : &*found;
}

}  // namespace

bool is_about(const Json& check, const Run& run) {
  return !run.is_body && is_of_method(check, run);
}

std::vector<JudgedRun> judged_runs(const Json& check, std::span<const Run> runs,
                                   std::span<const std::vector<Number>> numbers) {
  const std::string key = text_in(check, "key"), unit = text_in(check, "unit");
  if (member(check, "share").is_object()) return {};  // of the vertices, which runs do not have
  const double limit = number_in(check, "limit").value_or(0);
  const std::string path = key + (is_of_diagonal(check) ? "_relative" : "");
  std::vector<JudgedRun> judged;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    if (!is_about(check, runs[r])) continue;
    const Number* const number = number_by(path, numbers[r]);
    if (number == nullptr || number->field.unit != unit) continue;
    const Number* const placed = number_by(key, numbers[r]);  // a part of the diagonal has no place
    const Json* const at = placed == nullptr ? nullptr : placed->at;
    if (!number->value && at == nullptr) continue;
    const bool passed = number->value && is_within(number->field, *number->value, limit);
    judged.push_back({&runs[r],
                      {status_in(check, passed), limit_words(check), with_unit(number->value, unit),
                       at == nullptr ? "" : place_words(*at), ""}});
  }
  return judged;
}

VerdictStatus status_of(const NamedReport& report) {
  VerdictStatus worst = VerdictStatus::kNone;
  for (const Verdict& verdict : verdicts_of(report)) worst = std::max(worst, verdict.status);
  return worst;
}

VerdictStatus worst_status(std::span<const NamedReport> reports) {
  VerdictStatus worst = VerdictStatus::kNone;
  for (const NamedReport& report : reports) worst = std::max(worst, status_of(report));
  return worst;
}

VerdictStatus status_of(const NamedReport& report, const Run& run) {
  const Json::array_t& checks = elements_in(member(report.document, "verdict"), "checks");
  const std::vector<Number> numbers = numbers_of(run);
  VerdictStatus worst = VerdictStatus::kNone;
  for (std::size_t c = 0; c < std::min(checks.size(), kMostJudged); ++c) {
    for (const JudgedRun& judged : judged_runs(checks[c], {&run, 1}, {&numbers, 1})) {
      worst = std::max(worst, judged.verdict.status);
    }
  }
  return worst;
}

}  // namespace skinbake
