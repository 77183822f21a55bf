// Edge stretch: sigma = |e'| / |e| of every edge between welded points. Per frame: the mean of
// |sigma - 1|, the rms of ln sigma, the greatest and the least sigma. Per run: the sigma with the
// largest |ln sigma|, which may be infinite.

#include <cmath>

#include "math/scalar.h"
#include "metrics/shape/shape_metric.h"
#include "rig/surface/triangles.h"

namespace skinbake {
namespace {

// Fraction of D. Shorter edges at the baseline are not measured.
constexpr double kMinEdgeLength = 1e-9;

class EdgeStretch final : public SummingMetric<StretchSums> {
 public:
  explicit EdgeStretch(const MetricInput& input) : SummingMetric(input) {
    for (auto* values : {&mean_abs_, &rms_log_, &max_, &min_}) *values = frame_array(input.frames);
  }

  void prepare() override;
  void sum(const float* positions, StretchSums& sums) const override {
    sum_stretch(positions, edges_, sums);
  }
  void merge_frame(std::int64_t frame, std::size_t lane, const StretchSums& sums) override;
  MetricResult result() const override {
    return {"edge_stretch",
            {{"worst", worst_},
             {"worst_at", furthest_.at},
             {"per_frame",
              std::vector<SectionField>{
                  {"mean_abs", mean_abs_}, {"rms_log", rms_log_}, {"max", max_}, {"min", min_}}}},
            {},
            !edges_.empty()};
  }

 private:
  Place place(std::int64_t frame, double element) const {
    const StretchEdge& edge = edges_[static_cast<std::size_t>(element)];
    return {.frame = frame, .edge = {edge.from, edge.to}};
  }

  // `factor`: the greater of sigma and 1 / sigma.
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
  edges_.reserve(edges.sides.size());
  for (const auto& sides : edges.sides) {
    const auto [from, to] = ends(topology.triangles, sides[0]);
    const double length_m = norm(point_of(baseline, to) - point_of(baseline, from));
    if (length_m > kMinEdgeLength * baseline.bbox_diagonal_m) {
      edges_.push_back({from, to, length_m});
    }
  }
}

void EdgeStretch::merge_frame(std::int64_t frame, std::size_t lane, const StretchSums& sums) {
  const auto count = static_cast<double>(edges_.size());
  mean_abs_.push_back(sums.change[lane] / count);
  rms_log_.push_back(std::sqrt(sums.log_square[lane] / count));
  const bool any = !edges_.empty();
  const double longest = sums.max.value[lane], shortest = sums.min.value[lane];
  max_.push_back(any ? longest : kNoNumber);
  min_.push_back(any ? shortest : kNoNumber);
  if (!any) return;
  const double longest_edge = sums.max.element[lane], shortest_edge = sums.min.element[lane];
  const auto take_longest = [&] { take(longest, longest, place(frame, longest_edge)); };
  const auto take_shortest = [&] { take(shortest, 1 / shortest, place(frame, shortest_edge)); };
  // Of equal factors, the lower edge counts.
  if (longest_edge < shortest_edge) take_longest();
  take_shortest();
  take_longest();
}

}  // namespace

constexpr MetricField kEdgeStretchFields[] = {
    {"worst", Unit::kNumber, Worse::kFarFrom1, "times the length"}};

extern const MetricInfo kEdgeStretch;
const MetricInfo kEdgeStretch{"edge_stretch",
                              "length of every edge over its length at the baseline",
                              kEdgeStretchFields, true, make_metric<EdgeStretch>};

}  // namespace skinbake
