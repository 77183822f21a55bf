// How many sections an engine would cut a mesh into.
//
// An engine's section has a bone map: the joints that its vertices may name, a limited number. A
// primitive is cut into as many sections as its triangles need: each, in file order, goes into the
// first open section with room for its joints. Ours, after what engines do at import.

#pragma once

#include <cstdint>
#include <optional>

#include "skinbake/rig.h"

namespace skinbake {

// None if one triangle alone has more than `limit` joints: fewer influences would have to be kept.
std::optional<std::int64_t> count_sections(const Rig& rig, std::size_t limit);

}  // namespace skinbake
