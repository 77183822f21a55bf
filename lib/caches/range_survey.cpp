#include "caches/range_survey.h"

#include <algorithm>
#include <limits>

#include "frames/lane_range.h"

namespace skinbake {

RangeSurvey::RangeSurvey(std::int64_t vertex_count)
    : base_(static_cast<std::size_t>(vertex_count) * 3),
      low_(base_.size()),
      high_(base_.size()),
      turns_(static_cast<std::size_t>(vertex_count) / kVerticesPerTile + 1) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::fill_n(low_.data(), low_.size(), kInfinity);
  std::fill_n(high_.data(), high_.size(), -kInfinity);
}

std::unique_ptr<BlockState> RangeSurvey::new_state() const {
  return std::make_unique<BlockState>();
}

void RangeSurvey::consume(const FrameBlock& tile, BlockState&) {
  const std::size_t first = std::size_t{tile.vertices.first} * 3;
  const std::size_t count = std::size_t{tile.vertices.count} * 3;
  const std::lock_guard lock(turns_[tile.vertices.first / kVerticesPerTile]);
  widen_by_lanes(tile.positions, count, low_.data() + first, high_.data() + first);
  if (tile.first_frame != 0) return;
  for (std::size_t i = 0; i < count; ++i) base_[first + i] = tile.positions[i * kFramesPerBlock];
}

}  // namespace skinbake
