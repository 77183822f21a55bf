// The report of a run from the reports of its parts: ranges of frames that several machines
// measured.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "skinbake/report.h"

namespace skinbake {

struct MergedReport {
  std::string json;  // the bytes that one run of all frames would have written
  VerdictStatus verdict = VerdictStatus::kNone;
  std::string frames;  // "20:60" if the parts together do not have all frames of their clips
};

// `caches`: the whole caches, which replace those that the parts wrote; one for each of them.
// Throws Error (kInput): REPORT_INVALID, MEMORY_LIMIT; PART_INVALID if a report is without the sums
// of a part, or has a section that cannot be put together; PARTS_DIFFER unless all are of one rig,
// clip, method and rate, with the same settings; PARTS_INCOMPLETE if they overlap or leave a gap.
// Precondition: there is a path.
MergedReport merge_reports(const std::vector<std::string>& paths,
                           const std::vector<OutputRecord>& caches, std::uint64_t max_memory);

}  // namespace skinbake
