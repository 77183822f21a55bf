// The comparison of two libraries: its text and its run.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "base/paths.h"
#include "clips/selection.h"
#include "comparison/library_files.h"
#include "diff/comparison.h"
#include "diff/conclusion.h"
#include "diff/frames.h"
#include "diff/library.h"
#include "json/text.h"
#include "options/file_kinds.h"
#include "options/usage_error.h"
#include "report/causes.h"
#include "report/report_text.h"
#include "terminal/console.h"
#include "terminal/format.h"
#include "terminal/table.h"
#include "terminal/task_context.h"
#include "thresholds/evaluate_thresholds.h"

namespace skinbake::cli {

namespace {

constexpr std::size_t kListed = 20;

// The value of a run for the metric of a check; none: it is not a number of the run alone.
std::optional<double> value_of(const std::string& metric, const PositionErrorResult& error) {
  if (metric == "error.max") return error.max;
  if (metric == "error.rms") return error.rms;
  if (metric == "error.max_relative") return error.max_relative;
  if (metric == "error.rms_relative") return error.rms_relative;
  return {};
}

// The worst status of the checks that the run exceeds.
VerdictStatus status_of(const Report& report, const MeshRecord& mesh, const RunRecord& run) {
  VerdictStatus worst = VerdictStatus::kNone;
  for (const Check& check : report.checks) {
    const std::string number = check.key + (check.is_relative ? "_relative" : "");
    const std::optional<double> value =
        check.share_limit ? std::nullopt : value_of(number, *run.error);
    const bool is_worst = check.mesh == mesh.rig->id && check.clip == run.clip;
    const bool is_over = value ? !(*value <= check.limit) : is_worst && !check.passed;
    if (!is_over) continue;
    worst = std::max(worst, check.severity == CheckSeverity::kFail ? VerdictStatus::kFail
                                                                   : VerdictStatus::kWarn);
  }
  return worst;
}

struct Row {
  const MeshRecord* mesh;
  const RunRecord* run;
  VerdictStatus status;

