#include "caches/range_survey.h"

#include <algorithm>
#include <limits>

#include "frames/lane_range.h"

namespace skinbake {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Of one block.
struct Range : BlockState {
  explicit Range(std::size_t numbers) : low(numbers), high(numbers) { clear(); }
  void clear() {
    std::fill_n(low.data(), low.size(), kInfinity);
    std::fill_n(high.data(), high.size(), -kInfinity);
  }
  AlignedArray<float> low, high;
};

}  // namespace

RangeSurvey::RangeSurvey(std::int64_t vertex_count)
    : base_(static_cast<std::size_t>(vertex_count) * 3), low_(base_.size()), high_(base_.size()) {
  std::fill_n(low_.data(), low_.size(), kInfinity);
  std::fill_n(high_.data(), high_.size(), -kInfinity);
}

std::unique_ptr<BlockState> RangeSurvey::new_state() const {
  return std::make_unique<Range>(base_.size());
}

void RangeSurvey::consume(const FrameBlock& tile, BlockState& state) {
  Range& range = static_cast<Range&>(state);
  const std::size_t first = std::size_t{tile.vertices.first} * 3;
  const std::size_t count = std::size_t{tile.vertices.count} * 3;
  widen_by_lanes(tile.positions, count, range.low.data() + first, range.high.data() + first);
  if (tile.first_frame != 0) return;
  for (std::size_t i = 0; i < count; ++i) base_[first + i] = tile.positions[i * kFramesPerBlock];
}

void RangeSurvey::merge(const FrameBlock&, BlockState& state) {
  Range& range = static_cast<Range&>(state);
  for (std::size_t i = 0; i < low_.size(); ++i) low_[i] = std::min(low_[i], range.low[i]);
  for (std::size_t i = 0; i < high_.size(); ++i) high_[i] = std::max(high_[i], range.high[i]);
  range.clear();
}

}  // namespace skinbake
