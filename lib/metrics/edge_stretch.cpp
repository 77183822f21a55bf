// Edge stretch: sigma = |e'| / |e| of every edge between welded points, each counted once. Of each
// frame the mean of |sigma - 1|, the rms of ln sigma, the greatest and the least sigma; of the run
// the sigma that is the furthest from 1 as a factor.

#include <algorithm>
#include <cmath>

#include "math/scalar.h"
#include "metrics/shape_metrics.h"
#include "rig/edges.h"

namespace skinbake {
namespace {

// Of D: what is shorter at the baseline has no direction worth measuring.
constexpr double kLeastLength = 1e-9;
// A sigma below this is a collapse like any other.
constexpr double kLeastSigma = 1e-6;

class EdgeStretch final : public ShapeMetric {
 public:
  explicit EdgeStretch(const MetricInput& input) : ShapeMetric(input) {
    for (auto* values : {&mean_abs_, &rms_log_, &max_, &min_}) *values = frame_array(input.frames);
  }

  std::unique_ptr<BlockState> new_state() const override {
    return std::make_unique<SumsState<StretchSums>>();
  }
  void prepare() override;
  void measure(const FrameBlock& block, BlockState& state) override {
    sum_stretch(block.positions, edges_, static_cast<SumsState<StretchSums>&>(state).sums);
  }
  void merge(const FrameBlock& block, BlockState& state) override;
  MetricResult result() const override {
    return {"edge_stretch",
            {{"worst", worst_},
             {"worst_at", furthest_.at},
             {"per_frame",
              std::vector<MetricField>{
                  {"mean_abs", mean_abs_}, {"rms_log", rms_log_}, {"max", max_}, {"min", min_}}}}};
  }

 private:
  Place place(std::int64_t frame, double element) const {
    const StretchEdge& edge = edges_[static_cast<std::size_t>(element)];
    return {.frame = frame, .edge = {edge.from, edge.to}};
  }

  void take(double sigma, double factor, const Place& at) {
    if (furthest_.take(factor, at)) worst_ = sigma;
  }

  std::vector<StretchEdge> edges_;
  std::vector<double> mean_abs_, rms_log_, max_, min_;
  Worst furthest_;
  double worst_ = kNoNumber;
};

void EdgeStretch::prepare() {
  const Topology& topology = input().topology();
  const Edges edges = build_edges(topology.triangles, topology.welded);
  const BaselinePose& baseline = *input().baseline;
  for (const auto& sides : edges.sides) {
    const auto [from, to] = ends(topology.triangles, sides[0]);
    const double length_m = norm(point_of(baseline, to) - point_of(baseline, from));
    if (length_m > kLeastLength * baseline.bbox_diagonal_m) {
      edges_.push_back({from, to, length_m});
    }
  }
}

void EdgeStretch::merge(const FrameBlock& block, BlockState& state) {
  const StretchSums& sums = static_cast<SumsState<StretchSums>&>(state).sums;
  const auto count = static_cast<double>(edges_.size());
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(block.frame_count); ++lane) {
    mean_abs_.push_back(sums.change[lane] / count);
    rms_log_.push_back(std::sqrt(sums.log_square[lane] / count));
    const bool any = !edges_.empty();
    const double longest = sums.max.value[lane], shortest = sums.min.value[lane];
    max_.push_back(any ? longest : kNoNumber);
    min_.push_back(any ? shortest : kNoNumber);
    if (!any) continue;
    const std::int64_t frame = block.first_frame + static_cast<std::int64_t>(lane);
    take(longest, longest, place(frame, sums.max.element[lane]));
    take(shortest, 1 / std::max(shortest, kLeastSigma), place(frame, sums.min.element[lane]));
  }
}

}  // namespace

std::unique_ptr<Metric> make_edge_stretch(const MetricInput& input) {
  return std::make_unique<EdgeStretch>(input);
}

}  // namespace skinbake
