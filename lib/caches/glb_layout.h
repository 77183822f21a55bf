// What a baked GLB holds and where: all that its JSON says.
//
// The binary chunk, in order; everything starts at a multiple of 4:
//
//   zeros          16 bytes: the value and the index of every target that does not move
//   times          float32[F], seconds
//   weights        uint32[F-1] places and float32[F-1] ones of the sparse F x (F-1) weights
//   images         as they were
//   of each mesh   of each primitive: indices, texture coordinates, colours
//   of each mesh   float32[V][3]: frame 0, the base; with normals=1, those of its normals; with
//                  tangents=1, float32[V][4] of its tangents
//                  of each block of 16 frames: the dense targets, float32[frame][vertex][3]; the
//                  values of sparse ones, float32[moved][3]; their indices, uint16 or uint32; and
//                  with normals=1, the same of normals; with tangents=1, of tangents
//
// With quantize=1, vertices are int16[3] and two zero bytes, or a tangent's w in frame 0, and
// targets that move are dense. A normal's or a tangent's way may be too long for a normalised
// short, which ends at 1: where one of a primitive's is, the target is wide, float32[vertex][3],
// multiples of 2^-15. With meshopt=1 too, base and targets are streams of EXT_meshopt_compression,
// one for each primitive and frame.
//
// Target f - 1 holds x_f - x_0, rounded once. glTF 2.0 specification, 3.7.2.2 (morph targets),
// where tangents of the base are VEC4 and those of targets VEC3, 3.6.2.3 (sparse accessors), 3.11
// (animations).

#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "caches/glb_lattice.h"
#include "caches/glb_looks.h"
#include "caches/glb_options.h"
#include "skinbake/caches.h"

namespace skinbake {

// A run of bytes in the binary chunk.
struct GlbView {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;  // 0: there is no such view
};

struct GlbBounds {
  std::array<float, 3> min{std::numeric_limits<float>::infinity(),
                           std::numeric_limits<float>::infinity(),
                           std::numeric_limits<float>::infinity()};
  std::array<float, 3> max{-std::numeric_limits<float>::infinity(),
                           -std::numeric_limits<float>::infinity(),
                           -std::numeric_limits<float>::infinity()};
};

// One frame of one primitive.
struct GlbTarget {
  enum class Kind { kStill, kDense, kSparse, kWide } kind = Kind::kStill;
  std::uint32_t moved = 0;           // vertices
  std::uint32_t values_offset = 0;   // in the block's view
  std::uint32_t indices_offset = 0;  // of a sparse one
  GlbBounds bounds;                  // of all deltas
  GlbView packed;                    // of a dense one that is compressed
};

struct GlbBlock {
  GlbView dense, values, indices, wide;
};

struct GlbPrimitive {
  Primitive vertices;  // at least one
  const PrimitiveExtras* extras = nullptr;
  GlbView indices;
  int index_type = 0;  // componentType
  std::vector<GlbView> attributes;
  GlbBounds bounds;  // of the base's positions
  bool has_tangents = false;
};

// One attribute of all vertices in all frames.
struct GlbStream {
  std::string_view attribute;
  GlbView base;
  std::vector<GlbView> packed;  // [primitive] the base, if it is compressed
  std::vector<GlbBlock> blocks;
  std::vector<GlbTarget> targets;  // [frame - 1][primitive]
};

inline constexpr std::string_view kPositions = "POSITION", kNormals = "NORMAL",
                                  kTangents = "TANGENT";

struct GlbMesh {
  CacheHeader header;
  std::vector<GlbPrimitive> primitives;
  GlbLattice lattice;              // of quantised ones
  std::vector<GlbStream> streams;  // positions; if they are kept, normals; then tangents

  bool has_normals() const { return streams.size() > 1; }
  bool has_tangents() const { return streams.size() > 2; }
  // Whether a primitive has the attribute.
  bool has(const GlbStream& stream, const GlbPrimitive& primitive) const {
    return stream.attribute != kTangents || primitive.has_tangents;
  }
  std::int64_t target_count() const { return header.frames.frame_count - 1; }
};

struct GlbLayout {
  GlbOptions options;
  GlbLooks looks;
  std::string copyright;  // empty: none
  GlbView zeros, times, weight_places, weight_values;
  double last_time_s = 0, first_time_s = 0;
  std::vector<GlbView> images;
  std::vector<GlbMesh> meshes;  // all of the same frames
  std::uint64_t bytes = 0;      // of the binary chunk
};

// Indices of a sparse target of so many vertices: bytes of one.
inline std::size_t glb_index_bytes(std::size_t vertices) {
  return vertices <= 65536 ? sizeof(std::uint16_t) : sizeof(std::uint32_t);
}

std::string glb_json(const GlbLayout& layout);

// At least as many bytes as glb_json will have, whatever the targets turn out to be.
std::uint64_t longest_glb_json(GlbLayout layout);

}  // namespace skinbake
