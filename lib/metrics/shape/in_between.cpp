// In-between error: the difference between the method and the linear interpolation of two
// successive frames, halfway between them:
//
//     d = x(t + 1/2) - (x(t) + x(t + 1)) / 2        t in frames
//
// All positions come from one bake at twice the rate; its even frames equal the frames of the run.
// The sufficient rate is the lowest usual rate whose largest d, over the same time, is below a
// limit. The error need not fall with the rate, so the rates are tried in ascending order.

#include <array>
#include <cmath>

#include "metrics/shape/shape_metric.h"
#include "skinbake/metrics.h"

namespace skinbake {
namespace {

constexpr std::array kRatesHz{12.0, 15.0, 24.0, 30.0, 48.0, 60.0, 90.0, 120.0, 240.0};
constexpr int kIntervalsPerBlock = kFramesPerBlock / 2;  // the last one ends in the next block

// The error of one interval between two frames of the run.
struct IntervalError {
  double square = 0, max = -1;  // sum and maximum of |d|^2 over the vertices
  std::int64_t max_vertex = -1;

  void add(const float* a, const float* middle, const float* b, VertexIndex v) {
    double squared = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const int i = axis * kFramesPerBlock;
      const double d = double{middle[i]} - (double{a[i]} + double{b[i]}) / 2;
      squared += d * d;
    }
    square += squared;
    if (squared > max) {
      max = squared;
      max_vertex = v;
    }
  }
};

// The last two frames of a block for one vertex, with the stride of a block: [axis * 16 + frame].
using Ending = std::array<float, std::size_t{2} * kFramesPerBlock + 2>;

struct InBetweenState final : BlockState {
  std::array<IntervalError, kIntervalsPerBlock - 1> intervals;  // those within the block
};

class InBetween final : public Metric {
 public:
  explicit InBetween(const MetricInput& input) : input_(input) {}

  bool needs_other_frames() const override { return true; }
  std::optional<FrameRange> next_frames() override;

  bool needs_whole_block() const override { return true; }
  std::unique_ptr<BlockState> new_state() const override {
    return std::make_unique<InBetweenState>();
  }
  void consume(const FrameBlock&, BlockState&) override {}
  void finish(const FrameBlock& block, BlockState& state) override;
  void merge(const FrameBlock& block, BlockState& state) override;
  void end() override;
  MetricResult result() const override;

 private:
  // The results of one bake.
  struct Pass {
    std::vector<double> rms, max;  // [interval]
    double square = 0;
    Worst worst;
  };

  std::optional<FrameRange> next_rate();
  void add(const IntervalError& interval);

