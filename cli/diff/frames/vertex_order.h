// Whether the vertices of two sides have the same order, so that they can be compared by index.

#pragma once

#include "diff/frames/side.h"
#include "skinbake/error.h"
#include "surfaces/triangle_issue.h"

namespace skinbake::cli {

// Throws Error (kNotComparable) if the vertices of two rigs have another order, so that a
// comparison by index would pair vertices of other places.
void require_same_order(const ChosenRig& a, const ChosenRig& b);

// Warns if the vertices of the first frame are at the places of one another, but have other
// indices. `rig`: of either side; null: unknown.
Issues other_order(const DiffSide& a, const DiffSide& b, const Rig* rig);

// Warns if two rigs with equally many vertices have other triangles between equal indices.
Issues other_triangles(const ChosenRig& a, const ChosenRig& b);

// The areas of two rigs in the bind pose. Throws Error (kInput) if a position is not finite.
SurfaceAreas areas_at_bind(const ChosenRig& a, const ChosenRig& b);

}  // namespace skinbake::cli
