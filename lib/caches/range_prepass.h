// The range of every coordinate over all frames, for formats whose bytes depend on all of them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "base/aligned_array.h"
#include "skinbake/frames.h"

namespace skinbake {

// Rows are [vertex][axis], complete after the last merge. Minimum and maximum do not depend on the
// order of the blocks, except for the sign of a zero. Blocks therefore do not have a state; they
// update the ranges directly and lock the tile meanwhile.
// The arrays exist from the first block on: a run opens the caches of all meshes before it bakes
// the first.
class RangePrepass : public FrameSink {
 public:
  // The frames of `clips` clips are given one clip after another, with an end() after each.
  explicit RangePrepass(std::int64_t vertex_count, std::size_t clips = 1);

  const AlignedArray<float>& base() const { return base_; }  // frame 0 of the first clip
  const AlignedArray<float>& low() const { return low_; }    // minimum over all frames
  const AlignedArray<float>& high() const { return high_; }  // maximum over all frames

  std::unique_ptr<BlockState> new_state() const override;
  void consume(const FrameBlock& tile, BlockState& state) override;
  void finish(const FrameBlock&, BlockState&) override {}
  void merge(const FrameBlock&, BlockState&) override {}
  void end() final {
    if (++ended_clips_ == clips_) complete();
  }

 protected:
  virtual void complete() = 0;  // called after the last end()

  // Frees low() and high(), or base(), once a derived class has evaluated them.
  void drop_range() { low_ = {}, high_ = {}; }
  void drop_base() { base_ = {}; }

 private:
  void allocate();

  std::size_t clips_, ended_clips_ = 0;
  std::size_t size_;  // numbers of a frame
  std::once_flag is_allocated_;
  AlignedArray<float> base_, low_, high_;
  std::vector<std::mutex> tile_locks_;  // [tile]
};

}  // namespace skinbake
