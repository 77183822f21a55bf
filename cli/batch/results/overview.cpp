#include "batch/results/overview.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>

#include "options/parsing/usage_error.h"
#include "report/overview.h"
#include "report/pages/overview/overview.h"
#include "report/read/parsed_report.h"
#include "terminal/console.h"

namespace skinbake::cli {

namespace {

// The report that the task writes; empty: none.
std::string report_of(const BatchPlan& plan, std::uint64_t task) {
  constexpr std::string_view kOption = "--report=";
  const std::vector<std::string> words = plan.words(plan.tasks()[task]);
  const auto word = std::find_if(words.begin(), words.end(), [&](const std::string& each) {
    return each.starts_with(kOption);
  });
  return word == words.end() ? "" : word->substr(kOption.size());
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

void require_reports(const std::string& html, const BatchPlan& plan) {
  if (html.empty()) return;
  for (std::uint64_t t = 0; t < plan.tasks().size(); ++t) {
    if (!report_of(plan, t).empty()) return;
  }
  throw UsageError("--html",
                   "shows the reports of the tasks, and no task writes one; give a job "
                   "the key 'report'");
}

void add_overview(const std::string& html, const BatchPlan& plan,
                  std::span<const std::uint64_t> tasks, const BatchState& state,
                  std::uint64_t max_memory, std::vector<OutputFile>& files) {
  // A report has the same page whether others are there or not.
  const OverviewPages of_all = overview_pages(html, reports_of(plan, tasks));
  OverviewPages pages;
  std::vector<std::string> reports_left;
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
  }
  if (reports_left.empty()) {
    return log_warning("--html: no task has left a report, so no page is written");
  }
  Issues skipped;
  const std::vector<ParsedReport> reports = read_reports(reports_left, max_memory, skipped);
  std::vector<std::string> links;
  for (const ParsedReport& report : reports) {
    files.emplace_back(pages.paths[report.place])
        .write(to_page(PageFormat::kHtml, {&report, 1}, nullptr, of_all.back));
    links.push_back(pages.links[report.place]);
  }
  files.emplace_back(html).write(to_overview({reports, links, {}, {}}));
}

}  // namespace skinbake::cli
