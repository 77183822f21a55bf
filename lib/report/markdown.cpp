// Markdown for a pull request: the verdict, a few lines, and a table behind a click. Names are
// shown as code, so that none of them is a link, a mention or markup.

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "report/answers.h"
#include "report/escape.h"
#include "report/markdown_answers.h"
#include "report/page_text.h"
#include "report/pages.h"

namespace skinbake {

namespace {

constexpr std::size_t kMostRows = 100;  // comments end at 65 536 characters

std::string_view headline_of(const ReportView& report) {
  const std::string verdict = verdict_of(report);
  if (verdict == "fail" && report.verdict == "fail") return "❌ a limit is exceeded";
  const bool tests_pass =
      std::all_of(report.self_test.begin(), report.self_test.end(),
                  [](const SelfTestRecord& test) { return test.exceeded == test.expected; });
  if (!tests_pass) return "❌ a limit does not do what it says";
  if (verdict == "fail") {
    return report.command == "diff" ? "❌ they differ" : "❌ no method is within the limits";
  }
  if (verdict == "warn") return "⚠️ a warning's limit is exceeded";
  if (verdict == "pass" && report.command == "diff" && report.checks.empty()) {
    return "✅ they do not differ";
  }
  if (verdict == "pass") return "✅ within every limit";
  return "no limits were given";
}

std::string run_text(const MeshView& mesh, const RunView& run) {
  return markdown_code(mesh.id) + (run.clip.empty() ? "" : ", " + markdown_code(run.clip)) + ", " +
         markdown_code(run.method);
}

// "- volume loss: **66.67 %**, frame 30 (`tube`, `twist`, `lbs`)", or nothing.
std::string worst_line(const ReportView& report, std::string_view title, std::string_view section,
                       std::string_view number) {
  const WorstNumber worst = worst_of(report, section, number);
  if (worst.number == nullptr) return "";
  const std::string place = place_text(worst.number->at);
  return "- " + std::string(title) + ": **" +
         with_unit(worst.number->value, unit_of(*worst.run->section(section), number)) + "**" +
         (place.empty() ? "" : ", " + place) + " (" + run_text(*worst.mesh, *worst.run) + ")\n";
}

// The joint that loses most.
std::string joint_line(const ReportView& report) {
  const MeshView* worst_mesh = nullptr;
  const RunView* worst_run = nullptr;
  const JointView* worst = nullptr;
  for (const MeshView& mesh : report.meshes) {
    for (const RunView& run : mesh.runs) {
      const JointView* joint = worst_joint(run);
      if (joint == nullptr || (worst != nullptr && *joint->max_loss <= *worst->max_loss)) continue;
      worst_mesh = &mesh;
      worst_run = &run;
      worst = joint;
    }
  }
  if (worst == nullptr) return "";
  return "- largest loss at a joint: **" + with_unit(worst->max_loss, "1") + "** at " +
         markdown_code(worst->name) + ", " + place_text(worst->max_loss_at) + " (" +
         run_text(*worst_mesh, *worst_run) + ")\n";
}

// What rate is enough, of each run.
std::string fps_lines(const ReportView& report) {
  constexpr std::size_t kMostLines = 10;
  std::size_t lines = 0;
  std::string text;
  for (const MeshView& mesh : report.meshes) {
    for (const RunView& run : mesh.runs) {
      for (const SectionView& section : run.sections) {
        if (!section.sufficient_fps || ++lines > kMostLines) continue;
        text += "- " + fps_text(*section.sufficient_fps) + " (" + run_text(mesh, run) + ")\n";
      }
    }
  }
  if (lines > kMostLines) text += "- rates of " + std::to_string(lines - kMostLines) + " more\n";
  return text;
}

std::string place_of(const Check& check) {
  if (check.mesh.empty()) return ": " + check_place_text(check);
  std::string text = " in " + markdown_code(check.mesh);
  if (!check.clip.empty()) text += ", " + markdown_code(check.clip);
  if (!check.method.empty()) text += ", " + markdown_code(check.method);
  if (check.frame) text += ", frame " + std::to_string(*check.frame);
  if (check.vertex) text += ", vertex " + std::to_string(*check.vertex);
  return text;
}

std::string check_line(const Check& check) {
  constexpr std::string_view kSigns[] = {"✅", "⚠️", "❌"};
  const std::string times = exceeded_text(check, markdown_code);
  return "- " + std::string(kSigns[static_cast<std::size_t>(outcome_of(check))]) + " " +
         markdown_code(limit_text(check)) + ": " + value_text(check) + place_of(check) +
         (times.empty() ? "" : "; " + times) + "\n";
}

std::string answer_line(const Answer& answer) {
  return std::string("- ") + (answer.passed ? "✅ " : "❌ ") + markdown_code(answer.name) + ": " +
         markdown_code(answer.text) + "\n";
}

std::string issue_line(const ReportView& report) {
  const auto count = [&](Severity severity) {
    return static_cast<std::size_t>(
        std::count_if(report.issues.begin(), report.issues.end(),
                      [&](const Issue& issue) { return issue.severity == severity; }));
  };
  const std::size_t errors = count(Severity::kError), warnings = count(Severity::kWarning);
  if (errors + warnings == 0) return "";
  return "- findings: " + counted(errors, "error", "errors") + ", " +
         counted(warnings, "warning", "warnings") + "\n";
}

std::string cell(const RunView& run, std::string_view section, std::string_view number) {
  const SectionView* found = run.section(section);
  const NumberView* value = found == nullptr ? nullptr : found->number(number);
  if (value == nullptr || !value->value) return "– | ";
  return with_unit(value->value, unit_of(*found, number)) + " | " + place_text(value->at);
}

std::string name_cells(const MeshView& mesh, const RunView& run) {
  return "| " + markdown_code(mesh.id) + " | " +
         (run.clip.empty() ? "rest pose" : markdown_code(run.clip)) + " | " +
         markdown_code(run.method) + " | ";
}

std::string row(const MeshView& mesh, const RunView& run) {
  const SectionView* error = run.section("error");
  const NumberView* rms = error == nullptr ? nullptr : error->number("rms");
  return name_cells(mesh, run) + std::to_string(run.frames.frame_count) + " | " +
         (rms == nullptr || !rms->value ? "–" : with_unit(rms->value, "m")) + " | " +
         cell(run, "error", "max") + " | " + cell(run, "volume", "max_loss") + " |\n";
}

std::string row(const MeshView& mesh, const RunView& run, const Measured& measured) {
  const NumberView& number = *measured.number;
  std::string place = place_text(number.at);
  if (number.at && !number.at->joint.empty())
    place = markdown_code(number.at->joint) + ", " + place;
  return name_cells(mesh, run) + markdown_code(measured.section->id + " " + number.name) + " | " +
         with_unit(number.value, unit_of(*measured.section, number.name)) + " | " + place + " |\n";
}

// Rows behind a click.
struct Table {
  std::string rows;
  std::size_t count = 0;

