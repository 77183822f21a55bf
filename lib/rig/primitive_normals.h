// Which primitives of a mesh have normals. The normals of the others are zero.

#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

// Whether a vertex has a normal: one that is not zero. `normals`: [vertex][axis], may be empty.
inline bool has_normals(std::span<const float> normals) {
  return std::any_of(normals.begin(), normals.end(), [](float n) { return n != 0; });
}

// Whether a vertex of the primitive has a normal. `normals`: of the whole mesh.
inline bool has_normals(std::span<const float> normals, const Primitive& primitive) {
  return !normals.empty() && has_normals(normals.subspan(std::size_t{primitive.first_vertex} * 3,
                                                         std::size_t{primitive.vertex_count} * 3));
}

// The primitives without normals of a mesh of which another primitive has normals.
inline std::vector<Primitive> primitives_without_normals(const Mesh& mesh) {
  std::vector<Primitive> without;
  if (!has_normals(mesh.normals)) return without;
  for (const Primitive& primitive : mesh.primitives) {
    const bool is_empty = primitive.vertex_count == 0;
    if (!is_empty && !has_normals(mesh.normals, primitive)) without.push_back(primitive);
  }
  return without;
}

}  // namespace skinbake