  // Larger is worse; a value that is not a number is the worst.
  std::tuple<VerdictStatus, double, double> badness(const std::string& metric) const {
    const auto of = [](double value) {
      return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
    };
    const PositionErrorResult& error = *run->error;
    return {status, of(value_of(metric, error).value_or(error.max)), of(error.max)};
  }
};

std::vector<Row> rows_that_differ(const Report& report, const std::string& metric) {
  std::vector<Row> rows;
  for (const MeshRecord& mesh : report.meshes) {
    for (const RunRecord& run : mesh.runs) {
      if (run.difference->vertices == 0) continue;
      rows.push_back({&mesh, &run, status_of(report, mesh, run)});
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
    return a.badness(metric) > b.badness(metric);
  });
  return rows;
}

std::string metres(double value) {
  return fmt::format("{:.4g} m", std::abs(value));
}

std::vector<std::string> cells(const Row& row) {
  const PositionErrorResult& error = *row.run->error;
  const std::string status = row.status == VerdictStatus::kFail   ? "fail"
                             : row.status == VerdictStatus::kWarn ? "warn"
                                                                  : "";
  return {
      status,
      printable(row.mesh->rig->id),
      row.run->clip.empty() ? "-" : printable(row.run->clip),
      metres(error.max),
      fmt::format("{:.3g} %", std::abs(error.max_relative) * 100),
      metres(error.rms),
      row.run->frames.is_end(error.max_at.frame)
          ? "end"
          : std::to_string(row.run->frames.frame(error.max_at.frame)),
      std::to_string(error.max_at.vertex),
      fmt::format("{} of {}", row.run->difference->vertices, row.mesh->rig->mesh->vertex_count())};
}

// What relative errors are parts of: rigs have a bind pose, caches do not.
const char* diagonal_text(const std::vector<Row>& rows) {
  const auto is_of_bind_pose = [](const Row& row) { return has_bind_pose(*row.mesh); };
  if (std::all_of(rows.begin(), rows.end(), is_of_bind_pose)) return "of bind diagonal";
  if (std::none_of(rows.begin(), rows.end(), is_of_bind_pose)) return "of first frame's diagonal";
  return "of bind or first frame's diagonal";
}

// The arrow marks the number that orders the rows; the rms in parts of the diagonal has no column.
std::string table_of(const std::vector<Row>& rows, std::size_t top, const std::string& metric) {
  if (rows.empty() || top == 0) return "";
  const auto head = [&](const std::string& name, std::string_view of) {
    return metric == of ? name + " ↓" : name;
  };
  std::vector<std::vector<std::string>> table{{"", "mesh", "clip", head("max", "error.max"),
                                               head(diagonal_text(rows), "error.max_relative"),
                                               head("rms", "error.rms"), "frame", "vertex",
                                               "vertices that differ"}};
  const std::size_t shown = std::min(top, rows.size());
  for (std::size_t i = 0; i < shown; ++i) table.push_back(cells(rows[i]));
  const bool no_status = std::all_of(
      rows.begin(), rows.end(), [](const Row& row) { return row.status == VerdictStatus::kNone; });
  if (no_status) {
    for (auto& row : table) row.erase(row.begin());
  }
  std::string text = table_text(table, no_status ? "llrrrrrr" : "lllrrrrrr");
  if (shown < rows.size()) {
    text +=
        fmt::format("… and {} more that differ less; --top shows more rows\n", rows.size() - shown);
  }
  return text;
}

// "meshes 'Sword', 'Shield'"; of many, the first.
std::string names_text(const std::string& kind, const std::vector<std::string>& names) {
  const std::string plural = kind == "mesh" ? "meshes" : kind + "s";
  return (names.size() == 1 ? kind : plural) + " " + name_list(names);
}

// What one side alone has: a line for each file that the other side lacks, and one for each file of
// which it lacks meshes or clips.
std::string unpaired_lines(const char* side, const std::vector<UnpairedElement>& elements) {
  std::vector<std::string> lines;
  std::map<std::string, std::map<std::string, std::vector<std::string>>> of_files;
  for (const UnpairedElement& element : elements) {
    if (element.name.empty()) {
      lines.push_back(fmt::format(": {} '{}'", element.kind, printable(element.file)));
    } else {
      of_files[element.file][element.kind].push_back(element.name);
    }
  }
  for (const auto& [file, kinds] : of_files) {
    std::string line = file.empty() ? "" : " of '" + printable(file) + "'";
    const char* separator = ": ";
    for (const char* kind : {"mesh", "clip"}) {
      const auto found = kinds.find(kind);
      if (found == kinds.end()) continue;
      line += std::exchange(separator, "; ") + names_text(kind, found->second);
    }
    lines.push_back(line);
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(kListed, lines.size()); ++i) {
    text += std::string("only in ") + side + lines[i] + "\n";
  }
  if (lines.size() > kListed) {
    text += fmt::format("only in {}: … and {} more\n", side, lines.size() - kListed);
  }
  return text;
}

// "renamed in 'Bunny': clip 'Wave' is 'Greeting' in B", a line for each.
std::string renamed_lines(const std::vector<RenamedElement>& elements) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kListed, elements.size()); ++i) {
    const RenamedElement& element = elements[i];
    text +=
        (element.file.empty() ? "renamed: " : "renamed in '" + printable(element.file) + "': ") +
        fmt::format("{} '{}' is '{}' in B\n", element.kind, printable(element.a),
                    printable(element.b));
  }
  if (elements.size() > kListed) {
    text += fmt::format("renamed: … and {} more\n", elements.size() - kListed);
  }
  return text;
}

std::string counts_line(const Report& report, std::size_t differing) {
  std::size_t pairs = 0, identical = 0;
  for (const MeshRecord& mesh : report.meshes) {
    pairs += mesh.runs.size();
    for (const RunRecord& run : mesh.runs) identical += run.difference->identical;
  }
  std::string text =
      fmt::format("{}: {} differ, {} identical{}",
                  counted(pairs, "pair of a mesh and a clip", "pairs of a mesh and a clip"),
                  differing, identical, other_differences(report).empty() ? "" : " in positions");
  const std::size_t equal = pairs - differing - identical;
  if (equal > 0) text += fmt::format(", {} equal but for bytes", equal);
  const std::size_t failed = report.library->failed.size();
  if (failed > 0) text += fmt::format(", {} not comparable", failed);
  return text + "\n";
}

// A line for each mesh, clip and file whose data differ: first of pairs that cannot be compared,
// then of the other pairs, the worst first.
std::string causes_lines(const Report& report, const std::vector<Row>& rows, std::size_t top) {
  std::vector<Cause> causes = causes_of(report.rig_data.value_or(std::vector<RigDataDifference>{}));
  const std::vector<FailedPair>& failed = report.library->failed;
  const auto rank = [&](const Cause& cause) {
    const auto is_of_failed = [&](const FailedPair& pair) {
      return cause.kind == "mesh" && cause.concerns(pair.name, pair.clip);
    };
    if (std::ranges::any_of(failed, is_of_failed)) return std::size_t{0};
    const auto row = std::ranges::find_if(
        rows, [&](const Row& of) { return cause.concerns(of.mesh->rig->id, of.run->clip); });
    return 1 + static_cast<std::size_t>(row - rows.begin());
  };
  std::vector<std::pair<std::size_t, const Cause*>> ranked;
  for (const Cause& cause : causes) ranked.emplace_back(rank(cause), &cause);
  std::ranges::stable_sort(ranked, {}, &std::pair<std::size_t, const Cause*>::first);
  std::string text;
  const std::size_t shown = std::min(top, ranked.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const Cause& cause = *ranked[i].second;
    text += printable((cause.file.empty() ? "" : cause.file + ": ") + cause.text) + "\n";
  }
  if (shown < ranked.size() && top > 0) {
    text += fmt::format("… and {} more whose data differ; --top shows more lines\n",
                        ranked.size() - shown);
  }
  return text;
}

}  // namespace

