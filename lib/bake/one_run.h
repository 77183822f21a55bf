// A bake of one rig, one clip and one method.

#pragma once

#include "skinbake/bake.h"

namespace skinbake {

// Checks the inputs as bake_to_array states. The plan points to them and has one run without sinks.
BakePlan plan_one_run(const OneRun& run);

}  // namespace skinbake
