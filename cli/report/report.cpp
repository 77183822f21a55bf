// Reads and renders reports: pages, an overview of a library, and the changes since older reports.

#include <algorithm>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/output_file.h"
#include "json/text.h"
#include "options/numbers.h"
#include "options/usage_error.h"
#include "outputs/output_paths.h"
#include "outputs/overview_pages.h"
#include "report/changes.h"
#include "report/options.h"
#include "report/pages/pages.h"
#include "report/recommend.h"
#include "report/report_text.h"
#include "skinbake/metrics.h"
#include "terminal/console.h"
#include "terminal/interrupt.h"
#include "terminal/table.h"
#include "terminal/task_context.h"
#include "thresholds/evaluate_thresholds.h"
#include "thresholds/thresholds.h"

namespace skinbake::cli {

namespace {

// ---- Changes

// "1%", "0.2pp", "1mm" or a number in the key's unit.
Tolerance parse_tolerance(std::string text, const std::string& key = "") {
  Tolerance tolerance;
  const std::optional<MetricField> field = metric_field(key);
  if (field && field->unit == Unit::kMetres && text.ends_with('m')) {
    tolerance.value = parse_limit("--tolerance", Unit::kMetres, text).value;
    return tolerance;
  }
  double factor = 1;
  if (text.ends_with("pp")) {
    text.resize(text.size() - 2);
    factor = 0.01;
  } else if (text.ends_with('%')) {
    text.pop_back();
    factor = 0.01;
    tolerance.relative = true;
  }
  const std::optional<double> value = finite_number(text);
  if (!value || *value < 0) {
    throw UsageError("--tolerance",
                     "'" + (key.empty() ? "" : key + "=") + text +
                         "' is not a number, a percentage (1%) or per cent points (0.2pp), or a "
                         "length of a key in metres (error.max=1mm)");
  }
  tolerance.value = *value * factor;
  return tolerance;
}

Tolerances parse_tolerances(const std::string& text) {
  Tolerances tolerances{text, {}, {}};
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string item = text.substr(begin, end - begin);
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos) {
      tolerances.all = parse_tolerance(item);
    } else {
      tolerances.of[item.substr(0, equals)] =
          parse_tolerance(item.substr(equals + 1), item.substr(0, equals));
    }
    begin = end + 1;
  }
  return tolerances;
}

std::string change_text(const ReportChange& change) {
  if (!change.before || !change.after) return "";
  const double difference = *change.after - *change.before;
  return (difference > 0 ? "+" : "") + with_unit(difference, change.field.unit);
}

std::string unpaired_text(const char* side, const std::vector<UnpairedRun>& runs) {
  constexpr std::size_t kMostNamed = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMostNamed, runs.size()); ++i) {
    text += std::string("only in the ") + side + " reports: mesh '" + printable(runs[i].mesh) +
            "'" + (runs[i].clip.empty() ? "" : ", clip '" + printable(runs[i].clip) + "'") + ", " +
            printable(runs[i].method) + "\n";
  }
  if (runs.size() <= kMostNamed) return text;
  return text + "… and " + std::to_string(runs.size() - kMostNamed) + " more\n";
}

