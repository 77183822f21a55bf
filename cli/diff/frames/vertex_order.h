// Whether the vertices of two sides have the same order, so that they can be compared by index.

#pragma once

#include <string>

#include "compare/surface/surfaces.h"
#include "diff/frames/side.h"
#include "skinbake/error.h"
#include "surfaces/triangle_issue.h"

namespace skinbake::cli {

// Two rigs with equally many vertices in the bind pose.
class RigsAtBind {
 public:
  // Throws Error (kInput) if a position is not finite.
  RigsAtBind(const ChosenRig& a, const ChosenRig& b);

  // Throws Error (kNotComparable) if the vertices have another order, so that a comparison by index
  // would pair vertices of other places.
  void require_same_order() const;

  // Warns if there are other triangles between equal indices.
  Issues other_triangles() const;

  SurfaceAreas areas() const;

 private:
  std::string path_a_, path_b_;
  BindSurfaces surfaces_;
};

// Warns if the vertices of the first frame are at the places of one another, but have other
// indices. `rig`: of either side; null: unknown.
Issues other_order(const DiffSide& a, const DiffSide& b, const Rig* rig);

}  // namespace skinbake::cli
