#include "batch/results.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "json/text.h"
#include "options/usage_error.h"
#include "outputs/overview_pages.h"
#include "report/pages/pages.h"
#include "report/report_text.h"
#include "terminal/console.h"
#include "terminal/table.h"
#include "terminal/task_context.h"

namespace skinbake::cli {

namespace {

// The file of a form that the task writes; empty: none.
std::string file_of(ReportForm form, const BatchPlan& plan, std::uint64_t task) {
  for (const std::string& word : plan.words(plan.tasks()[task])) {
    const std::size_t value = word.find('=') + 1;
    if (!word.starts_with("--report=")) continue;
    const std::optional<ReportFile> file = report_file(word.substr(value));
    if (file && file->form == form) return file->path;
  }
  return "";
}

// The report that the task writes; empty: none.
std::string report_of(const BatchPlan& plan, std::uint64_t task) {
  return file_of(ReportForm::kJson, plan, task);
}

// The address of the task's page in 3D; empty: none.
std::string view_of(const std::string& overview, const BatchPlan& plan, std::uint64_t task) {
  const std::string page = file_of(ReportForm::kHtml, plan, task);
  return !page.empty() && is_page_with_view(page) ? address_from(overview, page) : "";
}

// Whether the task has ended with an exit code with which it leaves its report.
bool has_left_report(const BatchPlan& plan, std::uint64_t task, const BatchState& state) {
  const std::optional<TaskRecord> record = state.find(plan.name(plan.tasks()[task]));
  return record && record->exit_code <= 1;
}

}  // namespace

std::vector<std::string> reports_of(const BatchPlan& plan, std::span<const std::uint64_t> tasks) {
  std::vector<std::string> reports;
  for (const std::uint64_t t : tasks) {
    std::string path = report_of(plan, t);
    if (!path.empty()) reports.push_back(std::move(path));
  }
  return reports;
}

bool use_stdout(const std::vector<ReportFile>& reports) {
  return std::any_of(reports.begin(), reports.end(),
                     [](const ReportFile& report) { return report.path == "-"; });
}

void require_reports(const std::vector<ReportFile>& reports, const BatchPlan& plan) {
  const auto page = std::find_if(reports.begin(), reports.end(), [](const ReportFile& report) {
    return report.form == ReportForm::kHtml;
  });
  if (page == reports.end()) return;
  for (std::uint64_t t = 0; t < plan.tasks().size(); ++t) {
    if (!report_of(plan, t).empty()) return;
  }
  throw UsageError("--report", page->path +
                                   " shows the reports of the tasks, and no task writes one; give "
                                   "a job the key 'report'");
}

void add_overview(const std::string& html, const BatchPlan& plan,
                  std::span<const std::uint64_t> tasks, const BatchState& state,
                  std::vector<OutputFile>& files) {
  // A report has the same page whether others are there or not.
  const OverviewPages of_all = overview_pages(html, reports_of(plan, tasks));
  OverviewPages pages;
  std::vector<std::string> reports_left, views_left;
  std::size_t number = 0;
  for (const std::uint64_t t : tasks) {
    std::string path = report_of(plan, t);
    if (path.empty()) continue;
    const std::size_t page = number++;
    std::error_code unknown;
    if (!has_left_report(plan, t, state) || !std::filesystem::exists(path, unknown)) continue;
    reports_left.push_back(std::move(path));
    pages.paths.push_back(of_all.paths[page]);
    pages.links.push_back(of_all.links[page]);
    views_left.push_back(view_of(html, plan, t));
  }
  if (reports_left.empty()) {
    return log_warning(html + ": no task has left a report, so no page is written");
  }
  Issues skipped;
  const std::vector<NamedReport> reports = read_reports(reports_left, skipped);
  std::vector<std::string> links, views;
  for (const NamedReport& report : reports) {
    files.emplace_back(pages.paths[report.place])
        .write(to_page(ReportForm::kHtml, {&report, 1}, nullptr, of_all.back));
    links.push_back(pages.links[report.place]);
    views.push_back(views_left[report.place]);
  }
  files.emplace_back(html).write(to_overview({reports, links, views, {}, {}}));
}

namespace {

constexpr std::size_t kFailuresShown = 20;

std::string meaning_of(int exit_code) {
  switch (exit_code) {
    case 0:
      return "done";
    case 1:
      return "done, but a threshold was exceeded";
    case 2:
      return "the settings are wrong";
    case 3:
      return "an input is missing, malformed or unsupported";
    case 4:
      return "an output could not be written";
    case 5:
      return "not comparable";
    default:
      return "a bug in skinbake";
  }
}

std::string text_of_name(const TaskName& name) {
  std::string text = name.job;
  if (!name.rig.empty()) text += " " + name.rig;
  if (!name.clip.empty()) text += " " + name.clip;
  return printable(text);
}

// The word in single quotes, unless a POSIX shell takes it as it is.
std::string quoted(const std::string& word) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,@%+";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// The line that repeats a task. Characters that cannot be printed are replaced.
std::string command_line(const std::string& folder, const std::vector<std::string>& words) {
  std::string line;
  // "cd -" would go to the last folder.
  if (!folder.empty()) line = "cd " + quoted((folder.front() == '-' ? "./" : "") + folder) + " && ";
  line += "skinbake";
  for (const std::string& word : words) line += " " + quoted(word);
  return printable(line);
}

}  // namespace

std::string task_table(const BatchPlan& plan, std::span<const PlannedTask> tasks) {
  if (tasks.empty()) return "no tasks\n";
  std::vector<std::vector<std::string>> rows{{"job", "rig", "clip", "frames", "output", "status"}};
  for (const PlannedTask& planned : tasks) {
    const BatchTask& task = plan.tasks()[planned.task];
    const TaskName name = plan.name(task);
    const std::vector<std::string> outputs = plan.outputs(task);
    std::string output = outputs.empty() ? "-" : outputs.front();
    if (outputs.size() > 1) output += " and " + std::to_string(outputs.size() - 1) + " more";
    rows.push_back({printable(name.job), printable(name.rig), printable(name.clip),
                    std::to_string(task.frames), printable(output), printable(planned.status)});
  }
  const auto up_to_date = static_cast<std::uint64_t>(
      std::count_if(tasks.begin(), tasks.end(),
                    [](const PlannedTask& task) { return task.status == "up to date"; }));
  return table_text(rows, "lllrll") + "\n" + counted(tasks.size(), "task", "tasks") + ", " +
         std::to_string(up_to_date) + " up to date\n";
}

std::string results_table(const BatchPlan& plan, const BatchResults& results,
                          std::uint64_t up_to_date, const std::string& folder) {
  if (results.tasks == 0) return "no tasks\n";
  std::string text;
  for (std::size_t i = 0; i < std::min(results.failed.size(), kFailuresShown); ++i) {
    const FailedTask& failed = results.failed[i];
    const BatchTask& task = plan.tasks()[failed.task];
    text +=
        "exit " + std::to_string(failed.exit_code) + "  " + text_of_name(plan.name(task)) + "\n";
    if (!failed.error.empty()) text += "  " + printable(failed.error) + "\n";
    text += "  " + command_line(folder, plan.words(task)) + "\n";
  }
  if (results.failed.size() > kFailuresShown) {
    text += "… and " +
            counted(results.failed.size() - kFailuresShown, "failed task", "failed tasks") +
            " more; --report FILE.json lists all\n";
  }
  if (!text.empty()) text += "\n";
  std::vector<std::vector<std::string>> rows{{"exit", "tasks", ""}};
  for (auto row = results.by_exit_code.rbegin(); row != results.by_exit_code.rend(); ++row) {
    std::string meaning = meaning_of(row->first);
    if (row->first == 0 && up_to_date > 0) {
      meaning += ", " + std::to_string(up_to_date) + " of them up to date before";
    }
    rows.push_back({std::to_string(row->first), std::to_string(row->second), meaning});
  }
  if (results.missing > 0) rows.push_back({"", std::to_string(results.missing), "not done"});
  return text + table_text(rows, "rrl");
}

void require_writable(const std::vector<ReportFile>& reports) {
  for (const ReportFile& report : reports) {
    if (report.path != "-") const OutputFile opened(report.path);
  }
}

void write_reports(const std::vector<ReportFile>& reports, const Batch& batch,
                   std::span<const std::uint64_t> tasks, const BatchState& state) {
  const BatchPlan& plan = *batch.plan;
  std::vector<OutputFile> files;
  std::string printed;
  const auto text_of = [&](ReportForm form) {
    if (form == ReportForm::kJson) return summary_json(plan, tasks, state);
    if (form == ReportForm::kJunit) return summary_junit(plan, tasks, state);
    return summary_markdown(plan, tasks, state, [&](const BatchTask& task) {
      return command_line(batch.folder, plan.words(task));
    });
  };
  for (const ReportFile& report : reports) {
    if (report.form == ReportForm::kHtml) {
      add_overview(report.path, plan, tasks, state, files);
    } else if (report.path == "-") {
      printed += text_of(report.form);
    } else {
      files.emplace_back(report.path).write(text_of(report.form));
    }
  }
  std::vector<OutputFile*> all;
  for (OutputFile& file : files) all.push_back(&file);
  commit_outputs(all);
  print(printed);
}

void log_failures(const BatchPlan& plan, const BatchResults& results) {
  if (results.failed.empty()) return;
  const FailedTask& worst = results.failed.front();
  log_error(
      std::to_string(results.failed.size()) + " of " + counted(results.tasks, "task", "tasks") +
      " failed; the worst is " + text_of_name(plan.name(plan.tasks()[worst.task])) + ", exit " +
      std::to_string(worst.exit_code) + (worst.error.empty() ? "" : ": " + printable(worst.error)));
}

namespace {

void log_warned(const WarnedLimit& warned) {
  const TaskCheck& worst = warned.worst;
  std::string place = worst.mesh;
  for (const std::string& part : {worst.clip, worst.method}) {
    if (!part.empty()) place += (place.empty() ? "" : ", ") + part;
  }
  log_warning(printable(warned.limit) + ": exceeded in " +
              counted(warned.places, "place", "places") + ", worst: " + printable(worst.value) +
              " in " + printable(place) + " of " + text_of_name(warned.task));
}

std::string place_of(const Issue& issue) {
  return issue.file + (issue.pointer.empty() ? "" : " " + issue.pointer);
}

// The first issue of a code, and the places of others, whose messages can differ.
std::string text_of(const BatchIssues& group) {
  const Issue& first = group.first.front();
  std::string text = place_of(first) + ": " + first.message + " [" + group.code + "]";
  for (std::size_t i = 1; i < group.first.size(); ++i) {
    text += (i == 1 ? "; also at " : ", ") + place_of(group.first[i]);
  }
  if (group.places <= group.first.size()) return text;
  return text + " and " + counted(group.places - group.first.size(), "more place", "more places");
}

}  // namespace

void log_batch_issues(const BatchResults& results) {
  for (const WarnedLimit& warned : results.warned) log_warned(warned);
  for (const auto& [code, tasks] : results.allowed) {
    log_info(code + ": allowed, in " + counted(tasks, "task", "tasks"));
  }
  for (const BatchIssues& group : results.issues) {
    if (group.severity == Severity::kInfo) {
      log_info(text_of(group));
    } else {
      log_warning(text_of(group));
    }
  }
}

}  // namespace skinbake::cli