// A table of the first changes, the worst first.
std::string changes_text(const ReportChanges& all, const ReportOptions& options) {
  const auto top = static_cast<std::size_t>(options.top);
  std::vector<std::vector<std::string>> rows{
      {"mesh", "clip", "method", "key", "before", "after", "change", "", ""}};
  const auto value_of = [](const std::optional<double>& value, const ReportChange& change) {
    return value ? with_unit(value, change.field.unit) : std::string("none");
  };
  for (std::size_t i = 0; i < std::min(top, all.changes.size()); ++i) {
    const ReportChange& change = all.changes[i];
    const std::string part = change.part.empty() ? "" : " of " + change.part;
    rows.push_back({printable(change.mesh), change.clip.empty() ? "-" : printable(change.clip),
                    printable(change.method), printable(change.key + part),
                    value_of(change.before, change), value_of(change.after, change),
                    change_text(change),
                    change.is_worse()    ? "worse"
                    : change.is_better() ? "better"
                                         : "",
                    change.is_beyond ? "beyond the tolerance" : ""});
  }
  std::string text = rows.size() > 1 ? table_text(rows, "llllrrrll") : "";
  if (all.changes.size() > top) {
    text += "… and " + std::to_string(all.changes.size() - top) + " more changes\n";
  }
  const auto beyond = static_cast<std::size_t>(
      std::count_if(all.changes.begin(), all.changes.end(),
                    [](const ReportChange& change) { return change.is_beyond; }));
  return text + unpaired_text("newer", all.only_after) + unpaired_text("older", all.only_before) +
         std::to_string(all.changes.size()) + " of " + counted(all.compared, "number", "numbers") +
         " changed" +
         (options.tolerance.empty() ? ""
                                    : ", " + std::to_string(beyond) + " beyond the tolerance") +
         "\n";
}

// ---- Pages

bool has_overview(const ReportOptions& options) {
  return options.overview || options.reports.size() > kMostSideBySide;
}

// Throws Error (kUsage, REPORT_FORMAT_UNKNOWN).
ReportFile page_file(const std::string& output) {
  const std::optional<ReportFile> file = report_file(output);
  if (file && file->form != ReportForm::kJson) return *file;
  throw Error("REPORT_FORMAT_UNKNOWN",
              "output '" + output +
                  "' must end in .html, .md or .xml; rename it, or write html:FILE, markdown:FILE "
                  "or junit:FILE");
}

// A page that the command line asks for, and of an overview the pages beside it.
struct PlannedPage {
  ReportFile file;
  bool is_overview = false;
  OverviewPages beside = {};
};

// Throws before anything is read.
std::vector<PlannedPage> planned_pages(const ReportOptions& options) {
  std::vector<PlannedPage> pages;
  for (const std::string& output : options.outputs) {
    PlannedPage page{page_file(output)};
    page.is_overview = page.file.form == ReportForm::kHtml && has_overview(options);
    if (page.is_overview && !options.self_contained) {
      page.beside = overview_pages(page.file.path, options.reports);
    }
    pages.push_back(std::move(page));
  }
  const bool has_page = std::any_of(pages.begin(), pages.end(),
                                    [](const PlannedPage& page) { return page.is_overview; });
  for (const auto& [option, is_given] : {std::pair("--overview", options.overview),
                                         std::pair("--self-contained", options.self_contained)}) {
    if (!is_given || has_page) continue;
    throw UsageError(option, "is for an overview; give --overview and -o FILE.html");
  }
  return pages;
}

// Throws UsageError if the command would do nothing.
void check_use(const ReportOptions& options) {
  if (!options.recommends && !options.thresholds.given.empty()) {
    throw UsageError("--fail", "is a limit of --recommend");
  }
  if (options.json && !options.recommends) throw UsageError("--json", "is for --recommend");
  if (!options.tolerance.empty() && options.against.empty()) {
    throw UsageError("--tolerance", "limits the changes since older reports; add --against");
  }
  const bool prints_text = options.recommends || !options.against.empty();
  if (options.outputs.empty() && !prints_text) {
    throw UsageError("--output", "no page is named; add -o PAGE.html, --against or --recommend");
  }
  const bool prints_page =
      std::any_of(options.outputs.begin(), options.outputs.end(),
                  [](const std::string& output) { return page_file(output).path == "-"; });
  if (prints_text && prints_page) {
    throw UsageError("--output",
                     "'-' excludes --against and --recommend, which print tables there");
  }
}

std::vector<std::string> files_of(std::span<const PlannedPage> pages) {
  std::vector<std::string> files;
  for (const PlannedPage& page : pages) {
    if (page.file.path != "-") files.push_back(page.file.path);
    files.insert(files.end(), page.beside.paths.begin(), page.beside.paths.end());
  }
  return files;
}

