// Sources of frames that are made from other sources.

#include <algorithm>
#include <array>

#include "compare/surface/surfaces.h"

namespace skinbake {

namespace {

// Writes the position of a point in a frame of the vertices.
void write(const SurfacePoint& point, const std::vector<float>& row, float* out) {
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
  const FrameSource& vertices_;
  std::span<const SurfacePoint> points_;
};

class WorstAround final : public FrameSource {
 public:
  WorstAround(const FrameSource& vertices, const FrameSource& other, const PointPairs& pairs)
      : vertices_(vertices), other_(other), pairs_(pairs) {}

  std::int64_t frame_count() const override { return vertices_.frame_count(); }
  std::int64_t vertex_count() const override { return vertices_.vertex_count(); }

  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    std::vector<float> row(static_cast<std::size_t>(vertex_count()) * 3);
    std::vector<float> other_row(static_cast<std::size_t>(other_.vertex_count()) * 3);
    for (std::int64_t f = 0; f < count; ++f) {
      vertices_.read(first_frame + f, 1, row.data());
      other_.read(first_frame + f, 1, other_row.data());
      std::copy(row.begin(), row.end(), rows);
      move_by_worst(row, other_row, rows);
      rows += row.size();
    }
  }

 private:
  void move_by_worst(const std::vector<float>& row, const std::vector<float>& other_row,
                     float* out) const {
    std::vector<float> worst(static_cast<std::size_t>(vertex_count()), 0);  // squared
    for (std::size_t i = 0; i < pairs_.points.size(); ++i) {
      const SurfacePoint& point = pairs_.points[i];
      std::array<float, 3> at{}, partner{};
      write(point, row, at.data());
      write(pairs_.partners[i], other_row, partner.data());
      float squared = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        partner[axis] -= at[axis];
        squared += partner[axis] * partner[axis];
      }
      for (std::size_t corner = 0; corner < 3; ++corner) {
        const std::size_t v = point.corners[corner];
        if (point.weights[corner] == 0 || squared <= worst[v]) continue;
        worst[v] = squared;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          out[3 * v + axis] = row[3 * v + axis] + partner[axis];
        }
      }
    }
  }

  const FrameSource& vertices_;
  const FrameSource& other_;
  const PointPairs& pairs_;
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

std::unique_ptr<FrameSource> frames_of_worst_around(const FrameSource& vertices,
                                                    const FrameSource& other_vertices,
                                                    const PointPairs& pairs) {
  return std::make_unique<WorstAround>(vertices, other_vertices, pairs);
}

std::unique_ptr<FrameSource> joined_frames(std::vector<const FrameSource*> sources,
                                           std::int64_t frame_count) {
  return std::make_unique<JoinedFrames>(std::move(sources), frame_count);
}

}  // namespace skinbake
