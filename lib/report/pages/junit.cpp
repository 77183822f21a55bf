// JUnit XML: of reports, a suite for each; a case for each mesh, clip, method and limit, and for
// each further verdict. <system-out> has the measured value of every case, passed or failed.

#include "report/pages/junit.h"

#include <algorithm>

#include "report/pages/pages.h"
#include "report/pages/verdicts.h"
#include "report/pages/words.h"

namespace skinbake {

namespace {

using CaseKind = JunitCase::Kind;

std::string xml_attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + escaped(value) + "\"";
}

std::string case_xml(const JunitCase& one, const std::string& suite) {
  const std::string& message = one.message.empty() ? one.text : one.message;
  std::string text =
      "    <testcase" + xml_attribute("classname", suite) + xml_attribute("name", one.name) + ">\n";
  const auto element = [&](const std::string& tag) {
    text += "      <" + tag + xml_attribute("message", message.substr(0, message.find('\n'))) +
            ">" + escaped(message) + "</" + tag + ">\n";
  };
  if (one.kind == CaseKind::kFailed) element("failure");
  if (one.kind == CaseKind::kError) element("error");
  if (one.kind == CaseKind::kSkipped) element("skipped");
  if (!one.text.empty()) text += "      <system-out>" + escaped(one.text) + "</system-out>\n";
  return text + "    </testcase>\n";
}

std::string suite_counts(std::span<const JunitSuite> suites) {
  std::size_t counts[4] = {};
  for (const JunitSuite& suite : suites) {
    for (const JunitCase& one : suite.cases) ++counts[static_cast<std::size_t>(one.kind)];
  }
  const std::size_t tests = counts[0] + counts[1] + counts[2] + counts[3];
  return xml_attribute("tests", std::to_string(tests)) +
         xml_attribute("failures", std::to_string(counts[1])) +
         xml_attribute("errors", std::to_string(counts[2])) +
         xml_attribute("skipped", std::to_string(counts[3]));
}

std::string properties_xml(const JunitSuite& suite) {
  if (suite.properties.empty()) return "";
  std::string text = "    <properties>\n";
  for (const auto& [name, value] : suite.properties) {
    text +=
        "      <property" + xml_attribute("name", name) + xml_attribute("value", value) + "/>\n";
  }
  return text + "    </properties>\n";
}

// ---- Of reports

JunitCase case_of(const Verdict& verdict, const std::string& names) {
  JunitCase one{(names.empty() ? "" : names + ": ") + verdict.name, verdict.value};
  for (const std::string& part : {verdict.place, verdict.note}) {
    if (!part.empty()) one.text += (one.text.empty() ? "" : ": ") + part;
  }
  if (verdict.status == VerdictStatus::kWarn) one.text = "warning: limit exceeded: " + one.text;
  if (verdict.status == VerdictStatus::kFail) {
    one.kind = CaseKind::kFailed;
    one.message = verdict.name + ": " + one.text;
  }
  return one;
}

// "Body, Walk, dqs".
std::string names_of(const Run& run) {
  return run.mesh_id + ", " + std::string(clip_words(run.clip)) + ", " + run.method;
}

// The runs that a check is about, and whose meshes do not have its number.
std::vector<JunitCase> skipped_cases(const Json& check, std::span<const Run> runs,
                                     std::span<const JudgedRun> judged) {
  std::vector<JunitCase> cases;
  for (const Run& run : runs) {
    const auto is_run = [&](const JudgedRun& one) { return one.run == &run; };
    if (!is_about(check, run) || std::any_of(judged.begin(), judged.end(), is_run)) continue;
    cases.push_back({names_of(run) + ": " + judged.front().verdict.name,
                     "the mesh does not have this measurement", CaseKind::kSkipped});
  }
  return cases;
}

std::vector<JunitCase> cases_of(const NamedReport& report) {
  const std::vector<Run> runs = runs_in({&report, 1});
  const Json::array_t& checks = elements_in(member(report.document, "verdict"), "checks");
  std::vector<std::vector<Number>> numbers;
  for (const Run& run : runs) numbers.push_back(numbers_of(run));
  std::vector<JunitCase> cases;
  for (std::size_t c = 0; c < checks.size(); ++c) {
    const Verdict whole = verdict_of(checks[c]);
    bool is_told = whole.status == VerdictStatus::kPass;
    std::vector<JudgedRun> judged;
    if (c < kMostJudged) judged = judged_runs(checks[c], runs, numbers);
    for (JudgedRun& one : judged) {
      if (one.verdict.status == VerdictStatus::kFail) {
        one.verdict.note = cause_words(report.document, *one.run);
      }
      cases.push_back(case_of(one.verdict, names_of(*one.run)));
      is_told = is_told || one.verdict.status == whole.status;
    }
    // A check of a golden is of a cache, and the report has no runs.
    const std::string cache = runs.empty() ? text_in(checks[c], "mesh") : "";
    if (judged.empty() || !is_told) cases.push_back(case_of(whole, cache));
    if (judged.empty()) continue;
    const std::vector<JunitCase> skipped = skipped_cases(checks[c], runs, judged);
    cases.insert(cases.end(), skipped.begin(), skipped.end());
  }
  const std::vector<Verdict> verdicts = verdicts_of(report);
  for (std::size_t v = checks.size(); v < verdicts.size(); ++v) {
    cases.push_back(case_of(verdicts[v], verdicts[v].place));
  }
  // Build servers take a file without tests for a broken one.
  if (!cases.empty()) return cases;
  for (const Run& run : runs) cases.push_back({names_of(run) + ": measured", "there is no limit"});
  if (cases.empty()) {
    cases.push_back({"the report has a measurement", "it has none", CaseKind::kSkipped});
  }
  return cases;
}

}  // namespace

std::string junit_xml(std::string_view name, std::span<const JunitSuite> suites) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
                     xml_attribute("name", name) + suite_counts(suites) + ">\n";
  for (const JunitSuite& suite : suites) {
    text += "  <testsuite" + xml_attribute("name", suite.name) + suite_counts({&suite, 1}) + ">\n" +
            properties_xml(suite);
    for (const JunitCase& one : suite.cases) text += case_xml(one, suite.name);
    text += "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

std::string to_junit(std::span<const NamedReport> reports) {
  std::vector<JunitSuite> suites;
  for (const NamedReport& report : reports) {
    JunitSuite& suite = suites.emplace_back();
    suite.name = "skinbake " + text_in(report.document, "command") + " " + report.name;
    suite.cases = cases_of(report);
    for (const Json& input : elements_in(report.document, "inputs")) {
      suite.properties.emplace_back(text_in(input, "role"),
                                    text_in(input, "path") + " " + text_in(input, "xxh128"));
    }
  }
  return junit_xml("skinbake", suites);
}

}  // namespace skinbake
