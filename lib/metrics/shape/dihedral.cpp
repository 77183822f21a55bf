// Dihedral angles: the change, since the baseline, of the angle at every edge that has exactly two
// triangles running along it in opposite directions (metrics/shape/shape_kernels-inl.h). The change
// is at most half a turn. A fold is an angle above 170 degrees at an edge that had less than 90
// degrees.

#include <cmath>

#include "metrics/shape/shape_metric.h"
#include "rig/surface/triangles.h"

namespace skinbake {
namespace {

class Dihedral final : public SummingMetric<HingeSums> {
 public:
  explicit Dihedral(const MetricInput& input)
      : SummingMetric(input), rms_(frame_array(input.frames)), max_(frame_array(input.frames)) {}

  void prepare() override;
  void sum(const float* positions, HingeSums& sums) const override {
    sum_hinges(positions, hinges_, sums);
  }
  void merge_frame(std::int64_t frame, std::size_t lane, const HingeSums& sums) override;
  MetricResult result() const override {
    const auto count = static_cast<double>(hinges_.size()) * static_cast<double>(rms_.size());
    return {"dihedral",
            {{"unit", "rad"},
             {"rms", std::sqrt(square_ / count)},
             {"max", worst_.value},
             {"max_at", worst_.at},
             {"folds", folds_},
             {"per_frame", std::vector<SectionField>{{"rms", rms_}, {"max", max_}}}},
            {},
            !hinges_.empty()};
  }

 private:
  std::vector<Hinge> hinges_;
  double square_ = 0;
  std::int64_t folds_ = 0;
  std::vector<double> rms_, max_;
  Worst worst_;
};

void Dihedral::prepare() {
  const Topology& topology = input().topology();
  const Edges edges = build_edges(topology.triangles, topology.welded);
  const auto opposite = [&](HalfEdge h) { return topology.triangles[h / 3][(h + 2) % 3]; };
  hinges_.reserve(edges.uses.size());
  for (std::size_t e = 0; e < edges.uses.size(); ++e) {
    const auto [left, right] = edges.sides[e];
    if (edges.uses[e] != 2 || runs_forward(topology.triangles, topology.welded, left) ==
                                  runs_forward(topology.triangles, topology.welded, right)) {
      continue;
    }
    const auto [i, j] = ends(topology.triangles, left);
    Hinge hinge{i, j, opposite(left), opposite(right)};
    hinge.rest_rad = hinge_angle(input().baseline->positions.data(), hinge);
    hinges_.push_back(hinge);
  }
}

void Dihedral::merge_frame(std::int64_t frame, std::size_t lane, const HingeSums& sums) {
  const bool any = !hinges_.empty();
  rms_.push_back(std::sqrt(sums.square[lane] / static_cast<double>(hinges_.size())));
  max_.push_back(any ? sums.max.value[lane] : kNoNumber);
  square_ += sums.square[lane];
  folds_ += static_cast<std::int64_t>(sums.folds[lane]);
  if (!any) return;
  const Hinge& hinge = hinges_[static_cast<std::size_t>(sums.max.element[lane])];
  worst_.take(sums.max.value[lane], {.frame = frame, .edge = {hinge.i, hinge.j}});
}

}  // namespace

constexpr MetricField kDihedralFields[] = {
    {"max", Unit::kRadians},
    {"rms", Unit::kRadians},
    {"folds", Unit::kNumber, Worse::kMore, "edges and frames"}};

extern const MetricInfo kDihedral;
const MetricInfo kDihedral{"dihedral",
                           "change of the angle between triangles at every edge, and folds",
                           kDihedralFields, true, make_metric<Dihedral>};

}  // namespace skinbake
