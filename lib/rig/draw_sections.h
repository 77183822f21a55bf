// Counts the draw sections into which an engine would split a mesh.
//
// A draw section has a table of the joints that its vertices may refer to, with a limited number of
// entries. Every primitive is split separately: each triangle, in file order, is added to the first
// open section that has room for its joints. The rule is ours, modelled on the import of engines.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "skinbake/rig.h"

namespace skinbake {

// Returns nothing if a single triangle has more than `joint_limit` joints.
std::optional<std::int64_t> count_draw_sections(const Rig& rig, std::size_t joint_limit);

}  // namespace skinbake
