// What the metrics of the shape have in common: they need whole blocks, and their first block is
// when they get ready. Until then the surface may be in the making.

#pragma once

#include <limits>
#include <mutex>

#include "metrics/shape_kernels.h"
#include "skinbake/metrics.h"

namespace skinbake {

inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

class ShapeMetric : public Metric {
 public:
  explicit ShapeMetric(const MetricInput& input) : input_(input) {}

  bool needs_whole_block() const final { return true; }
  void consume(const FrameBlock&, BlockState&) final {}
  void finish(const FrameBlock& block, BlockState& state) final {
    std::call_once(prepared_, [this] { prepare(); });
    measure(block, state);
  }

 protected:
  // Once.
  virtual void prepare() = 0;
  // A block; concurrently with others.
  virtual void measure(const FrameBlock& block, BlockState& state) = 0;

  const MetricInput& input() const { return input_; }

 private:
  MetricInput input_;
  std::once_flag prepared_;
};

// A state that is nothing but what a kernel sums.
template <class Sums>
struct SumsState final : BlockState {
  Sums sums{};
};

// The greatest value of a run and where it is; the first of equals. NaN: there was none.
struct Worst {
  double value = kNoNumber;
  Place at;

  // False if there was one as great.
  bool take(double candidate, const Place& place) {
    if (at.frame >= 0 && !(candidate > value)) return false;
    value = candidate;
    at = place;
    return true;
  }
};

// Room for a number per frame.
inline std::vector<double> frame_array(const FrameRange& frames) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(frames.frame_count));
  return values;
}

inline Vec3<double> point_of(const BaselinePose& pose, VertexIndex v) {
  const double* p = pose.positions.data() + std::size_t{v} * 3;
  return {p[0], p[1], p[2]};
}

// The places in the file of Topology::triangles, which lack the degenerate ones. [triangle]
std::vector<std::int64_t> file_triangles_of(const Rig& rig, const Topology& topology);

}  // namespace skinbake
