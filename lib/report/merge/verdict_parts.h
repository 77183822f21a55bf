// The verdict of a run, from the verdicts of its parts and the numbers of the whole.

#pragma once

#include "report/merge/part.h"

namespace skinbake {

// Throws Error (kInput, PART_INVALID) for a threshold that cannot be evaluated again. `path`: the
// part's file.
void require_mergeable_thresholds(const JsonCursor& verdict, const std::string& path);

// Throws Error (kInput): PARTS_DIFFER unless the thresholds are equal, PART_INVALID for one that
// cannot be evaluated again.
void require_same_thresholds(const PartSection& verdict);

// Evaluates the thresholds of the first part, `report.verdict`, on the merged runs, as the commands
// do. `path`: the first part's file.
void evaluate_again(nlohmann::json& report, const std::string& path);

}  // namespace skinbake
