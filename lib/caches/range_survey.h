// What formats whose bytes depend on all frames ask of them: how far every coordinate goes.

#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "base/aligned_array.h"
#include "skinbake/frames.h"

namespace skinbake {

// Rows [vertex][axis], after the last merge. The least and the greatest are the same whoever comes
// first, but for the sign of a 0; so blocks keep nothing, and take turns at a tile.
class RangeSurvey : public FrameSink {
 public:
  explicit RangeSurvey(std::int64_t vertex_count);

  const AlignedArray<float>& base() const { return base_; }  // frame 0
  const AlignedArray<float>& low() const { return low_; }    // of all frames
  const AlignedArray<float>& high() const { return high_; }

  std::unique_ptr<BlockState> new_state() const override;
  void consume(const FrameBlock& tile, BlockState& state) override;
  void finish(const FrameBlock&, BlockState&) override {}
  void merge(const FrameBlock&, BlockState&) override {}

 protected:
  // Once who asked has taken what it needs of them.
  void drop_range() { low_ = {}, high_ = {}; }

 private:
  AlignedArray<float> base_, low_, high_;
  std::vector<std::mutex> turns_;  // [tile]
};

}  // namespace skinbake
