// Bulge and collapse: how a vertex's distance d from its bone differs from the one at the baseline:
//
//     bulge max(0, d' / d - 1)      collapse max(0, 1 - d' / d)
//
// The bone is the nearest at the baseline of those that start at the vertex's dominant joint; a
// joint where none starts is a point.

#include <algorithm>

#include "base/aligned_array.h"
#include "math/scalar.h"
#include "metrics/bones.h"
#include "metrics/shape_metrics.h"

namespace skinbake {
namespace {

// Of D: what is nearer to the bone has no distance that could be kept.
constexpr double kLeastDistance = 1e-6;
constexpr double kLeastLength = 1e-6;

struct BulgeState final : BlockState {
  explicit BulgeState(const MetricInput& input) : joints(input) {}

  JointPoser joints;
  AlignedArray<double> bones;  // [bone][element][frame]
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
            {{"max", max_.value},
             {"max_at", max_.at},
             {"max_collapse", max_collapse_.value},
             {"max_collapse_at", max_collapse_.at},
             {"per_frame",
              std::vector<MetricField>{{"mean", mean_}, {"mean_collapse", mean_collapse_}}}}};
  }

 private:
  std::vector<Bone> bones_;  // those of the rig, then a point for each joint
  std::vector<BoneVertex> vertices_;
  std::vector<double> mean_, mean_collapse_;
  Worst max_, max_collapse_;
};

void Bulge::prepare() {
  const Rig& rig = *input().rig;
  const BaselinePose& baseline = *input().baseline;
  const std::vector<Vec3<double>> places = baseline_places(input());
  bones_ = bones_of(rig, places, kLeastLength * baseline.bbox_diagonal_m);
  std::vector<std::vector<std::uint32_t>> bones_at(rig.joints.size());  // [joint]
  for (std::uint32_t b = 0; b < bones_.size(); ++b) bones_at[bones_[b].joint].push_back(b);
  for (JointIndex j = 0; j < rig.joints.size(); ++j) {
    if (bones_at[j].empty()) bones_at[j].push_back(static_cast<std::uint32_t>(bones_.size()));
    bones_.push_back({j, j});
  }
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    BoneVertex nearest{v, 0, kNoNumber};
    for (const std::uint32_t b : bones_at[rig.influences_of(v).front().joint]) {
      const double distance_m =
          bone_distance(point_of(baseline, v), places[bones_[b].joint], places[bones_[b].child]);
      if (!(distance_m >= nearest.distance_m)) nearest = {v, b, distance_m};
    }
    if (nearest.distance_m >= kLeastDistance * baseline.bbox_diagonal_m) {
      vertices_.push_back(nearest);
    }
  }
}

void Bulge::measure(const FrameBlock& block, BlockState& block_state) {
  auto& state = static_cast<BulgeState&>(block_state);
  if (state.bones.size() == 0) {
    state.bones = AlignedArray<double>(bones_.size() * kBoneElements * kFramesPerBlock);
  }
  for (int lane = 0; lane < kFramesPerBlock; ++lane) {
    state.joints.at(block.first_frame + std::min(lane, block.frame_count - 1));
    for (std::size_t b = 0; b < bones_.size(); ++b) {
      const Vec3<double> start = state.joints.place(bones_[b].joint);
      const Vec3<double> direction = state.joints.place(bones_[b].child) - start;
      const double square = dot(direction, direction);
      const double elements[kBoneElements] = {start.x,
                                              start.y,
                                              start.z,
                                              direction.x,
                                              direction.y,
                                              direction.z,
                                              square > 0 ? 1 / square : 0};
      double* const to = state.bones.data() + b * kBoneElements * kFramesPerBlock + lane;
      for (std::size_t e = 0; e < kBoneElements; ++e) to[e * kFramesPerBlock] = elements[e];
    }
  }
  sum_bulges(block.positions, state.bones.data(), vertices_, state.sums);
}

void Bulge::merge(const FrameBlock& block, BlockState& state) {
  const BulgeSums& sums = static_cast<BulgeState&>(state).sums;
  const auto count = static_cast<double>(vertices_.size());
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(block.frame_count); ++lane) {
    mean_.push_back(sums.bulge[lane] / count);
    mean_collapse_.push_back(sums.collapse[lane] / count);
    if (vertices_.empty()) continue;
    const std::int64_t frame = block.first_frame + static_cast<std::int64_t>(lane);
    const auto take = [&](const LaneExtreme& extreme, Worst& worst) {
      const auto element = static_cast<std::size_t>(extreme.element[lane]);
      worst.take(extreme.value[lane], {.frame = frame, .vertex = vertices_[element].vertex});
    };
    take(sums.max_bulge, max_);
    take(sums.max_collapse, max_collapse_);
  }
}

}  // namespace

std::unique_ptr<Metric> make_bulge(const MetricInput& input) {
  return std::make_unique<Bulge>(input);
}

}  // namespace skinbake
