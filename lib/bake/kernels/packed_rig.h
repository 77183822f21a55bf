// A rig as lanes read it: packed once per rig, read once per block.

#pragma once

#include <cstdint>
#include <vector>

#include "base/aligned_array.h"
#include "methods/method.h"
#include "skinbake/frames.h"

namespace skinbake {

// The middle of the mesh's bounding box. Packed positions are relative to it, so that a mesh that
// is modelled far from the origin keeps its precision in float.
Vec3<double> centre_of(const Mesh& mesh);

// The number of vertices that linear methods move together, joint by joint. Their positions, 128 x
// 192 bytes, stay in the first-level cache.
inline constexpr VertexIndex kVerticesPerBundle = 128;
static_assert(kVerticesPerTile % kVerticesPerBundle == 0);

// The influence of a joint on a constant point p, multiplied with the point: w (p_x, p_y, p_z, 1).
// For methods that are linear in the joints' matrices.
template <class T>
struct Moment {
  T x, y, z, w;
  std::uint32_t vertex;  // relative to the bundle's first
};

// The moments of one joint in a bundle: from the end of the previous run to `end`.
struct MomentRun {
  std::uint32_t joint;
  std::uint32_t end;  // index into PackedRig::moments
};

// T is float, or double for the exact reference.
template <class T>
struct PackedRig {
  PackedRig(const Rig& rig, const Vec3<double>& centre);

  struct Morph {
    std::vector<T> positions;  // [vertex][axis]; empty: not displaced
    std::vector<T> normals;    // likewise
    std::vector<T> tangents;   // likewise
  };

  AlignedArray<T> positions;  // [vertex][axis], relative to the centre
  std::vector<T> normals;     // [vertex][axis], or empty
  std::vector<T> tangents;    // [vertex][axis], or empty
  std::vector<Morph> morphs;
  std::vector<std::uint32_t> first_influence;  // [vertex + 1]
  AlignedArray<PackedInfluence<T>> influences;

  // The influences as moments of the rest positions. The moments of a bundle begin at the index of
  // its first vertex's first influence. Empty if the mesh has morph targets, because its points are
  // not constant.
  AlignedArray<Moment<T>> moments;       // [bundle][joint, ascending][vertex]
  std::vector<MomentRun> runs;           // [bundle][joint, ascending]
  std::vector<std::uint32_t> first_run;  // [bundle + 1]

  Influences<T> influences_of(VertexIndex v) const {
    return {influences.data() + first_influence[v], influences.data() + first_influence[v + 1]};
  }

 private:
  void pack_vertex(const Rig& rig, const Vec3<double>& centre, VertexIndex v);
  void make_moments(std::size_t joint_count);
};

extern template struct PackedRig<float>;
extern template struct PackedRig<double>;

}  // namespace skinbake
