// What metrics of shape share: their streams of poses, and the segments of joints in them.

#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

#include "clip/poses/skinning.h"
#include "metrics/shape/shape_kernels.h"
#include "skinbake/metrics.h"

namespace skinbake {

// ---- Joint segments for metrics: the line from a joint to each of its child joints.

// Shorter segments are points. A fraction of D.
inline constexpr double kMinSegmentLength = 1e-6;

struct SegmentEnds {
  JointIndex joint = 0, child = 0;  // start and end
};

// Returns the segments that are longer than `least_length`, in the order of their children. A
// joint's parent is its nearest ancestor that is a joint of the rig. `positions` [joint] may
// contain positions that are not finite: a singular inverse bind matrix gives them.
std::vector<SegmentEnds> find_segments(const Rig& rig, const std::vector<Vec3<double>>& positions,
                                       double least_length);

// The bind baseline, whatever the baseline of the input. Segments are chosen in it.
BaselinePose bind_pose_of(const MetricInput& input);

// [joint] The positions of the joints in a baseline of the input's rig.
std::vector<Vec3<double>> joint_positions(const MetricInput& input, const BaselinePose& pose);

// Evaluates the joints of one frame after another, in the space of the frames' vertices. Not
// thread-safe: each block state has its own.
class JointPoser {
 public:
  explicit JointPoser(const MetricInput& input);

  // Evaluates a frame, counted from the start of the run. Returns posed_from_rest [joint].
  const std::vector<Affine<double>>& at(std::int64_t frame);
  // The position of a joint in the frame that was evaluated last.
  Vec3<double> position(JointIndex j) const;

 private:
  FrameRange frames_;
  Space space_;
  PoseSampler sampler_;
  SampledPose pose_;
  std::vector<Vec3<double>> bind_positions_;
};

// ---- The base classes of the shape metrics.

inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// A metric that needs whole blocks. It calls `prepare` when the first block is complete: until then
// MetricInput::topology may still be computed by another thread.
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
  // Called once, before the first call of `measure`.
  virtual void prepare() = 0;
  // Called once per block, concurrently with other blocks.
  virtual void measure(const FrameBlock& block, BlockState& state) = 0;

  const MetricInput& input() const { return input_; }

 private:
  MetricInput input_;
  std::once_flag prepared_;
};

// A shape metric whose blocks are measured by one kernel that fills `Sums`.
template <class Sums>
class SummingMetric : public ShapeMetric {
 public:
  using ShapeMetric::ShapeMetric;

  std::unique_ptr<BlockState> new_state() const final { return std::make_unique<State>(); }
  void merge(const FrameBlock& block, BlockState& state) final {
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(block.frame_count); ++lane) {
      merge_frame(block.first_frame + static_cast<std::int64_t>(lane), lane,
                  static_cast<State&>(state).sums);
    }
  }

 protected:
  // Calls the kernel. `positions`: [vertex][axis][frame].
  virtual void sum(const float* positions, Sums& sums) const = 0;
  // Called in the order of frames. `frame` counts the frames of the run.
  virtual void merge_frame(std::int64_t frame, std::size_t lane, const Sums& sums) = 0;

 private:
  struct State final : BlockState {
    Sums sums{};
  };

  void measure(const FrameBlock& block, BlockState& state) final {
    sum(block.positions, static_cast<State&>(state).sums);
  }
};

// The greatest value of a run, and its place. Of equal values the first counts. NaN: there is no
// value.
struct Worst {
  double value = kNoNumber;
  Place at;

  // Returns true if the candidate is greater than all earlier ones.
  bool take(double candidate, const Place& place) {
    if (at.frame >= 0 && !(candidate > value)) return false;
    value = candidate;
    at = place;
    return true;
  }
};

// MetricInfo::make of a metric that is made from its input.
template <class M>
std::unique_ptr<Metric> make_metric(const MetricInput& input) {
  return std::make_unique<M>(input);
}

// An empty array with capacity for a number per frame.
inline std::vector<double> frame_array(const FrameRange& frames) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(frames.frame_count));
  return values;
}

inline Vec3<double> point_of(const BaselinePose& pose, VertexIndex v) {
  const double* p = pose.positions.data() + std::size_t{v} * 3;
  return {p[0], p[1], p[2]};
}

// [triangle of Topology::triangles] Its index among the file's triangles, which include degenerate
// ones.
std::vector<std::int64_t> file_triangles_of(const Rig& rig, const Topology& topology);

extern const MetricInfo kInBetween;  // also measured alone

}  // namespace skinbake
