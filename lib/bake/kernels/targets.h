// The instruction sets that kernels are compiled for. All of them give the same bits.
//
// The choice is process-wide and not a setting of a plan: kernels of bake, metrics, caches and
// frames are dispatched through Highway, whose chosen target is one per process, and most of them
// are called where no plan is known. Since the choice does not change a result, only tests and the
// tool's troubleshooting need it.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace skinbake {

// The instruction sets that both this build and this processor support, the best first ("AVX3" is
// AVX-512, "AVX2", "SCALAR").
std::vector<std::string> supported_targets();

// Makes the whole process use an instruction set; "" returns to the best one.
// Not thread-safe: no bake may run. Throws Error (kUsage, TARGET_UNKNOWN) if `name` is not one of
// supported_targets().
void force_target(std::string_view name);

}  // namespace skinbake
