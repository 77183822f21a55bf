#include "report/pages/html/html_tables.h"

#include <algorithm>

#include "report/pages/escape.h"
#include "report/pages/page_text.h"
#include "report/pages/pairs.h"
#include "report/pages/table.h"
#include "report/surface_report.h"

namespace skinbake {

namespace {

// ---- Cells of checks and runs

// How often a limit is exceeded, or what a clip or a file lacks.
std::string failure_text(const Check& check) {
  if (check.passed) return "kept";
  if (check.key == kMissingClip) return "missing";
  if (check.key == kFramesLeftOut) return "another length";
  if (check.key == kMissingArea) return "area missing";
  const std::string times = exceeded_text(check, isolated);
  return !times.empty() || check.failures == 0 ? times : "exceeded once";
}

std::string check_cells(const Check& check) {
  return cell(verdict_badge(status_of(check))) + code_cell(limit_text(check)) +
         number_cell(value_text(check)) + name_cell(place_text(check)) + cell(failure_text(check));
}

std::string verdict_cells(const Verdict& verdict) {
  return badge_cell(verdict.passed) + code_cell(verdict.name) + cell("") + name_cell(verdict.text) +
         cell("");
}

std::string run_name_cells(const ParsedMesh& mesh, const ParsedRun& run) {
  return name_cell(mesh.id) + name_cell(clip_text(run.clip)) + name_cell(run.method);
}

// ---- Cells of sections that single options add

std::string candidate_cells(const Candidate& candidate, const Recommendation& of) {
  std::string cells = name_cell(candidate.method) +
                      number_cell(candidate.cost ? short_number(*candidate.cost) : "–");
  for (std::size_t i = 0; i < of.limits.size(); ++i) {
    const auto& value = candidate.values[i];
    cells += number_cell(value ? with_unit(value->value, of.limits[i].unit) : "–");
  }
  return cells + yes_or_no(candidate.within) + yes_or_no(candidate.pareto);
}

// A separate table for each report, because the columns depend on its limits.
std::string recommendation_table(const Recommendation& recommendation, const std::string& letter) {
  const std::string of = letter.empty() ? "" : letter + ": ";
  std::vector<std::string> heads{"method", "cost (linear blending is 1)"};
  for (const RecommendLimit& limit : recommendation.limits) {
    heads.push_back(isolated(limit.metric));
  }
  heads.insert(heads.end(), {"within the limits", "pareto"});
  Table table(1, of + "Methods, the cheapest first", heads);
  for (const Candidate& candidate : recommendation.candidates) {
    table.row(0, candidate_cells(candidate, recommendation));
  }
  return "<p>" + of + isolated(recommendation_text(recommendation)) + "</p>\n" + table.take();
}

std::string influences_of(const Explanation& explanation) {
  std::string html;
  for (const ExplainedInfluence& influence : explanation.influences) {
    html += (html.empty() ? "" : "<br>") + short_number(influence.weight) + " " +
            isolated(influence.name) + " " + rotation_text(influence);
  }
  return html;
}

std::string explanation_cells(const Explanation& explanation) {
  return name_cell(explanation.mesh) + name_cell(clip_text(explanation.clip)) +
         name_cell(explanation.method) + cell(place_text(explanation, isolated)) +
         number_cell(with_unit(explanation.error_m, "m")) + name_cell(explanation.reference) +
         name_cell(explanation.cause) + cell(influences_of(explanation));
}

std::string value_cell(const std::string& value) {
  return value.empty() ? cell("absent") : code_cell(value);
}

std::string frame_cell(const std::optional<std::int64_t>& frame, VertexIndex vertex) {
  return cell(frame ? "frame " + std::to_string(*frame) + ", vertex " + std::to_string(vertex)
                    : "");
}

std::string direction_cells(const std::optional<VerificationRecord::Directions>& of) {
  if (!of) return number_cell("none") + cell("") + number_cell("");
  return number_cell(with_unit(of->max, "")) + frame_cell(of->frame, of->vertex) +
         number_cell(with_unit(of->bound, ""));
}

std::string verification_cells(const VerificationRecord& output) {
  return badge_cell(output.passed) + name_cell(output.path) + name_cell(output.mesh) +
         name_cell(clip_text(output.clip)) + name_cell(output.method) +
         number_cell(with_unit(output.max_m, "m")) + frame_cell(output.frame, output.vertex) +
         number_cell(with_unit(output.bound_m, "m")) + direction_cells(output.normals) +
         direction_cells(output.tangents);
}

}  // namespace

std::string checks_table(std::span<const ParsedReport> reports) {
  Table table(reports.size(), "Limits, and the worst value against each",
              {"verdict", "limit", "value", "where", "by what"});
  struct Line {
    std::size_t report = 0;
    VerdictStatus status = VerdictStatus::kNone;
    std::string cells;
  };
  std::vector<Line> lines;
  for (std::size_t r = 0; r < reports.size(); ++r) {
    for (const Check& check : reports[r].checks)
      lines.push_back({r, status_of(check), check_cells(check)});
    for (const Verdict& verdict : verdicts_of(reports[r])) {
      lines.push_back({r, verdict.passed ? VerdictStatus::kPass : VerdictStatus::kFail,
                       verdict_cells(verdict)});
    }
  }
  // What failed is not folded away.
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.status > b.status; });
  for (const Line& line : lines) table.row(line.report, line.cells);
  return table.folded();
}

