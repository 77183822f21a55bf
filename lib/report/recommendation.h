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
  std::optional<std::int64_t> triangle = {};
  std::string joint = {};      // name of the joint, for the volume around a joint
  std::string pose = {};       // pose_name() in this frame
  std::string character = {};  // of a library; empty: there is one
};

enum class LimitedValue {
  kVolumeLoss,
  kJointVolumeLoss,
  kDistortion,
  kMaxError,
  kMaxErrorRelative,
  kRmsError
};

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
  // Limits that no method can be judged by: no mesh has the measurement, such as a volume.
  std::vector<std::size_t> unmeasured = {};
};

// Replaces `worst` by a larger value; NaN is the largest.
void keep_worst(WorstValue value, std::optional<WorstValue>& worst);

// Sets which candidates are within the limits and which are Pareto-optimal, sorts them by their
// costs, and chooses the cheapest within; of equally cheap ones, the first. A limit that no
// candidate can be judged by is not exceeded, but at least one must be kept. Precondition: each
// candidate has a value, or none, for each limit.
Recommendation recommend_among(std::vector<Candidate> candidates,
                               const std::vector<RecommendLimit>& limits);

// Sets `nearest` and `unmeasured`, which follow from the candidates.
void find_nearest(Recommendation& recommendation);

}  // namespace skinbake
