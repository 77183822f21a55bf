// What was asked for beside measurements, on the HTML page: the recommended method, why vertices
// are where they are, what moved between two reports, and outputs that were read back.

#include "report/answers.h"
#include "report/escape.h"
#include "report/html_table.h"
#include "report/html_tables.h"
#include "report/page_text.h"

namespace skinbake {

namespace {

std::string yes_or_no(bool is) {
  return cell(is ? "yes" : "no");
}

std::string candidate_cells(const Candidate& candidate, const Recommendation& of) {
  std::string cells = name_cell(candidate.method) +
                      number_cell(candidate.cost ? short_number(*candidate.cost) : "–");
  for (std::size_t i = 0; i < of.limits.size(); ++i) {
    const auto& value = candidate.values[i];
    cells += number_cell(value ? with_unit(value->value, of.limits[i].unit) : "–");
  }
  return cells + yes_or_no(candidate.within) + yes_or_no(candidate.pareto);
}

// Tables of their own, for their columns are those of the limits.
std::string recommendation_of(const Recommendation& recommendation, const std::string& letter) {
  const std::string of = letter.empty() ? "" : letter + ": ";
  std::vector<std::string> heads{"method", "cost (linear blending is 1)"};
  for (const RecommendLimit& limit : recommendation.limits) {
    heads.push_back("<bdi>" + escaped(limit.metric) + "</bdi>");
  }
  heads.insert(heads.end(), {"within the limits", "pareto"});
  Table table(1, of + "Methods, the cheapest first", heads);
  for (const Candidate& candidate : recommendation.candidates) {
    table.row(0, candidate_cells(candidate, recommendation));
  }
  return "<p>" + of + "<bdi>" + escaped(recommendation_text(recommendation)) + "</bdi></p>\n" +
         table.take();
}

std::string influences_of(const Explanation& explanation) {
  std::string html;
  for (const ExplainedInfluence& influence : explanation.influences) {
    html += (html.empty() ? "" : "<br>") + short_number(influence.weight) + " <bdi>" +
            escaped(influence.name) + "</bdi> " + turn_text(influence);
  }
  return html;
}

std::string explanation_cells(const Explanation& explanation) {
  return name_cell(explanation.mesh) +
         name_cell(explanation.clip.empty() ? "rest pose" : explanation.clip) +
         name_cell(explanation.method) + cell(place_text(explanation)) +
         number_cell(with_unit(explanation.error_m, "m")) + name_cell(explanation.reference) +
         name_cell(explanation.cause) + cell(influences_of(explanation));
}

std::string value_cell(const std::string& value) {
  return value.empty() ? cell("not there") : cell("<code>" + escaped(value) + "</code>");
}

}  // namespace

std::string recommendations(std::span<const ReportView> reports) {
  std::string html;
  for (std::size_t r = 0; r < reports.size(); ++r) {
    if (!reports[r].recommendation) continue;
    html += recommendation_of(*reports[r].recommendation, letter_of(r, reports.size()));
  }
  return html;
}

std::string explanations_table(std::span<const ReportView> reports) {
  Table table(reports.size(), "The vertices that are farthest off, and what moves them",
              {"mesh", "clip", "method", "where", "error", "reference", "cause",
               "weight, joint, its turn from the heaviest"});
  for (std::size_t r = 0; r < reports.size(); ++r) {
    for (const Explanation& one : reports[r].explain) table.row(r, explanation_cells(one));
  }
  return table.take();
}

std::string verification_table(std::span<const ReportView> reports) {
  Table table(reports.size(), "Outputs that were read back, and how far they are from the frames",
              {"verdict", "output", "mesh", "clip", "method", "largest difference", "where",
               "bound of the format", "of unit normals", "where", "bound", "of unit tangents",
               "where", "bound"});
  const auto where = [](const std::optional<std::int64_t>& frame, VertexIndex vertex) {
    return cell(frame ? "frame " + std::to_string(*frame) + ", vertex " + std::to_string(vertex)
                      : "");
  };
  const auto directions = [&](const std::optional<VerificationRecord::Directions>& of) {
    return number_cell(of ? with_unit(of->max, "") : "none") +
           (of ? where(of->frame, of->vertex) : cell("")) +
           number_cell(of ? with_unit(of->bound, "") : "");
  };
  for (std::size_t r = 0; r < reports.size(); ++r) {
    for (const VerificationRecord& one : reports[r].verification) {
      table.row(r, cell(verdict_badge(one.passed ? "pass" : "fail")) + name_cell(one.path) +
                       name_cell(one.mesh) + name_cell(one.clip.empty() ? "rest pose" : one.clip) +
                       name_cell(one.method) + number_cell(with_unit(one.max_m, "m")) +
                       where(one.frame, one.vertex) + number_cell(with_unit(one.bound_m, "m")) +
                       directions(one.normals) + directions(one.tangents));
    }
  }
  return table.take();
}

std::string changes_table(std::span<const ReportView> reports) {
  Table table(reports.size(), "Values that moved", {"where in the report", "a", "b"});
  std::string html;
  for (std::size_t r = 0; r < reports.size(); ++r) {
    if (!reports[r].changes) continue;
    const ReportChanges& changes = *reports[r].changes;
    const std::string letter = letter_of(r, reports.size());
    html += "<p>" + (letter.empty() ? "" : letter + ": ") + changes_text(changes);
    const auto listed = static_cast<std::int64_t>(changes.changes.size());
    if (changes.count > listed) html += "; listed are the first " + std::to_string(listed);
    html += "</p>\n";
    for (const Change& change : changes.changes) {
      table.row(r, cell("<code>" + escaped(change.pointer) + "</code>") + value_cell(change.a) +
                       value_cell(change.b));
    }
  }
  return html + table.take();
}

}  // namespace skinbake
