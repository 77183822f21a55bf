#include "batch/results/overview.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "options/parsing/usage_error.h"
#include "report/overview.h"
#include "skinbake/tool/files/output_file.h"
#include "skinbake/tool/report/overview.h"
#include "skinbake/tool/report/parsed_report.h"
#include "terminal/console.h"

namespace skinbake::cli {

std::vector<std::string> reports_of(const BatchPlan& plan, std::span<const std::uint64_t> tasks) {
  constexpr std::string_view kOption = "--report=";
  std::vector<std::string> reports;
  for (const std::uint64_t t : tasks) {
    const std::vector<std::string> words = plan.words(plan.tasks()[t]);
    for (std::size_t w = 0; w < words.size(); ++w) {
      std::string path;
      if (words[w].starts_with(kOption)) path = words[w].substr(kOption.size());
      if (words[w] == "--report" && w + 1 < words.size()) path = words[w + 1];
      if (path.empty() || path == "-") continue;
      if (std::find(reports.begin(), reports.end(), path) == reports.end()) reports.push_back(path);
    }
  }
  return reports;
}

void require_reports(const std::string& html, const BatchPlan& plan,
                     std::span<const std::uint64_t> tasks) {
  if (html.empty() || !reports_of(plan, tasks).empty()) return;
  throw UsageError("--html",
                   "shows the reports of the tasks, and no task writes one; give a job "
                   "the key 'report'");
}

void write_overview(const std::string& html, const BatchPlan& plan,
                    std::span<const std::uint64_t> tasks, std::uint64_t max_memory) {
  if (html.empty()) return;
  std::vector<std::string> paths = reports_of(plan, tasks);
  std::erase_if(paths, [](const std::string& path) {  // of failed tasks
    std::error_code unknown;
    return !std::filesystem::exists(path, unknown);
  });
  if (paths.empty()) return log_warning("--html: no task has left a report, so no page is written");
  Issues skipped;
  const std::vector<ParsedReport> reports = read_reports(paths, max_memory, skipped);
  const OverviewPages pages = overview_pages(html, paths);
  std::vector<OutputFile> files;
  for (std::size_t r = 0; r < reports.size(); ++r) {
    files.emplace_back(pages.paths[r]).write(to_page(PageFormat::kHtml, {&reports[r], 1}));
  }
  files.emplace_back(html).write(to_overview({reports, pages.links, {}, {}}));
  std::vector<OutputFile*> all;
  for (OutputFile& file : files) all.push_back(&file);
  commit_together(all);
}

}  // namespace skinbake::cli
