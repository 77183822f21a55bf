// A source of frames in memory.

#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "skinbake/frames.h"

namespace skinbake::test {

class MemoryFrames final : public FrameSource {
 public:
  MemoryFrames(std::int64_t vertex_count, std::vector<float> all)
      : positions(std::move(all)), vertex_count_(vertex_count) {}

  std::int64_t frame_count() const override {
    return static_cast<std::int64_t>(positions.size()) / (3 * vertex_count_);
  }
  std::int64_t vertex_count() const override { return vertex_count_; }
  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    std::copy_n(positions.begin() + first_frame * 3 * vertex_count_, count * 3 * vertex_count_,
                rows);
  }

  float& at(std::int64_t frame, std::int64_t vertex, std::int64_t axis) {
    return positions[static_cast<std::size_t>((frame * vertex_count_ + vertex) * 3 + axis)];
  }

  std::vector<float> positions;  // [frame][vertex][axis]

 private:
  std::int64_t vertex_count_;
};

// All positions of a source, [frame][vertex][axis].
inline std::vector<float> positions_of(const FrameSource& source) {
  std::vector<float> rows(
      static_cast<std::size_t>(source.frame_count() * source.vertex_count() * 3));
  source.read(0, source.frame_count(), rows.data());
  return rows;
}

// The largest distance between corresponding points of two lists, [point][axis].
inline double largest_distance(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) throw std::logic_error("lists of other lengths");
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); i += 3) {
    worst = std::max(worst, std::hypot(double{a[i]} - b[i], double{a[i + 1]} - b[i + 1],
                                       double{a[i + 2]} - b[i + 2]));
  }
  return worst;
}

// Frames whose coordinates are all different and exact in float32.
inline MemoryFrames numbered_frames(std::int64_t vertices, std::int64_t frames) {
  std::vector<float> positions(static_cast<std::size_t>(vertices * frames * 3));
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = static_cast<float>(i) / 8;
  return {vertices, positions};
}

}  // namespace skinbake::test
