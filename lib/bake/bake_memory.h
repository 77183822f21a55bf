// The memory of a bake, from the counts of its plan. Each part is stated beside the code that
// allocates it; here the parts of a plan are added.

#pragma once

#include "bake/block/block_loop.h"
#include "skinbake/bake.h"

namespace skinbake {

// One block in flight, without the parts of binds, whose number is known only after the bind.
std::uint64_t block_bytes(const BakePlan& plan, const SinksOfRuns& sinks);

// A part of a method in a block (Method::part).
std::uint64_t bytes_of_part(const Method& method);

}  // namespace skinbake
