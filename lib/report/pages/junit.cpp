// JUnit XML for build servers: one suite per report; one case per threshold and method, and one per
// further verdict and per output that was read back. <system-out> has the measured value of every
// case, passed or failed. Cases do not have times, because reports do not.

#include <algorithm>

#include "report/pages/escape.h"
#include "report/pages/page_text.h"
#include "report/pages/pages.h"

namespace skinbake {

namespace {

std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + escaped(value) + "\"";
}

std::vector<Verdict> all_verdicts(const ParsedReport& report) {
  std::vector<Verdict> all = verdicts_of(report);
  for (Verdict& output : verification_verdicts(report)) all.push_back(std::move(output));
  return all;
}

struct CaseCounts {
  std::size_t tests = 0, failures = 0;
};

// The check of each threshold and method.
std::vector<const Check*> all_checks(const ParsedReport& report) {
  std::vector<const Check*> all;
  for (const Check& check : report.checks) {
    for (const Check& method : methods_of(check)) all.push_back(&method);
  }
  return all;
}

CaseCounts case_counts(const ParsedReport& report) {
  const std::vector<const Check*> checks = all_checks(report);
  const std::vector<Verdict> verdicts = all_verdicts(report);
  const auto failed =
      std::count_if(checks.begin(), checks.end(),
                    [](const Check* check) { return status_of(*check) == VerdictStatus::kFail; }) +
      std::count_if(verdicts.begin(), verdicts.end(),
                    [](const Verdict& verdict) { return !verdict.passed; });
  return {checks.size() + verdicts.size(), static_cast<std::size_t>(failed)};
}

std::string attributes(const CaseCounts& counts) {
  return attribute("tests", std::to_string(counts.tests)) +
         attribute("failures", std::to_string(counts.failures)) + attribute("errors", "0") +
         attribute("skipped", "0");
}

// "66.67 %, limit 5 %: mesh 'tube', clip 'twist', lbs, frame 30".
std::string measured(const Check& check) {
  const bool has_limit = !is_finiteness_check(check) && check.metric != kMissingClip;
  return value_text(check) + (has_limit ? ", limit " + with_unit(check.limit, check.unit) : "") +
         ": " + place_text(check);
}

std::string failure(const Check& check) {
  std::string text = measured(check);
  if (check.failures > 1) {
    text += "; exceeded " + std::to_string(check.failures) + " times, this is the worst";
  }
  return "      <failure" + attribute("message", check.metric + " " + measured(check)) +
         attribute("type", check.metric) + ">" + escaped(text) + "</failure>\n";
}

std::string test_case(const ParsedReport& report, const Check& check, const std::string& name) {
  std::string warning = status_of(check) == VerdictStatus::kWarn ? "warning: " : "";
  if (!warning.empty() && !check.mesh.empty()) warning += "limit exceeded: ";
  std::string text =
      "    <testcase" + attribute("classname", report.name) + attribute("name", name) + ">\n";
  if (status_of(check) == VerdictStatus::kFail) text += failure(check);
  text += "      <system-out>" + escaped(warning + check.metric + " " + measured(check)) +
          "</system-out>\n";
  return text + "    </testcase>\n";
}

std::string test_case(const ParsedReport& report, const Verdict& verdict) {
  const std::string text = escaped(verdict.text);
  return "    <testcase" + attribute("classname", report.name) + attribute("name", verdict.name) +
         ">\n" +
         (verdict.passed ? ""
                         : "      <failure" + attribute("message", verdict.text) +
                               attribute("type", verdict.name) + ">" + text + "</failure>\n") +
         "      <system-out>" + text + "</system-out>\n    </testcase>\n";
}

std::string properties(const ParsedReport& report) {
  if (report.inputs.empty()) return "";
  std::string text = "    <properties>\n";
  for (const InputFile& input : report.inputs) {
    text += "      <property" + attribute("name", input.role) +
            attribute("value", input.path + " " + input.xxh128) + "/>\n";
  }
  return text + "    </properties>\n";
}

std::string test_suite(const ParsedReport& report) {
  std::string text = "  <testsuite" +
                     attribute("name", "skinbake " + report.command + " " + report.name) +
                     attributes(case_counts(report)) + ">\n" + properties(report);
  for (const Check& check : report.checks) {
    for (const Check& method : methods_of(check)) {
      const std::string of = check.methods.empty() ? "" : ": " + method.method;
      text += test_case(report, method, limit_text(check) + of);
    }
  }
  for (const Verdict& verdict : all_verdicts(report)) text += test_case(report, verdict);
  return text + "  </testsuite>\n";
}

}  // namespace

std::string to_junit(std::span<const ParsedReport> reports) {
  CaseCounts all;
  for (const ParsedReport& report : reports) {
    const CaseCounts counts = case_counts(report);
    all.tests += counts.tests;
    all.failures += counts.failures;
  }
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
                     attribute("name", "skinbake") + attributes(all) + ">\n";
  for (const ParsedReport& report : reports) text += test_suite(report);
  return text + "</testsuites>\n";
}

}  // namespace skinbake
