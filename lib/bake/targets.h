#pragma once

namespace skinbake {

// Obeys SKINBAKE_TARGET, the first time it is called. Throws Error (kUsage) if there is no such
// instruction set.
void force_target_of_environment();

}  // namespace skinbake
