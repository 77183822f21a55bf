// The conditions that rigs and clips must meet. Readers establish them; rigs and clips that are
// built in code are checked here.

#pragma once

#include "skinbake/clip.h"
#include "skinbake/rig.h"

namespace skinbake {

// Checks a rig with its skeleton and its mesh. Throws Error (kInput, RIG_INVALID), which names the
// first condition that is not met.
//
// Skeleton
//  1. The rig has a skeleton and a mesh: both pointers are not null.
//  2. `order` has every node exactly once.
//  3. The parent of a node is -1, or a node that comes before it in `order`.
//  4. The rotation of a node without a matrix is of unit length: its square is 1 up to 1e-6.
// Mesh
//  5. There is a vertex, and `positions` has three numbers for each.
//  6. `normals` is empty or as long as `positions`.
//  7. `tangents` is empty, or has four numbers for each vertex of a mesh that has normals.
//  8. An attribute of a morph target is empty or has three numbers for each vertex. Its `normals`
//     and `tangents` are empty if the mesh does not have any.
//  9. Corners of triangles are vertices of the mesh.
// 10. `primitives` is empty, or covers the vertices in their order without gaps.
// Rig
// 11. `morph_weights` has one number for each morph target of the mesh.
// 12. `node` is a node of the skeleton.
// 13. There is a joint, and the node of each joint is a node of the skeleton.
// 14. A rig that is not skinned has one joint: its own node, with the identity.
// 15. `first_influence` has one number for each vertex and one more. It starts with 0, ascends
//     strictly, so that every vertex has an influence, and ends with the size of `influences`.
// 16. An influence has a joint of the rig and a weight above 0. A vertex has at most one influence
//     of each joint.
// 17. The influences of a vertex descend by weight; of equal weights the lower joint is first.
// 18. The weights of a vertex sum to 1, up to the rounding of one division for each influence.
// 19. `first_listed` is empty, or has a number for each vertex, less than its number of influences.
// 20. `weld_before_modifiers` is null or that of a mesh with as many vertices.
// 21. The joints of a twist are joints of the rig, its axis is of unit length (its square is 1 up
//     to 1e-12), and its shares are from -1 to 1.
//
// Null pointers are not dereferenced and elements out of range are not accessed, whatever the rig
// contains. The time is proportional to the size of the mesh. The functions of bake_to.h and
// measure.h check their rig; `bake` does not. May be called by several threads at once.
void validate(const Rig& rig);

// Checks a clip for a rig. Throws Error (kInput, CLIP_INVALID), which names the channel and the
// condition, unless its duration is finite and at least 0 and every channel meets these conditions:
//
// - `node` is a node of the rig's skeleton;
// - `width` is 3 for translations and scales, 4 for rotations, at least 1 for morph weights;
//   `first_weight` is at least 0, and the morph weights of the rig's own node are weights of its
//   mesh: `first_weight` + `width` is at most the size of `morph_weights`;
// - `path` and `interpolation` are enumerators;
// - `times` and `values` are not null; there is a key; times are finite and do not descend;
// - `values` has `width` finite numbers for each key, three times as many with cubic splines.
//
// A `motion` moves nodes of the rig's skeleton and, in the rig's own node, morph targets of its
// mesh, as one does that was matched with this rig.
//
// Precondition: the rig is valid. Throws Error (kInput, RIG_INVALID) if it does not have a
// skeleton. Null pointers are not dereferenced. May be called by several threads at once.
void validate(const Clip& clip, const Rig& rig);

}  // namespace skinbake
