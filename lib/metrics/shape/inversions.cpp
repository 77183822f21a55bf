// Inversions: triangles that face away from the direction into which their joints rotate them
// (metrics/shape/shape_kernels-inl.h). The weights of a triangle are the means over its corners.
// The rotation of a joint is the polar factor of its matrix M, or of -M if M mirrors: a mirrored
// face has the same normal.

#include <algorithm>

#include "base/aligned_array.h"
#include "math/rotation_parts.h"
#include "math/scalar.h"
#include "metrics/baseline.h"
#include "metrics/shape/shape_metric.h"
#include "rig/surface/triangles.h"

namespace skinbake {
namespace {

constexpr std::size_t kOfRotation = 4 * kFramesPerBlock;  // numbers

struct InversionState final : BlockState {
  explicit InversionState(const MetricInput& input)
      : joints(input), rotations(input.rig->joints.size() * kOfRotation) {}

  JointPoser joints;
  AlignedArray<double> rotations;  // [joint][w x y z][frame]
  LaneRow count{};
};

class Inversions final : public ShapeMetric {
 public:
  explicit Inversions(const MetricInput& input) : ShapeMetric(input) {
    count_.reserve(static_cast<std::size_t>(input.frames.frame_count));
  }

  std::unique_ptr<BlockState> new_state() const override {
    return std::make_unique<InversionState>(input());
  }
  void prepare() override;
  void measure(const FrameBlock& block, BlockState& state) override;
  void merge(const FrameBlock& block, BlockState& state) override {
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(block.frame_count); ++lane) {
      const double count = static_cast<InversionState&>(state).count[lane];
      count_.push_back(static_cast<std::int64_t>(count));
      worst_.take(count, {.frame = block.first_frame + static_cast<std::int64_t>(lane)});
    }
  }
  MetricResult result() const override {
    return {"inversions",
            {{"worst", static_cast<std::int64_t>(worst_.value)},
             {"worst_at", worst_.at},
             {"per_frame", std::vector<SectionField>{{"count", count_}}}}};
  }

 private:
  void add_weights(const std::array<VertexIndex, 3>& corners);

  std::vector<RotatedTriangle> triangles_;
  std::vector<JointWeight> weights_;
  std::vector<std::int64_t> count_;
  Worst worst_;
};

// Appends the mean weights of the joints over three corners, heaviest first; of equal weights the
// lower joint comes first.
void Inversions::add_weights(const std::array<VertexIndex, 3>& corners) {
  const auto first = static_cast<std::ptrdiff_t>(weights_.size());
  for (const VertexIndex v : corners) {
    for (const Influence& i : input().rig->influences_of(v)) {
      const auto found = std::find_if(weights_.begin() + first, weights_.end(),
                                      [&](const JointWeight& w) { return w.joint == i.joint; });
      if (found == weights_.end()) {
        weights_.push_back({i.joint, i.weight / 3});
      } else {
        found->weight += i.weight / 3;
      }
    }
  }
  std::sort(weights_.begin() + first, weights_.end(),
            [](const JointWeight& a, const JointWeight& b) {
              return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
            });
}

void Inversions::prepare() {
  const Topology& topology = input().topology();
  const std::vector<double> bind = bind_positions(*input().rig);
  const auto point = [&](VertexIndex v) {
    const double* p = bind.data() + std::size_t{v} * 3;
    return Vec3<double>{p[0], p[1], p[2]};
  };
  triangles_.reserve(topology.triangles.size());
  weights_.reserve(count_triangle_joints(*input().rig, topology.triangles));
  for (const auto& corners : topology.triangles) {
    const auto& [a, b, c] = corners;
    const auto first = static_cast<std::uint32_t>(weights_.size());
    add_weights(corners);
    triangles_.push_back({a, b, c, first, static_cast<std::uint32_t>(weights_.size()) - first,
                          cross(point(b) - point(a), point(c) - point(a))});
  }
}

void Inversions::measure(const FrameBlock& block, BlockState& block_state) {
  auto& state = static_cast<InversionState&>(block_state);
  for (int lane = 0; lane < kFramesPerBlock; ++lane) {
    const std::vector<Affine<double>>& posed =
        state.joints.at(block.first_frame + std::min(lane, block.frame_count - 1));
    for (std::size_t j = 0; j < posed.size(); ++j) {
      const Quat<double> q = to_quat(polar_factors(posed[j]).rotation);
      double* const to = state.rotations.data() + j * 4 * kFramesPerBlock + lane;
      const double elements[4] = {q.w, q.x, q.y, q.z};
      for (std::size_t e = 0; e < 4; ++e) to[e * kFramesPerBlock] = elements[e];
    }
  }
  count_inversions(block.positions, {triangles_, weights_, state.rotations.data()}, state.count);
}

}  // namespace

constexpr MetricField kInversionsFields[] = {{"worst", Unit::kNumber, Worse::kMore, "triangles"}};

extern const MetricInfo kInversions;
const MetricInfo kInversions{
    "inversions", "triangles that face away from the direction into which their joints rotate them",
    kInversionsFields, true, make_metric<Inversions>};

}  // namespace skinbake
