// JUnit XML, as build servers read it: a suite for each report, a case for each threshold and
// method, and each other answer that a run fails by, outputs read back among them. What a case
// measured is in <system-out>, also when it passed. There are no times: reports have none.

#include <algorithm>

#include "report/answers.h"
#include "report/escape.h"
#include "report/page_text.h"
#include "report/pages.h"

namespace skinbake {

namespace {

std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + escaped(value) + "\"";
}

std::vector<Answer> all_answers(const ReportView& report) {
  std::vector<Answer> all = answers_of(report);
  for (Answer& output : verifications_of(report)) all.push_back(std::move(output));
  return all;
}

struct Counts {
  std::size_t tests = 0, failures = 0;
};

// Each threshold, and each method on its own if there are several.
std::vector<const Check*> all_checks(const ReportView& report) {
  std::vector<const Check*> all;
  for (const Check& check : report.checks) {
    for (const Check& method : methods_of(check)) all.push_back(&method);
  }
  return all;
}

Counts counts_of(const ReportView& report) {
  const std::vector<const Check*> checks = all_checks(report);
  const std::vector<Answer> answers = all_answers(report);
  const auto failed =
      std::count_if(checks.begin(), checks.end(),
                    [](const Check* check) { return outcome_of(*check) == Outcome::kFailed; }) +
      std::count_if(answers.begin(), answers.end(),
                    [](const Answer& answer) { return !answer.passed; });
  return {checks.size() + answers.size(), static_cast<std::size_t>(failed)};
}

std::string attributes(const Counts& counts) {
  return attribute("tests", std::to_string(counts.tests)) +
         attribute("failures", std::to_string(counts.failures)) + attribute("errors", "0") +
         attribute("skipped", "0");
}

// "66.67 %, limit 5 %: mesh 'tube', clip 'twist', lbs, frame 30".
std::string measured(const Check& check) {
  return value_text(check) + ", limit " + with_unit(check.limit, check.unit) + ": " +
         check_place_text(check);
}

std::string failure(const Check& check) {
  std::string text = measured(check);
  if (check.failures > 1) {
    text += "; exceeded " + std::to_string(check.failures) + " times, this is the worst";
  }
  return "      <failure" + attribute("message", check.metric + " " + measured(check)) +
         attribute("type", check.metric) + ">" + escaped(text) + "</failure>\n";
}

std::string test_case(const ReportView& report, const Check& check, const std::string& name) {
  std::string warning = outcome_of(check) == Outcome::kWarned ? "warning: " : "";
  if (!warning.empty() && !check.mesh.empty()) warning += "limit exceeded: ";
  std::string text =
      "    <testcase" + attribute("classname", report.name) + attribute("name", name) + ">\n";
  if (outcome_of(check) == Outcome::kFailed) text += failure(check);
  text += "      <system-out>" + escaped(warning + check.metric + " " + measured(check)) +
          "</system-out>\n";
  return text + "    </testcase>\n";
}

std::string test_case(const ReportView& report, const Answer& answer) {
  const std::string text = escaped(answer.text);
  return "    <testcase" + attribute("classname", report.name) + attribute("name", answer.name) +
         ">\n" +
         (answer.passed ? ""
                        : "      <failure" + attribute("message", answer.text) +
                              attribute("type", answer.name) + ">" + text + "</failure>\n") +
         "      <system-out>" + text + "</system-out>\n    </testcase>\n";
}

std::string properties(const ReportView& report) {
  if (report.inputs.empty()) return "";
  std::string text = "    <properties>\n";
  for (const InputFile& input : report.inputs) {
    text += "      <property" + attribute("name", input.role) +
            attribute("value", input.path + " " + input.xxh128) + "/>\n";
  }
  return text + "    </properties>\n";
}

std::string test_suite(const ReportView& report) {
  std::string text = "  <testsuite" +
                     attribute("name", "skinbake " + report.command + " " + report.name) +
                     attributes(counts_of(report)) + ">\n" + properties(report);
  for (const Check& check : report.checks) {
    for (const Check& method : methods_of(check)) {
      const std::string of = check.methods.empty() ? "" : ": " + method.method;
      text += test_case(report, method, limit_text(check) + of);
    }
  }
  for (const Answer& answer : all_answers(report)) text += test_case(report, answer);
  return text + "  </testsuite>\n";
}

}  // namespace

std::string to_junit(std::span<const ReportView> reports) {
  Counts all;
  for (const ReportView& report : reports) {
    const Counts counts = counts_of(report);
    all.tests += counts.tests;
    all.failures += counts.failures;
  }
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
                     attribute("name", "skinbake") + attributes(all) + ">\n";
  for (const ReportView& report : reports) text += test_suite(report);
  return text + "</testsuites>\n";
}

}  // namespace skinbake
