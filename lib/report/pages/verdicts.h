// The checks of a report: its thresholds, and the checks of a report without thresholds.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/pages/runs.h"
#include "report/report.h"

namespace skinbake {

struct Verdict {
  VerdictStatus status = VerdictStatus::kPass;
  std::string name;   // "volume.max_loss at most 5 %"
  std::string value;  // "66.7 %"; may be empty
  std::string place;  // "mesh 'tube', clip 'twist', lbs, frame 30"; may be empty
  std::string note;   // "exceeded 3 times"; may be empty
};

// The checks of thresholds; then whether a method is recommended, whether outputs were read back
// within their bounds, and, of a diff without thresholds, whether there is any difference.
std::vector<Verdict> verdicts_of(const NamedReport& report);

// A number of a run that a check judges.
struct JudgedRun {
  const Run* run = nullptr;
  Verdict verdict;
};
// Whether a check is about a run, whose mesh may lack the number.
bool is_about(const Json& check, const Run& run);

// At most 256 checks are looked for in each run: a command line has fewer.
inline constexpr std::size_t kMostJudged = 256;

// The runs that a check judges, by its key; `numbers`: numbers_of each run. Empty: no run has the
// number of the key in the unit of the limit.
std::vector<JudgedRun> judged_runs(const Json& check, std::span<const Run> runs,
                                   std::span<const std::vector<Number>> numbers);

Verdict verdict_of(const Json& check);

// The worst status of a report: of its verdicts.
VerdictStatus status_of(const NamedReport& report);
VerdictStatus worst_status(std::span<const NamedReport> reports);

// The worst status of the checks that judge a run. kNone: none does.
VerdictStatus status_of(const NamedReport& report, const Run& run);

// Differences between the data of two rigs that may move a run's mesh; empty: unknown, or none.
std::string cause_words(const Json& document, const Run& run);

// "mesh 'tube', clip 'twist', lbs, frame 30, vertex 12" of an object with these members.
std::string where_words(const Json& object, const Json& place);

}  // namespace skinbake
