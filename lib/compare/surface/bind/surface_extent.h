// What tells two surfaces apart that cannot be compared: their sizes, their areas, their triangles.

#pragma once

#include <array>
#include <string>

#include "compare/surface/surfaces.h"

namespace skinbake {

// The extent of the triangles of a surface: files may have other vertices anywhere.
struct SurfaceExtent {
  std::size_t triangles = 0;
  std::array<double, 3> edges{};  // of the bounding box, metres, the longest first
  double diagonal_m = 0;
  double area_m2 = 0;
};
// Precondition: there are triangles.
SurfaceExtent extent_of(const BindSurface& surface);

// Why two surfaces are not comparable, as the end of a message: other units only if both have one
// shape, else what one lacks of the other. "; B is 100 times as large as A (diagonals of 180 m and
// 1.8 m): if the files have other units, scale one of them first"; "; B has 1 triangle, 0.2 % of
// the area and 4 % of the diagonal of A, which has 1000 triangles: …"; empty: sizes and areas are
// alike. `has_several_meshes`: --mesh can choose a part of either.
std::string cause_text(const std::array<SurfaceExtent, 2>& extents,
                       const std::array<std::string, 2>& names, bool has_several_meshes);

}  // namespace skinbake