namespace {

std::string relative_cell(const ParsedRun& run, std::string_view section, std::string_view number) {
  const ParsedNumber* const value = number_of(run, section, number);
  return number_cell(value == nullptr || !value->value ? "–" : with_unit(value->value, "1"));
}

std::string place_cell(const ParsedRun& run, std::string_view section, std::string_view number) {
  const ParsedNumber* const value = number_of(run, section, number);
  if (value == nullptr || !value->at) return cell("");
  return joint_cell(value->at->joint, place_html(value->at));
}

}  // namespace

std::string surfaces_table(std::span<const ParsedReport> reports) {
  Table table(reports.size(), "Surfaces, in parts of the diagonal of A",
              {"surface", "clip", "frames", "at rest", "in motion", "where", "Hausdorff at rest",
               "Hausdorff in motion", "where"});
  for (std::size_t r = 0; r < reports.size(); ++r) {
    for (const ParsedMesh& mesh : reports[r].meshes) {
      for (const ParsedRun& run : mesh.runs) {
        if (run.section("surface") == nullptr) continue;
        table.row(r, name_cell(mesh.id) + name_cell(clip_text(run.clip)) +
                         number_cell(std::to_string(run.frames.frame_count)) +
                         relative_cell(run, "surface", "at_rest_relative") +
                         relative_cell(run, "surface", "max_relative") +
                         place_cell(run, "surface", "max") +
                         relative_cell(run, "hausdorff", "at_rest_relative") +
                         relative_cell(run, "hausdorff", "max_relative") +
                         place_cell(run, "hausdorff", "max"));
      }
    }
  }
  return table.folded();
}

