// What delta mush knows of a mesh: how its points are smoothed, and the deltas that smoothing takes
// away, in the frames of the triangles' corners. Bind time of method `dm`.
//
//     s   = A^n u          n steps of s_i += step (mean of the neighbours' s - s_i), all at once;
//                          points on a border stay
//     F_c = [X Y Z]        at a corner of a triangle, unit edges e_1 and e_2 from it on s:
//                          X = unit(e_1 + e_2), Z = unit(e_1 x e_2), Y = Z x X = unit(e_2 - e_1)
//     d_c = F_c^T (u - s)  the delta, in the corner's frame
//
// A corner counts by its angle on s, and not at all if |e_1 x e_2| <= 1e-6.

#pragma once

#include <cstdint>

#include "methods/method.h"

namespace skinbake {

// How they lie in Bound. The first entry of a vertex: the index is its number of neighbours; one
// number, step / that number. Then an entry for each neighbour: its lowest vertex. Then two for
// each corner: the two other vertices, the first with what is named below.
inline constexpr std::uint32_t kNumbersPerCorner = 4;
inline constexpr std::size_t kAngle = 0, kDelta = 1;  // the angle; the angle times d_c

inline constexpr double kLeastSine = 1e-6;  // of a corner that counts

// The parameters of `dm`.
struct MushParameter {
  enum Parameter { kBase, kIterations, kStep, kPin, kScale };
};

Bound bind_corner_frames(const BindInput& input);

}  // namespace skinbake
