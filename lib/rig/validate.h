// Validation of rigs, and the search for the element that makes a position overflow.

#pragma once

#include <span>
#include <string>

#include "skinbake/error.h"
#include "skinbake/rig.h"

namespace skinbake {

// ---- Validation of the parts of a rig, for a loader that shares one skeleton and one mesh among
// many rigs: each part is checked once. All other code relies on the conditions, which
// skinbake/rig.h numbers, and does not check them again.

// Each function throws Error (kInput, RIG_INVALID), which names the first condition that is not
// met. `location` is the position of the part in the file.
//
// Conditions 2 to 4.
void validate(const Skeleton& skeleton, const Location& location);
// Conditions 5 to 10.
void validate(const Mesh& mesh, const Location& location);
// Conditions 1 and 11 to 21. Precondition: the skeleton and the mesh, if there are any, are valid.
void validate(const Rig& rig, const Location& location);

// ---- The element of a rig that makes a position overflow.

// The largest number among the vertex's POSITION, its displacements in morph targets, and the
// inverse bind matrices of `joints`, with its element: "the POSITION of vertex 7 contains 1e+30".
// Empty if a model can have the number: then transforms of nodes or morph weights are huge.
std::string huge_value(const Rig& rig, VertexIndex vertex, std::span<const JointIndex> joints);

}  // namespace skinbake
