// Blocks of frames, the interface between producers (bake, cache readers) and consumers (cache
// writers, metrics).

#pragma once

#include <cstdint>
#include <memory>

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

// Random access to existing frames, usually those of a cache on disk.
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

}  // namespace skinbake
