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

// Vertices that linear methods move together, joint by joint: their positions stay in the nearest
// cache, 128 x 192 bytes.
inline constexpr VertexIndex kVerticesPerBundle = 128;
static_assert(kVerticesPerTile % kVerticesPerBundle == 0);

// The influence of a joint on a constant point p, for methods that are linear in their joints: the
// weight and the point in one, w (p_x, p_y, p_z, 1).
template <class T>
struct Moment {
  T x, y, z, w;
  std::uint32_t vertex;  // counted from the bundle's first
};

// The moments of one joint in a bundle: from the end of the run before to `end`.
struct MomentRun {
  std::uint32_t joint;
  std::uint32_t end;  // into Binding::moments
};

// T is float, or double for the exact reference.
template <class T>
struct Binding {
  Binding(const Rig& rig, const Vec3<double>& centre);

  struct Morph {
    std::vector<T> positions;  // [vertex][axis]; empty: the target moves nothing
    std::vector<T> normals;
    std::vector<T> tangents;
  };

  AlignedArray<T> positions;  // [vertex][axis], relative to the centre
  std::vector<T> normals;     // [vertex][axis], or empty
  std::vector<T> tangents;    // likewise
  std::vector<Morph> morphs;
  std::vector<std::uint32_t> first_influence;  // [vertex + 1]
  AlignedArray<PackedInfluence<T>> influences;

  // The same influences as moments of the rest positions, for linear methods. A bundle's begin at
  // its first vertex's influences. Empty if the mesh has morph targets: its points are not
  // constant.
  AlignedArray<Moment<T>> moments;       // [bundle][joint, ascending][vertex]
  std::vector<MomentRun> runs;           // [bundle][joint, ascending]
  std::vector<std::uint32_t> first_run;  // [bundle + 1]

  Influences<T> influences_of(VertexIndex v) const {
    return {influences.data() + first_influence[v], influences.data() + first_influence[v + 1]};
  }

 private:
  void bind_vertex(const Rig& rig, const Vec3<double>& centre, VertexIndex v);
  void make_moments(std::size_t joint_count);
};

extern template struct Binding<float>;
extern template struct Binding<double>;

}  // namespace skinbake