// The pages inside an overview.
std::vector<std::string> pages_inside(std::span<const NamedReport> reports) {
  constexpr std::size_t kMostBytes = std::size_t{64} << 20;
  std::vector<std::string> pages;
  std::size_t bytes = 0;
  for (std::size_t r = 0; r < reports.size(); ++r) {
    pages.push_back(to_page(ReportForm::kHtml, reports.subspan(r, 1)));
    bytes += pages.back().size();
    if (bytes <= kMostBytes) continue;
    throw UsageError("--self-contained",
                     "the pages of the first " + counted(r + 1, "report", "reports") + " of " +
                         std::to_string(reports.size()) +
                         " have more than 64 MiB; without it, they are files beside the overview");
  }
  return pages;
}

// The addresses of the pages in 3D that stand beside the reports: hero.html beside hero.json.
std::vector<std::string> views_of(std::span<const NamedReport> reports,
                                  const ReportOptions& options, const std::string& overview) {
  std::vector<std::string> views(reports.size());
  bool has_any = false;
  for (std::size_t r = 0; r < reports.size(); ++r) {
    const std::string page = std::filesystem::path(options.reports[reports[r].place])
                                 .replace_extension(".html")
                                 .string();
    if (!is_page_with_view(page)) continue;
    views[r] = address_from(overview, page);
    has_any = true;
  }
  return has_any ? views : std::vector<std::string>();
}

struct ReadReports {
  std::vector<NamedReport> reports, against;
};

// Writes the page and the pages beside it to uncommitted files. Returns the text for standard
// output.
std::string write_page(const PlannedPage& page, const ReadReports& read,
                       const ReportOptions& options, std::vector<OutputFile>& files) {
  const std::span<const NamedReport> reports = read.reports;
  std::vector<std::string> inside, links, views;
  if (page.is_overview) {
    if (options.self_contained) inside = pages_inside(reports);
    if (page.file.path != "-") views = views_of(reports, options, page.file.path);
  }
  for (std::size_t r = 0; r < (page.beside.paths.empty() ? 0 : reports.size()); ++r) {
    links.push_back(page.beside.links[reports[r].place]);
    files.emplace_back(page.beside.paths[reports[r].place])
        .write(to_page(ReportForm::kHtml, reports.subspan(r, 1), nullptr, page.beside.back));
  }
  std::string text = page.is_overview ? to_overview({reports, links, views, inside, read.against})
                                      : to_page(page.file.form, reports);
  if (page.file.path == "-") return text;
  files.emplace_back(page.file.path).write(text);
  return "";
}

}  // namespace

// Reads and renders everything before the first output is committed.
int run_report(const ReportOptions& options) {
  check_use(options);
  const Tolerances tolerances = parse_tolerances(options.tolerance);
  const std::vector<PlannedPage> pages = planned_pages(options);
  const std::vector<std::string> files = files_of(pages);
  require_distinct(files);
  InputFiles inputs;
  inputs.add(options.reports, "report");
  inputs.add(options.against, "report");
  inputs.refuse(files);
  Issues issues;
  ReadReports read{read_reports(options.reports, issues), read_reports(options.against, issues)};
  std::vector<std::string> paths = options.reports;
  paths.insert(paths.end(), options.against.begin(), options.against.end());
  log_issues(issues, paths);
  RecommendedMethods recommended;
  if (options.recommends) recommended = recommended_methods(options, read.reports);
  std::string printed = recommended.text;
  bool passed = recommended.passed;
  if (!options.against.empty()) {
    const ReportChanges changes = changes_between(read.reports, read.against, tolerances);
    passed = passed && !changes.is_beyond();
    printed += changes_text(changes, options);
    add_changes(changes, read.reports);
  }
  remove_outputs_on_signal();
  std::vector<OutputFile> opened;
  for (const PlannedPage& page : pages) printed += write_page(page, read, options, opened);
  std::vector<OutputFile*> all;
  for (OutputFile& file : opened) all.push_back(&file);
  commit_outputs(all);
  print(printed);
  return std::max(passed ? 0 : 1, strict_exit_code(options.strict, issues));
}

}  // namespace skinbake::cli
