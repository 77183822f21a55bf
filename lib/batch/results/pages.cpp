// The results of a batch as Markdown and JUnit XML.

#include <algorithm>
#include <string>
#include <vector>

#include "batch/results/batch_summary.h"
#include "report/pages/junit.h"
#include "report/pages/pages.h"
#include "report/pages/words.h"
#include "report/report_text.h"

namespace skinbake {

namespace {

constexpr std::size_t kLongestText = 400;
constexpr std::size_t kMostErrors = 5, kMostChecks = 5;  // of a task

std::string code(std::string_view text) {
  return markdown_code(shortened(text, kLongestText));
}

std::string name_text(const TaskName& name) {
  std::string text;
  for (const std::string& part : {name.job, name.rig, name.clip}) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + code(part);
  }
  return text;
}

// "`0.0273 m, frame 42` in `arm`, `bend`, `dqs`"
std::string measured_text(const TaskCheck& check) {
  std::string text = code(check.value) + " in " + code(check.mesh);
  if (!check.clip.empty()) text += ", " + code(check.clip);
  if (!check.method.empty()) text += ", " + code(check.method);
  return text;
}

std::string failed_checks(const TaskRecord& record) {
  std::string text;
  std::size_t count = 0;
  std::vector<TaskCheck> checks = record.checks;
  std::stable_sort(checks.begin(), checks.end(),
                   [](const TaskCheck& a, const TaskCheck& b) { return a.excess > b.excess; });
  for (const TaskCheck& check : checks) {
    if (check.passed || check.is_warning || ++count > kMostChecks) continue;
    text += "  - " + code(check.limit) + ": " + measured_text(check) + "\n";
  }
  if (count > kMostChecks) {
    text += "  - and " + std::to_string(count - kMostChecks) + " more limits\n";
  }
  return text;
}

std::string failed_task(const TaskName& name, const TaskRecord& record,
                        const std::string& command) {
  std::string text = "- ❌ exit " + std::to_string(record.exit_code) + ": " + name_text(name) + "\n";
  const std::string checks = failed_checks(record);
  text += checks;
  for (std::size_t i = 0; checks.empty() && i < record.errors.size() && i < kMostErrors; ++i) {
    text += "  - " + code(record.errors[i]) + "\n";
  }
  return text + "  - " + code(command) + "\n";
}

std::string warned_text(const WarnedLimit& warned) {
  return "- " + code(warned.limit) + " exceeded in " + counted(warned.places, "place", "places") +
         ", worst: " + measured_text(warned.worst) + " of " + name_text(warned.task) + "\n";
}

std::string issues_text(const BatchResults& results) {
  std::string text;
  for (const WarnedLimit& warned : results.warned) text += warned_text(warned);
  for (const BatchIssues& group : results.issues) {
    if (group.severity == Severity::kInfo) continue;
    text += "- " + code(group.code) + ", " + counted(group.places, "place", "places") + ": ";
    for (const Issue& issue : group.first) {
      if (&issue != &group.first.front()) text += ", ";
      text += code(issue.file + (issue.pointer.empty() ? "" : " " + issue.pointer));
    }
    text += (group.places > group.first.size() ? ", …\n" : "\n");
  }
  for (const auto& [allowed, tasks] : results.allowed) {
    text += "- allowed: " + code(allowed) + " in " + counted(tasks, "task", "tasks") + "\n";
  }
  return text.empty() ? "" : "\n**Warnings**\n\n" + text;
}

std::string head_text(const BatchResults& results) {
  const std::size_t failed = results.failed.size();
  std::string text = failed > 0 ? "❌ " + counted(failed, "task", "tasks") + " failed of "
                     : results.missing > 0 ? "⚠️ not all done of "
                                           : "✅ ";
  text += counted(results.tasks, "task", "tasks") + ", " + std::to_string(results.frames) +
          " frames\n\n| exit code | tasks |\n|--:|--:|\n";
  for (auto row = results.by_exit_code.rbegin(); row != results.by_exit_code.rend(); ++row) {
    text += "| " + std::to_string(row->first) + " | " + std::to_string(row->second) + " |\n";
  }
  if (results.missing > 0) text += "| not done | " + std::to_string(results.missing) + " |\n";
  return text;
}

}  // namespace

