// The bind of delta mush, method `dm`: the smoothing of a mesh, and the deltas that smoothing
// removes, in the frames of the triangles' corners.
//
//     s   = A^n u          n steps of s_i += step (mean of the neighbours' s - s_i), for all points
//                          at once; points on a border are fixed if pin=1
//     F_c = [X Y Z]        at a corner of a triangle, unit edges e_1 and e_2 from it on s:
//                          X = unit(e_1 + e_2), Z = unit(e_1 x e_2), Y = Z x X = unit(e_2 - e_1)
//     d_c = F_c^T (u - s)  the delta, in the corner's frame
//
// A corner is weighted by its angle on s; it is ignored if |e_1 x e_2| <= 1e-6.

#pragma once

#include <cstdint>

#include "methods/method.h"

namespace skinbake {

// The layout of BindData. The first entry of a vertex: its index is the number of neighbours, its
// number is step / the number of neighbours. Then an entry for each neighbouring point, whose index
// is the point's lowest vertex. Then two entries for each corner, whose indices are the other two
// vertices; the first has the numbers below.
inline constexpr std::uint32_t kNumbersPerCorner = 4;
inline constexpr std::size_t kAngle = 0,
                             kDelta = 1;  // offsets of the angle, and of the angle times d_c

inline constexpr double kLeastSine = 1e-6;  // corners with a smaller |e_1 x e_2| are ignored

// The parameters of `dm`.
struct MushParameter {
  enum Parameter { kBase, kIterations, kStep, kPin, kScale };
};

// Throws Error (kInput, MESH_TOO_LARGE) if there are 2^32 entries or more.
BindData bind_corner_frames(const BindInput& input);

}  // namespace skinbake
