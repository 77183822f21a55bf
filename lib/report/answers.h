// What a report answers beside its measurements, in words that all of its forms share. Nothing is
// escaped yet.

#pragma once

#include <string>
#include <vector>

#include "skinbake/report_view.h"

namespace skinbake {

// What a run passes or fails without being a threshold: whether a method is recommended, whether
// thresholds do what they say, and, of a diff without thresholds, whether there is any difference.
struct Answer {
  std::string name;  // "--recommend --max-volume-loss 5 %"
  std::string text;  // "no method is within the limits"
  bool passed = false;
};
std::vector<Answer> answers_of(const ReportView& report);

// What became of each output that was read back. It passes, or the run would have written no
// report.
std::vector<Answer> verifications_of(const ReportView& report);

// That of the checks and the answers: "fail", "warn", "pass" or "none".
std::string verdict_of(const ReportView& report);

// "dqs is the cheapest within --max-volume-loss 5 %".
std::string recommendation_text(const Recommendation& recommendation);

// "3 of 120 values moved".
std::string changes_text(const ReportChanges& changes);

// "vertex 12 (primitive 0, its 12), frame 3".
std::string place_text(const Explanation& explanation);

// "90°, flipped, scale 2": how a joint is turned against the heaviest.
std::string turn_text(const ExplainedInfluence& influence);

}  // namespace skinbake
