// The candy-wrapper index of a joint segment is the largest loss of its cross-section at 16
// stations, which are at (k + 1/2) / 16 of its length:
//
//     1 - min over stations and frames of A_f / A_0        A = |sum of p_i x p_(i+1)| / 2
//
// In the bind pose, whatever the baseline, a plane across the segment cuts the surface in polygons.
// The polygon around the segment is a list of points on edges of the surface. The same points
// bound its area at the baseline, A_0, and in a frame.

#include <algorithm>

#include "math/scalar.h"
#include "metrics/shape/cross_section.h"
#include "metrics/shape/shape_metric.h"
#include "rig/joint_tree.h"

namespace skinbake {
namespace {

constexpr std::size_t kStations = 16;
constexpr double kMinSectionArea = 1e-12;  // of D^2

struct Station {
  std::size_t segment = 0, number = 0;
  Loop loop;
  double twice_area_m2 = 0;  // at the baseline
};

struct CandyState final : BlockState {
  std::vector<LaneRow> twice_area_m2;  // [station]
};

class CandyWrapper final : public ShapeMetric {
 public:
  explicit CandyWrapper(const MetricInput& input) : ShapeMetric(input) {}

  std::unique_ptr<BlockState> new_state() const override { return std::make_unique<CandyState>(); }
  void prepare() override;
  void measure(const FrameBlock& block, BlockState& block_state) override {
    auto& areas = static_cast<CandyState&>(block_state).twice_area_m2;
    areas.resize(stations_.size());
    for (std::size_t s = 0; s < stations_.size(); ++s) {
      loop_area(block.positions, stations_[s].loop, areas[s]);
    }
  }
  void merge(const FrameBlock& block, BlockState& state) override;
  MetricResult result() const override;

 private:
  struct SegmentResult {
    SegmentEnds ends;
    std::int64_t station_count = 0;
    std::int64_t station = -1;  // of the worst value
    Worst worst;
  };

  Place worst_at() const;

  std::vector<SegmentResult> segments_;
  std::vector<Station> stations_;
  Worst worst_;
};

void CandyWrapper::prepare() {
  const BaselinePose& baseline = *input().baseline;
  const double size = baseline.bbox_diagonal_m;
  const BaselinePose bind = bind_pose_of(input());
  const std::vector<Vec3<double>> positions = joint_positions(input(), bind);
  SectionCutter cutter(input().topology(), bind);
  for (const SegmentEnds& ends : find_segments(*input().rig, positions, kMinSegmentLength * size)) {
    const Vec3<double> along = positions[ends.child] - positions[ends.joint];
    const double length = norm(along);
    double heights[kStations];
    for (std::size_t k = 0; k < kStations; ++k) {
      heights[k] = (static_cast<double>(k) + 0.5) / kStations * length;
    }
    std::vector<Loop> loops = cutter.cut({positions[ends.joint], (1 / length) * along}, heights);
    SegmentResult& result = segments_.emplace_back();
    result.ends = ends;
    for (std::size_t k = 0; k < kStations; ++k) {
      if (loops[k].empty()) continue;
      const double twice_area_m2 = loop_area(baseline.positions.data(), loops[k]);
      if (!(twice_area_m2 / 2 > kMinSectionArea * size * size)) continue;
      ++result.station_count;
      stations_.push_back({segments_.size() - 1, k, std::move(loops[k]), twice_area_m2});
    }
  }
}

void CandyWrapper::merge(const FrameBlock& block, BlockState& state) {
  const std::vector<LaneRow>& areas = static_cast<CandyState&>(state).twice_area_m2;
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(block.frame_count); ++lane) {
    const Place at{.frame = block.first_frame + static_cast<std::int64_t>(lane)};
    for (std::size_t s = 0; s < stations_.size(); ++s) {
      const double index = 1 - areas[s][lane] / stations_[s].twice_area_m2;
      SegmentResult& segment = segments_[stations_[s].segment];
      if (segment.worst.take(index, at)) {
        segment.station = static_cast<std::int64_t>(stations_[s].number);
      }
      worst_.take(index, at);
    }
  }
}

// Names the joint of the worst segment. Of equal segments the first counts.
Place CandyWrapper::worst_at() const {
  const auto segment =
      std::find_if(segments_.begin(), segments_.end(), [&](const SegmentResult& one) {
        return one.worst.value == worst_.value && one.worst.at.frame == worst_.at.frame;
      });
  if (segment == segments_.end()) return {};
  return {.frame = segment->worst.at.frame, .joint = joint_id(*input().rig, segment->ends.joint)};
}

MetricResult CandyWrapper::result() const {
  std::vector<std::vector<SectionField>> segments;
  for (const SegmentResult& one : segments_) {
    std::vector<SectionField>& fields = segments.emplace_back();
    fields = {{"joint", joint_id(*input().rig, one.ends.joint)},
              {"child", joint_id(*input().rig, one.ends.child)},
              {"stations", one.station_count},
              {"index", one.worst.value},
              {"at", one.worst.at}};
    // The planes did not cut the surface around the segment.
    one.station < 0 ? fields.push_back({"station", kNoNumber})
                    : fields.push_back({"station", one.station});
  }
  return {"candy_wrapper",
          {{"worst", worst_.value}, {"worst_at", worst_at()}, {"bones", segments}},
          {},
          worst_.at.frame >= 0};
}

}  // namespace

constexpr MetricField kCandyWrapperFields[] = {
    {"worst", Unit::kRatio, Worse::kMore, "of the cross-section lost"}};

extern const MetricInfo kCandyWrapper;
const MetricInfo kCandyWrapper{
    "candy_wrapper", "share of its cross-section that each joint segment loses, at 16 stations",
    kCandyWrapperFields, true, make_metric<CandyWrapper>};

}  // namespace skinbake
