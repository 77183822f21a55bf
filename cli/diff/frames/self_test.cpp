#include "diff/frames/self_test.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/report_text.h"
#include "terminal/format.h"
#include "thresholds/evaluate_thresholds.h"

namespace skinbake::cli {

namespace {

// A displacement of the last vertices in the last frames.
struct Move {
  double by_m = 0;
  std::int64_t vertices = 1, frames = 1;
  bool smallest = false;  // by the next float instead of by_m
};

// The smallest coordinate of a position, where rounding a step changes it least.
float* axis_of(float* position) {
  return std::min_element(position, position + 3,
                          [](float x, float y) { return std::abs(x) < std::abs(y); });
}

float smallest_step(float from) {
  return std::nextafter(from, std::numeric_limits<float>::infinity());
}

class MovedFrames final : public FrameSource {
 public:
  MovedFrames(const FrameSource& source, const Move& move) : source_(source), move_(move) {}

  std::int64_t frame_count() const override { return source_.frame_count(); }
  std::int64_t vertex_count() const override { return source_.vertex_count(); }
  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    source_.read(first_frame, count, rows);
    for (std::int64_t f = 0; f < count; ++f) {
      if (first_frame + f < frame_count() - move_.frames) continue;
      for (std::int64_t v = vertex_count() - move_.vertices; v < vertex_count(); ++v) {
        float* axis = axis_of(rows + (f * vertex_count() + v) * 3);
        *axis = move_.smallest ? smallest_step(*axis) : static_cast<float>(*axis + move_.by_m);
      }
    }
  }

 private:
  const FrameSource& source_;
  Move move_;
};

// The length of the smallest step of the last vertex in the last frame.
double smallest_distance(const FrameSource& source) {
  std::vector<float> row(static_cast<std::size_t>(source.vertex_count()) * 3);
  source.read(source.frame_count() - 1, 1, row.data());
  const float from = *axis_of(row.data() + row.size() - 3);
  return double{smallest_step(from)} - from;
}

// The largest number of vertices that does not exceed this part of all vertices.
std::int64_t most_allowed(double part, std::int64_t vertices) {
  auto allowed = static_cast<std::int64_t>(part * static_cast<double>(vertices));
  const auto is_kept = [&](std::int64_t count) {
    return static_cast<double>(count) / static_cast<double>(vertices) <= part;
  };
  while (allowed > 0 && !is_kept(allowed)) --allowed;
  while (allowed < vertices && is_kept(allowed + 1)) ++allowed;
  return allowed;
}

struct SelfTest {
  const DiffPlan& plan;
  const MeshRecord& mesh;

  Difference measure(const Move& move, const std::vector<double>& limits_m) const {
    const MovedFrames moved(*plan.a, move);
    DiffPlan test = plan;
    test.b = &moved;
    test.limits_m = limits_m;
    test.details = false;
    test.progress = {};
    return difference_of(test);
  }

  SelfTestRecord evaluate(const Threshold& threshold, const Move& move, bool expected) const {
    Report report;
    report.meshes.push_back(mesh);
    RunRecord& run = report.meshes.front().runs.emplace_back();
    run.frames = plan.frames;
    run.error =
        measure(move, Thresholds{{threshold}, {}, {}}.vertex_limits_m(mesh.bbox_diagonal_m)).error;
    const Check check = evaluate_threshold(threshold, report);
    return {threshold.option, threshold.limit, threshold.unit, move.by_m,    move.vertices,
            move.frames,      check.value,     expected,       !check.passed};
  }

  // Displaces vertices by more and by less than the threshold allows, and evaluates it for both.
  void test(const Threshold& threshold, std::vector<SelfTestRecord>& tests) const {
    const std::int64_t vertices = plan.a->vertex_count();
    const bool is_over = threshold.metric == "error.over";
    const bool is_rms = threshold.metric.starts_with("error.rms");
    double limit_m = threshold.limit;
    if (threshold.metric.ends_with("_relative")) limit_m *= mesh.bbox_diagonal_m;
    if (is_over) limit_m = threshold.vertex_limit_m(mesh.bbox_diagonal_m);
    Move large{2 * limit_m, 1, 1}, small{limit_m / 2, 1, 1};
    if (is_rms) {
      large.vertices = small.vertices = vertices;
      large.frames = small.frames = plan.a->frame_count();
    }
    if (is_over) {
      small = {2 * limit_m, most_allowed(threshold.limit, vertices), 1};
      large.vertices = std::min(small.vertices + 1, vertices);
    }
    if (limit_m == 0) {
      large.smallest = true;
      large.by_m = smallest_distance(*plan.a);
      small.smallest = is_over;  // the allowed number of vertices moves
      small.by_m = is_over ? large.by_m : 0;
    }
    tests.push_back(evaluate(threshold, large, true));
    tests.push_back(evaluate(threshold, small, false));
  }
};

}  // namespace

std::vector<SelfTestRecord> test_thresholds(const DiffPlan& plan, const Thresholds& thresholds,
                                            const MeshRecord& mesh) {
  const SelfTest self_test{plan, mesh};
  std::vector<SelfTestRecord> tests;
  for (const Threshold& threshold : thresholds.given) self_test.test(threshold, tests);
  if (!tests.empty()) return tests;
  const Move smallest{smallest_distance(*plan.a), 1, 1, true};
  const Difference found = self_test.measure(smallest, {});
  tests.push_back(
      {"", {}, Unit::kMetres, smallest.by_m, 1, 1, found.error.max, true, found.vertices > 0});
  return tests;
}

std::string self_test_text(const std::vector<SelfTestRecord>& tests) {
  std::string text;
  for (const SelfTestRecord& t : tests) {
    text +=
        fmt::format("self-test: {}: {} moved by {:.6g} m in {}: {}, {}{}\n",
                    t.option.empty() ? "any difference" : t.option,
                    counted(static_cast<std::size_t>(t.vertices), "vertex", "vertices"),
                    t.moved_by_m, counted(static_cast<std::size_t>(t.frames), "frame", "frames"),
                    with_unit(t.value, t.unit, kTerminalDigits), t.exceeded ? "caught" : "kept",
                    t.exceeded == t.expected ? "" : ", which is wrong");
  }
  return text;
}

}  // namespace skinbake::cli
