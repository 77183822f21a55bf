// JUnit XML for build servers: a suite for each report; a case for each mesh, clip, method and
// limit, for each further verdict, and for each output that was read back. <system-out> has the
// measured value of every case, passed or failed. Cases do not have times, because reports do not.

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "report/pages/escape.h"
#include "report/pages/page_text.h"
#include "report/pages/pages.h"
#include "skinbake/tool/report/causes.h"

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
  const bool has_limit = !is_finiteness_check(check) && !is_clip_check(check);
  return value_text(check) + (has_limit ? ", limit " + with_unit(check.limit, check.unit) : "") +
         ": " + place_text(check);
}

// "Body, Walk, dqs: --fail-max 0.01 m".
std::string name_of(const ParsedMesh& mesh, const ParsedRun& run, const std::string& what) {
  std::string name = mesh.id + ", " + std::string(clip_text(run.clip));
  return name + ", " + run.method + ": " + what;
}

Case case_of(const Check& check, const std::string& name) {
  Case one;
  one.name = name;
  std::string warning = status_of(check) == VerdictStatus::kWarn ? "warning: " : "";
  if (!warning.empty() && !check.mesh.empty()) warning += "limit exceeded: ";
  one.text = warning + check.metric + " " + measured(check);
  if (status_of(check) != VerdictStatus::kFail) return one;
  one.type = check.metric;
  one.failure = check.metric + " " + measured(check);
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

// Whether a check and a run have the same clip or method. The check of a cache without a sidecar
// has no name, its run has one: "unknown".
bool is_same(const std::string& of_check, const std::string& of_run) {
  return of_check == of_run || (of_check.empty() && of_run == "unknown");
}

// The check of one run. None: the limit does not apply to it, or a report does not have its number:
// "error.over".
std::optional<Check> check_of_case(const ParsedReport& report, const Check& check,
                                   const ParsedMesh& mesh, const ParsedRun& run) {
  const std::span<const Check> methods = methods_of(check);
  const auto of_method = std::find_if(methods.begin(), methods.end(), [&](const Check& method) {
    return is_same(method.method, run.method);
  });
  if (of_method == methods.end()) return {};
  const std::size_t dot = check.metric.find('.');
  if (dot == std::string::npos) return {};
  const ParsedNumber* number =
      number_of(run, check.metric.substr(0, dot), check.metric.substr(dot + 1));
  const bool is_alone = report.meshes.size() == 1;
  // The worst run's check has the mesh of a cache of several.
  const bool is_worst = (is_alone || of_method->mesh == mesh.id) &&
                        is_same(of_method->clip, run.clip) &&
                        (number == nullptr || of_method->value == number->value);
  Check one = *of_method;
  one.vertex_limit_m = check.vertex_limit_m;
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

void add_runs(const ParsedReport& report, std::vector<Case>& cases) {
  for (const ParsedMesh& mesh : report.meshes) {
    for (const ParsedRun& run : mesh.runs) {
      for (const Check& check : report.checks) {
        const std::optional<Check> one = check_of_case(report, check, mesh, run);
        if (!one) continue;
        Case& added = cases.emplace_back(case_of(*one, name_of(mesh, run, limit_text(*one))));
        if (added.failure.empty()) continue;
        const std::string cause = cause_text(report.rig_data, mesh.id, run.clip);
        if (!cause.empty()) added.failure += "; " + cause;
      }
    }
  }
}

// A case for each run, which no limit judges.
void add_measured(const ParsedReport& report, std::vector<Case>& cases) {
  for (const ParsedMesh& mesh : report.meshes) {
    for (const ParsedRun& run : mesh.runs) {
      cases.push_back({name_of(mesh, run, "measured"), "there is no limit", "", ""});
    }
  }
}

// Whether a run has a case for the check.
bool has_case(const ParsedReport& report, const Check& check) {
  return std::any_of(report.meshes.begin(), report.meshes.end(), [&](const ParsedMesh& mesh) {
    return std::any_of(mesh.runs.begin(), mesh.runs.end(), [&](const ParsedRun& run) {
      return check_of_case(report, check, mesh, run).has_value();
    });
  });
}

std::vector<Case> cases_of(const ParsedReport& report) {
  std::vector<Case> cases;
  add_runs(report, cases);
  for (const Check& check : report.checks) {
    if (!has_case(report, check)) cases.push_back(case_of(check, limit_text(check)));
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
