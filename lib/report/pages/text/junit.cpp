// JUnit XML for build servers: a suite for each report; a case for each mesh, clip, method and
// limit, for each further verdict, and for each output that was read back. <system-out> has the
// measured value of every case, passed or failed. Cases do not have times, because reports do not.

#include <algorithm>
#include <compare>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "report/causes.h"
#include "report/pages/escape.h"
#include "report/pages/page_text.h"
#include "report/pages/pages.h"

namespace skinbake {

namespace {

std::string xml_attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + escaped(value) + "\"";
}

std::vector<Verdict> all_verdicts(const ParsedReport& report) {
  std::vector<Verdict> all = verdicts_of(report);
  for (Verdict& output : verification_verdicts(report)) all.push_back(std::move(output));
  return all;
}

struct Case {
  std::string name;
  std::string text;     // the measured value, and where
  std::string failure;  // empty: the case passes
  std::string type;     // of the failure
  bool is_skipped = false;
};

// "66.67 %, limit 5 %: mesh 'tube', clip 'twist', lbs, frame 30".
std::string measured(const Check& check) {
  const bool has_limit = !is_clip_check(check);
  return value_text(check) + (has_limit ? ", limit " + with_unit(check.limit, check.unit) : "") +
         ": " + place_text(check);
}

// "Body, Walk, dqs: error.max at most 0.01 m".
std::string name_of(const ParsedMesh& mesh, const ParsedRun& run, const std::string& what) {
  std::string name = mesh.id + ", " + std::string(clip_text(run.clip));
  return name + ", " + run.method + ": " + what;
}

Case case_of(const Check& check, const std::string& name) {
  Case one;
  one.name = name;
  std::string warning = status_of(check) == VerdictStatus::kWarn ? "warning: " : "";
  if (!warning.empty() && !check.mesh.empty()) warning += "limit exceeded: ";
  one.text = warning + check.key + " " + measured(check);
  if (status_of(check) != VerdictStatus::kFail) return one;
  one.type = check.key;
  one.failure = check.key + " " + measured(check);
  return one;
}

// Sets the place of a check to that of a number.
void set_place(const ParsedPlace& place, Check& check) {
  check.frame = place.frame;
  check.pose = place.pose;
  check.joint = place.joint;
  for (const std::string_view word : {"vertex ", "point "}) {
    if (!place.element.starts_with(word)) continue;
    check.vertex = std::stoll(place.element.substr(word.size()));
    check.inside_face = word == "point ";
  }
}

// The names by which a check can have the clip or the method of a run. The check of a cache without
// a sidecar has no name, its run has one: "unknown".
std::vector<std::string> names_in_checks(const std::string& of_run) {
  return of_run == "unknown" ? std::vector<std::string>{of_run, ""}
                             : std::vector<std::string>{of_run};
}

bool is_same(const std::string& of_check, const std::string& of_run) {
  return of_check == of_run || (of_check.empty() && of_run == "unknown");
}

// A check of a report, and its first one of a method.
struct MethodCheck {
  std::size_t check = 0, method = 0;

  auto operator<=>(const MethodCheck&) const = default;
};

// Finds the checks that can apply to a run. A file can have as many runs as checks of which none
// applies to any, so they are not compared with one another.
class ChecksOfRuns {
 public:
  explicit ChecksOfRuns(const ParsedReport& report) : is_alone_(report.meshes.size() == 1) {
    for (std::size_t c = 0; c < report.checks.size(); ++c) {
      const Check& check = report.checks[c];
      if (check.key.find('.') == std::string::npos) continue;  // no number of a run
      const std::span<const Check> methods = methods_of(check);
      std::set<std::string_view> listed;
      for (std::size_t m = 0; m < methods.size(); ++m) {
        const Check& method = methods[m];
        if (!listed.insert(method.method).second) continue;
        by_metric_[{check.key, method.method}].push_back({c, m});
        by_place_[{method.method, method.clip, is_alone_ ? "" : method.mesh}].push_back({c, m});
      }
    }
  }

  // The checks with a number of the run, and those whose worst place may be in it, in the order of
  // the report.
  std::vector<MethodCheck> of(const ParsedMesh& mesh, const ParsedRun& run) const {
    std::vector<MethodCheck> found;
    for (const std::string& method : names_in_checks(run.method)) {
      for (const ParsedSection& section : run.sections) {
        for (const ParsedNumber& number : section.numbers) {
          append({section.id + "." + number.name, method}, by_metric_, found);
        }
      }
      for (const std::string& clip : names_in_checks(run.clip)) {
        append({method, clip, is_alone_ ? "" : mesh.id}, by_place_, found);
      }
    }
    std::sort(found.begin(), found.end());
    const auto is_of_same = [](const MethodCheck& a, const MethodCheck& b) {
      return a.check == b.check;
    };
    found.erase(std::unique(found.begin(), found.end(), is_of_same), found.end());
    return found;
  }

 private:
  using Index = std::map<std::vector<std::string>, std::vector<MethodCheck>>;

  static void append(const std::vector<std::string>& key, const Index& index,
                     std::vector<MethodCheck>& found) {
    const auto entry = index.find(key);
    if (entry == index.end()) return;
    found.insert(found.end(), entry->second.begin(), entry->second.end());
  }

