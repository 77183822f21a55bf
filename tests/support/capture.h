// Sinks that store every frame, and functions that bake into them.

#pragma once

#include <string_view>
#include <vector>

#include "skinbake/bake.h"
#include "skinbake/frames.h"

namespace skinbake::test {

class Capture final : public FrameSink {
 public:
  explicit Capture(const Rig& rig) : vertex_count_(rig.mesh->vertex_count()) {}

  std::unique_ptr<BlockState> new_state() const override;
  void consume(const FrameBlock& tile, BlockState& state) override;
  void finish(const FrameBlock&, BlockState&) override {}
  void merge(const FrameBlock& block, BlockState& state) override;

  // [frame][vertex][axis]. `reference` and `exact` are zero if the plan does not have them.
  std::vector<float> positions, reference;
  std::vector<double> exact;
  std::vector<std::int64_t> merged_blocks;  // block indices, in the order of merge()

  Vec3<double> at(std::int64_t frame, VertexIndex v) const { return read(positions, frame, v); }
  Vec3<double> exact_at(std::int64_t frame, VertexIndex v) const { return read(exact, frame, v); }
  Vec3<double> reference_at(std::int64_t frame, VertexIndex v) const {
    return read(reference, frame, v);
  }
  std::int64_t frame_count() const {
    return static_cast<std::int64_t>(positions.size() / (3 * std::size_t{vertex_count_}));
  }

 private:
  template <class T>
  Vec3<double> read(const std::vector<T>& from, std::int64_t frame, VertexIndex v) const {
    const T* p = from.data() + (static_cast<std::size_t>(frame) * vertex_count_ + v) * 3;
    return {p[0], p[1], p[2]};
  }

  VertexIndex vertex_count_;
};

// A sink that stores the normals and tangents of every frame.
class NormalCapture final : public FrameSink, public NormalReader {
 public:
  NormalCapture(const Rig& rig, NormalKind kind)
      : row_size_(std::size_t{rig.mesh->vertex_count()} * 3), kind_(kind) {}

  std::optional<NormalKind> wanted_normals() const override { return kind_; }
  void read_normals(const FrameBlock& tile, const float* normals, BlockState& state) override;
  bool wants_tangents() const override { return true; }
  void read_tangents(const FrameBlock& tile, const float* tangents, BlockState& state) override;
  std::unique_ptr<BlockState> new_state() const override;
  void consume(const FrameBlock&, BlockState&) override {}
  void finish(const FrameBlock&, BlockState&) override {}
  void merge(const FrameBlock& block, BlockState& state) override;

  std::vector<float> normals, tangents;  // [frame][vertex][axis]; empty: none were received

  Vec3<double> at(std::int64_t frame, VertexIndex v) const { return read(normals, frame, v); }
  Vec3<double> tangent_at(std::int64_t frame, VertexIndex v) const {
    return read(tangents, frame, v);
  }

 private:
  Vec3<double> read(const std::vector<float>& from, std::int64_t frame, VertexIndex v) const {
    const float* n = from.data() + static_cast<std::size_t>(frame) * row_size_ + std::size_t{v} * 3;
    return {n[0], n[1], n[2]};
  }

  std::size_t row_size_;
  NormalKind kind_;
};

// A plan of one thread, from frame 0, without sinks and references.
BakePlan plan_of(const Rig& rig, const Clip* clip, std::int64_t frame_count, double fps = 30);

// Bakes the plan with one method and its exact reference.
Capture captured(BakePlan plan, std::string_view method);
Capture captured(const Rig& rig, const Clip* clip, std::int64_t frame_count,
                 std::string_view method);

NormalCapture captured_normals(BakePlan plan, NormalKind kind, std::string_view method = "lbs");

}  // namespace skinbake::test
