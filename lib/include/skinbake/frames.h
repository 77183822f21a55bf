// The waist of the hourglass: blocks of frames, and what consumes them.

#pragma once

#include <cstdint>
#include <memory>

#include "skinbake/clip.h"
#include "skinbake/rig.h"

namespace skinbake {

// Frames that are computed together: one number of 16 frames fills a 512-bit register.
inline constexpr int kFramesPerBlock = 16;

enum class Space { kScene, kMesh };  // kMesh: relative to the mesh's own node

struct VertexRange {
  VertexIndex first = 0;
  VertexIndex count = 0;
};

// 16 successive frames of some vertices of one mesh. Arrays have the shape [vertex][axis][frame],
// start at vertices.first and are aligned to 64 bytes. Lanes from `frame_count` on repeat the last
// frame.
struct FrameBlock {
  std::int64_t index = 0;        // of the block in the run
  std::int64_t first_frame = 0;  // position in the run of lane 0 (not a frame number)
  int frame_count = 0;           // lanes that hold a frame, 1 … 16
  VertexRange vertices;
  const float* positions = nullptr;  // metres, in the plan's space
  const float* reference = nullptr;  // the reference's positions, if there is one
  const double* exact = nullptr;     // or those of `--reference exact`, not rounded to float

  const float* position(VertexIndex v) const {
    return positions + std::size_t{v - vertices.first} * 3 * kFramesPerBlock;
  }
};

// Frames that are there already, in any order: those of a cache on disk, as a rule.
class FrameSource {
 public:
  virtual ~FrameSource() = default;
  virtual std::int64_t frame_count() const = 0;
  virtual std::int64_t vertex_count() const = 0;

  // Positions of `count` frames from `first_frame` (a position, not a frame number) on: rows
  // [frame][vertex][axis]. May be called by several threads at once. Throws Error (kInput).
  // Constraint: 0 <= first_frame, first_frame + count <= frame_count().
  virtual void read(std::int64_t first_frame, std::int64_t count, float* rows) const = 0;
};

// What a sink keeps of one block until it is merged. Reused for later blocks.
class BlockState {
 public:
  virtual ~BlockState() = default;
};

// A consumer of blocks: a cache writer or a metric. For each block, in this order:
//
//   consume   once per tile (disjoint vertex ranges that cover the mesh); concurrently
//   finish    once, when all tiles are consumed; concurrently with other blocks
//   merge     once, in the order of the blocks, never two at a time
//
// Everything that is summed must be summed in merge or within one call, so that a result does not
// depend on the number of threads. None of the three may allocate memory that grows with the
// number of frames, except for a few numbers per frame. They may throw Error.
class FrameSink {
 public:
  virtual ~FrameSink() = default;

  // Called a bounded number of times, once for each block in flight.
  virtual std::unique_ptr<BlockState> new_state() const = 0;

  // True if `finish` reads positions of the whole mesh (neighbours, triangles). Otherwise the block
  // that `finish` gets has no positions.
  virtual bool needs_whole_block() const { return false; }

  // Tiles start at multiples of kVerticesPerTile.
  virtual void consume(const FrameBlock& tile, BlockState& state) = 0;
  virtual void finish(const FrameBlock& block, BlockState& state) = 0;
  virtual void merge(const FrameBlock& block, BlockState& state) = 0;

  // After the last merge.
  virtual void end() {}

  // What is to see all frames, to its end, before this sink is given the first one: of formats
  // whose first byte depends on all of them. Frames are then evaluated twice, which takes less than
  // to keep them. Null: nothing. The same answer every time. A survey wants no normals that its
  // sink does not want.
  virtual FrameSink* survey() { return nullptr; }
};

// Vertices that are computed and consumed while they are in cache: 256 x 192 bytes.
inline constexpr VertexIndex kVerticesPerTile = 256;

}  // namespace skinbake
