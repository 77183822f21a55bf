// Signs caches, or checks them.

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/output_file.h"
#include "base/paths.h"
#include "comparison/golden_check.h"
#include "golden/options.h"
#include "golden/sources.h"
#include "json/text.h"
#include "options/usage_error.h"
#include "outputs/output_paths.h"
#include "report/report_text.h"
#include "terminal/format.h"
#include "terminal/interrupt.h"
#include "terminal/progress.h"
#include "terminal/table.h"
#include "terminal/task_context.h"

namespace skinbake::cli {

namespace {

// "left out as rigs or clips: 'hero.glb', 'ogre.vrm' and 3 more", or nothing.
std::string left_out_text(const char* why, const std::vector<std::string>& names, const char* end) {
  return names.empty() ? "" : std::string("left out ") + why + ": " + name_list(names) + end;
}

std::string unreadable_text(const GoldenSources& sources, const char* end = "\n") {
  return left_out_text(
      "because their formats are written and not read (sign a PC2, MDD, NPY or GLB of the same "
      "frames)",
      sources.unreadable, end);
}

std::string left_out_text(const GoldenSources& sources, const char* end = "\n") {
  return left_out_text("as rigs or clips", sources.left_out, end) + unreadable_text(sources, end);
}

void check_together(const GoldenCommandOptions& options) {
  if (options.output.empty() && options.check.empty()) {
    throw UsageError("--output",
                     "no folder is named; add -o FOLDER for new goldens, or --check FOLDER");
  }
  const bool writes = !options.output.empty();
  std::error_code unknown;
  if (writes && std::filesystem::exists(options.output, unknown) && !is_folder(options.output)) {
    throw UsageError("--output", "'" + printable(options.output) + "' is a file; name a folder");
  }
  if (writes && !options.thresholds.given.empty()) throw UsageError("--fail", "is for --check");
  if (writes && options.reports.any()) throw UsageError("--report", "is for --check");
  require_golden_limits(options.thresholds);
  check_reports(options.reports);
  if (!writes && (options.golden.vertices > 0 || options.golden.quantum_m > 0)) {
    throw UsageError("--check", "uses the samples of the goldens; omit --vertices and --quantum");
  }
}

std::vector<std::string> golden_paths(const GoldenCommandOptions& options,
                                      const std::vector<GoldenSource>& sources) {
  std::vector<std::string> paths;
  for (const GoldenSource& source : sources) {
    paths.push_back(golden_path(options.output, source.name));
  }
  return paths;
}

int write_goldens(const GoldenCommandOptions& options, const std::vector<GoldenSource>& sources) {
  GoldenOptions golden = options.golden;
  GoldenRigs rigs(options.load);
  const std::vector<std::string> paths = golden_paths(options, sources);
  InputFiles inputs;
  inputs.add(options.sources, "source");
  for (const GoldenSource& source : sources) {
    inputs.add_cache(source.path);
    if (!source.rig.empty()) inputs.add(source.rig, "rig");
  }
  inputs.refuse(paths);
  const Asset* added = nullptr;
  std::vector<OutputFile> files;
  std::uint64_t of_caches = 0, of_goldens = 0;
  Progress progress(static_cast<std::int64_t>(sources.size()), options.bar(), "caches");
  remove_outputs_on_signal();
  for (const GoldenSource& source : sources) {
    progress.begin(printable(source.name));
    const std::unique_ptr<CacheReader> cache = open_cache(source.path, "");
    const Rig* const rig = rigs.find(source, *cache);
    if (rigs.asset() != added) inputs.add(*(added = rigs.asset()));
    const std::string text = golden_text(make_golden(*cache, rig, golden));
    files.emplace_back(paths[files.size()]).write(text);
    of_caches += cache->bytes();
    of_goldens += text.size();
    progress.update(static_cast<std::int64_t>(files.size()));
  }
  inputs.refuse(paths);
  std::vector<OutputFile*> all;
  for (OutputFile& file : files) all.push_back(&file);
  commit_outputs(all);
  if (!options.quiet) {
    print(fmt::format(
        "{}: {} bytes, {:.2g} % of the caches\n", counted(files.size(), "golden", "goldens"),
        of_goldens,
        of_caches == 0 ? 0
                       : 100 * static_cast<double>(of_goldens) / static_cast<double>(of_caches)));
  }
  return 0;
}

// Checks one cache. An error is its result, and sets `exit_code`.
GoldenResult checked(const GoldenCommandOptions& options, const std::string& name,
                     const std::string& path, int& exit_code) {
  GoldenResult result;
  try {
    result = check_golden(golden_path(options.check, name), path, options.limit_m());
  } catch (const Error& error) {
    exit_code = std::max(exit_code, exit_code_of(error.kind()));
    result.status = GoldenResult::Status::kFailed;
    result.message = std::string(error.what()) + " [" + error.code() + "]";
    const std::string place = path + ": ";  // the line begins with the name
    if (result.message.starts_with(place)) result.message.erase(0, place.size());
  }
  return result;
}

// Checks the golden of a cache that no source has, by the sidecar that a folder may still have.
GoldenResult checked_by_sidecar(const GoldenCommandOptions& options, const std::string& name,
                                int& exit_code) {
  for (const std::string& source : options.sources) {
    const std::string path = (std::filesystem::path(source) / name).string();
    if (!is_regular_file(path + ".json")) continue;
    GoldenResult result = checked(options, name, path, exit_code);
    if (result.status != GoldenResult::Status::kMissing) return result;
  }
  GoldenResult result;
  result.status = GoldenResult::Status::kMissing;
  return result;
}

// A report with a check of each cache.
Report golden_report(const GoldenCommandOptions& options, std::span<const GoldenResult> results) {
  Report report;
  report.command = "golden";
  report.settings.reference = shown(options.check);
  for (const GoldenResult& result : results) {
    Check& check = report.checks.emplace_back();
    check.key = "error.max";
    check.unit = Unit::kMetres;
    check.limit = options.limit_m().value_or(0);
    check.passed = result.passed();
    check.failures = check.passed ? 0 : 1;
    check.mesh = result.name;
    check.clip = result.clip;
    if (result.status == GoldenResult::Status::kIdentical) check.value = 0;
    if (!result.is_compared()) continue;
    check.value = check.rank = result.difference.max_m;
    if (!(result.difference.max_m > 0)) continue;
    check.frame = result.difference.frame;
    check.vertex = result.difference.vertex;
    check.joint = result.difference.joint;
  }
  return report;
}

void write_reports(const GoldenCommandOptions& options, std::span<const GoldenResult> results) {
  if (!options.reports.any()) return;
  const Report report = golden_report(options, results);
  const ReportTexts pages = texts_of(report, options.reports, shown(options.check));
  ReportFiles files(options.reports);
  files.write([&](ReportForm form) {
    return form == ReportForm::kJson ? golden_results_json(results) : pages(form);
  });
  std::vector<OutputFile*> all;
  files.append(all);
  commit_outputs(all);
  print(files.printed());
}

int check_goldens(const GoldenCommandOptions& options, const std::vector<GoldenSource>& sources) {
  std::set<std::string> goldens = names_of_goldens(options.check);
  std::vector<GoldenResult> results;
  int exit_code = 0;
  for (const GoldenSource& source : sources) {
    GoldenResult result;
    if (goldens.erase(source.name) == 0) {
      result.status = GoldenResult::Status::kNew;
    } else {
      result = checked(options, source.name, source.path, exit_code);
    }
    result.name = source.name;
    if (!result.passed()) exit_code = std::max(exit_code, 1);
    results.push_back(std::move(result));
  }
  find_renamed(sources, options.check, goldens, results);
  for (const std::string& name : goldens) {  // whose caches no source has
    GoldenResult& result = results.emplace_back(checked_by_sidecar(options, name, exit_code));
    result.name = name;
    if (!result.passed()) exit_code = std::max(exit_code, 1);
  }
  log_golden_results(results, options.limit_m(), options.quiet && !options.reports.to_stdout());
  write_reports(options, results);
  if (!options.reports.to_stdout() && !options.quiet)
    print(golden_results_text(results, options.limit_m()));
  return exit_code;
}

}  // namespace

int run_golden(const GoldenCommandOptions& options) {
  check_together(options);
  configure_console(options);
  const GoldenSources sources = golden_sources(options);
  configure_console(options);  // a batch has its own settings
  // Goldens whose caches are all missing are a result.
  const bool has_goldens = !options.check.empty() && !names_of_goldens(options.check).empty();
  if (sources.caches.empty() && !has_goldens) {
    throw Error("PATTERN_UNMATCHED",
                "the sources have no cache; " + left_out_text(sources, "; ") +
                    "name a manifest whose tasks write caches, a folder of caches, or caches");
  }
  if (!options.check.empty()) {
    const int exit_code = std::max(sources.exit_code, check_goldens(options, sources.caches));
    if (!options.quiet && !options.reports.to_stdout()) print(unreadable_text(sources));
    return exit_code;
  }
  if (sources.exit_code > 0) {
    log_warning("no golden is written, because a task of a manifest has failed");
    return sources.exit_code;
  }
  const int exit_code = write_goldens(options, sources.caches);
  if (!options.quiet) print(left_out_text(sources));
  return exit_code;
}

}  // namespace skinbake::cli
