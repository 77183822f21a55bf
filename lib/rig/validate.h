// Establishes the invariants that rig.h lists; nothing downstream checks them again.

#pragma once

#include "skinbake/error.h"
#include "skinbake/rig.h"

namespace skinbake {

// Each throws an Error (kInput) that names the part and the broken invariant. Rigs share skeleton
// and mesh, so those are looked at once.
void validate(const Skeleton& skeleton, const Location& location);
void validate(const Mesh& mesh, const Location& location);
void validate(const Rig& rig, const Location& location);

}  // namespace skinbake
