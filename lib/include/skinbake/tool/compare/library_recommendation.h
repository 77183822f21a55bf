// The cheapest method of each character of a library, and of all of them, by their reports.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "skinbake/tool/compare/recommendation.h"
#include "skinbake/tool/report/parsed_report.h"

namespace skinbake {

// A rig; its clips and methods may be in several reports.
struct CharacterRecommendation {
  std::string character;             // the rig's file without extension, or its path if that is not
                                     // unique
  std::vector<std::string> reports;  // names
  Recommendation recommendation;
};

struct LibraryRecommendation {
  std::vector<CharacterRecommendation> characters;  // in the order of the reports
  // The methods that every character has, with the worst values of all characters.
  Recommendation all;
};

// Recommends by reports of `bake` and `compare`, whose metrics must be those of the limits. Throws
// Error (kInput, REPORT_INVALID) if a report is of another command or does not have a metric.
LibraryRecommendation recommend_library(std::span<const ParsedReport> reports,
                                        const std::vector<RecommendLimit>& limits);

// JSON: schema "skinbake.recommendation", version 1.0.
std::string library_recommendation_json(const LibraryRecommendation& library);

}  // namespace skinbake
