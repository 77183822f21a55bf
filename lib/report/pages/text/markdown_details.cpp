// The collapsed sections that single options and commands add; a section is empty without them.

#include <algorithm>
#include <vector>

#include "report/pages/escape.h"
#include "report/pages/page_text.h"
#include "report/pages/text/markdown_parts.h"

namespace skinbake {

namespace {

constexpr std::size_t kMostChanges = 50, kMostExplained = 20, kMostVerified = 50;
constexpr std::size_t kLongestText = 200;

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
  for (const std::string& cell : cells) text += " " + (cell.empty() ? "" : short_code(cell)) + " |";
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
  std::string row = "| " + short_code(candidate.method) + " | " +
                    (candidate.cost ? short_number(*candidate.cost) : "–") + " |";
  for (std::size_t i = 0; i < of.limits.size(); ++i) {
    const auto& value = candidate.values[i];
    row += " " + (value ? with_unit(value->value, of.limits[i].unit) : "–") + " |";
  }
  return row + (candidate.within ? " yes |" : " no |") +
         (candidate.pareto ? " yes |\n" : " no |\n");
}

std::string explanation_lines(const Explanation& explanation) {
  std::string text = "- " + short_code(explanation.mesh) +
                     (explanation.clip.empty() ? "" : ", " + short_code(explanation.clip)) + ", " +
                     short_code(explanation.method) + ", " + place_text(explanation, short_code) +
                     ": **" + with_unit(explanation.error_m, "m") + "** from " +
                     short_code(explanation.reference) + "\n  - " + short_code(explanation.cause) +
                     "\n";
  for (const ExplainedInfluence& influence : explanation.influences) {
    text += "  - " + short_number(influence.weight) + " " + short_code(influence.name) + ", " +
            rotation_text(influence) + "\n";
  }
  return text;
}

std::string change_text(const std::string& value) {
  return value.empty() ? "absent" : short_code(value);
}

std::string recommendation_details(const ParsedReport& report) {
  if (!report.recommendation) return "";
  const Recommendation& recommendation = *report.recommendation;
  std::string head = "| method | cost |", rule = "|---|--:|";
  for (const RecommendLimit& limit : recommendation.limits) {
    head += " " + short_code(limit.metric) + " |";
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
             short_code(report.verification[i].path) + ": " + outputs[i].text + "\n";
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
    table += "| " + short_code(change.mesh) + " | " +
             (change.clip.empty() ? "rest pose" : short_code(change.clip)) + " | " +
             short_code(change.method) + " | " + short_code(change.metric) + " | " +
             short_number(change.a) + " | " + short_number(change.b) + " | " +
             (change.b > change.a ? "+" : "") + short_number(change.b - change.a) + " | " +
             std::string(judgement(change)) + " |\n";
  }
  return details(counted(changes.size(), "measurement", "measurements") + " moved, the worst first",
                 table + remainder(changes.size(), shown));
}

std::string change_details(const ParsedReport& report) {
  if (!report.changes || report.changes->changes.empty()) return "";
  ReportChanges changes = *report.changes;
  std::erase_if(changes.changes,
                [](const Change& change) { return is_per_element(change.pointer); });
  if (changes.changes.empty()) return "";
  std::string table = "| where in the report | a | b |\n|---|---|---|\n";
  const std::size_t shown = std::min(kMostChanges, changes.changes.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const Change& change = changes.changes[i];
    table += "| " + short_code(change.pointer) + " | " + change_text(change.a) + " | " +
             change_text(change.b) + " |\n";
  }
  return details(changes_text(changes),
                 table + remainder(static_cast<std::size_t>(changes.count), shown));
}

}  // namespace

std::string short_code(std::string_view text) {
  return markdown_code(shortened(text, kLongestText));
}

std::string option_details(const ParsedReport& report, std::size_t room) {
  std::string text;
  for (std::string (*part)(const ParsedReport&) :
       {fit_details, recommendation_details, measurement_details, change_details,
        explanation_details, verification_details}) {
    const std::string more = part(report);
    if (text.size() + more.size() <= room) text += more;
  }
  return text;
}

}  // namespace skinbake
