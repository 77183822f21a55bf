// Dihedral angles: how much the angle at each edge with exactly two triangles, which run along it
// in opposite directions, differs from the baseline's (dihedral-inl.h), as an angle of at most half
// a turn. A fold: more than 170 degrees at an edge that had less than 90.

#include <cmath>

#include "metrics/shape_metrics.h"
#include "rig/edges.h"

namespace skinbake {
namespace {

class Dihedral final : public ShapeMetric {
 public:
  explicit Dihedral(const MetricInput& input)
      : ShapeMetric(input), rms_(frame_array(input.frames)), max_(frame_array(input.frames)) {}

  std::unique_ptr<BlockState> new_state() const override {
    return std::make_unique<SumsState<HingeSums>>();
  }
  void prepare() override;
  void measure(const FrameBlock& block, BlockState& state) override {
    sum_hinges(block.positions, hinges_, static_cast<SumsState<HingeSums>&>(state).sums);
  }
  void merge(const FrameBlock& block, BlockState& state) override;
  MetricResult result() const override {
    const auto count = static_cast<double>(hinges_.size()) * static_cast<double>(rms_.size());
    return {"dihedral",
            {{"unit", "rad"},
             {"rms", std::sqrt(square_ / count)},
             {"max", worst_.value},
             {"max_at", worst_.at},
             {"folds", folds_},
             {"per_frame", std::vector<MetricField>{{"rms", rms_}, {"max", max_}}}}};
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

void Dihedral::merge(const FrameBlock& block, BlockState& state) {
  const HingeSums& sums = static_cast<SumsState<HingeSums>&>(state).sums;
  const bool any = !hinges_.empty();
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(block.frame_count); ++lane) {
    rms_.push_back(std::sqrt(sums.square[lane] / static_cast<double>(hinges_.size())));
    max_.push_back(any ? sums.max.value[lane] : kNoNumber);
    square_ += sums.square[lane];
    folds_ += static_cast<std::int64_t>(sums.folds[lane]);
    if (!any) continue;
    const Hinge& hinge = hinges_[static_cast<std::size_t>(sums.max.element[lane])];
    worst_.take(sums.max.value[lane], {.frame = block.first_frame + static_cast<std::int64_t>(lane),
                                       .edge = {hinge.i, hinge.j}});
  }
}

}  // namespace

std::unique_ptr<Metric> make_dihedral(const MetricInput& input) {
  return std::make_unique<Dihedral>(input);
}

}  // namespace skinbake
