// `diff --self-test`: whether the thresholds would notice.

#pragma once

#include <vector>

#include "skinbake/skinbake.h"
#include "thresholds.h"

namespace skinbake::cli {

// Compares plan.a with itself, some of its last vertices moved in some of its last frames: by twice
// what a threshold allows, which must exceed it, and by half, which must not. Without thresholds:
// one vertex by the smallest step that its coordinates can make. `mesh`: what the run is measured
// as.
std::vector<SelfTestRecord> test_thresholds(const DiffPlan& plan, const Thresholds& thresholds,
                                            const MeshRecord& mesh);

// A line for each.
std::string self_test_text(const std::vector<SelfTestRecord>& tests);

}  // namespace skinbake::cli
