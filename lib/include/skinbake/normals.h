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

// A FrameSink that is one of these too is given the normals of every block, if it wants them.
class NormalReader {
 public:
  virtual ~NormalReader() = default;

  // The same answer every time; none: read_normals is not called.
  virtual std::optional<NormalKind> wanted_normals() const { return NormalKind::kSkinned; }

  // Before `finish` of the same block, by the same thread. `normals`: of the whole mesh, in the
  // plan's space, [vertex][axis][frame] as FrameBlock's positions; of unit length, or zero where
  // there is none (a joint is scaled to nothing, a vertex has no triangles). Null if the mesh has
  // no such normals, or the method does not turn them. They stay until `merge` of the block.
  virtual void read_normals(const float* normals, BlockState& state) = 0;

  // The same answer every time, and true only where normals are wanted too.
  virtual bool wants_tangents() const { return false; }

  // After `read_normals`, likewise: of unit length and perpendicular to the normals that were
  // given; (1, 0, 0) where that is zero; zero where the mesh has none. Their w is the mesh's. Null
  // if there are none (available_tangents).
  virtual void read_tangents(const float* /*tangents*/, BlockState& /*state*/) {}
};

}  // namespace skinbake
