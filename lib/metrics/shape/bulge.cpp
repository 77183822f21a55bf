// Bulge and collapse: relative change of a vertex's distance from its joint segment, d at the
// baseline and d' in the frame:
//
//     bulge max(0, d' / d - 1)      collapse max(0, 1 - d' / d)
//
// Of the segments that start at a vertex's dominant joint, the nearest in the bind pose, whatever
// the baseline, is the segment of the vertex. The distance of the worst vertex changes most in
// metres: beside the segment, d is small, and a ratio says little. If no segment starts at the
// joint, the joint itself is a segment without length.

#include <algorithm>

#include "base/aligned_array.h"
#include "math/scalar.h"
#include "metrics/shape/shape_metric.h"

namespace skinbake {
namespace {

// Fraction of D. Vertices closer to their segment are not measured.
constexpr double kLeastDistance = 1e-6;

struct BulgeState final : BlockState {
  explicit BulgeState(const MetricInput& input) : joints(input) {}

  JointPoser joints;
  AlignedArray<double> segments;  // [segment][element][frame]
  BulgeSums sums{};
};

class Bulge final : public ShapeMetric {
 public:
  explicit Bulge(const MetricInput& input)
      : ShapeMetric(input),
        mean_(frame_array(input.frames)),
        mean_collapse_(frame_array(input.frames)) {}

  std::unique_ptr<BlockState> new_state() const override {
    return std::make_unique<BulgeState>(input());
  }
  void prepare() override;
  void measure(const FrameBlock& block, BlockState& state) override;
  void merge(const FrameBlock& block, BlockState& state) override;
  MetricResult result() const override {
    return {"bulge",
            {{"max", max_.ratio},
             {"max_m", max_.metres.value},
             {"max_at", max_.metres.at},
             {"max_collapse", max_collapse_.ratio},
             {"max_collapse_m", max_collapse_.metres.value},
             {"max_collapse_at", max_collapse_.metres.at},
             {"per_frame",
              std::vector<SectionField>{{"mean", mean_}, {"mean_collapse", mean_collapse_}}}},
            {},
            !vertices_.empty()};
  }

 private:
  // The worst change of a distance in metres, and relative to the distance at the baseline.
  struct WorstChange {
    Worst metres;
    double ratio = kNoNumber;
  };

  double distance_m(const BaselinePose& pose, const std::vector<Vec3<double>>& joints,
                    VertexIndex v, std::uint32_t segment) const;

  std::vector<SegmentEnds> segments_;  // the rig's, then a point for each joint
  std::vector<SegmentVertex> vertices_;
  std::vector<double> mean_, mean_collapse_;
  WorstChange max_, max_collapse_;
};

double Bulge::distance_m(const BaselinePose& pose, const std::vector<Vec3<double>>& joints,
                         VertexIndex v, std::uint32_t segment) const {
  const SegmentEnds& ends = segments_[segment];
  return segment_distance(point_of(pose, v), joints[ends.joint], joints[ends.child]);
}

void Bulge::prepare() {
  const Rig& rig = *input().rig;
  const BaselinePose &baseline = *input().baseline, bind = bind_pose_of(input());
  const std::vector<Vec3<double>> bind_joints = joint_positions(input(), bind);
  const std::vector<Vec3<double>> baseline_joints = joint_positions(input(), baseline);
  segments_ = find_segments(rig, bind_joints, kMinSegmentLength * bind.bbox_diagonal_m);
  std::vector<std::vector<std::uint32_t>> segments_at(rig.joints.size());  // [joint]
  for (std::uint32_t s = 0; s < segments_.size(); ++s) segments_at[segments_[s].joint].push_back(s);
  for (JointIndex j = 0; j < rig.joints.size(); ++j) {
    if (segments_at[j].empty())
      segments_at[j].push_back(static_cast<std::uint32_t>(segments_.size()));
    segments_.push_back({j, j});
  }
  vertices_.reserve(rig.mesh->vertex_count());
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    SegmentVertex nearest{v, 0, kNoNumber};
    for (const std::uint32_t s : segments_at[rig.influences_of(v).front().joint]) {
      const double distance = distance_m(bind, bind_joints, v, s);
      if (!(distance >= nearest.distance_m)) nearest = {v, s, distance};
    }
    nearest.distance_m = distance_m(baseline, baseline_joints, v, nearest.segment);
    if (nearest.distance_m >= kLeastDistance * bind.bbox_diagonal_m) vertices_.push_back(nearest);
  }
}

void Bulge::measure(const FrameBlock& block, BlockState& block_state) {
  auto& state = static_cast<BulgeState&>(block_state);
  if (state.segments.size() == 0) {
    state.segments = AlignedArray<double>(segments_.size() * kSegmentElements * kFramesPerBlock);
  }
  for (int lane = 0; lane < kFramesPerBlock; ++lane) {
    state.joints.at(block.first_frame + std::min(lane, block.frame_count - 1));
    for (std::size_t s = 0; s < segments_.size(); ++s) {
      const Vec3<double> start = state.joints.position(segments_[s].joint);
      const Vec3<double> direction = state.joints.position(segments_[s].child) - start;
      const double square = dot(direction, direction);
      const double elements[kSegmentElements] = {start.x,
                                                 start.y,
                                                 start.z,
                                                 direction.x,
                                                 direction.y,
                                                 direction.z,
                                                 square > 0 ? 1 / square : 0};
      double* const to = state.segments.data() + s * kSegmentElements * kFramesPerBlock + lane;
      for (std::size_t e = 0; e < kSegmentElements; ++e) to[e * kFramesPerBlock] = elements[e];
    }
  }
  sum_bulges(block.positions, state.segments.data(), vertices_, state.sums);
}

void Bulge::merge(const FrameBlock& block, BlockState& state) {
  const BulgeSums& sums = static_cast<BulgeState&>(state).sums;
  const auto count = static_cast<double>(vertices_.size());
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(block.frame_count); ++lane) {
    mean_.push_back(sums.bulge[lane] / count);
    mean_collapse_.push_back(sums.collapse[lane] / count);
    if (vertices_.empty()) continue;
    const std::int64_t frame = block.first_frame + static_cast<std::int64_t>(lane);
    const auto take = [&](const LaneExtreme& extreme, WorstChange& worst) {
      const SegmentVertex& v = vertices_[static_cast<std::size_t>(extreme.element[lane])];
      const double metres = extreme.value[lane];
      if (worst.metres.take(metres, {.frame = frame, .vertex = v.vertex})) {
        worst.ratio = metres / v.distance_m;
      }
    };
    take(sums.max_bulge_m, max_);
    take(sums.max_collapse_m, max_collapse_);
  }
}

}  // namespace

constexpr std::string_view kOfDistance = "of the distance from the bone";
constexpr MetricField kBulgeFields[] = {{"max", Unit::kRatio, Worse::kMore, kOfDistance},
                                        {"max_collapse", Unit::kRatio, Worse::kMore, kOfDistance}};

extern const MetricInfo kBulge;
const MetricInfo kBulge{"bulge",
                        "growth and collapse of every vertex's distance from its joint segment",
                        kBulgeFields, false, make_metric<Bulge>};

}  // namespace skinbake