  MetricInput input_;
  std::optional<Pass> of_run_;
  Pass pass_;
  std::vector<float> endings_;  // [vertex][axis][2] the last two frames of the previous block
  std::size_t rate_ = 0;        // index of the next rate to try
  bool started_ = false, found_ = false;
};

std::optional<FrameRange> InBetween::next_frames() {
  pass_ = {};
  const FrameRange& run = input_.frames;
  if (run.frame_count < 2) return std::nullopt;
  if (started_) return next_rate();
  started_ = true;
  pass_.rms.reserve(static_cast<std::size_t>(run.frame_count - 1));
  pass_.max.reserve(static_cast<std::size_t>(run.frame_count - 1));
  return FrameRange{2 * run.fps, 2 * run.first_frame, run.frame_step, 2 * run.frame_count - 1};
}

// Returns the frames of the next rate within the time of the run, and the instants between them.
std::optional<FrameRange> InBetween::next_rate() {
  if (!input_.limit || found_) return std::nullopt;
  for (; rate_ < kRatesHz.size(); ++rate_) {
    const double hz = kRatesHz[rate_];
    // The tolerance is for rounding errors of times that are mathematically on a frame.
    const auto first = static_cast<std::int64_t>(std::ceil(input_.frames.time_s(0) * hz - 1e-6));
    const double end_s = input_.frames.time_s(input_.frames.frame_count - 1);
    const auto last = static_cast<std::int64_t>(std::floor(end_s * hz + 1e-6));
    if (last <= first) continue;  // the rate is too low for a single interval
    ++rate_;
    return FrameRange{2 * hz, 2 * first, 1, 2 * (last - first) + 1};
  }
  return std::nullopt;
}

void InBetween::finish(const FrameBlock& block, BlockState& block_state) {
  auto& intervals = static_cast<InBetweenState&>(block_state).intervals;
  intervals = {};
  const int count = (block.frame_count - 1) / 2;
  for (VertexIndex v = 0; v < block.vertices.count; ++v) {
    const float* const p = block.position(v);
    for (int i = 0; i < count; ++i) {
      intervals[static_cast<std::size_t>(i)].add(p + 2 * i, p + 2 * i + 1, p + 2 * i + 2, v);
    }
  }
}

void InBetween::merge(const FrameBlock& block, BlockState& block_state) {
  const auto& intervals = static_cast<InBetweenState&>(block_state).intervals;
  if (block.first_frame > 0) {
    IntervalError across;
    for (VertexIndex v = 0; v < block.vertices.count; ++v) {
      Ending ending{};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const float* const kept = endings_.data() + (std::size_t{v} * 3 + axis) * 2;
        ending[axis * kFramesPerBlock] = kept[0];
        ending[axis * kFramesPerBlock + 1] = kept[1];
      }
      across.add(ending.data(), ending.data() + 1, block.position(v), v);
    }
    add(across);
  }
  for (int i = 0; i < (block.frame_count - 1) / 2; ++i) {
    add(intervals[static_cast<std::size_t>(i)]);
  }
  if (block.frame_count < kFramesPerBlock) return;
  endings_.resize(std::size_t{block.vertices.count} * 6);
  for (std::size_t row = 0; row < std::size_t{block.vertices.count} * 3; ++row) {
    const float* const last = block.positions + (row + 1) * kFramesPerBlock - 2;
    endings_[2 * row] = last[0];
    endings_[2 * row + 1] = last[1];
  }
}

void InBetween::add(const IntervalError& interval) {
  const auto count = static_cast<double>(input_.rig->mesh->vertex_count());
  pass_.square += interval.square;
  const double max = std::sqrt(interval.max);
  const auto frame = static_cast<std::int64_t>(pass_.rms.size());
  pass_.rms.push_back(std::sqrt(interval.square / count));
  pass_.max.push_back(max);
  pass_.worst.take(max, {.frame = frame, .vertex = interval.max_vertex});
}

void InBetween::end() {
  if (of_run_) {
    found_ = pass_.worst.value < *input_.limit;
  } else {
    of_run_ = std::move(pass_);
  }
}

MetricResult InBetween::result() const {
  const Pass none, &pass = of_run_ ? *of_run_ : none;
  const auto numbers =
      static_cast<double>(input_.rig->mesh->vertex_count()) * static_cast<double>(pass.rms.size());
  MetricResult result{"in_between",
                      {{"unit", "m"},
                       {"rms", std::sqrt(pass.square / numbers)},
                       {"max", pass.worst.value},
                       {"max_at", pass.worst.at}}};
  if (input_.limit) {
    result.fields.push_back(
        {"sufficient_fps",
         std::vector<SectionField>{{"limit", *input_.limit},
                                   {"fps", found_ ? kRatesHz[rate_ - 1] : kNoNumber}}});
  }
  result.fields.push_back(
      {"per_interval", std::vector<SectionField>{{"rms", pass.rms}, {"max", pass.max}}});
  return result;
}

}  // namespace

constexpr MetricField kInBetweenFields[] = {{"max", Unit::kMetres}, {"rms", Unit::kMetres}};

extern const MetricInfo kInBetween;
const MetricInfo kInBetween{"in_between",
                            "error of interpolating frames linearly, halfway between them",
                            kInBetweenFields, false, make_metric<InBetween>};

}  // namespace skinbake
