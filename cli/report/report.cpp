#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/output_file.h"
#include "options/parsing/usage_error.h"
#include "outputs/input_files.h"
#include "outputs/output_paths.h"
#include "report/options.h"
#include "report/overview.h"
#include "report/pages/overview/overview.h"
#include "report/read/parsed_report.h"
#include "report/recommend.h"
#include "report/report_text.h"
#include "task/task_context.h"
#include "terminal/console.h"
#include "terminal/interrupt.h"
#include "thresholds/evaluate_thresholds.h"

namespace skinbake::cli {

namespace {

PageFormat format_of(const ReportOptions& options, const std::string& output) {
  if (options.format == "html") return PageFormat::kHtml;
  if (options.format == "markdown") return PageFormat::kMarkdown;
  if (options.format == "junit") return PageFormat::kJunit;
  if (const auto format = page_format_of(output)) return *format;
  throw Error("REPORT_FORMAT_UNKNOWN",
              "output '" + output +
                  "' must end in .html, .md or .xml; rename it, or give --format "
                  "html|markdown|junit");
}

struct ReadReports {
  std::vector<ParsedReport> reports, against;
  Issues issues;  // files that were skipped, and data that the pages omit
};

// Prints the issues. The runs that wrote the reports have printed their other ones.
ReadReports read_all(const ReportOptions& options) {
  ReadReports read;
  const std::uint64_t max_memory = options.max_memory;
  read.reports = read_reports(options.reports, max_memory, read.issues);
  for (const ParsedReport& report : read.reports) {
    for (const Issue& issue : report.issues) {
      if (issue.code == "PER_VERTEX_MISSING") read.issues.push_back(issue);
    }
  }
  std::vector<std::string> files = options.reports;
  if (!options.against.empty()) {
    MemoryShare rest = max_memory;
    for (const ParsedReport& report : read.reports) rest = rest.after(report.memory);
    read.against = read_reports(options.against, rest, read.issues);
    files.insert(files.end(), options.against.begin(), options.against.end());
    const Issues unpaired = unpaired_reports(read.reports, read.against);
    read.issues.insert(read.issues.end(), unpaired.begin(), unpaired.end());
  }
  log_issues(read.issues, files);
  return read;
}

bool has_overview(const ReportOptions& options) {
  return options.overview || !options.against.empty() || options.reports.size() > kMostSideBySide;
}

// The pages inside an overview.
std::vector<std::string> pages_of(std::span<const ParsedReport> reports) {
  constexpr std::size_t kMostBytes = std::size_t{64} << 20;
  std::vector<std::string> pages;
  std::size_t bytes = 0;
  for (std::size_t r = 0; r < reports.size(); ++r) {
    pages.push_back(to_page(PageFormat::kHtml, reports.subspan(r, 1)));
    bytes += pages.back().size();
    if (bytes <= kMostBytes) continue;
    throw UsageError("--self-contained",
                     "the pages of the first " + counted(r + 1, "report", "reports") + " of " +
                         std::to_string(reports.size()) + " have " + memory_text(bytes) +
                         ", more than 64 MiB; without it, they are files beside the overview");
  }
  return pages;
}

// An overview is a web page.
void check_overview(const ReportOptions& options) {
  if (options.self_contained && !has_overview(options)) {
    throw UsageError("--self-contained", "is for an overview; add --overview");
  }
  const std::string option = options.overview           ? "--overview"
                             : !options.against.empty() ? "--against"
                                                        : "";
  if (option.empty()) return;
  for (const std::string& output : options.outputs) {
    if (format_of(options, output) == PageFormat::kHtml) return;
  }
  throw UsageError(option, "is for a web page; give an output that ends in .html");
}

// Throws UsageError if the command would do nothing.
void check_use(const ReportOptions& options) {
  if (!options.recommends && !options.thresholds.given.empty()) {
    throw UsageError("--fail", "is a limit of --recommend");
  }
  if (options.json && !options.recommends) throw UsageError("--json", "is for --recommend");
  if (options.outputs.empty() && !options.recommends) {
    throw UsageError("--output", "no page is named; add -o PAGE.html, or --recommend");
  }
  const bool prints =
      std::find(options.outputs.begin(), options.outputs.end(), "-") != options.outputs.end();
  if (options.recommends && prints) {
    throw UsageError("--output", "'-' excludes --recommend, which prints its tables there");
  }
}

// A page that the command line asks for, and of an overview the pages beside it.
struct PlannedPage {
  std::string path;  // "-": standard output
  PageFormat format = PageFormat::kHtml;
  bool is_overview = false;
  OverviewPages beside = {};
};

// Throws before anything is read.
std::vector<PlannedPage> planned_pages(const ReportOptions& options) {
  std::vector<PlannedPage> pages;
  for (const std::string& path : options.outputs) {
    PlannedPage page{path, format_of(options, path)};
    page.is_overview = page.format == PageFormat::kHtml && has_overview(options);
    if (page.is_overview && !options.self_contained) {
      page.beside = overview_pages(path, options.reports);
    }
    pages.push_back(std::move(page));
  }
  return pages;
}

std::vector<std::string> files_of(std::span<const PlannedPage> pages) {
  std::vector<std::string> files;
  for (const PlannedPage& page : pages) {
    if (page.path != "-") files.push_back(page.path);
    files.insert(files.end(), page.beside.paths.begin(), page.beside.paths.end());
  }
  return files;
}

// The addresses of the reports' own pages. Paths that name no report have none.
std::vector<std::string> links_of(std::span<const ParsedReport> reports, const PlannedPage& page) {
  std::vector<std::string> links;
  if (page.beside.links.empty()) return links;
  for (const ParsedReport& report : reports) links.push_back(page.beside.links[report.place]);
  return links;
}

// Writes the page and those beside it to files that do not have their names yet. Returns what is
// for standard output.
std::string write_page(const PlannedPage& page, const ReadReports& read, bool self_contained,
                       std::vector<OutputFile>& files) {
  const std::span<const ParsedReport> reports = read.reports;
  std::vector<std::string> inside;
  if (page.is_overview && self_contained) inside = pages_of(reports);
  const std::vector<std::string> links = links_of(reports, page);
  std::string text = page.is_overview ? to_overview({reports, links, inside, read.against})
                                      : to_page(page.format, reports);
  const std::size_t count = page.beside.paths.empty() ? 0 : reports.size();
  for (std::size_t r = 0; r < count; ++r) {
    files.emplace_back(page.beside.paths[reports[r].place])
        .write(to_page(page.format, reports.subspan(r, 1), nullptr, page.beside.back));
  }
  if (page.path == "-") return text;
  files.emplace_back(page.path).write(text);
  return "";
}

}  // namespace

// Reads and renders everything before the first output gets its name.
int run_report(const ReportOptions& options) {
  check_use(options);
  const std::vector<PlannedPage> pages = planned_pages(options);
  const std::vector<std::string> files = files_of(pages);
  require_distinct(files);
  check_overview(options);
  InputFiles inputs;
  inputs.add(options.reports, "report");
  inputs.add(options.against, "report");
  inputs.refuse(files);
  const ReadReports read = read_all(options);
  RecommendedMethods recommended;
  if (options.recommends) recommended = recommended_methods(options, read.reports);
  for (const std::vector<ParsedReport>* reports : {&read.reports, &read.against}) {
    for (const ParsedReport& report : *reports) inputs.add(report.arrays, "array of a report");
  }
  inputs.refuse(files);
  remove_outputs_on_signal();
  std::vector<OutputFile> opened;
  std::string printed;
  for (const PlannedPage& page : pages) {
    printed += write_page(page, read, options.self_contained, opened);
  }
  std::vector<OutputFile*> all;
  for (OutputFile& file : opened) all.push_back(&file);
  commit_outputs(all);
  print(printed + recommended.text);
  return std::max(recommended.passed ? 0 : 1, strict_exit_code(options.strict, read.issues));
}

}  // namespace skinbake::cli
