// Normals and tangents of a bake, for the sinks that request them.

#pragma once

#include <optional>

#include "skinbake/frames.h"
#include "skinbake/methods.h"

namespace skinbake {

enum class NormalKind {
  kSkinned,    // the mesh's normals, transformed by the method
  kGeometric,  // normals of the posed triangles: unit normals weighted by the angle at the corner,
               // summed over the vertices of one point that have equal normals at rest
};

// The kind of normals that a bake of a mesh by a method produces where `wanted` is requested.
// kSkinned becomes kGeometric for a method that moves points without rotating their surroundings.
// None: `wanted` is kSkinned and the mesh does not have normals, or the kind is kGeometric and the
// mesh does not have triangles.
std::optional<NormalKind> available_normals(const Mesh& mesh, const Method& method,
                                            NormalKind wanted);

// Whether a bake of a mesh by a method produces tangents: the mesh has tangents, and the method
// rotates the surroundings of a point.
bool available_tangents(const Mesh& mesh, const Method& method);

// A FrameSink that also derives from NormalReader can request the normals of every block. They
// arrive in tiles, concurrently, each after the tile's `consume` and before the block's `finish`.
// If needs_whole_normals() is true, they arrive all at once before `finish`, on the thread that
// calls `finish`.
//
// The tile that the functions receive states frames and vertices; its positions are not set. Arrays
// have the shape of FrameBlock: [vertex][axis][frame] from vertices.first on, aligned to 64 bytes,
// in the plan's space. The functions without an argument return the same value in every call. All
// functions may throw Error.
class NormalReader {
 public:
  virtual ~NormalReader() = default;

  // The kind of normals requested; none: read_normals is not called.
  virtual std::optional<NormalKind> wanted_normals() const { return NormalKind::kSkinned; }

  // True if the sink needs the normals of the whole mesh together. It then receives one range with
  // all vertices, and the arrays stay valid until the block's `merge`. They take the memory of a
  // block.
  virtual bool needs_whole_normals() const { return false; }

  // Called for each vertex once per block. `normals`: unit vectors; zero where a vertex does not
  // have a normal (a joint is scaled to zero, or the vertex is not in a triangle); unspecified
  // where a position is not finite. Null if the mesh does not have normals of this kind, or the
  // method does not support them.
  virtual void read_normals(const FrameBlock& tile, const float* normals, BlockState& state) = 0;

  // Whether tangents are requested; true only where normals are requested too.
  virtual bool wants_tangents() const { return false; }

  // Called after `read_normals` of the same vertices. `tangents`: unit vectors perpendicular to the
  // normals that were given; (1, 0, 0) where the normal is zero; zero where the mesh does not
  // have a tangent. The mesh states their w. Null if tangents are not available
  // (available_tangents).
  virtual void read_tangents(const FrameBlock& /*tile*/, const float* /*tangents*/,
                             BlockState& /*state*/) {}
};

}  // namespace skinbake
