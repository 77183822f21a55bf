// A sink that transposes each tile directly into rows of frames, so that no block is stored.

#pragma once

#include <memory>

#include "frames/transpose.h"
#include "skinbake/frames.h"

namespace skinbake {

class ArraySink final : public FrameSink {
 public:
  // `positions`: room for [frame][vertex][axis], which must outlive the sink.
  ArraySink(float* positions, std::int64_t vertex_count)
      : positions_(positions), row_size_(static_cast<std::size_t>(vertex_count) * 3) {}

  std::unique_ptr<BlockState> new_state() const override { return std::make_unique<BlockState>(); }

  void consume(const FrameBlock& tile, BlockState&) override {
    const std::size_t first = static_cast<std::size_t>(tile.first_frame) * row_size_ +
                              std::size_t{tile.vertices.first} * 3;
    transpose_to_rows(tile.positions, std::size_t{tile.vertices.count} * 3, tile.frame_count,
                      positions_ + first, row_size_);
  }

  void finish(const FrameBlock&, BlockState&) override {}
  void merge(const FrameBlock&, BlockState&) override {}

 private:
  float* positions_;
  std::size_t row_size_;
};

}  // namespace skinbake
