// Normals of correctives: how a target turns the normals of the mesh.
//
// N = sum of (b - a) x (c - a) over the triangles a, b, c of a point is the direction of its
// normal, weighted by area. A displacement U changes it by
//
//     dN = sum of (dU_b - dU_a) x (c - a) + (b - a) x (dU_c - dU_a)
//
// so the unit normal n = N / |N| turns by the vector n x dN / |N|, and the mesh's own normal, which
// may differ from n, turns by the same. The triangles of a point are those of all vertices that
// have its position and normal.

#pragma once

#include "skinbake/rig_changes.h"

namespace skinbake::fit {

// Sets the normals of the targets, and base_normals. Does nothing if the mesh does not have normals
// and triangles. The normals to which the targets are relative are of unit length, as glTF
// requires: where they are divided by a length, the targets of the vertex are too, so the direction
// of every sum stays.
void add_normals(const Rig& rig, AddedMorphs& morphs);

}  // namespace skinbake::fit
