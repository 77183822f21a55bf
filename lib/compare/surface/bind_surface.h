// The points of a surface bound to another, and the joints of both that move together.

#pragma once

#include <cstdint>
#include <vector>

#include "compare/surface/surfaces.h"

namespace skinbake {

// ---- Which joints of two files are the same.

// The weighted mean of the vertices that a joint moves, in the rest pose. It tells joints at one
// place apart, and does not change with the scale that quantisation moves into nodes.
struct JointCentre {
  Vec3<double> sum{0, 0, 0};  // of weight x position
  double weight = 0;
};

// Sets BindSurface::joint_ids of both surfaces. A joint whose name no other joint of its side has
// pairs with the joint of this name. Other joints pair if they, or their vertices, are at one place
// at rest, the nearest first; at equal distances, in the order of the files. A joint without a
// partner has an id that no other joint has. `a_centres`, `b_centres`: [joint].
void pair_joints(const std::vector<JointCentre>& a_centres,
                 const std::vector<JointCentre>& b_centres, BindSurface& a, BindSurface& b);

// ---- The size of a surface.

// The diagonal of the bounding box. Precondition: there is a position.
double diagonal_of(const std::vector<Vec3<double>>& positions);

}  // namespace skinbake
