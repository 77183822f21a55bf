// The cheapest method whose worst values are within given limits.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "skinbake/unit.h"

namespace skinbake {

// The worst value of a measurement, and its location.
struct WorstValue {
  double value = 0;  // NaN is worse than any number
  std::string mesh, clip;
  std::optional<std::int64_t> frame;   // frame number
  std::optional<std::int64_t> vertex;  // index in the file
  std::string joint;                   // name of the joint, for the volume around a joint
  std::string pose = {};               // pose_name() in this frame
};

enum class LimitedValue { kVolumeLoss, kMaxError, kMaxErrorRelative, kRmsError };

// A limit that a method must keep in every mesh and clip to be recommended.
struct RecommendLimit {
  std::string option;  // the option that gave the limit, for messages: "--max-volume-loss"
  LimitedValue what = LimitedValue::kVolumeLoss;
  std::string metric;  // "volume.max_loss"
  Unit unit = Unit::kRatio;
  double limit = 0;
};

struct Candidate {
  std::string method;                             // RunRecord::name()
  std::optional<double> cost;                     // linear blending is 1; none: not measured
  std::vector<std::optional<WorstValue>> values;  // one per limit; none: not measured
  bool within = false;                            // every limit is kept
  // Pareto-optimal: no other method is at least as good in its cost and every value, and better in
  // one.
  bool pareto = false;
};

struct Recommendation {
  std::vector<RecommendLimit> limits;
  std::optional<std::string> method;  // none: no method is within the limits
  std::vector<Candidate> candidates;  // the cheapest first
};

}  // namespace skinbake
