// Triangle distortion: as-rigid-as-possible and symmetric Dirichlet energy, conformal distortion
// and area ratio of the map from each triangle at the baseline (metrics/shape/shape_kernels-inl.h).
// Per frame: means weighted by baseline area. Per run: the largest symmetric Dirichlet energy.
//
// ARAP: Ligang Liu, Lei Zhang, Yin Xu, Craig Gotsman, Steven Gortler. A Local/Global Approach to
// Mesh Parameterization. 2008. Symmetric Dirichlet: Jason Smith, Scott Schaefer. Bijective
// Parameterization with Free Boundaries. 2015.

#include "math/scalar.h"
#include "metrics/shape/shape_metric.h"

namespace skinbake {
namespace {

// Fraction of D^2. Smaller triangles at the baseline are not measured.
constexpr double kMinTriangleArea = 1e-12;

class TriangleDistortion final : public SummingMetric<DistortionSums> {
 public:
  explicit TriangleDistortion(const MetricInput& input) : SummingMetric(input) {
    for (auto* values : {&arap_, &dirichlet_, &conformal_, &area_min_, &area_max_}) {
      *values = frame_array(input.frames);
    }
  }

  void prepare() override;
  void sum(const float* positions, DistortionSums& sums) const override {
    sum_distortion(positions, triangles_, sums);
  }
  void merge_frame(std::int64_t frame, std::size_t lane, const DistortionSums& sums) override;
  MetricResult result() const override {
    return {"triangle_distortion",
            {{"worst", worst_.value},
             {"worst_at", worst_.at},
             {"dropped", dropped_},
             {"degenerate_reference", degenerate_},
             {"clamped", clamped_},
             {"per_frame", std::vector<SectionField>{{"arap", arap_},
                                                     {"symmetric_dirichlet", dirichlet_},
                                                     {"conformal", conformal_},
                                                     {"area_ratio_min", area_min_},
                                                     {"area_ratio_max", area_max_}}}},
            {},
            !triangles_.empty()};
  }

 private:
  std::vector<FlatTriangle> triangles_;
  std::vector<std::int64_t> file_triangles_;  // [triangle]
  double area_m2_ = 0;
  std::int64_t dropped_ = 0, degenerate_ = 0, clamped_ = 0;
  std::vector<double> arap_, dirichlet_, conformal_, area_min_, area_max_;
  Worst worst_;
};

void TriangleDistortion::prepare() {
  const Topology& topology = input().topology();
  dropped_ = topology.degenerate_triangles;
  const BaselinePose& baseline = *input().baseline;
  const double least_area = kMinTriangleArea * baseline.bbox_diagonal_m * baseline.bbox_diagonal_m;
  const std::vector<std::int64_t> file_triangles = file_triangles_of(*input().rig, topology);
  triangles_.reserve(topology.triangles.size());
  file_triangles_.reserve(topology.triangles.size());
  for (std::size_t t = 0; t < topology.triangles.size(); ++t) {
    const auto& [a, b, c] = topology.triangles[t];
    const Vec3<double> first = point_of(baseline, b) - point_of(baseline, a);
    const Vec3<double> second = point_of(baseline, c) - point_of(baseline, a);
    const double x = norm(first), twice_area = norm(cross(first, second));
    // The negation includes NaN.
    if (!(twice_area / 2 > least_area)) {
      ++degenerate_;
      continue;
    }
    triangles_.push_back({a, b, c, x, dot(first, second) / x, twice_area / x});
    file_triangles_.push_back(file_triangles[t]);
    area_m2_ += triangles_.back().area_m2();
  }
}

void TriangleDistortion::merge_frame(std::int64_t frame, std::size_t lane,
                                     const DistortionSums& sums) {
  const bool any = !triangles_.empty();
  arap_.push_back(sums.arap[lane] / area_m2_);
  dirichlet_.push_back(sums.dirichlet[lane] / area_m2_);
  conformal_.push_back(sums.conformal[lane] / area_m2_);
  area_min_.push_back(any ? sums.area_ratio_min[lane] : kNoNumber);
  area_max_.push_back(any ? sums.area_ratio_max[lane] : kNoNumber);
  clamped_ += static_cast<std::int64_t>(sums.clamped[lane]);
  if (!any) return;
  const auto worst = static_cast<std::size_t>(sums.worst.element[lane]);
  worst_.take(sums.worst.value[lane], {.frame = frame, .triangle = file_triangles_[worst]});
}

}  // namespace

constexpr MetricField kTriangleDistortionFields[] = {
    {"worst", Unit::kNumber, Worse::kMore, "(undistorted: 4)"}};

extern const MetricInfo kTriangleDistortion;
const MetricInfo kTriangleDistortion{"triangle_distortion",
                                     "as-rigid-as-possible and symmetric Dirichlet energy, "
                                     "conformal distortion and area ratio of every triangle",
                                     kTriangleDistortionFields, true,
                                     make_metric<TriangleDistortion>};

}  // namespace skinbake
