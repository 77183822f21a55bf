// Positions as 65535ths of their frame's box, errors as 255ths of their frame's largest. A box for
// each frame: frames are kept as they come, and one that flies off costs the others nothing.

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>

#include "base/aligned_array.h"
#include "skinbake/view.h"

namespace skinbake {
namespace {

struct ViewState final : BlockState {
  explicit ViewState(std::size_t vertices) : distances(vertices * kFramesPerBlock) {}
  AlignedArray<float> distances;  // [vertex][frame]; empty: no reference
};

// `value` between two ends, as a whole number of parts.
double level(double value, double low, double high, int parts) {
  return high > low ? std::floor((value - low) / (high - low) * parts + 0.5) : 0;
}

class Recorder final : public ViewRecorder {
 public:
  Recorder(const Rig& rig, const FrameRange& frames, std::int64_t stride, bool has_reference)
      : vertices_(rig.mesh->vertex_count()), stride_(stride), has_reference_(has_reference) {
    const auto kept = static_cast<std::size_t>(thinned(frames, stride).frame_count);
    frames_.boxes.resize(kept * 6);
    frames_.positions.resize(kept * vertices_ * 3);
    if (!has_reference) return;
    frames_.largest_m.resize(kept);
    frames_.errors.resize(kept * vertices_);
    frames_.worst_m.resize(vertices_);
  }

  std::unique_ptr<BlockState> new_state() const override {
    return std::make_unique<ViewState>(has_reference_ ? vertices_ : 0);
  }
  bool needs_whole_block() const override { return true; }

  void consume(const FrameBlock& tile, BlockState& state) override;
  void finish(const FrameBlock& block, BlockState& state) override;
  void merge(const FrameBlock& block, BlockState& state) override;
  ViewFrames take() override { return std::move(frames_); }

 private:
  void keep_positions(std::size_t kept, const float* lane);
  void keep_errors(std::size_t kept, const float* lane);

  std::size_t vertices_;
  std::int64_t stride_;
  bool has_reference_;
  ViewFrames frames_;
};

template <class Number>
void measure(const FrameBlock& tile, const Number* reference, float* distances) {
  for (std::size_t i = 0; i < std::size_t{tile.vertices.count} * kFramesPerBlock; ++i) {
    const std::size_t at = i / kFramesPerBlock * 3 * kFramesPerBlock + i % kFramesPerBlock;
    double square = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t number = at + axis * kFramesPerBlock;
      const double d = double{tile.positions[number]} - double{reference[number]};
      square += d * d;
    }
    // Between the ends of what float32 can say there is more than it can say.
    constexpr double kMost = std::numeric_limits<float>::max();
    distances[i] = static_cast<float>(std::min(std::sqrt(square), kMost));
  }
}

void Recorder::consume(const FrameBlock& tile, BlockState& state) {
  if (!has_reference_) return;
  assert(tile.reference != nullptr || tile.exact != nullptr);
  float* const distances = static_cast<ViewState&>(state).distances.data() +
                           std::size_t{tile.vertices.first} * kFramesPerBlock;
  tile.exact != nullptr ? measure(tile, tile.exact, distances)
                        : measure(tile, tile.reference, distances);
}

void Recorder::keep_positions(std::size_t kept, const float* lane) {
  float* const low = frames_.boxes.data() + kept * 6;
  float* const high = low + 3;
  std::uint16_t* const levels = frames_.positions.data() + kept * vertices_ * 3;
  const std::size_t numbers = vertices_ * 3;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    low[axis] = std::numeric_limits<float>::max();
    high[axis] = std::numeric_limits<float>::lowest();
  }
  for (std::size_t n = 0; n < numbers; ++n) {
    low[n % 3] = std::min(low[n % 3], lane[n * kFramesPerBlock]);
    high[n % 3] = std::max(high[n % 3], lane[n * kFramesPerBlock]);
  }
  for (std::size_t n = 0; n < numbers; ++n) {
    const double value = lane[n * kFramesPerBlock];
    levels[n] = static_cast<std::uint16_t>(level(value, low[n % 3], high[n % 3], 65535));
  }
}

void Recorder::keep_errors(std::size_t kept, const float* lane) {
  float largest = 0;
  for (std::size_t v = 0; v < vertices_; ++v) {
    largest = std::max(largest, lane[v * kFramesPerBlock]);
  }
  frames_.largest_m[kept] = largest;
  for (std::size_t v = 0; v < vertices_; ++v) {
    frames_.errors[kept * vertices_ + v] =
        static_cast<std::uint8_t>(level(lane[v * kFramesPerBlock], 0, largest, 255));
  }
}

// Blocks write to frames of their own, so that they may come at the same time.
void Recorder::finish(const FrameBlock& block, BlockState& state) {
  const float* const distances = static_cast<ViewState&>(state).distances.data();
  for (int lane = 0; lane < block.frame_count; ++lane) {
    const std::int64_t frame = block.first_frame + lane;
    if (frame % stride_ != 0) continue;
    const auto kept = static_cast<std::size_t>(frame / stride_);
    keep_positions(kept, block.positions + lane);
    if (has_reference_) keep_errors(kept, distances + lane);
  }
}

void Recorder::merge(const FrameBlock& block, BlockState& state) {
  if (!has_reference_) return;
  const float* distances = static_cast<ViewState&>(state).distances.data();
  for (float& worst : frames_.worst_m) {
    worst = std::max(worst, *std::max_element(distances, distances + block.frame_count));
    distances += kFramesPerBlock;
  }
}

}  // namespace

std::unique_ptr<ViewRecorder> record_view(const Rig& rig, const FrameRange& frames,
                                          std::int64_t stride, bool has_reference) {
  return std::make_unique<Recorder>(rig, frames, stride, has_reference);
}

FrameRange thinned(const FrameRange& frames, std::int64_t stride) {
  const std::int64_t kept = (frames.frame_count - 1) / stride + 1;
  // A single frame has no step, and a step of many strides might be no number any more.
  return {frames.fps, frames.first_frame, kept > 1 ? frames.frame_step * stride : 1, kept};
}

}  // namespace skinbake
