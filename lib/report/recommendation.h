// The cheapest method whose worst values are within given limits: of each character of a library,
// and of all of them, by their reports. A report alone is a library of one character.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "skinbake/clip.h"
#include "skinbake/metrics.h"

namespace skinbake {

struct NamedReport;

// The worst value of a measurement, and its location.
struct WorstValue {
  double value = 0;  // NaN is worse than any number
  std::string mesh, clip;
  std::optional<std::int64_t> frame;   // frame number
  std::optional<std::int64_t> vertex;  // index in the file
  std::optional<std::int64_t> triangle = {};
  std::string joint = {};      // name of the joint, for the volume around a joint
  std::string pose = {};       // pose_name() in this frame
  std::string character = {};  // of a library; empty: there is one
};

// A limit that a method must keep in every mesh and clip to be recommended.
struct RecommendLimit {
  std::string metric;  // the number's path in a run of a report: "volume.max_loss"
  Unit unit = Unit::kRatio;
  double limit = 0;
};

struct Candidate {
  std::string method;                             // RunRecord::name()
  std::optional<double> cost;                     // linear blending is 1; none: not measured
  std::vector<std::optional<WorstValue>> values;  // one per limit; none: not measured
  bool within = false;                            // every limit is kept that can be measured
  // Pareto-optimal: no other method is at least as good in its cost and every value, and better in
  // one.
  bool pareto = false;
};

// The method that exceeds its limits least.
struct NearestMiss {
  std::string method;
  std::size_t limit = 0;  // index of the limit that it exceeds most, as a part of the limit
  WorstValue worst;
};

struct Recommendation {
  std::vector<RecommendLimit> limits;
  std::optional<std::string> method;        // none: no method is within the limits
  std::vector<Candidate> candidates;        // the cheapest first
  std::optional<NearestMiss> nearest = {};  // none: a method is within the limits, or not measured
  // Limits on a number that no mesh has, such as the volume of open surfaces.
  std::vector<std::size_t> unmeasured = {};
};

// Replaces `worst` by a larger value; NaN is the largest.
void keep_worst(WorstValue value, std::optional<WorstValue>& worst);

// Sets `nearest` and `unmeasured`, which follow from the candidates.
void find_nearest(Recommendation& recommendation);

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

// Recommends by reports of `bake` and `compare`, which must have the metrics of the limits. Of
// equally cheap methods, the first is recommended. A limit on a number that no method of a
// character has is not exceeded, but at least one limit must be kept.
LibraryRecommendation recommend_library(std::span<const NamedReport> reports,
                                        const std::vector<RecommendLimit>& limits);

// Throws Error (kInput, REPORT_INVALID) if a report is of another command, or does not have a
// metric of the limits.
void require_metrics(std::span<const NamedReport> reports,
                     const std::vector<RecommendLimit>& limits);

// The metric of a limit: "volume" of "volume.max_loss".
std::string metric_of(const RecommendLimit& limit);

// JSON: schema "skinbake.recommendation", version 1.0.
std::string library_recommendation_json(const LibraryRecommendation& library);

}  // namespace skinbake
