// All frames of a plan, once through its sinks.

#pragma once

#include "bake/slot.h"

namespace skinbake {

// The first of two is for what must see all frames before the sinks do: FrameSink::survey.
enum class Pass { kOnly, kFirst, kSecond };

// Computes every frame and feeds `sinks`, those of each of the plan's runs, to their end; a run
// that has none in a first pass is left out, and so is the reference.
void run_pass(const Job& job, Pass pass, SinksOfRuns sinks, int threads);

}  // namespace skinbake
