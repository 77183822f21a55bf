// Markdown for a pull request, of at most kMostMarkdown bytes: for each report the verdict, a few
// lines, and collapsed tables; what fails first, and the worst first. Names are shown as code, so
// that they are never links, mentions or markup.

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "report/pages/escape.h"
#include "report/pages/page_text.h"
#include "report/pages/pages.h"

namespace skinbake {

namespace {

constexpr std::size_t kMostRows = 100, kMostChanges = 50, kMostExplained = 20, kMostVerified = 50,
                      kMostVerdicts = 30;
constexpr std::size_t kLongestText = 200;

std::string code(std::string_view text) {
  return markdown_code(shortened(text, kLongestText));
}

std::string_view headline_of(const ParsedReport& report) {
  const VerdictStatus verdict = status_of(report);
  if (report.verdict == VerdictStatus::kFail) return "❌ a limit is exceeded";
  const bool tests_pass =
      std::all_of(report.self_test.begin(), report.self_test.end(),
                  [](const SelfTestRecord& test) { return test.exceeded == test.expected; });
  if (!tests_pass) return "❌ a limit does not do what it says";
  if (verdict == VerdictStatus::kFail) {
    return report.command == "diff" ? "❌ they differ" : "❌ no method is within the limits";
  }
  if (verdict == VerdictStatus::kWarn) return "⚠️ a warning's limit is exceeded";
  if (verdict == VerdictStatus::kPass && report.command == "diff" && report.checks.empty()) {
    return "✅ they do not differ";
  }
  if (verdict == VerdictStatus::kPass) return "✅ within every limit";
  return "no limits were given";
}

std::string run_text(const ParsedMesh& mesh, const ParsedRun& run) {
  return markdown_code(mesh.id) + (run.clip.empty() ? "" : ", " + markdown_code(run.clip)) + ", " +
         markdown_code(run.method);
}

// "- volume loss: **66.67 %**, frame 30 (`tube`, `twist`, `lbs`)", or nothing.
std::string worst_line(const ParsedReport& report, std::string_view title, std::string_view section,
                       std::string_view number) {
  const WorstNumber worst = worst_of(report, section, number);
  if (worst.number == nullptr) return "";
  const std::string place = place_text(worst.number->at, code);
  return "- " + std::string(title) + ": **" +
         with_unit(worst.number->value, unit_of(*worst.run->section(section), number)) + "**" +
         (place.empty() ? "" : ", " + place) + " (" + run_text(*worst.mesh, *worst.run) + ")\n";
}

// "- largest loss at a joint: **69.92 %** at `joint_1`, …" of all runs, or nothing.
std::string joint_line(const ParsedReport& report) {
  const ParsedMesh* worst_mesh = nullptr;
  const ParsedRun* worst_run = nullptr;
  const ParsedJoint* worst = nullptr;
  for (const ParsedMesh& mesh : report.meshes) {
    for (const ParsedRun& run : mesh.runs) {
      const ParsedJoint* joint = worst_joint(run);
      if (joint == nullptr || (worst != nullptr && *joint->max_loss <= *worst->max_loss)) continue;
      worst_mesh = &mesh;
      worst_run = &run;
      worst = joint;
    }
  }
  if (worst == nullptr) return "";
  return "- largest loss at a joint: **" + with_unit(worst->max_loss, "1") + "** at " +
         markdown_code(worst->name) + ", " + place_text(worst->max_loss_at, code) + " (" +
         run_text(*worst_mesh, *worst_run) + ")\n";
}

// The sufficient frame rate of each run.
std::string fps_lines(const ParsedReport& report) {
  constexpr std::size_t kMostLines = 10;
  std::size_t lines = 0;
  std::string text;
  for (const ParsedMesh& mesh : report.meshes) {
    for (const ParsedRun& run : mesh.runs) {
      for (const ParsedSection& section : run.sections) {
        if (!section.sufficient_fps || ++lines > kMostLines) continue;
        text += "- " + fps_text(*section.sufficient_fps) + " (" + run_text(mesh, run) + ")\n";
      }
    }
  }
  if (lines > kMostLines)
    text += "- rates of " + std::to_string(lines - kMostLines) + " more runs\n";
  return text;
}

std::string place_of(const Check& check) {
  if (check.mesh.empty()) return ": " + place_text(check);
  std::string text = " in " + markdown_code(check.mesh);
  if (!check.clip.empty()) text += ", " + markdown_code(check.clip);
  if (!check.method.empty()) text += ", " + markdown_code(check.method);
  if (!check.pose.empty()) text += ", " + code(check.pose);
  if (check.frame) text += ", frame " + std::to_string(*check.frame);
  if (check.vertex) text += ", " + vertex_text(check);
  if (!check.joint.empty()) text += ", joint " + markdown_code(check.joint);
  return text;
}

std::string check_line(const Check& check) {
  const VerdictStatus status = status_of(check);
  const std::string sign = status == VerdictStatus::kFail   ? "❌ "
                           : status == VerdictStatus::kWarn ? "⚠️ "
                                                            : "✅ ";
  const std::string times = exceeded_text(check, markdown_code);
  return "- " + sign + markdown_code(limit_text(check)) + ": " + value_text(check) +
         place_of(check) + (times.empty() ? "" : "; " + times) + "\n";
}

std::string verdict_line(const Verdict& verdict) {
  return std::string("- ") + (verdict.passed ? "✅ " : "❌ ") + markdown_code(verdict.name) + ": " +
         markdown_code(verdict.text) + "\n";
}

std::string issue_line(const ParsedReport& report) {
  const auto is_allowed = [&](const Issue& issue) {
    return std::find(report.allowed.begin(), report.allowed.end(), issue.code) !=
           report.allowed.end();
  };
  const auto count = [&](Severity severity) {
    return static_cast<std::size_t>(std::count_if(
        report.issues.begin(), report.issues.end(),
        [&](const Issue& issue) { return issue.severity == severity && !is_allowed(issue); }));
  };
  const std::size_t errors = count(Severity::kError), warnings = count(Severity::kWarning);
  std::string text;
  if (errors + warnings > 0) {
    text = "- findings: " + counted(errors, "error", "errors") + ", " +
           counted(warnings, "warning", "warnings") + "\n";
  }
  for (const std::string& code : report.allowed) text += "- allowed: " + markdown_code(code) + "\n";
  return text;
}

// "`knee`, ", or nothing.
std::string joint_text(const std::optional<ParsedPlace>& place) {
  return place && !place->joint.empty() ? markdown_code(place->joint) + ", " : "";
}

std::string cell(const ParsedRun& run, std::string_view section, std::string_view number) {
  const ParsedNumber* value = number_of(run, section, number);
  if (value == nullptr || !value->value) return "– | ";
  return with_unit(value->value, unit_of(*run.section(section), number)) + " | " +
         joint_text(value->at) + place_text(value->at, code);
}

std::string name_cells(const ParsedMesh& mesh, const ParsedRun& run) {
  return "| " + markdown_code(mesh.id) + " | " +
         (run.clip.empty() ? "rest pose" : markdown_code(run.clip)) + " | " +
         markdown_code(run.method) + " | ";
}

std::string row(const ParsedMesh& mesh, const ParsedRun& run) {
  const ParsedNumber* rms = number_of(run, "error", "rms");
  return name_cells(mesh, run) + std::to_string(run.frames.frame_count) + " | " +
         (rms == nullptr || !rms->value ? "–" : with_unit(rms->value, "m")) + " | " +
         cell(run, "error", "max") + " | " + cell(run, "volume", "max_loss") + " |\n";
}

std::string row(const ParsedMesh& mesh, const ParsedRun& run, const Measured& measured) {
  const ParsedNumber& number = *measured.number;
  const std::string place = joint_text(number.at) + place_text(number.at, code);
  return name_cells(mesh, run) + markdown_code(measured.section->id + " " + number.name) + " | " +
         with_unit(number.value, unit_of(*measured.section, number.name)) + " | " + place + " |\n";
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
  std::vector<RankedRun> runs;
  for (const ParsedMesh& mesh : report.meshes) {
    for (const ParsedRun& run : mesh.runs) {
      runs.push_back(
          {&mesh,
           &run,
           {static_cast<double>(status_of(report, mesh, run)), sort_key(run, "volume", "max_loss"),
            sort_key(run, "error", "max_relative")}});
    }
  }
  std::stable_sort(runs.begin(), runs.end(),
                   [](const RankedRun& a, const RankedRun& b) { return a.badness > b.badness; });
  return runs;
}

// The tables, of at most `room` bytes together.
std::string tables(const ParsedReport& report, std::size_t room) {
  CollapsedTable usual, others;
  for (const RankedRun& ranked : worst_first(report)) {
    const ParsedMesh& mesh = *ranked.mesh;
    const ParsedRun& run = *ranked.run;
    usual.add(row(mesh, run));
    for (const Measured& measured : other_numbers(run)) others.add(row(mesh, run, measured));
  }
  const std::string text =
      usual.text(counted(usual.count(), "measurement", "measurements") + " (mesh, clip, method)",
                 "| mesh | clip | method | frames | rms error | max error | where "
                 "| volume loss | where |\n|---|---|---|--:|--:|--:|---|--:|---|\n",
                 room);
  return text + others.text(counted(others.count(), "number", "numbers") + " of other measurements",
                            "| mesh | clip | method | measurement | value | where |\n"
                            "|---|---|---|---|--:|---|\n",
                            room - text.size());
}

// ---- Collapsed sections that single options add; empty without them

std::string details(const std::string& summary, const std::string& content) {
  return "\n<details>\n<summary>" + summary + "</summary>\n\n" + content + "\n</details>\n";
}

std::string remainder(std::size_t count, std::size_t shown) {
  if (count <= shown) return "";
  return "\n" + std::to_string(count - shown) + " more are only in the JSON report.\n";
}

// A row of a table in Markdown.
std::string cells_text(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + (cell.empty() ? "" : code(cell)) + " |";
  return text + "\n";
}

std::string fit_details(const ParsedReport& report) {
  if (!report.fit) return "";
  const ParsedFit& fit = *report.fit;
  std::string table = "|";
  for (const std::string& head : fit.heads) table += " " + head + " |";
  table += "\n|";
  for (std::size_t i = 0; i < fit.heads.size(); ++i) table += "---|";
  table += "\n";
  for (const std::vector<std::string>& row : fit.rows) table += cells_text(row);
  return details("errors of linear blending before and after the fit", table);
}

std::string candidate_row(const Candidate& candidate, const Recommendation& of) {
  std::string row = "| " + code(candidate.method) + " | " +
                    (candidate.cost ? short_number(*candidate.cost) : "–") + " |";
  for (std::size_t i = 0; i < of.limits.size(); ++i) {
    const auto& value = candidate.values[i];
    row += " " + (value ? with_unit(value->value, of.limits[i].unit) : "–") + " |";
  }
  return row + (candidate.within ? " yes |" : " no |") +
         (candidate.pareto ? " yes |\n" : " no |\n");
}

std::string explanation_lines(const Explanation& explanation) {
  std::string text = "- " + code(explanation.mesh) +
                     (explanation.clip.empty() ? "" : ", " + code(explanation.clip)) + ", " +
                     code(explanation.method) + ", " + place_text(explanation, code) + ": **" +
                     with_unit(explanation.error_m, "m") + "** from " +
                     code(explanation.reference) + "\n  - " + code(explanation.cause) + "\n";
  for (const ExplainedInfluence& influence : explanation.influences) {
    text += "  - " + short_number(influence.weight) + " " + code(influence.name) + ", " +
            rotation_text(influence) + "\n";
  }
  return text;
}

std::string change_text(const std::string& value) {
  return value.empty() ? "absent" : code(value);
}

std::string recommendation_details(const ParsedReport& report) {
  if (!report.recommendation) return "";
  const Recommendation& recommendation = *report.recommendation;
  std::string head = "| method | cost |", rule = "|---|--:|";
  for (const RecommendLimit& limit : recommendation.limits) {
    head += " " + code(limit.metric) + " |";
    rule += "--:|";
  }
  std::string table = head + " within | pareto |\n" + rule + "---|---|\n";
  for (const Candidate& candidate : recommendation.candidates) {
    table += candidate_row(candidate, recommendation);
  }
  return details("Cost (linear blending is 1) and values of each method", table);
}

std::string explanation_details(const ParsedReport& report) {
  if (report.explain.empty()) return "";
  std::string lines;
  const std::size_t shown = std::min(kMostExplained, report.explain.size());
  for (std::size_t i = 0; i < shown; ++i) lines += explanation_lines(report.explain[i]);
  return details("The vertices with the largest errors, and the joints that move them",
                 lines + remainder(report.explain.size(), shown));
}

std::string verification_details(const ParsedReport& report) {
  if (report.verification.empty()) return "";
  const std::vector<Verdict> outputs = verification_verdicts(report);
  std::string lines;
  const std::size_t shown = std::min(kMostVerified, outputs.size());
  for (std::size_t i = 0; i < shown; ++i) {
    lines += std::string("- ") + (outputs[i].passed ? "✅ " : "❌ ") +
             code(report.verification[i].path) + ": " + outputs[i].text + "\n";
  }
  return details(counted(outputs.size(), "output", "outputs") + " read back",
                 lines + remainder(outputs.size(), shown));
}

std::string_view judgement(const MeasurementChange& change) {
  return !change.is_judged() ? "changed" : change.is_worse() ? "worse" : "better";
}

std::string measurement_details(const ParsedReport& report) {
  if (!report.changes || report.changes->measurements.empty()) return "";
  const std::vector<MeasurementChange>& changes = report.changes->measurements;
  std::string table =
      "| mesh | clip | method | measurement | a | b | Δ | |\n|---|---|---|---|--:|--:|--:|---|\n";
  const std::size_t shown = std::min(kMostChanges, changes.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const MeasurementChange& change = changes[i];
    table += "| " + code(change.mesh) + " | " +
             (change.clip.empty() ? "rest pose" : code(change.clip)) + " | " + code(change.method) +
             " | " + code(change.metric) + " | " + short_number(change.a) + " | " +
             short_number(change.b) + " | " + (change.b > change.a ? "+" : "") +
             short_number(change.b - change.a) + " | " + std::string(judgement(change)) + " |\n";
  }
  return details(counted(changes.size(), "measurement", "measurements") + " moved, the worst first",
                 table + remainder(changes.size(), shown));
}

std::string change_details(const ParsedReport& report) {
  if (!report.changes || report.changes->changes.empty()) return "";
  const ReportChanges& changes = *report.changes;
  std::string table = "| where in the report | a | b |\n|---|---|---|\n";
  const std::size_t shown = std::min(kMostChanges, changes.changes.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const Change& change = changes.changes[i];
    table += "| " + code(change.pointer) + " | " + change_text(change.a) + " | " +
             change_text(change.b) + " |\n";
  }
  return details(changes_text(changes),
                 table + remainder(static_cast<std::size_t>(changes.count), shown));
}

// The lines of the verdicts: those that fail, then those that pass.
std::string verdict_lines(const ParsedReport& report) {
  std::vector<Verdict> verdicts = verdicts_of(report);
  std::stable_partition(verdicts.begin(), verdicts.end(),
                        [](const Verdict& verdict) { return !verdict.passed; });
  std::string text;
  const std::size_t shown = std::min(kMostVerdicts, verdicts.size());
  for (std::size_t i = 0; i < shown; ++i) text += verdict_line(verdicts[i]);
  if (shown == verdicts.size()) return text;
  const auto failing =
      std::count_if(verdicts.begin() + static_cast<std::ptrdiff_t>(shown), verdicts.end(),
                    [](const Verdict& verdict) { return !verdict.passed; });
  return text + "- " + std::to_string(verdicts.size() - shown) + " more, of which " +
         std::to_string(failing) + " fail\n";
}

// "- only in A: clip `Walk` of `knight`, file `ogre.glb`, … and 3 more", or nothing.
std::string unpaired_line(const char* side, const std::vector<UnpairedElement>& elements) {
  constexpr std::size_t kMostNamed = 10;
  std::string names;
  for (std::size_t i = 0; i < std::min(kMostNamed, elements.size()); ++i) {
    const UnpairedElement& element = elements[i];
    names += (i == 0 ? "" : ", ") + element.kind + " " +
             code(element.name.empty() ? element.file : element.name);
    if (!element.name.empty() && !element.file.empty()) names += " of " + code(element.file);
  }
  if (elements.size() > kMostNamed) {
    names += " and " + std::to_string(elements.size() - kMostNamed) + " more";
  }
  return names.empty() ? "" : std::string("- only in ") + side + ": " + names + "\n";
}

std::string title(const ParsedReport& report) {
  return "### skinbake " + report.command + " " + code(report.name) + ": " +
         std::string(headline_of(report)) + "\n";
}

std::string head(const ParsedReport& report) {
  std::string text = title(report) + "\n";
  for (const Check& check : report.checks) text += check_line(check);
  text += verdict_lines(report);
  if (report.library) {
    text += unpaired_line("A", report.library->only_a) + unpaired_line("B", report.library->only_b);
  }
  if (const std::string match = match_text(report); !match.empty())
    text += "- " + code(match) + "\n";
  if (const std::string left_out = left_out_text(report); !left_out.empty())
    text += "- " + code(left_out) + "\n";
  if (report.fit) {
    for (const std::string& line : report.fit->lines) text += "- " + markdown_code(line) + "\n";
  }
  text += worst_line(report, "largest error at rest", "surface", "at_rest");
  text +=
      worst_line(report, "largest error at rest, of the diagonal", "surface", "at_rest_relative");
  text += worst_line(report, "largest error in motion, of the diagonal", "surface",
                     "in_motion_relative");
  text += worst_line(report, "Hausdorff distance in motion, of the diagonal", "hausdorff",
                     "max_relative");
  text += worst_line(report, "largest volume loss", "volume", "max_loss");
  text += joint_line(report);
  text += worst_line(report, "largest error", "error", "max");
  text += worst_line(report, "largest rms error", "error", "rms");
  text += fps_lines(report);
  return text + issue_line(report);
}

// The collapsed parts of a report that fit into `room` bytes.
std::string collapsed(const ParsedReport& report, std::size_t room) {
  std::string text;
  for (std::string (*part)(const ParsedReport&) :
       {fit_details, recommendation_details, measurement_details, change_details,
        explanation_details, verification_details}) {
    const std::string more = part(report);
    if (text.size() + more.size() <= room) text += more;
  }
  return text + tables(report, room - text.size());
}

// Those that fail first.
std::vector<const ParsedReport*> failing_first(std::span<const ParsedReport> reports) {
  std::vector<const ParsedReport*> all;
  for (const ParsedReport& report : reports) all.push_back(&report);
  std::stable_sort(all.begin(), all.end(), [](const ParsedReport* a, const ParsedReport* b) {
    return status_of(*a) > status_of(*b);
  });
  return all;
}

}  // namespace

std::string to_markdown(std::span<const ParsedReport> reports) {
  constexpr std::size_t kRest = 100;  // "12 more reports, of which 3 fail, …"
  std::vector<std::string> heads;
  std::size_t used = kRest;
  const std::vector<const ParsedReport*> all = failing_first(reports);
  for (const ParsedReport* report : all) {
    std::string text = head(*report);
    if (used + text.size() > kMostMarkdown) text = title(*report);  // of a report with long names
    if (used + text.size() + 1 > kMostMarkdown) break;
    used += text.size() + 1;
    heads.push_back(std::move(text));
  }
  std::string text;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const std::string more = collapsed(*all[i], (kMostMarkdown - used) / (heads.size() - i));
    used += more.size();
    text += (text.empty() ? "" : "\n") + heads[i] + more;
  }
  if (heads.size() == all.size()) return text;
  const auto failing = std::count_if(
      all.begin() + static_cast<std::ptrdiff_t>(heads.size()), all.end(),
      [](const ParsedReport* report) { return status_of(*report) == VerdictStatus::kFail; });
  return text + "\n" + std::to_string(all.size() - heads.size()) + " more reports, of which " +
         std::to_string(failing) + " fail, are left out.\n";
}

}  // namespace skinbake
