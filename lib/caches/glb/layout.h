// The layout of a baked GLB: everything that its JSON describes, and where its bytes are.
//
// The binary chunk, in order; every part starts at a multiple of 4:
//
//   zeros          16 bytes: the value and the index that zero targets list (no vertex moves)
//   of each clip   times: float32[F], seconds
//                  of each part that shows it (timeline.h): the sparse F x N weights of its N
//                  targets: uint32[F] indices, float32[F] ones, without the base
//                  of several parts: float32[P] times, float32[P][P][3] scales of the nodes
//   document       the buffers of the document: images, indices, texture coordinates, colours
//   of each mesh   of each block of 16 frames: if its first frame is a base: float32[V][3]
//                  positions; with normals=1, float32[V][3] normals; with tangents=1, float32[V][4]
//                  tangents
//                  the dense targets, float32[frame][vertex][3]; the
//                  values of the sparse targets, float32[displaced][3]; their indices, uint16 or
//                  uint32; and the same of normals and of tangents
//
// With quantize=1, a vertex is int16[3] and an int16 that is 0, or a tangent's w in frame 0, and no
// target is sparse. The displacement of a normal or a tangent can exceed 1, the limit of a
// normalized int16; the target of the primitive is then float32[vertex][3], in multiples of 2^-15.
// If meshopt=1 is also given, each base and each target of a primitive is a stream of
// EXT_meshopt_compression.
//
// A target holds x_f - x_b, rounded once; b is the base of its part. glTF 2.0
// specification, 3.7.2.2 (morph targets; the base's tangents are VEC4, a target's VEC3), 3.6.2.3
// (sparse accessors), 3.11 (animations).

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caches/glb/encoding.h"
#include "caches/glb/options.h"
#include "caches/glb/timeline.h"
#include "gltf/write/baked_document.h"
#include "math/bounds.h"
#include "skinbake/caches.h"

namespace skinbake {

// A byte range of the binary chunk.
struct BinRange {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;

  bool is_empty() const { return bytes == 0; }
};

// The displacements of one attribute of one primitive in one frame.
struct GlbTarget {
  enum class Kind {
    kZero,    // no vertex is displaced
    kDense,   // all vertices, floats or int16
    kSparse,  // the displaced vertices and their indices
    kFloat,   // all vertices as floats, in a quantized mesh
  } kind = Kind::kZero;
  std::uint32_t displaced = 0;       // number of vertices with a displacement
  std::uint32_t values_offset = 0;   // in the block's range
  std::uint32_t indices_offset = 0;  // in the block's range; kSparse only
  Box bounds;                        // of the displacements of all vertices
  BinRange stream;                   // with meshopt=1, instead of the block's range
};

// The targets of one attribute in 16 frames.
struct GlbBlock {
  BinRange dense, sparse_values, sparse_indices, floats;
};

struct GlbPrimitive {
  Primitive vertices;       // at least one
  std::vector<Box> bounds;  // [part] of the positions of the base
  bool has_normals = false, has_tangents = false;
};

inline constexpr std::string_view kPositionAttribute = "POSITION", kNormalAttribute = "NORMAL",
                                  kTangentAttribute = "TANGENT";

struct GlbBase {
  BinRange range;
  std::vector<BinRange> streams;  // [primitive] with meshopt=1, instead of `range`
};

// One attribute of all vertices of a mesh in all frames.
struct GlbMorphedAttribute {
  std::string_view name;
  std::vector<GlbBase> bases;  // [part]
  std::vector<GlbBlock> blocks;
  std::vector<GlbTarget> targets;  // [frame][primitive]; unused for a frame that is only a base
};

struct GlbMesh {
  CacheHeader header;  // of the first clip
  std::vector<GlbPrimitive> primitives;
  GlbGrid grid;                                 // with quantize=1
  std::vector<GlbMorphedAttribute> attributes;  // positions, then normals, then tangents

  bool has_normals() const { return attributes.size() > 1; }
  bool has_tangents() const { return attributes.size() > 2; }
  bool has_attribute(const GlbPrimitive& primitive, const GlbMorphedAttribute& attribute) const {
    return attribute.name == kNormalAttribute    ? primitive.has_normals
           : attribute.name == kTangentAttribute ? primitive.has_tangents
                                                 : true;
  }
};

// A clip, and the values of its animation.
struct GlbClip {
  struct Weights {  // of a part; of parts without targets: unused
    BinRange indices, values;
    std::size_t count = 0;  // of both
  };

  std::string id;  // empty: the rest pose
  FrameRange frames;
  BinRange times;
  GlbTimeline::Parts parts;          // parts that show the clip
  std::vector<Weights> weights;      // of each of them
  BinRange part_times, part_scales;  // if the file has several parts
};

struct GlbLayout {
  GlbOptions options;
  BakedDocument document;  // of the meshes, without their frames
  GlbTimeline timeline;
  std::vector<GlbClip> clips;
  BinRange zeros;
  std::vector<GlbMesh> meshes;  // all with the same clips
  std::uint64_t bytes = 0;      // of the binary chunk

  bool is_animated() const { return timeline.frame_count() > 1; }
};

// Bytes of an index of a sparse target in a primitive of this number of vertices.
inline std::size_t glb_index_bytes(std::size_t vertices) {
  return vertices <= 65536 ? sizeof(std::uint16_t) : sizeof(std::uint32_t);
}

// The clips and parts of a file. Throws Error (kUsage, CACHE_TOO_LARGE) if the counts exceed what a
// GLB holds, before memory is allocated for each frame. `headers`: [mesh][clip].
GlbTimeline plan_glb_timeline(const std::string& path, std::span<const CacheHeader> headers,
                              const GlbOptions& options);

// The layout before the first frame: all ranges are empty. `headers`: [mesh][clip]. Throws Error
// (kUsage) if the counts exceed what a GLB holds, if two frames have the same time as float32, or
// if an option is unknown.
GlbLayout plan_glb(const std::string& path, std::span<const CacheHeader> headers);

// Appends bytes to the binary chunk, padded to a multiple of 4. Returns their range.
using AppendBytes = std::function<BinRange(const void* data, std::size_t size)>;

// Appends all data that does not depend on the computed frames, and sets its ranges.
void append_static_data(GlbLayout& layout, const AppendBytes& append);

// Releases the values of that data once they are written. They may be as large as the mesh, and the
// file is open until the last of all meshes is baked.
void drop_static_data(GlbLayout& layout);

// The upper bound of the size of the data that depends on the computed frames.
std::uint64_t max_frame_data_bytes(const GlbLayout& layout);

}  // namespace skinbake
