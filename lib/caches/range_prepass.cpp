#include "caches/range_prepass.h"

#include <algorithm>
#include <limits>

#include "caches/kernels/kernels.h"

namespace skinbake {

RangePrepass::RangePrepass(std::int64_t vertex_count, std::size_t clips)
    : clips_(clips),
      size_(static_cast<std::size_t>(vertex_count) * 3),
      tile_locks_(static_cast<std::size_t>(vertex_count) / kVerticesPerTile + 1) {}

std::unique_ptr<BlockState> RangePrepass::new_state() const {
  return std::make_unique<BlockState>();
}

void RangePrepass::consume(const FrameBlock& tile, BlockState&) {
  std::call_once(is_allocated_, [&] { allocate(); });
  const std::size_t first = std::size_t{tile.vertices.first} * 3;
  const std::size_t count = std::size_t{tile.vertices.count} * 3;
  const std::lock_guard lock(tile_locks_[tile.vertices.first / kVerticesPerTile]);
  widen_by_lanes(tile.positions, count, low_.data() + first, high_.data() + first);
  if (tile.first_frame != 0 || ended_clips_ != 0) return;
  for (std::size_t i = 0; i < count; ++i) base_[first + i] = tile.positions[i * kFramesPerBlock];
}

void RangePrepass::allocate() {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  base_ = AlignedArray<float>(size_);
  low_ = AlignedArray<float>(size_);
  high_ = AlignedArray<float>(size_);
  std::fill_n(low_.data(), size_, kInfinity);
  std::fill_n(high_.data(), size_, -kInfinity);
}

}  // namespace skinbake
