// New self-intersections: pairs of triangles that cross in a frame (triangle_tree.h) and do not
// cross at the baseline. Pairs that share a point are ignored. The baseline `bind` is POSITION
// itself: K does not change whether triangles cross, but its rounding moves triangles that touch.
//
// If the boxes of all triangles overlap, the number of pairs is quadratic. A pose that needs more
// than a limited number of comparisons is not counted and raises INTERSECTIONS_NOT_COUNTED.

#include <algorithm>
#include <optional>

#include "base/issue.h"
#include "metrics/baseline.h"
#include "metrics/shape/shape_metric.h"
#include "metrics/shape/triangle_tree.h"

namespace skinbake {
namespace {

constexpr std::int64_t kNotCounted = -1;

// Limit of comparisons of boxes or triangles in one pose. Characters need 10 to 50 per triangle.
std::int64_t most_steps(std::size_t triangle_count) {
  return 1'000'000 + 500 * static_cast<std::int64_t>(triangle_count);
}

using FieldValue = decltype(SectionField::value);

// Poses that were not counted are null in the report.
FieldValue count_or_null(std::int64_t count) {
  if (count == kNotCounted) return kNoNumber;
  return count;
}
FieldValue counts_or_nulls(const std::vector<std::int64_t>& counts) {
  if (std::find(counts.begin(), counts.end(), kNotCounted) == counts.end()) return counts;
  std::vector<double> numbers;
  for (const std::int64_t count : counts) {
    numbers.push_back(count == kNotCounted ? kNoNumber : static_cast<double>(count));
  }
  return numbers;
}

struct IntersectionState final : BlockState {
  std::vector<Vec3<double>> points;  // of one frame
  std::vector<TriangleBox> boxes;
  std::vector<std::uint32_t> marked_in;  // [triangle] the last round in which it crossed another
  std::uint32_t round = 0;               // one per frame
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
      if (state.pairs[lane] == kNotCounted) continue;
      worst_.take(static_cast<double>(state.pairs[lane]), {.frame = block.first_frame + lane});
    }
  }
  MetricResult result() const override {
    const bool any = worst_.at.frame >= 0;
    return {"self_intersection",
            {{"baseline_pairs", count_or_null(baseline_pairs_)},
             {"worst", count_or_null(any ? static_cast<std::int64_t>(worst_.value) : kNotCounted)},
             {"worst_at", worst_.at},
             {"per_frame", std::vector<SectionField>{{"new_pairs", counts_or_nulls(new_pairs_)},
                                                     {"triangles", counts_or_nulls(triangles_)}}}},
            issues()};
  }

 private:
  void measure_frame(IntersectionState& state, int lane) const;
  Issues issues() const;

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
  BaselinePose pose = *input().baseline;
  if (pose.kind == Baseline::kBind) pose.positions = bind_positions(*input().rig);
  baseline_.reserve(topology.welded.size());
  for (VertexIndex v = 0; v < topology.welded.size(); ++v) baseline_.push_back(point_of(pose, v));
  tree_.emplace(topology.triangles, topology.welded, baseline_);
  std::vector<TriangleBox> boxes;
  tree_->fit(baseline_, boxes);
  const bool counted =
      tree_->find_crossings(baseline_, boxes, most_steps(corners_.size()),
                            [&](std::uint32_t, std::uint32_t) { ++baseline_pairs_; });
  if (!counted) baseline_pairs_ = kNotCounted;
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
  state.pairs[lane] = state.triangles[lane] = kNotCounted;
  if (baseline_pairs_ == kNotCounted) return;  // new pairs cannot be told from old ones
  std::int64_t pairs = 0, triangles = 0;
  ++state.round;
  const auto mark = [&](std::uint32_t t) {
    if (state.marked_in[t] == state.round) return;
    state.marked_in[t] = state.round;
    ++triangles;
  };
  const auto found = [&](std::uint32_t a, std::uint32_t b) {
    // The test at the baseline is repeated because storing all pairs could take much memory.
    if (triangles_cross(baseline_, corners_[a], corners_[b])) return;
    ++pairs;
    mark(a);
    mark(b);
  };
  tree_->fit(state.points, state.boxes);
  const std::int64_t most = most_steps(corners_.size());
  if (!tree_->find_crossings(state.points, state.boxes, most, found)) return;
  state.pairs[lane] = pairs;
  state.triangles[lane] = triangles;
}

Issues SelfIntersection::issues() const {
  const auto frames = std::count(new_pairs_.begin(), new_pairs_.end(), kNotCounted);
  if (frames == 0) return {};
  const std::string poses =
      baseline_pairs_ == kNotCounted
          ? "the baseline"
          : std::to_string(frames) + " of " + std::to_string(new_pairs_.size()) + " frames";
  return {make_issue(
      "INTERSECTIONS_NOT_COUNTED", "", "/nodes/" + std::to_string(input().rig->node),
      "the boxes of too many triangles overlap in " + poses + "; crossings are not counted there",
      frames)};
}

}  // namespace

constexpr MetricField kSelfIntersectionFields[] = {
    {"worst", Unit::kNumber, Worse::kMore, "new pairs of triangles"}};

extern const MetricInfo kSelfIntersection;
const MetricInfo kSelfIntersection{
    "self_intersection", "pairs of triangles that cross now and did not cross at the baseline",
    kSelfIntersectionFields, true, make_metric<SelfIntersection>};

}  // namespace skinbake
