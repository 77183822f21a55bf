// Sources of frames that are made from other sources.

#include <algorithm>

#include "skinbake/tool/surfaces.h"

namespace skinbake {
namespace {

class PointFrames final : public FrameSource {
 public:
  PointFrames(const FrameSource& vertices, std::span<const SurfacePoint> points)
      : vertices_(vertices), points_(points) {}

  std::int64_t frame_count() const override { return vertices_.frame_count(); }
  std::int64_t vertex_count() const override { return static_cast<std::int64_t>(points_.size()); }

  // One frame of the vertices at a time is in memory.
  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    std::vector<float> row(static_cast<std::size_t>(vertices_.vertex_count()) * 3);
    for (std::int64_t f = 0; f < count; ++f) {
      vertices_.read(first_frame + f, 1, row.data());
      for (const SurfacePoint& point : points_) {
        write(point, row, rows);
        rows += 3;
      }
    }
  }

 private:
  static void write(const SurfacePoint& point, const std::vector<float>& row, float* out) {
    const float* a = row.data() + std::size_t{point.corners[0]} * 3;
    if (point.is_vertex()) {
      std::copy_n(a, 3, out);
      return;
    }
    const float* b = row.data() + std::size_t{point.corners[1]} * 3;
    const float* c = row.data() + std::size_t{point.corners[2]} * 3;
    const double wa = point.weights[0], wb = point.weights[1], wc = point.weights[2];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      out[axis] = static_cast<float>(wa * a[axis] + wb * b[axis] + wc * c[axis]);
    }
  }

  const FrameSource& vertices_;
  std::span<const SurfacePoint> points_;
};

class JoinedFrames final : public FrameSource {
 public:
  JoinedFrames(std::vector<const FrameSource*> sources, std::int64_t frame_count)
      : sources_(std::move(sources)), frame_count_(frame_count) {
    for (const FrameSource* source : sources_) vertex_count_ += source->vertex_count();
  }

  std::int64_t frame_count() const override { return frame_count_; }
  std::int64_t vertex_count() const override { return vertex_count_; }

  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    for (std::int64_t f = 0; f < count; ++f) {
      for (const FrameSource* source : sources_) {
        source->read(first_frame + f, 1, rows);
        rows += source->vertex_count() * 3;
      }
    }
  }

 private:
  std::vector<const FrameSource*> sources_;
  std::int64_t frame_count_, vertex_count_ = 0;
};

}  // namespace

std::unique_ptr<FrameSource> frames_of_points(const FrameSource& vertices,
                                              std::span<const SurfacePoint> points) {
  return std::make_unique<PointFrames>(vertices, points);
}

std::unique_ptr<FrameSource> joined_frames(std::vector<const FrameSource*> sources,
                                           std::int64_t frame_count) {
  return std::make_unique<JoinedFrames>(std::move(sources), frame_count);
}

}  // namespace skinbake
