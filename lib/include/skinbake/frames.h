// Blocks of frames, the interface between producers (bake, cache readers) and consumers (cache
// writers, metrics).

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "skinbake/clip.h"
#include "skinbake/rig.h"

namespace skinbake {

// Number of frames that are computed together: 16 floats fill a 512-bit register.
inline constexpr int kFramesPerBlock = 16;

// Coordinate space of positions. kMesh: relative to the mesh's own node.
enum class Space { kScene, kMesh };

struct VertexRange {
  VertexIndex first = 0;
  VertexIndex count = 0;
};

// 16 successive frames of a range of vertices of one mesh. Arrays have the shape
// [vertex][axis][frame], start at vertices.first and are aligned to 64 bytes. Lanes from
// `frame_count` on repeat the last frame.
struct FrameBlock {
  std::int64_t index = 0;        // of the block in the run
  std::int64_t first_frame = 0;  // position of lane 0 in the run, counted from 0
  int frame_count = 0;           // number of lanes with distinct frames, 1 … 16
  VertexRange vertices;
  const float* positions = nullptr;  // metres, in the plan's space
  // Positions of the reference; null if there is no reference, or if the reference is `exact`.
  const float* reference = nullptr;
  const double* exact = nullptr;  // positions of the exact reference, not rounded to float

  // Precondition: v is in `vertices`.
  const float* position(VertexIndex v) const {
    return positions + std::size_t{v - vertices.first} * 3 * kFramesPerBlock;
  }
};

// Random access to existing frames, usually the frames of a cache on disk.
class FrameSource {
 public:
  virtual ~FrameSource() = default;
  virtual std::int64_t frame_count() const = 0;
  virtual std::int64_t vertex_count() const = 0;

  // Writes the positions of `count` frames to `rows` [frame][vertex][axis]. `first_frame` is the
  // index of a frame of the source, from 0. Thread-safe. Throws Error (kInput).
  // Preconditions: 0 <= first_frame, first_frame + count <= frame_count().
  virtual void read(std::int64_t first_frame, std::int64_t count, float* rows) const = 0;
};

// Data of one block that a sink keeps until the block is merged. States are reused for later
// blocks.
class BlockState {
 public:
  virtual ~BlockState() = default;
};

// A consumer of blocks: a cache writer or a metric. For each block, in this order:
//
//   consume   once per tile (disjoint vertex ranges that cover the mesh); concurrently
//   finish    once, when all tiles are consumed; concurrently with other blocks
//   merge     once, in the order of the blocks; calls do not overlap
//
// Sums must be formed in merge or within one call, so that results do not depend on the number of
// threads. Memory allocated by these functions must not grow with the number of frames, except for
// a few numbers per frame. They may throw Error, which ends the bake.
class FrameSink {
 public:
  virtual ~FrameSink() = default;

  // Called once for each block in flight, a bounded number of times.
  virtual std::unique_ptr<BlockState> new_state() const = 0;

  // True if `finish` reads positions of the whole mesh (neighbours, triangles). Otherwise
  // `positions` is null in the block passed to `finish`.
  virtual bool needs_whole_block() const { return false; }

  // The first vertex of a tile is a multiple of kVerticesPerTile.
  virtual void consume(const FrameBlock& tile, BlockState& state) = 0;
  virtual void finish(const FrameBlock& block, BlockState& state) = 0;
  virtual void merge(const FrameBlock& block, BlockState& state) = 0;

  // Called once, after the last merge.
  virtual void end() {}

  // Returns a sink that is given all frames first, up to its `end`. Null: no prepass. It is for
  // cache formats whose first byte depends on all frames. The frames are evaluated twice, which is
  // faster than storing them. Every call returns the same pointer. A prepass may only request
  // normals that its sink requests.
  virtual FrameSink* prepass() { return nullptr; }
};

// Number of vertices that are computed and consumed together, in the processor's cache: 256 x 192
// bytes.
inline constexpr VertexIndex kVerticesPerTile = 256;

// ---- Normals and tangents of a bake, for the sinks that request them.

enum class NormalKind {
  kSkinned,    // the mesh's normals, transformed by the method
  kGeometric,  // normals of the posed triangles: unit normals weighted by the angle at the corner,
               // summed over the vertices of one point that have equal normals at rest
};

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
  // where a position is not finite. A primitive without normals has those of its posed triangles
  // among skinned normals. Null if the mesh does not have normals of this kind, or the method does
  // not support them.
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

// ---- Streams existing frames into sinks, as `bake` streams computed ones.

// Pointers are not owned; everything they point to must outlive the call.
struct StreamPlan {
  const FrameSource* frames = nullptr;
  const FrameSource* reference = nullptr;  // FrameBlock::reference of the blocks; may be null
  std::vector<FrameSink*> sinks;
  int threads = 0;  // the largest number of threads; 0: one per processor
  // Called after each block, by one thread at a time; may be empty.
  std::function<void(std::int64_t frames_done)> progress;
  // Checked once per block and sink end; stream_frames then throws Cancelled. May be null.
  const std::atomic<bool>* cancelled = nullptr;
};

// Throws Error (kUsage, PLAN_INVALID) with a list of the conditions that do not hold:
// - frames is not null; reference is null, or has as many frames and vertices;
// - no sink is null;
// - threads is not negative.
void validate(const StreamPlan& plan);

// Feeds every frame to the sinks, in blocks and tiles. Memory is bounded by the mesh and the number
// of threads. The result does not depend on the number of threads.
// Throws Error (kUsage, PLAN_INVALID) as `validate` does, Cancelled, and what sources and sinks
// throw.
void stream_frames(const StreamPlan& plan);

// Whether two sources have the same bytes, and every number is finite. Reads at the speed of the
// sources, and stops at the first difference that it finds. threads: as in StreamPlan.
// Precondition: the sources have equal counts of frames and vertices. Throws Cancelled, and what
// the sources throw.
bool are_identical(const FrameSource& a, const FrameSource& b, int threads,
                   const std::atomic<bool>* cancelled = nullptr);

}  // namespace skinbake