std::string other_numbers_table(std::span<const ParsedReport> reports) {
  Table table(reports.size(), "Numbers of the other measurements",
              {"mesh", "clip", "method", "measurement", "number", "value", "where"});
  for (std::size_t r = 0; r < reports.size(); ++r) {
    for (const ParsedMesh& mesh : reports[r].meshes) {
      for (const ParsedRun& run : mesh.runs) {
        for (const auto& [section, number] : other_numbers(run)) {
          table.row(r, run_name_cells(mesh, run) + name_cell(section->id) +
                           name_cell(number->name) +
                           number_cell(with_unit(number->value, unit_of(*section, number->name))) +
                           joint_cell(number->at ? number->at->joint : "", place_html(number->at)));
        }
        for (const ParsedSection& section : run.sections) {
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

std::string issues_table(std::span<const ParsedReport> reports) {
  Table table(reports.size(), "Findings",
              {"severity", "code", "file", "place", "message", "count"});
  for (std::size_t r = 0; r < reports.size(); ++r) {
    for (const Issue& issue : reports[r].issues) {
      table.row(r, cell(std::string(to_string(issue.severity))) + code_cell(issue.code) +
                       name_cell(issue.file) + code_cell(issue.pointer) + name_cell(issue.message) +
                       number_cell(std::to_string(issue.count)));
    }
  }
  return table.folded();
}

std::string inputs_table(std::span<const ParsedReport> reports) {
  Table table(reports.size(), "Files that were read", {"role", "file", "bytes", "XXH128"});
  for (std::size_t r = 0; r < reports.size(); ++r) {
    for (const InputFile& input : reports[r].inputs) {
      table.row(r, cell(escaped(input.role)) + name_cell(input.path) +
                       number_cell(std::to_string(input.bytes)) + code_cell(input.xxh128));
    }
  }
  return table.folded();
}

std::string recommendation_tables(std::span<const ParsedReport> reports) {
  std::string html;
  for (std::size_t r = 0; r < reports.size(); ++r) {
    if (!reports[r].recommendation) continue;
    html += recommendation_table(*reports[r].recommendation, letter_of(r, reports.size()));
  }
  return html;
}

std::string explanations_table(std::span<const ParsedReport> reports) {
  Table table(reports.size(), "The vertices with the largest errors, and the joints that move them",
              {"mesh", "clip", "method", "where", "error", "reference", "cause",
               "weight, joint, rotation relative to the heaviest joint"});
  for (std::size_t r = 0; r < reports.size(); ++r) {
    for (const Explanation& explanation : reports[r].explain) {
      table.row(r, explanation_cells(explanation));
    }
  }
  return table.folded();
}

std::string fit_table(std::span<const ParsedReport> reports) {
  std::string html;
  for (const ParsedReport& report : reports) {
    if (!report.fit) continue;
    std::vector<std::string> heads;
    for (const std::string& head : report.fit->heads) heads.push_back(escaped(head));
    Table table(1, "Errors of linear blending before and after the fit", heads);
    for (const std::vector<std::string>& row : report.fit->rows) {
      std::string cells;
      for (const std::string& text : row) cells += name_cell(text);
      table.row(0, cells);
    }
    html += table.take() + "<ul>\n";
    for (const std::string& line : report.fit->lines) html += "<li>" + isolated(line) + "</li>\n";
    html += "</ul>\n";
  }
  return html;
}

std::string verification_table(std::span<const ParsedReport> reports) {
  Table table(reports.size(), "Outputs that were read back, and their differences from the frames",
              {"verdict", "output", "mesh", "clip", "method", "largest difference", "where",
               "bound of the format", "of unit normals", "where", "bound", "of unit tangents",
               "where", "bound"});
  for (std::size_t r = 0; r < reports.size(); ++r) {
    for (const VerificationRecord& output : reports[r].verification) {
      table.row(r, verification_cells(output));
    }
  }
  return table.folded();
}

std::string changes_table(std::span<const ParsedReport> reports) {
  Table table(reports.size(), "Values that moved", {"where in the report", "a", "b"});
  std::string html;
  for (std::size_t r = 0; r < reports.size(); ++r) {
    if (!reports[r].changes) continue;
    ReportChanges changes = *reports[r].changes;
    std::erase_if(changes.changes,
                  [](const Change& change) { return is_per_element(change.pointer); });
    const std::string letter = letter_of(r, reports.size());
    html += "<p>" + (letter.empty() ? "" : letter + ": ") + changes_text(changes);
    const auto listed = static_cast<std::int64_t>(changes.changes.size());
    if (changes.count > listed) html += "; the first " + std::to_string(listed) + " are listed";
    html += "</p>\n";
    for (const Change& change : changes.changes) {
      table.row(r, code_cell(change.pointer) + value_cell(change.a) + value_cell(change.b));
    }
  }
  return html + table.folded();
}

}  // namespace skinbake
