// A bake of one rig, one clip and one method.

#pragma once

#include "skinbake/bake_to.h"

namespace skinbake {

// Checks the inputs as bake_to.h states. The plan points to them and has one run without sinks.
BakePlan plan_one_run(const Rig& rig, const Clip* clip, const Method& method,
                      const FrameRange& frames, const BakeSettings& settings);

}  // namespace skinbake
