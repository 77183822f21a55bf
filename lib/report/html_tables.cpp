#include "report/html_tables.h"

#include <algorithm>
#include <array>

#include "report/answers.h"
#include "report/escape.h"
#include "report/html_table.h"
#include "report/page_text.h"

namespace skinbake {

namespace {

std::string badge(Outcome outcome) {
  static constexpr std::array<std::string_view, 3> kWords = {"pass", "warn", "fail"};
  return verdict_badge(kWords[static_cast<std::size_t>(outcome)]);
}

std::string isolated(std::string_view name) {
  return "<bdi>" + escaped(name) + "</bdi>";
}

std::string check_cells(const Check& check) {
  const std::string times = exceeded_text(check, isolated);
  return cell(badge(outcome_of(check))) + cell("<code>" + escaped(limit_text(check)) + "</code>") +
         number_cell(value_text(check)) + name_cell(check_place_text(check)) +
         cell(!times.empty()        ? times
              : check.failures == 1 ? "exceeded once"
              : check.passed        ? "kept"
                                    : "");
}

std::string answer_cells(const Answer& answer) {
  return cell(verdict_badge(answer.passed ? "pass" : "fail")) +
         cell("<code>" + escaped(answer.name) + "</code>") + cell("") + name_cell(answer.text) +
         cell("");
}

std::string joint_cell(const std::string& joint, const std::string& place) {
  const std::string name = joint.empty() ? "" : isolated(joint);
  return cell(name + (name.empty() || place.empty() ? "" : ", ") + place);
}

// A number of a section and where it is; dashes if the run has it not.
std::string value_cells(const RunView& run, std::string_view section, std::string_view number) {
  const SectionView* found = run.section(section);
  const NumberView* value = found == nullptr ? nullptr : found->number(number);
  if (value == nullptr || !value->value) return number_cell("–") + cell("");
  return number_cell(with_unit(value->value, unit_of(*found, number))) +
         cell(place_text(value->at));
}

std::string worst_joint_cells(const RunView& run) {
  const JointView* worst = worst_joint(run);
  if (worst == nullptr) return number_cell("–") + cell("");
  return number_cell(with_unit(worst->max_loss, "1")) +
         joint_cell(worst->name, place_text(worst->max_loss_at));
}

std::string run_name_cells(const MeshView& mesh, const RunView& run) {
  return name_cell(mesh.id) + name_cell(run.clip.empty() ? "rest pose" : run.clip) +
         name_cell(run.method);
}

// `verdict`: the cell before it, or none.
std::string run_cells(const std::string& verdict, const MeshView& mesh, const RunView& run) {
  const SectionView* error = run.section("error");
  const NumberView* rms = error == nullptr ? nullptr : error->number("rms");
  return verdict + run_name_cells(mesh, run) + number_cell(std::to_string(run.frames.frame_count)) +
         name_cell(run.reference) +
         number_cell(rms == nullptr || !rms->value ? "–" : with_unit(rms->value, "m")) +
         value_cells(run, "error", "max") + value_cells(run, "volume", "max_loss") +
         worst_joint_cells(run);
}

}  // namespace

std::string checks_table(std::span<const ReportView> reports) {
  Table table(reports.size(), "Limits, and the worst value against each",
              {"verdict", "limit", "value", "where", "by what"});
  for (std::size_t r = 0; r < reports.size(); ++r) {
    for (const Check& check : reports[r].checks) table.row(r, check_cells(check));
    for (const Answer& answer : answers_of(reports[r])) table.row(r, answer_cells(answer));
  }
  return table.take();
}

std::string runs_table(std::span<const ReportView> reports) {
  const bool any_limits = std::any_of(reports.begin(), reports.end(), [](const ReportView& report) {
    return !report.checks.empty();
  });
  std::vector<std::string> heads{"mesh",
                                 "clip",
                                 "method",
                                 "frames",
                                 "reference",
                                 "rms error",
                                 "largest error",
                                 "where",
                                 "volume loss",
                                 "where",
                                 "largest loss at a joint",
                                 "where"};
  if (any_limits) heads.insert(heads.begin(), "verdict");
  Table table(reports.size(), "Every mesh, clip and method", heads);
  for (std::size_t r = 0; r < reports.size(); ++r) {
    for (const MeshView& mesh : reports[r].meshes) {
      for (const RunView& run : mesh.runs) {
        const std::string verdict =
            reports[r].checks.empty() ? "" : badge(outcome_of(reports[r], mesh, run));
        table.row(r, run_cells(any_limits ? cell(verdict) : "", mesh, run));
      }
    }
  }
  return table.take();
}

std::string other_numbers_table(std::span<const ReportView> reports) {
  Table table(reports.size(), "Numbers of the other measurements",
              {"mesh", "clip", "method", "measurement", "number", "value", "where"});
  for (std::size_t r = 0; r < reports.size(); ++r) {
    for (const MeshView& mesh : reports[r].meshes) {
      for (const RunView& run : mesh.runs) {
        for (const auto& [section, number] : other_numbers(run)) {
          table.row(r, run_name_cells(mesh, run) + name_cell(section->id) +
                           name_cell(number->name) +
                           number_cell(with_unit(number->value, unit_of(*section, number->name))) +
                           joint_cell(number->at ? number->at->joint : "", place_text(number->at)));
        }
        for (const SectionView& section : run.sections) {
          if (!section.sufficient_fps) continue;
          table.row(r, run_name_cells(mesh, run) + name_cell(section.id) +
                           name_cell("sufficient_fps") + cell(fps_text(*section.sufficient_fps)) +
                           cell(""));
        }
      }
    }
  }
  const std::string html = table.take();
  if (html.empty()) return "";
  return "<details>\n<summary>Other measurements</summary>\n" + html + "</details>\n";
}

std::string issues_table(std::span<const ReportView> reports) {
  Table table(reports.size(), "Findings",
              {"severity", "code", "file", "place", "message", "count"});
  for (std::size_t r = 0; r < reports.size(); ++r) {
    for (const Issue& issue : reports[r].issues) {
      table.row(r, cell(std::string(to_string(issue.severity))) +
                       cell("<code>" + escaped(issue.code) + "</code>") + name_cell(issue.file) +
                       cell("<code>" + escaped(issue.pointer) + "</code>") +
                       name_cell(issue.message) + number_cell(std::to_string(issue.count)));
    }
  }
  return table.take();
}

std::string inputs_table(std::span<const ReportView> reports) {
  Table table(reports.size(), "Files that were read", {"role", "file", "bytes", "XXH128"});
  for (std::size_t r = 0; r < reports.size(); ++r) {
    for (const InputFile& input : reports[r].inputs) {
      table.row(r, cell(escaped(input.role)) + name_cell(input.path) +
                       number_cell(std::to_string(input.bytes)) +
                       cell("<code>" + escaped(input.xxh128) + "</code>"));
    }
  }
  return table.take();
}

}  // namespace skinbake
