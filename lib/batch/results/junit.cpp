// JUnit XML of a batch: a suite for each task.

#include <algorithm>
#include <string>

#include "batch/results/batch_summary.h"
#include "report/pages/escape.h"

namespace skinbake {

namespace {

struct Case {
  std::string name;
  enum class Kind { kPassed, kFailed, kError, kSkipped } kind = Kind::kPassed;
  std::string message = {};  // of a failure
  std::string text = {};     // the measured value
};

struct Suite {
  std::string name;
  std::vector<Case> cases;

  std::int64_t count(Case::Kind kind) const {
    return std::count_if(cases.begin(), cases.end(),
                         [&](const Case& one) { return one.kind == kind; });
  }
};

std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + escaped(value) + "\"";
}

void append(std::string& text, const std::string& more) {
  if (more.empty()) return;
  text += (text.empty() ? "" : ", ") + more;
}

// "Body, Walk, dqs: --fail-max 0.01 m"
Case case_of(const TaskCheck& check) {
  Case one;
  for (const std::string& part : {check.mesh, check.clip, check.method}) append(one.name, part);
  one.name += check.limit.empty() ? ": done" : ": " + check.limit;
  one.text = check.value;
  if (check.passed) return one;
  if (check.is_warning) {
    one.text = "warning: limit exceeded: " + check.value;
  } else {
    one.kind = Case::Kind::kFailed;
    one.message = check.value + ", limit " + check.limit;
  }
  return one;
}

// A case that says how the task ended, unless a check says it.
void add_end(const TaskRecord& record, Suite& suite) {
  const bool is_told = suite.count(Case::Kind::kFailed) > 0;
  if (record.exit_code == 0 ? !suite.cases.empty() : record.exit_code == 1 && is_told) return;
  Case end{"the task ends with exit code 0"};
  if (record.exit_code != 0) {
    end.kind = record.exit_code == 1 ? Case::Kind::kFailed : Case::Kind::kError;
    end.message = "exit code " + std::to_string(record.exit_code);
    for (const std::string& error : record.errors) end.message += "\n" + error;
  }
  suite.cases.push_back(std::move(end));
}

Suite suite_of(const TaskName& name, const std::optional<TaskRecord>& record) {
  Suite suite;
  for (const std::string& part : {name.job, name.rig, name.clip}) append(suite.name, part);
  if (!record) {
    suite.cases.push_back({"the task ends with exit code 0", Case::Kind::kSkipped, "not done"});
    return suite;
  }
  for (const TaskCheck& check : record->checks) suite.cases.push_back(case_of(check));
  add_end(*record, suite);
  return suite;
}

std::string text_of(const Case& one, const std::string& suite) {
  std::string text =
      "    <testcase" + attribute("classname", suite) + attribute("name", one.name) + ">\n";
  const std::string first_line = one.message.substr(0, one.message.find('\n'));
  const auto element = [&](const char* tag) {
    text += "      <" + std::string(tag) + attribute("message", first_line) + ">" +
            escaped(one.message) + "</" + tag + ">\n";
  };
  if (one.kind == Case::Kind::kFailed) element("failure");
  if (one.kind == Case::Kind::kError) element("error");
  if (one.kind == Case::Kind::kSkipped) element("skipped");
  if (!one.text.empty()) text += "      <system-out>" + escaped(one.text) + "</system-out>\n";
  return text + "    </testcase>\n";
}

std::string counts_text(std::int64_t tests, std::int64_t failures, std::int64_t errors,
                        std::int64_t skipped) {
  return attribute("tests", std::to_string(tests)) +
         attribute("failures", std::to_string(failures)) +
         attribute("errors", std::to_string(errors)) +
         attribute("skipped", std::to_string(skipped));
}

}  // namespace

std::string summary_junit(const BatchPlan& plan, std::span<const std::uint64_t> tasks,
                          const BatchState& state) {
  std::int64_t tests = 0, failures = 0, errors = 0, skipped = 0;
  std::string suites;
  const auto add = [&](const Suite& suite) {
    const std::int64_t all[] = {static_cast<std::int64_t>(suite.cases.size()),
                                suite.count(Case::Kind::kFailed), suite.count(Case::Kind::kError),
                                suite.count(Case::Kind::kSkipped)};
    tests += all[0], failures += all[1], errors += all[2], skipped += all[3];
    suites += "  <testsuite" + attribute("name", suite.name) +
              counts_text(all[0], all[1], all[2], all[3]) + ">\n";
    for (const Case& one : suite.cases) suites += text_of(one, suite.name);
    suites += "  </testsuite>\n";
  };
  for (const std::uint64_t t : tasks) {
    const TaskName name = plan.name(plan.tasks()[t]);
    add(suite_of(name, state.find(name)));
  }
  // Build servers take a file without tests for a broken one.
  if (tasks.empty()) {
    add({"skinbake batch", {{"the shard has a task", Case::Kind::kSkipped, "it has none"}}});
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
         attribute("name", "skinbake batch") + counts_text(tests, failures, errors, skipped) +
         ">\n" + suites + "</testsuites>\n";
}

}  // namespace skinbake
