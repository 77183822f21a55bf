// A rig as lanes read it: made once per rig, read once per block.

#pragma once

#include <cstdint>
#include <vector>

#include "base/aligned_array.h"
#include "methods/method.h"
#include "skinbake/frames.h"

namespace skinbake {

// The middle of the mesh's bounding box. Positions are stored relative to it, so that a mesh that
// was modelled far from the origin keeps its precision in float.
Vec3<double> centre_of(const Mesh& mesh);

// T is float, or double for the exact reference.
template <class T>
struct Binding {
  Binding(const Rig& rig, const Vec3<double>& centre);

  struct Morph {
    std::vector<T> positions;  // [vertex][axis]; empty: the target moves nothing
    std::vector<T> normals;
  };

  std::vector<T> positions;  // [vertex][axis], relative to the centre
  std::vector<T> normals;    // [vertex][axis], or empty
  std::vector<Morph> morphs;
  std::vector<std::uint32_t> first_influence;  // [vertex + 1]
  std::vector<PackedInfluence<T>> influences;

  Influences<T> influences_of(VertexIndex v) const {
    return {influences.data() + first_influence[v], influences.data() + first_influence[v + 1]};
  }
};

extern template struct Binding<float>;
extern template struct Binding<double>;

}  // namespace skinbake
