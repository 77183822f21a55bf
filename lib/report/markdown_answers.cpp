// What was asked for beside measurements, in Markdown.

#include <algorithm>

#include "report/answers.h"
#include "report/escape.h"
#include "report/markdown_answers.h"
#include "report/page_text.h"

namespace skinbake {

namespace {

// Comments end at 65 536 characters.
constexpr std::size_t kMostChanges = 50, kMostExplained = 20, kMostVerified = 50;
constexpr std::size_t kLongestText = 200;

std::string details(const std::string& summary, const std::string& content) {
  return "\n<details>\n<summary>" + summary + "</summary>\n\n" + content + "\n</details>\n";
}

std::string code(std::string_view text) {
  return markdown_code(shortened(text, kLongestText));
}

std::string remainder(std::size_t count, std::size_t shown) {
  if (count <= shown) return "";
  return "\n" + std::to_string(count - shown) + " more are in the JSON report.\n";
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
                     code(explanation.method) + ", " + place_text(explanation) + ": **" +
                     with_unit(explanation.error_m, "m") + "** from " +
                     code(explanation.reference) + "\n  - " + code(explanation.cause) + "\n";
  for (const ExplainedInfluence& influence : explanation.influences) {
    text += "  - " + short_number(influence.weight) + " " + code(influence.name) + ", " +
            turn_text(influence) + "\n";
  }
  return text;
}

std::string value_text(const std::string& value) {
  return value.empty() ? "not there" : code(value);
}

}  // namespace

std::string recommendation_details(const ReportView& report) {
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
  return details("What each method costs (linear blending is 1) and keeps", table);
}

std::string explanation_details(const ReportView& report) {
  if (report.explain.empty()) return "";
  std::string lines;
  const std::size_t shown = std::min(kMostExplained, report.explain.size());
  for (std::size_t i = 0; i < shown; ++i) lines += explanation_lines(report.explain[i]);
  return details("What moves the vertices that are farthest off",
                 lines + remainder(report.explain.size(), shown));
}

std::string verification_details(const ReportView& report) {
  if (report.verification.empty()) return "";
  const std::vector<Answer> outputs = verifications_of(report);
  std::string lines;
  const std::size_t shown = std::min(kMostVerified, outputs.size());
  for (std::size_t i = 0; i < shown; ++i) {
    lines += std::string("- ") + (outputs[i].passed ? "✅ " : "❌ ") +
             code(report.verification[i].path) + ": " + outputs[i].text + "\n";
  }
  return details(counted(outputs.size(), "output", "outputs") + " read back",
                 lines + remainder(outputs.size(), shown));
}

std::string change_details(const ReportView& report) {
  if (!report.changes || report.changes->changes.empty()) return "";
  const ReportChanges& changes = *report.changes;
  std::string table = "| where in the report | a | b |\n|---|---|---|\n";
  const std::size_t shown = std::min(kMostChanges, changes.changes.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const Change& change = changes.changes[i];
    table += "| " + code(change.pointer) + " | " + value_text(change.a) + " | " +
             value_text(change.b) + " |\n";
  }
  return details(changes_text(changes),
                 table + remainder(static_cast<std::size_t>(changes.count), shown));
}

}  // namespace skinbake
