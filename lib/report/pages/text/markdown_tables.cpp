// The collapsed tables of measurements: what fails first, then the worst first.

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "report/causes.h"
#include "report/pages/escape.h"
#include "report/pages/page_text.h"
#include "report/pages/text/markdown_parts.h"

namespace skinbake {

namespace {

constexpr std::size_t kMostRows = 100;

// "`knee`, ", or nothing.
std::string joint_text(const std::optional<ParsedPlace>& place) {
  return place && !place->joint.empty() ? markdown_code(place->joint) + ", " : "";
}

// " (Δ +0.2 %)", how a number has changed since `before`, which may be null; or nothing.
std::string change_since(const ParsedRun* before, std::string_view section, std::string_view number,
                         double value, std::string_view unit) {
  const ParsedNumber* old = before == nullptr ? nullptr : number_of(*before, section, number);
  if (old == nullptr || !old->value || *old->value == value) return "";
  return " (Δ " + std::string(value > *old->value ? "+" : "") +
         with_unit(value - *old->value, unit) + ")";
}

// `before`: the same run of an older report, or null.
std::string value_text(const ParsedRun& run, const ParsedRun* before, std::string_view section,
                       std::string_view number) {
  const ParsedNumber* value = number_of(run, section, number);
  if (value == nullptr || !value->value) return "–";
  const auto unit = unit_of(*run.section(section), number);
  return with_unit(value->value, unit) + change_since(before, section, number, *value->value, unit);
}

std::string cell(const ParsedRun& run, const ParsedRun* before, std::string_view section,
                 std::string_view number) {
  const std::string text = value_text(run, before, section, number);
  const ParsedNumber* value = number_of(run, section, number);
  if (value == nullptr || !value->value) return text + " | ";
  return text + " | " + joint_text(value->at) + place_text(value->at, short_code);
}

std::string name_cells(const ParsedMesh& mesh, const ParsedRun& run) {
  return "| " + markdown_code(mesh.id) + " | " +
         (run.clip.empty() ? "rest pose" : markdown_code(run.clip)) + " | " +
         markdown_code(run.method) + " | ";
}

// Of a diff of rigs, the last cell is the cause.
std::string row(const ParsedReport& report, const ParsedReport* before, const ParsedMesh& mesh,
                const ParsedRun& run) {
  const ParsedRun* old = same_run(before, mesh, run);
  const std::string cause = cause_text(report.rig_data, mesh.id, run.clip);
  return name_cells(mesh, run) + std::to_string(run.frames.frame_count) + " | " +
         value_text(run, old, "error", "rms") + " | " + cell(run, old, "error", "max") + " | " +
         cell(run, old, "volume", "max_loss") + " |" +
         (report.rig_data.empty() ? ""
          : cause.empty()         ? " |"
                                  : " " + short_code(cause) + " |") +
         "\n";
}

std::string row(const ParsedReport* before, const ParsedMesh& mesh, const ParsedRun& run,
                const Measured& measured) {
  const ParsedNumber& number = *measured.number;
  const auto unit = unit_of(*measured.section, number.name);
  const std::string change = number.value
                                 ? change_since(same_run(before, mesh, run), measured.section->id,
                                                number.name, *number.value, unit)
                                 : "";
  const std::string place = joint_text(number.at) + place_text(number.at, short_code);
  return name_cells(mesh, run) + markdown_code(measured.section->id + " " + number.name) + " | " +
         with_unit(number.value, unit) + change + " | " + place + " |\n";
}

// A collapsed table. It has the first rows, as many as fit.
class CollapsedTable {
 public:
  void add(std::string row) {
    ++count_;
    if (rows_.size() < kMostRows) rows_.push_back(std::move(row));
  }
  std::size_t count() const { return count_; }

  // Of at most `room` bytes; empty without rows, or if no row fits.
  std::string text(const std::string& summary, const std::string& head, std::size_t room) const {
    constexpr std::size_t kEnd = 80;  // "12 more are only in the JSON report."
    std::string text = "\n<details>\n<summary>" + summary + "</summary>\n\n" + head;
    std::size_t shown = 0;
    for (; shown < rows_.size() && text.size() + rows_[shown].size() + kEnd <= room; ++shown) {
      text += rows_[shown];
    }
    if (shown == 0) return "";
    if (shown < count_) {
      text += "\n" + std::to_string(count_ - shown) + " more are only in the JSON report.\n";
    }
    return text + "\n</details>\n";
  }

 private:
  std::vector<std::string> rows_;
  std::size_t count_ = 0;
};

// A run and its sort key: the worst status of the limits that it exceeds, its largest loss of
// volume, its largest relative error.
struct RankedRun {
  const ParsedMesh* mesh;
  const ParsedRun* run;
  std::array<double, 3> badness;
};

double sort_key(const ParsedRun& run, std::string_view section, std::string_view number) {
  const ParsedNumber* value = number_of(run, section, number);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (value == nullptr) return -kInfinity;
  // An error without a value is NaN, the worst error; a volume without a value was not measured.
  return value->value.value_or(section == "error" ? kInfinity : -kInfinity);
}

// Failing runs first, then by descending loss and error, then in the order of the report.
std::vector<RankedRun> worst_first(const ParsedReport& report) {
  const std::string metric = ranking_metric(report.checks);
  const std::string number =
      report.command == "diff" ? metric.substr(metric.find('.') + 1) : "max_relative";
  std::vector<RankedRun> runs;
  for (const ParsedMesh& mesh : report.meshes) {
    for (const ParsedRun& run : mesh.runs) {
      runs.push_back({&mesh,
                      &run,
                      {static_cast<double>(status_of(report, mesh, run)),
                       sort_key(run, "volume", "max_loss"), sort_key(run, "error", number)}});
    }
  }
  std::stable_sort(runs.begin(), runs.end(),
                   [](const RankedRun& a, const RankedRun& b) { return a.badness > b.badness; });
  return runs;
}

}  // namespace

std::string measurement_tables(const ParsedReport& report, const ParsedReport* before,
                               std::size_t room) {
  CollapsedTable usual, others;
  std::size_t equal = 0;  // which have nothing to tell
  for (const RankedRun& ranked : worst_first(report)) {
    const ParsedMesh& mesh = *ranked.mesh;
    const ParsedRun& run = *ranked.run;
    if (run.difference && run.difference->vertices == 0) {
      ++equal;
      continue;
    }
    usual.add(row(report, before, mesh, run));
    for (const Measured& measured : other_numbers(run))
      others.add(row(before, mesh, run, measured));
  }
  const std::string cause = report.rig_data.empty() ? "" : " cause |";
  std::string text = usual.text(
      counted(usual.count(), "measurement", "measurements") + " (mesh, clip, method)",
      "| mesh | clip | method | frames | rms error | max error | where | volume loss | where |" +
          cause + "\n|---|---|---|--:|--:|--:|---|--:|---|" + (cause.empty() ? "" : "---|") + "\n",
      room);
  const std::string without =
      equal == 0 ? "" : "\n" + counted(equal, "pair", "pairs") + " without a difference\n";
  if (text.size() + without.size() <= room) text += without;
  return text + others.text(counted(others.count(), "number", "numbers") + " of other measurements",
                            "| mesh | clip | method | measurement | value | where |\n"
                            "|---|---|---|---|--:|---|\n",
                            room - text.size());
}

}  // namespace skinbake
