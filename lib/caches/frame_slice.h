// Successive frames of a source, such as one clip in a file of several.

#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "skinbake/caches.h"

namespace skinbake {

class FrameSlice final : public StoredFrames {
 public:
  // Frames `first` to `first + count` of `frames`.
  FrameSlice(std::shared_ptr<const StoredFrames> frames, std::int64_t first, std::int64_t count)
      : frames_(std::move(frames)), first_(first), count_(count) {}

  std::int64_t frame_count() const override { return count_; }
  std::int64_t vertex_count() const override { return frames_->vertex_count(); }
  void read(std::int64_t first, std::int64_t count, float* rows) const override {
    frames_->read(first_ + first, count, rows);
  }
  bool has_normals() const override { return frames_->has_normals(); }
  void read_normals(std::int64_t first, std::int64_t count, float* rows) const override {
    frames_->read_normals(first_ + first, count, rows);
  }
  bool has_tangents() const override { return frames_->has_tangents(); }
  void read_tangents(std::int64_t first, std::int64_t count, float* rows) const override {
    frames_->read_tangents(first_ + first, count, rows);
  }
  std::vector<float> tangent_signs() const override { return frames_->tangent_signs(); }

 private:
  std::shared_ptr<const StoredFrames> frames_;
  std::int64_t first_, count_;
};

}  // namespace skinbake
