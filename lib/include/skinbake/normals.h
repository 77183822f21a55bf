// Normals and tangents beside the positions of a bake, for the few sinks that look at them.

#pragma once

#include <optional>

#include "skinbake/frames.h"
#include "skinbake/methods.h"

namespace skinbake {

enum class NormalKind {
  kSkinned,    // the mesh's own, as the method turns them
  kGeometric,  // those of the posed triangles: their unit normals times their angles at the corner,
               // summed over the vertices of one point that have the same normal at rest
};

// The normals that a bake of a mesh by a method can give to who wants such ones: skinned ones are
// geometric where the method moves points without turning what is about them. None if a mesh has
// no normals to be skinned, or no triangles to have geometric ones.
std::optional<NormalKind> available_normals(const Mesh& mesh, const Method& method,
                                            NormalKind wanted);

// Whether a bake of a mesh by a method can give tangents: the mesh has some, and the method turns
// what is about a point.
bool available_tangents(const Mesh& mesh, const Method& method);

// A FrameSink that is one of these too is given the normals of every block, if it wants them: by
// tiles, each after the tile's `consume` and before the block's `finish`, concurrently; or, if it
// asks for that, all at once before `finish`, by the same thread.
//
// Of a tile, frames and vertices say whose the normals are; positions are none of theirs. Arrays
// are like FrameBlock's: [vertex][axis][frame] from vertices.first on, aligned, in the plan's
// space.
class NormalReader {
 public:
  virtual ~NormalReader() = default;

  // The same answer every time; none: read_normals is not called.
  virtual std::optional<NormalKind> wanted_normals() const { return NormalKind::kSkinned; }

  // True if it looks at the normals of the whole mesh: it is then given one range, of all vertices,
  // and the arrays stay until `merge` of the block. The same answer every time. It takes the memory
  // of a block.
  virtual bool needs_whole_normals() const { return false; }

  // Each vertex once. `normals`: of unit length, or zero where there is none (a joint is scaled to
  // nothing, a vertex has no triangles); where a position is not finite, any number. Null if the
  // mesh has no such normals, or the method does not turn them.
  virtual void read_normals(const FrameBlock& tile, const float* normals, BlockState& state) = 0;

  // The same answer every time, and true only where normals are wanted too.
  virtual bool wants_tangents() const { return false; }

  // After `read_normals` of the same vertices, likewise: of unit length and perpendicular to the
  // normals that were given; (1, 0, 0) where that is zero; zero where the mesh has none. Their w is
  // the mesh's. Null if there are none (available_tangents).
  virtual void read_tangents(const FrameBlock& /*tile*/, const float* /*tangents*/,
                             BlockState& /*state*/) {}
};

}  // namespace skinbake