  bool is_alone_;
  Index by_metric_;  // by metric and method
  Index by_place_;   // by method, clip and mesh; no mesh: the report has one alone
};

// The check of one run, by its method. None: the limit does not apply to it, or a report does not
// have its number: "error.over".
std::optional<Check> check_of_case(const ParsedReport& report, const MethodCheck& of,
                                   const ParsedMesh& mesh, const ParsedRun& run) {
  const Check& check = report.checks[of.check];
  const Check& of_method = methods_of(check)[of.method];
  const std::size_t dot = check.key.find('.');
  if (dot == std::string::npos) return {};
  const ParsedNumber* number = number_of(run, check.key.substr(0, dot), check.key.substr(dot + 1));
  const bool is_alone = report.meshes.size() == 1;
  // The worst run's check has the mesh of a cache of several.
  const bool is_worst = (is_alone || of_method.mesh == mesh.id) &&
                        is_same(of_method.clip, run.clip) &&
                        (number == nullptr || of_method.value == number->value);
  Check one = of_method;
  one.share_limit = check.share_limit;
  one.failures = is_worst && !one.passed ? 1 : 0;
  if (is_worst) return one;
  if (number == nullptr) return {};
  one.mesh = mesh.id;
  one.clip = run.clip;
  one.value = number->value;
  one.passed = one.value && *one.value <= check.limit;
  one.frame.reset();
  one.vertex.reset();
  if (number->at) set_place(*number->at, one);
  return one;
}

// Returns which of the checks have a case.
std::vector<bool> add_runs(const ParsedReport& report, std::vector<Case>& cases) {
  const ChecksOfRuns checks(report);
  std::vector<bool> has_case(report.checks.size());
  for (const ParsedMesh& mesh : report.meshes) {
    for (const ParsedRun& run : mesh.runs) {
      for (const MethodCheck& check : checks.of(mesh, run)) {
        const std::optional<Check> one = check_of_case(report, check, mesh, run);
        if (!one) continue;
        has_case[check.check] = true;
        Case& added = cases.emplace_back(case_of(*one, name_of(mesh, run, limit_text(*one))));
        if (added.failure.empty()) continue;
        const std::string cause = cause_text(report.rig_data, mesh.id, run.clip);
        if (!cause.empty()) added.failure += "; " + cause;
      }
    }
  }
  return has_case;
}

// A case for each run, which no limit judges.
void add_measured(const ParsedReport& report, std::vector<Case>& cases) {
  for (const ParsedMesh& mesh : report.meshes) {
    for (const ParsedRun& run : mesh.runs) {
      cases.push_back({name_of(mesh, run, "measured"), "there is no limit", "", ""});
    }
  }
}

std::vector<Case> cases_of(const ParsedReport& report) {
  std::vector<Case> cases;
  const std::vector<bool> has_case = add_runs(report, cases);
  for (std::size_t c = 0; c < report.checks.size(); ++c) {
    const Check& check = report.checks[c];
    if (!has_case[c]) cases.push_back(case_of(check, limit_text(check)));
  }
  for (const Verdict& verdict : all_verdicts(report)) {
    cases.push_back({verdict.name, verdict.text, verdict.passed ? "" : verdict.text, verdict.name});
  }
  // Build servers take a file without tests for a broken one.
  if (cases.empty()) add_measured(report, cases);
  if (cases.empty()) cases.push_back({"the report has a measurement", "it has none", "", "", true});
  return cases;
}

std::string attributes(const std::vector<Case>& cases) {
  const auto count = [&](const auto& fits) {
    return std::to_string(std::count_if(cases.begin(), cases.end(), fits));
  };
  return xml_attribute("tests", std::to_string(cases.size())) +
         xml_attribute("failures", count([](const Case& one) { return !one.failure.empty(); })) +
         xml_attribute("errors", "0") +
         xml_attribute("skipped", count([](const Case& one) { return one.is_skipped; }));
}

std::string test_case(const ParsedReport& report, const Case& one) {
  std::string text = "    <testcase" + xml_attribute("classname", report.name) +
                     xml_attribute("name", one.name) + ">\n";
  if (one.is_skipped) text += "      <skipped" + xml_attribute("message", one.text) + "/>\n";
  if (!one.failure.empty()) {
    text += "      <failure" + xml_attribute("message", one.failure) +
            xml_attribute("type", one.type) + ">" + escaped(one.failure) + "</failure>\n";
  }
  return text + "      <system-out>" + escaped(one.text) + "</system-out>\n    </testcase>\n";
}

std::string properties(const ParsedReport& report) {
  const std::string left_out = left_out_text(report);
  if (report.inputs.empty() && left_out.empty()) return "";
  std::string text = "    <properties>\n";
  if (!left_out.empty()) {
    text += "      <property" + xml_attribute("name", "frames") + xml_attribute("value", left_out) +
            "/>\n";
  }
  for (const InputFile& input : report.inputs) {
    text += "      <property" + xml_attribute("name", input.role) +
            xml_attribute("value", input.path + " " + input.xxh128) + "/>\n";
  }
  return text + "    </properties>\n";
}

std::string test_suite(const ParsedReport& report, const std::vector<Case>& cases) {
  std::string text = "  <testsuite" +
                     xml_attribute("name", "skinbake " + report.command + " " + report.name) +
                     attributes(cases) + ">\n" + properties(report);
  for (const Case& one : cases) text += test_case(report, one);
  return text + "  </testsuite>\n";
}

}  // namespace

std::string to_junit(std::span<const ParsedReport> reports) {
  std::vector<Case> all;
  std::string suites;
  for (const ParsedReport& report : reports) {
    std::vector<Case> cases = cases_of(report);
    suites += test_suite(report, cases);
    std::move(cases.begin(), cases.end(), std::back_inserter(all));
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
         xml_attribute("name", "skinbake") + attributes(all) + ">\n" + suites + "</testsuites>\n";
}

}  // namespace skinbake
