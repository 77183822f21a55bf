// The cheapest method of each character of a library, and of all of them, by their reports.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/read/parsed_report.h"
#include "report/recommendation.h"
#include "skinbake/clip.h"

namespace skinbake {

// Frames that other methods of a character were measured in, and a method was not.
struct MissingFrames {
  std::string method;
  std::string mesh, clip;  // an empty clip: the rest pose
  FrameRange frames;       // of a run of another method
  std::string character = {};
};

// A rig; its clips and methods may be in several reports.
struct CharacterRecommendation {
  std::string character;             // the rig's file without extension, or its path if that is not
                                     // unique
  std::vector<std::string> reports;  // names
  Recommendation recommendation;
  // The methods that the reports do not measure in all frames of all of them, one element for each
  // mesh and clip. They are within no limit and have no values: the worst may be elsewhere.
  std::vector<MissingFrames> missing = {};
};

struct LibraryRecommendation {
  std::vector<CharacterRecommendation> characters;  // in the order of the reports
  // The methods that every character has, with the worst values of all characters.
  Recommendation all;
  std::vector<MissingFrames> missing = {};  // of these methods, in all characters
};

// Recommends by reports of `bake` and `compare`, whose metrics must be those of the limits. Throws
// Error (kInput, REPORT_INVALID) if a report is of another command or does not have a metric.
LibraryRecommendation recommend_library(std::span<const ParsedReport> reports,
                                        const std::vector<RecommendLimit>& limits);

// JSON: schema "skinbake.recommendation", version 1.0.
std::string library_recommendation_json(const LibraryRecommendation& library);

}  // namespace skinbake
