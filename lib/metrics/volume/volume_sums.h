// Sums volumes while the tiles of a block arrive. Triangles and caps whose vertices are all there
// are added at once, because their positions are still in the processor's cache; reading a large
// block again takes longer than the arithmetic.
//
// Each patch is summed in the order of its triangles, and a cap at once. The sums therefore do not
// depend on the order in which tiles arrive.

#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "metrics/kernels.h"
#include "skinbake/frames.h"

namespace skinbake {

// A patch of triangles and the parts to which its volume is added.
struct PatchTask {
  std::vector<TrianglePair> pairs;
  VertexIndex origin = 0;  // the lowest vertex of the patch's component
  std::vector<std::size_t> parts;
};

// A cap and the part that it closes.
struct CapTask {
  CapEdges edges;
  VertexIndex last_vertex = 0;  // the highest vertex of the edges, which are above their origin
  std::size_t part = 0;
};

struct VolumeTasks {
  std::vector<PatchTask> patches;
  std::vector<CapTask> caps;
};

// The sums of one block at a time: six times the volumes, per lane.
class VolumeSums {
 public:
  explicit VolumeSums(VertexIndex vertex_count);

  // Adds triangles and caps of the tiles so far. Precondition: the tile is a part of the block's
  // positions. May be called by several threads at once, always with the same tasks.
  void add_tile(const FrameBlock& tile, const VolumeTasks& tasks);

  // Adds the other triangles and caps. The next block begins with the next call of add_tile.
  void finish(const float* positions, const VolumeTasks& tasks);

  // Valid after finish, until the next block begins.
  std::span<const LaneVolumes> patches() const { return patches_; }
  std::span<const LaneVolumes> caps() const { return caps_; }

 private:
  void start(const VolumeTasks& tasks);
  void add_below(VertexIndex end, const float* positions, const VolumeTasks& tasks);

  std::vector<std::atomic<bool>> is_there_;  // [tile]
  std::mutex mutex_;                         // guards the other members
  std::size_t tiles_there_ = 0;              // the tiles before this one are all there
  VertexIndex end_ = 0;                      // everything below this vertex is added
  bool is_started_ = false;
  std::vector<LaneVolumes> patches_, caps_;  // [patch], [cap]
  std::vector<std::size_t> pairs_done_;      // [patch]
};

}  // namespace skinbake
