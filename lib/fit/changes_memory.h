// The memory of the changes that a fit makes, which are kept until the file is written.

#pragma once

#include <cstdint>

#include "skinbake/fit.h"

namespace skinbake {

// The bytes of FitResult::changes, an upper bound. Precondition: the plan is valid.
std::uint64_t memory_of_changes(const FitPlan& plan);

}  // namespace skinbake