std::string summary_markdown(const BatchPlan& plan, std::span<const std::uint64_t> tasks,
                             const BatchState& state,
                             const std::function<std::string(const BatchTask&)>& command_of) {
  const BatchResults results = results_of(plan, tasks, state);
  std::string text = "### skinbake batch: " + head_text(results);
  std::string issues = issues_text(results);
  constexpr std::size_t kForIssues = kMostMarkdown / 4;
  if (issues.size() > kForIssues) {
    issues.resize(issues.rfind('\n', kForIssues) + 1);
    issues += "- … more codes are in the JSON summary\n";
  }
  constexpr std::size_t kForEnd = 100;
  std::size_t shown = 0;
  for (const FailedTask& failed : results.failed) {
    const BatchTask& task = plan.tasks()[failed.task];
    const std::optional<TaskRecord> record = state.find(plan.name(task));
    if (!record) continue;
    const std::string lines =
        (shown == 0 ? "\n" : "") + failed_task(plan.name(task), *record, command_of(task));
    if (text.size() + lines.size() + issues.size() + kForEnd > kMostMarkdown) break;
    text += lines;
    ++shown;
  }
  if (shown < results.failed.size()) {
    text += "\n" + counted(results.failed.size() - shown, "failed task is", "failed tasks are") +
            " only in the JSON summary.\n";
  }
  return text + issues;
}

namespace {

using CaseKind = JunitCase::Kind;

void append(std::string& text, const std::string& more) {
  if (more.empty()) return;
  text += (text.empty() ? "" : ", ") + more;
}

// "Body, Walk, dqs: error.max at most 0.01 m"
JunitCase case_of(const TaskCheck& check) {
  JunitCase one;
  for (const std::string& part : {check.mesh, check.clip, check.method}) append(one.name, part);
  one.name += check.limit.empty() ? ": done" : ": " + check.limit;
  one.text = check.value;
  if (check.passed) return one;
  if (check.is_warning) {
    one.text = "warning: limit exceeded: " + check.value;
  } else {
    one.kind = CaseKind::kFailed;
    one.message = check.value + ", limit " + check.limit;
  }
  return one;
}

// Adds a case that says how the task ended, unless a check says it.
void add_end(const TaskRecord& record, JunitSuite& suite) {
  const bool is_told = std::any_of(suite.cases.begin(), suite.cases.end(),
                                   [](const auto& one) { return one.kind == CaseKind::kFailed; });
  if (record.exit_code == 0 ? !suite.cases.empty() : record.exit_code == 1 && is_told) return;
  JunitCase end{"the task ends with exit code 0", ""};
  if (record.exit_code != 0) {
    end.kind = record.exit_code == 1 ? CaseKind::kFailed : CaseKind::kError;
    end.message = "exit code " + std::to_string(record.exit_code);
    for (const std::string& error : record.errors) end.message += "\n" + error;
  }
  suite.cases.push_back(std::move(end));
}

JunitSuite suite_of(const TaskName& name, const std::optional<TaskRecord>& record) {
  JunitSuite suite;
  for (const std::string& part : {name.job, name.rig, name.clip}) append(suite.name, part);
  if (!record) {
    suite.cases.push_back({"the task ends with exit code 0", "not done", CaseKind::kSkipped});
    return suite;
  }
  for (const TaskCheck& check : record->checks) suite.cases.push_back(case_of(check));
  add_end(*record, suite);
  return suite;
}

}  // namespace

std::string summary_junit(const BatchPlan& plan, std::span<const std::uint64_t> tasks,
                          const BatchState& state) {
  std::vector<JunitSuite> suites;
  for (const std::uint64_t t : tasks) {
    const TaskName name = plan.name(plan.tasks()[t]);
    suites.push_back(suite_of(name, state.find(name)));
  }
  // Build servers take a file without tests for a broken one.
  if (tasks.empty()) {
    suites.push_back(
        {"skinbake batch", {{"the shard has a task", "it has none", CaseKind::kSkipped}}});
  }
  return junit_xml("skinbake batch", suites);
}

}  // namespace skinbake