std::string library_text(const Report& report, int top) {
  const std::string metric = ranking_metric(report.checks);
  const std::vector<Row> rows = rows_that_differ(report, metric);
  const auto most = static_cast<std::size_t>(top);
  return table_of(rows, most, metric) + causes_lines(report, rows, most) +
         renamed_lines(report.library->renamed) + unpaired_lines("A", report.library->only_a) +
         unpaired_lines("B", report.library->only_b) + counts_line(report, rows.size());
}

void log_library(const LibraryRecord& library) {
  const std::size_t shown = std::min(kListed, library.failed.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const FailedPair& pair = library.failed[i];
    std::string name = pair.name.empty() ? "" : printable(pair.name) + ": ";
    if (!pair.clip.empty()) name += "clip '" + printable(pair.clip) + "': ";
    log_error(name + printable(pair.message) + " [" + pair.code + "]");
  }
  if (shown < library.failed.size()) {
    log_error(fmt::format("… and {} more pairs cannot be compared", library.failed.size() - shown));
  }
  const std::size_t missing = library.missing();
  if (library.missing_fails && missing > 0) {
    log_error("--fail-missing: " + counted(missing, "element is", "elements are") +
              " only on one side");
  }
}

namespace {

// Throws UsageError if an option is for a single pair.
void require_library_options(const DiffOptions& options) {
  for (const char* option : {"--rig", "--explain", "--error-matrix", "--hausdorff", "--sampling",
                             "--rig-a", "--rig-b", "--view"}) {
    if (!options.typed.contains(option)) continue;
    throw UsageError(option, "is for two files; " + shown(options.a) + " and " + shown(options.b) +
                                 " are compared as libraries");
  }
  if (options.plan.match != Match::kIndex) {
    throw UsageError("--match",
                     "libraries are compared by index only; compare two of their rigs, " +
                         std::string("which --match pairs with all meshes and clips"));
  }
  if (options.per_vertex == PerVertex::kNpy) {
    throw UsageError("--per-vertex", "npy is for two files; use json");
  }
  for (const std::string& side : {options.a, options.b}) {
    if (is_library(side) || is_evaluated(side)) continue;
    throw Error("LIBRARY_UNSUPPORTED", "is neither a folder nor a manifest nor a rig", {side, ""});
  }
  if (is_library(options.a) == is_library(options.b)) return;
  const bool a_is_library = is_library(options.a);
  throw Error("LIBRARY_UNSUPPORTED",
              "is one file, and " + shown(a_is_library ? options.a : options.b) + " is a library",
              {a_is_library ? options.b : options.a, ""});
}

bool differs(const Report& report) {
  return std::any_of(report.meshes.begin(), report.meshes.end(), [](const MeshRecord& mesh) {
    return std::any_of(mesh.runs.begin(), mesh.runs.end(),
                       [](const RunRecord& run) { return run.difference->vertices > 0; });
  });
}

}  // namespace

bool are_libraries(const DiffOptions& options) {
  if (is_library(options.a) || is_library(options.b)) return true;
  const bool asks = !options.clips_b.empty() || !options.meshes_b.empty() || !options.map.empty() ||
                    options.fail_missing || options.typed.contains("--top") ||
                    selects_several(options.clips) || selects_several(options.meshes) ||
                    (options.overlap && options.plan.match == Match::kIndex);
  return asks && options.plan.match == Match::kIndex && is_evaluated(options.a) &&
         is_evaluated(options.b);
}

int diff_libraries(const DiffOptions& options) {
  require_library_options(options);
  if (!options.map.empty()) record_inputs({options.map});
  LibraryComparison comparison;
  compare_libraries(options, comparison);
  Report& report = comparison.report;
  evaluate_thresholds(options.thresholds, report);
  log_issues(report.issues, comparison.files);
  log_library(*report.library);
  record_inputs(comparison.files, report.inputs);
  Conclusion conclusion;
  conclusion.summary = library_text(report, options.top) + passed_text(report);
  conclusion.differs = differs(report);
  const LibraryRecord& library = *report.library;
  const bool misses = library.missing_fails && library.missing() > 0;
  const int code = conclude(options, report, std::move(conclusion));
  return std::max({code, misses ? 1 : 0, comparison.failed_code});
}

}  // namespace skinbake::cli
