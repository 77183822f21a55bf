// New self-intersections: pairs of triangles that cross in a frame and do not at the baseline. A
// pair that shares a point does not count (triangle_tree.h says what crosses).

#include <optional>

#include "metrics/shape_metrics.h"
#include "metrics/triangle_tree.h"

namespace skinbake {
namespace {

struct IntersectionState final : BlockState {
  std::vector<Vec3<double>> points;  // of one frame
  std::vector<Box> boxes;
  std::vector<std::uint32_t> marked_in;  // [triangle] the last round in which it was found
  std::uint32_t round = 0;
  std::int64_t pairs[kFramesPerBlock], triangles[kFramesPerBlock];
};

class SelfIntersection final : public ShapeMetric {
 public:
  explicit SelfIntersection(const MetricInput& input) : ShapeMetric(input) {
    new_pairs_.reserve(static_cast<std::size_t>(input.frames.frame_count));
    triangles_.reserve(static_cast<std::size_t>(input.frames.frame_count));
  }

  std::unique_ptr<BlockState> new_state() const override {
    return std::make_unique<IntersectionState>();
  }
  void prepare() override;
  void measure(const FrameBlock& block, BlockState& block_state) override;
  void merge(const FrameBlock& block, BlockState& block_state) override {
    const auto& state = static_cast<IntersectionState&>(block_state);
    for (int lane = 0; lane < block.frame_count; ++lane) {
      new_pairs_.push_back(state.pairs[lane]);
      triangles_.push_back(state.triangles[lane]);
      worst_.take(static_cast<double>(state.pairs[lane]), {.frame = block.first_frame + lane});
    }
  }
  MetricResult result() const override {
    return {"self_intersection",
            {{"baseline_pairs", baseline_pairs_},
             {"worst", static_cast<std::int64_t>(worst_.value)},
             {"worst_at", worst_.at},
             {"per_frame",
              std::vector<MetricField>{{"new_pairs", new_pairs_}, {"triangles", triangles_}}}}};
  }

 private:
  void measure_frame(IntersectionState& state, int lane) const;

  std::span<const Triangle> corners_;  // of Topology::triangles
  std::vector<Vec3<double>> baseline_;
  std::optional<TriangleTree> tree_;
  std::int64_t baseline_pairs_ = 0;
  std::vector<std::int64_t> new_pairs_, triangles_;
  Worst worst_;
};

void SelfIntersection::prepare() {
  const Topology& topology = input().topology();
  corners_ = topology.triangles;
  for (VertexIndex v = 0; v < topology.welded.size(); ++v) {
    baseline_.push_back(point_of(*input().baseline, v));
  }
  tree_.emplace(topology.triangles, topology.welded, baseline_);
  std::vector<Box> boxes;
  tree_->fit(baseline_, boxes);
  tree_->find_crossings(baseline_, boxes, [&](std::uint32_t, std::uint32_t) { ++baseline_pairs_; });
}

void SelfIntersection::measure(const FrameBlock& block, BlockState& block_state) {
  auto& state = static_cast<IntersectionState&>(block_state);
  state.points.resize(baseline_.size());
  state.marked_in.resize(corners_.size());
  for (int lane = 0; lane < block.frame_count; ++lane) {
    for (VertexIndex v = 0; v < baseline_.size(); ++v) {
      const float* p = block.position(v) + lane;
      state.points[v] = {p[0], p[kFramesPerBlock], p[2 * kFramesPerBlock]};
    }
    measure_frame(state, lane);
  }
}

void SelfIntersection::measure_frame(IntersectionState& state, int lane) const {
  state.pairs[lane] = state.triangles[lane] = 0;
  ++state.round;
  const auto mark = [&](std::uint32_t t) {
    if (state.marked_in[t] == state.round) return;
    state.marked_in[t] = state.round;
    ++state.triangles[lane];
  };
  tree_->fit(state.points, state.boxes);
  tree_->find_crossings(state.points, state.boxes, [&](std::uint32_t a, std::uint32_t b) {
    // Asked again rather than kept: there may be as many pairs as triangles squared.
    if (triangles_cross(baseline_, corners_[a], corners_[b])) return;
    ++state.pairs[lane];
    mark(a);
    mark(b);
  });
}

}  // namespace

std::unique_ptr<Metric> make_self_intersection(const MetricInput& input) {
  return std::make_unique<SelfIntersection>(input);
}

}  // namespace skinbake
