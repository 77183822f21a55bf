#include "report/recommend.h"

#include <algorithm>
#include <vector>

#include "json/text.h"
#include "report/recommendation.h"
#include "report/report_text.h"
#include "terminal/console.h"
#include "terminal/format.h"
#include "terminal/table.h"
#include "thresholds/metric_choice.h"

namespace skinbake::cli {

namespace {

using Row = std::vector<std::string>;

bool is_judged(const Recommendation& recommendation) {
  return recommendation.unmeasured.size() < recommendation.limits.size();
}

bool fails(const Recommendation& recommendation) {
  return is_judged(recommendation) && !recommendation.method;
}

std::string cost_text(std::optional<double> cost) {
  return cost ? fmt::format("{:.1f}", *cost) : "-";
}

std::string value_cell(const std::optional<WorstValue>& value, const RecommendLimit& limit) {
  return value ? with_unit(value->value, limit.unit) : "-";
}

const Candidate* chosen_of(const Recommendation& recommendation) {
  for (const Candidate& candidate : recommendation.candidates) {
    if (recommendation.method == candidate.method) return &candidate;
  }
  return nullptr;
}

Row row_of(const CharacterRecommendation& character) {
  const Recommendation& of = character.recommendation;
  const Candidate* chosen = chosen_of(of);
  Row row{printable(character.character),
          chosen != nullptr ? printable(chosen->method)
          : is_judged(of)   ? "none"
                            : "not measured",
          chosen != nullptr ? cost_text(chosen->cost) : "-"};
  for (std::size_t l = 0; l < of.limits.size(); ++l) {
    row.push_back(chosen != nullptr ? value_cell(chosen->values[l], of.limits[l]) : "-");
  }
  row.push_back(printable(nearest_text(of)));
  return row;
}

// A row for each character, those without a method first.
std::string characters_table(const LibraryRecommendation& library) {
  std::vector<Row> rows{{"character", "method", "cost"}};
  for (const RecommendLimit& limit : library.all.limits) rows.front().push_back(limit.metric);
  rows.front().push_back("");
  const std::size_t columns = rows.front().size();
  for (const bool failing : {true, false}) {
    for (const CharacterRecommendation& character : library.characters) {
      if (fails(character.recommendation) == failing) rows.push_back(row_of(character));
    }
  }
  return table_text(rows, "ll" + std::string(columns - 3, 'r') + "l");
}

// A row for each method that every character has, with the character that decides each value.
std::string methods_table(const Recommendation& all) {
  std::vector<Row> rows{{"method", "cost"}};
  for (const RecommendLimit& limit : all.limits) {
    rows.front().push_back(limit.metric);
    rows.front().push_back("of");
  }
  rows.front().insert(rows.front().end(), {"within", "pareto"});
  for (const Candidate& candidate : all.candidates) {
    Row& row = rows.emplace_back(Row{printable(candidate.method), cost_text(candidate.cost)});
    for (std::size_t l = 0; l < all.limits.size(); ++l) {
      const auto& value = candidate.values[l];
      row.push_back(value_cell(value, all.limits[l]));
      row.push_back(value ? printable(value->character) : "-");
    }
    row.insert(row.end(), {candidate.within ? "yes" : "no", candidate.pareto ? "yes" : "no"});
  }
  std::string alignment = "lr";
  for (std::size_t l = 0; l < all.limits.size(); ++l) alignment += "rl";
  return table_text(rows, alignment + "ll");
}

// A line for each method of a character that was not measured everywhere, with the first place.
std::string missing_text(const CharacterRecommendation& character) {
  std::string text;
  const std::vector<MissingFrames>& missing = character.missing;
  for (auto first = missing.begin(); first != missing.end();) {
    const auto end = std::find_if(
        first, missing.end(), [&](const MissingFrames& m) { return m.method != first->method; });
    WorstValue place;
    place.mesh = first->mesh;
    place.clip = first->clip;
    const FrameRange& frames = first->frames;
    text +=
        fmt::format("{}: {} was not measured in all of frames {} to {} at {} fps of {}",
                    printable(character.character), printable(first->method), frames.first_frame,
                    frames.frame(frames.frame_count - 1), frames.fps, printable(place_text(place)));
    const auto others = static_cast<std::size_t>(end - first) - 1;
    if (others > 0) text += ", nor of " + counted(others, "other clip", "other clips");
    text += "; another method was: measure it there, too\n";
    first = end;
  }
  return text;
}

std::string text_of(const LibraryRecommendation& library) {
  const Recommendation& all = library.all;
  std::string text = characters_table(library);
  for (const CharacterRecommendation& character : library.characters) {
    text += missing_text(character);
  }
  text += "\n";
  if (all.candidates.empty()) return text + "the characters have no method in common\n";
  return text + methods_table(all) + "for all characters: " + printable(recommendation_text(all)) +
         "\n";
}

}  // namespace

RecommendedMethods recommended_methods(const ReportOptions& options,
                                       std::span<const NamedReport> reports) {
  Thresholds thresholds = options.thresholds;
  const std::vector<RecommendLimit> limits = take_recommend_limits(thresholds);
  require_metrics(reports, limits);
  const LibraryRecommendation library = recommend_library(reports, limits);
  RecommendedMethods recommended;
  recommended.text = options.json ? library_recommendation_json(library) : text_of(library);
  const auto without = std::count_if(
      library.characters.begin(), library.characters.end(),
      [](const CharacterRecommendation& character) { return fails(character.recommendation); });
  if (without > 0) {
    log_error("--recommend: " +
              counted(static_cast<std::size_t>(without), "character has", "characters have") +
              " no method within the limits");
  }
  if (without == 0 && !library.all.method) {
    log_error(is_judged(library.all) || library.all.candidates.empty()
                  ? "--recommend: no method is within the limits for all characters"
                  : "--recommend: no character has a measurement of these limits");
  }
  recommended.passed = without == 0 && library.all.method;
  return recommended;
}

}  // namespace skinbake::cli
