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

  AlignedArray<T> positions;  // [vertex][axis], relative to the centre
  std::vector<T> normals;     // [vertex][axis], or empty
  std::vector<Morph> morphs;
  std::vector<std::uint32_t> first_influence;  // [vertex + 1]
  AlignedArray<PackedInfluence<T>> influences;

  // The same influences as moments of the rest positions, by joint, for linear methods. Empty if
  // the mesh has morph targets: its points are not constant.
  AlignedArray<Moment<T>> moments;
  // How many vertices from this one on have the same joints: 4, 2 or 1; 0 inside such a group.
  // Groups start at multiples of their size, so that none spans two tiles.  [vertex]
  AlignedArray<std::uint8_t> group_sizes;

  Influences<T> influences_of(VertexIndex v) const {
    return {influences.data() + first_influence[v], influences.data() + first_influence[v + 1]};
  }
  std::span<const Moment<T>> moments_of(VertexIndex v) const {
    return {moments.data() + first_influence[v], moments.data() + first_influence[v + 1]};
  }

 private:
  bool have_same_joints(VertexIndex a, VertexIndex b) const;
  void bind_vertex(const Rig& rig, const Vec3<double>& centre, VertexIndex v);
  void find_groups(VertexIndex first, VertexIndex last);  // of four vertices
};

extern template struct Binding<float>;
extern template struct Binding<double>;

}  // namespace skinbake
