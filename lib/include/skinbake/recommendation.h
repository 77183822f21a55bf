// The cheapest method within limits, and what each costs and keeps.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skinbake {

// A worst value and where it is.
struct WorstValue {
  double value = 0;  // NaN is worse than any number
  std::string mesh, clip;
  std::optional<std::int64_t> frame;   // number
  std::optional<std::int64_t> vertex;  // file index
  std::string joint;                   // of a joint's region: its name
};

enum class LimitedValue { kVolumeLoss, kMaxError, kMaxErrorRelative, kRmsError };

// What a method must keep in every mesh and clip to be recommended.
struct RecommendLimit {
  std::string option;  // "--max-volume-loss"
  LimitedValue what = LimitedValue::kVolumeLoss;
  std::string metric;  // "volume.max_loss"
  std::string unit;    // "1" or "m"
  double limit = 0;
};

struct Candidate {
  std::string method;                             // RunRecord::name()
  std::optional<double> cost;                     // linear blending is 1; none: not measured
  std::vector<std::optional<WorstValue>> values;  // of each limit; none: not measured
  bool within = false;                            // every limit
  bool pareto = false;  // no other method is as cheap and as good in each of the values, and better
                        // in one
};

struct Recommendation {
  std::vector<RecommendLimit> limits;
  std::optional<std::string> method;  // none is within the limits
  std::vector<Candidate> candidates;  // the cheapest first
};

}  // namespace skinbake