  void add(const std::string& row) {
    if (count++ < kMostRows) rows += row;
  }
  std::string text(const std::string& summary, const std::string& head) const {
    if (count == 0) return "";
    std::string text = "\n<details>\n<summary>" + summary + "</summary>\n\n" + head + rows;
    if (count > kMostRows) {
      text += "\n" + std::to_string(count - kMostRows) +
              " more are left out here; the JSON report has them all: `--report FILE.json`.\n";
    }
    return text + "\n</details>\n";
  }
};

// A run of the tables, and what it is sorted by: the limits that it exceeds, the volume that it
// loses, its errors.
struct RankedRun {
  const MeshView* mesh;
  const RunView* run;
  std::array<double, 3> badness;
};

double number_of(const RunView& run, std::string_view section, std::string_view number) {
  const SectionView* found = run.section(section);
  const NumberView* value = found == nullptr ? nullptr : found->number(number);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (value == nullptr) return -kInfinity;
  // An error that is no number is the worst there is; a volume was not measured.
  return value->value.value_or(section == "error" ? kInfinity : -kInfinity);
}

// What fails is first, then what is worst, then what comes first in the report.
std::vector<RankedRun> worst_first(const ReportView& report) {
  std::vector<RankedRun> runs;
  for (const MeshView& mesh : report.meshes) {
    for (const RunView& run : mesh.runs) {
      runs.push_back(
          {&mesh,
           &run,
           {static_cast<double>(outcome_of(report, mesh, run)),
            number_of(run, "volume", "max_loss"), number_of(run, "error", "max_relative")}});
    }
  }
  std::stable_sort(runs.begin(), runs.end(),
                   [](const RankedRun& a, const RankedRun& b) { return a.badness > b.badness; });
  return runs;
}

std::string tables(const ReportView& report) {
  Table usual, others;
  for (const RankedRun& ranked : worst_first(report)) {
    const MeshView& mesh = *ranked.mesh;
    const RunView& run = *ranked.run;
    usual.add(row(mesh, run));
    for (const Measured& measured : other_numbers(run)) others.add(row(mesh, run, measured));
  }
  return usual.text(counted(usual.count, "measurement", "measurements") + " (mesh, clip, method)",
                    "| mesh | clip | method | frames | rms error | max error | where "
                    "| volume loss | where |\n|---|---|---|--:|--:|--:|---|--:|---|\n") +
         others.text(counted(others.count, "number", "numbers") + " of other measurements",
                     "| mesh | clip | method | measurement | value | where |\n"
                     "|---|---|---|---|--:|---|\n");
}

std::string section(const ReportView& report) {
  std::string text = "### skinbake " + report.command + " " + markdown_code(report.name) + ": " +
                     std::string(headline_of(report)) + "\n\n";
  for (const Check& check : report.checks) text += check_line(check);
  for (const Answer& answer : answers_of(report)) text += answer_line(answer);
  text += worst_line(report, "largest volume loss", "volume", "max_loss");
  text += joint_line(report);
  text += worst_line(report, "largest error", "error", "max");
  text += worst_line(report, "largest rms error", "error", "rms");
  text += fps_lines(report);
  text += issue_line(report);
  return text + recommendation_details(report) + change_details(report) +
         explanation_details(report) + verification_details(report) + tables(report);
}

}  // namespace

std::string to_markdown(std::span<const ReportView> reports) {
  std::string text;
  for (const ReportView& report : reports) text += (text.empty() ? "" : "\n") + section(report);
  return text;
}

}  // namespace skinbake
