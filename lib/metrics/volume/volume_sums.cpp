#include "metrics/volume/volume_sums.h"

#include <algorithm>
#include <limits>

namespace skinbake {
namespace {

// Vertices between two searches for triangles that can be added: 2048 x 192 bytes of positions fit
// into a second-level cache, and the search of all patches takes little of the time of their pairs.
constexpr VertexIndex kVerticesAtOnce = 2048;

}  // namespace

VolumeSums::VolumeSums(VertexIndex vertex_count)
    : is_there_((vertex_count + kVerticesPerTile - 1) / kVerticesPerTile) {}

void VolumeSums::add_tile(const FrameBlock& tile, const VolumeTasks& tasks) {
  const VertexIndex last = tile.vertices.first + tile.vertices.count;
  for (VertexIndex v = tile.vertices.first; v < last; v += kVerticesPerTile) {
    is_there_[v / kVerticesPerTile].store(true, std::memory_order_release);
  }
  // Another thread that adds triangles may miss this tile. A later call adds its triangles.
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return;
  while (tiles_there_ < is_there_.size() &&
         is_there_[tiles_there_].load(std::memory_order_acquire)) {
    ++tiles_there_;
  }
  const VertexIndex end = static_cast<VertexIndex>(tiles_there_) * kVerticesPerTile;
  if (end < end_ + kVerticesAtOnce) return;
  if (!is_started_) start(tasks);
  add_below(end, tile.positions - std::size_t{tile.vertices.first} * 3 * kFramesPerBlock, tasks);
}

void VolumeSums::finish(const float* positions, const VolumeTasks& tasks) {
  const std::lock_guard lock(mutex_);
  if (!is_started_) start(tasks);
  add_below(std::numeric_limits<VertexIndex>::max(), positions, tasks);
  for (std::atomic<bool>& is_there : is_there_) is_there.store(false, std::memory_order_relaxed);
  tiles_there_ = 0;
  end_ = 0;
  is_started_ = false;
}

void VolumeSums::start(const VolumeTasks& tasks) {
  patches_.assign(tasks.patches.size(), LaneVolumes{});
  pairs_done_.assign(tasks.patches.size(), 0);
  caps_.resize(tasks.caps.size());
  is_started_ = true;
}

// Adds the pairs of each patch up to the first one that has a vertex from `end` on, and the caps
// below `end`.
void VolumeSums::add_below(VertexIndex end, const float* positions, const VolumeTasks& tasks) {
  for (std::size_t p = 0; p < patches_.size(); ++p) {
    const PatchTask& patch = tasks.patches[p];
    const auto left = std::span(patch.pairs).subspan(pairs_done_[p]);
    if (left.empty() || std::ranges::max(left.front()) >= end) continue;
    pairs_done_[p] += add_six_volumes(positions, {left, patch.origin}, end, patches_[p]);
  }
  for (std::size_t c = 0; c < caps_.size(); ++c) {
    const CapTask& cap = tasks.caps[c];
    if (cap.last_vertex < end_ || cap.last_vertex >= end) continue;
    caps_[c] = six_volumes(positions, cap.edges);
  }
  end_ = end;
}

}  // namespace skinbake
