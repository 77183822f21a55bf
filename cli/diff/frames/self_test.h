// `diff --self-test`: checks that the thresholds detect known displacements.

#pragma once

#include <vector>

#include "report/report.h"
#include "skinbake/compare.h"
#include "thresholds/thresholds.h"

namespace skinbake::cli {

// Compares plan.a with a copy in which some of the last vertices of some of the last frames are
// displaced: by twice the limit of each threshold, which must exceed it, and by half the limit,
// which must not. Without thresholds: one vertex, by the smallest step of its coordinates. `mesh`:
// the record that thresholds refer to.
std::vector<SelfTestRecord> test_thresholds(const DiffPlan& plan, const Thresholds& thresholds,
                                            const MeshRecord& mesh);

// A line for each test.
std::string self_test_text(const std::vector<SelfTestRecord>& tests);

}  // namespace skinbake::cli
