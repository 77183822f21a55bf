// Measures the cost of each metric, relative to linear blending in lanes in the same run: 100 000
// vertices, 4 influences, 64 joints, one thread. `scripts/bench metrics` runs it and prints the
// table (README.md in this folder).
//
// A metric is called as in a bake: a tile is consumed while it is in cache, and the whole mesh is
// in memory when the block is finished. The evaluation of the frames is not timed.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <numbers>
#include <string>

#include "bake/block/block_loop.h"
#include "base/aligned_array.h"
#include "benchmarks/programs/evaluation.h"
#include "benchmarks/programs/fastest_times.h"
#include "skinbake/frames.h"
#include "skinbake/metrics.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using Clock = std::chrono::steady_clock;

// A rig, one block of its clip, and the inputs of metrics.
struct Scene {
  Rig rig = test::tube({.rings = 1000, .segments = 100, .joints = 64, .influences = 4});
  Clip clip = test::turning_clip(rig, {0.6, 0.8, 0}, std::numbers::pi * 0.9);
  BaselinePose baseline = bind_baseline(rig);
  Topology topology = build_topology(rig, baseline);
  Evaluation evaluation{rig, clip, {parse_method("lbs"), parse_method("dqs")}};

  VertexIndex vertex_count() const { return rig.mesh->vertex_count(); }

  FrameBlock block() const {
    FrameBlock block;
    block.frame_count = kFramesPerBlock;
    block.vertices = {0, vertex_count()};
    return block;
  }

  MetricInput input() const {
    return {&rig,          &clip,     evaluation.plan.frames,
            Space::kScene, &baseline, [this]() -> const Topology& { return topology; }};
  }
};

const Scene& scene() {
  static const Scene made;
  return made;
}

// Adds the time of a call to `sum`.
template <class Work>
void timed(Clock::duration& sum, const Work& work) {
  const auto start = Clock::now();
  work();
  sum += Clock::now() - start;
}

void finish_iteration(benchmark::State& state, Clock::duration time) {
  state.SetIterationTime(std::chrono::duration<double>(time).count());
}

void set_items(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * std::int64_t{scene().vertex_count()} *
                          kFramesPerBlock);
}

void lbs_lanes(benchmark::State& state) {
  const Scene& of = scene();
  AlignedArray<float> tile(kVerticesPerTile * kNumbersPerVertex);
  for (auto _ : state) {
    Clock::duration time{};
    visit_tiles(of.vertex_count(), [&](VertexRange vertices) {
      timed(time, [&] { of.evaluation.skin(0, vertices, tile.data()); });
      benchmark::ClobberMemory();
    });
    finish_iteration(state, time);
  }
  set_items(state);
}

// Runs a metric on linear blending, with dual quaternions as the reference.
void measure(benchmark::State& state, FrameSink& metric) {
  const Scene& of = scene();
  const auto block_state = metric.new_state();
  AlignedArray<float> whole(std::size_t{of.vertex_count()} * kNumbersPerVertex);
  AlignedArray<float> reference(kVerticesPerTile * kNumbersPerVertex);
  AlignedArray<float> normals;
  auto* const reader = dynamic_cast<NormalReader*>(&metric);
  if (reader != nullptr) normals = AlignedArray<float>(whole.size());
  for (auto _ : state) {
    Clock::duration time{};
    visit_tiles(of.vertex_count(), [&](VertexRange vertices) {
      FrameBlock tile = of.block();
      const std::size_t first = std::size_t{vertices.first} * kNumbersPerVertex;
      float* const positions = whole.data() + first;
      of.evaluation.skin(0, vertices, positions,
                         reader == nullptr ? nullptr : normals.data() + first);
      of.evaluation.skin(1, vertices, reference.data());
      tile.vertices = vertices;
      tile.positions = positions;
      tile.reference = reference.data();
      timed(time, [&] { metric.consume(tile, *block_state); });
    });
    FrameBlock block = of.block();
    block.positions = whole.data();
    if (reader != nullptr) reader->read_normals(block, normals.data(), *block_state);
    timed(time, [&] {
      metric.finish(block, *block_state);
      metric.merge(block, *block_state);
    });
    finish_iteration(state, time);
  }
  set_items(state);
}

void measure_error(benchmark::State& state) {
  const Scene& of = scene();
  measure(state,
          *measure_position_error(of.rig, of.evaluation.plan.frames, of.baseline.bbox_diagonal_m));
}

void measure_volumes(benchmark::State& state) {
  const Scene& of = scene();
  measure(state, *measure_volume(of.rig, of.topology, of.evaluation.plan.frames));
}

// A metric that needs other frames is given those of the run: the cost of a frame is the same.
void measure_shape(benchmark::State& state, const MetricInfo& info) {
  const auto metric = info.make(scene().input());
  if (metric->needs_other_frames()) metric->next_frames();
  measure(state, *metric);
}

class Collector : public FastestTimes {
 public:
  void print() const {
    if (!has("lbs")) return;
    const double lbs = ns("lbs");
    std::printf("\nmetrics, ns per vertex and frame, and times as long as LBS lanes\n");
    std::printf("%-24s %8.2f\n", "lbs lanes", lbs);
    for (const MetricInfo& metric : metrics()) {
      const std::string id(metric.id);
      if (has(id)) print(id, ns(id), lbs);
    }
    if (!has("error") || !has("volume")) return;
    print("error + volume", ns("error") + ns("volume"), lbs, "   (at most 15)");
  }

 private:
  static void print(const std::string& what, double ns, double lbs, const char* goal = "") {
    std::printf("%-24s %8.2f %8.2f%s\n", what.c_str(), ns, ns / lbs, goal);
  }
};

void register_all() {
  const auto add = [](const std::string& name, auto run) {
    benchmark::RegisterBenchmark(name.c_str(), run)
        ->UseManualTime()
        ->Repetitions(3)
        ->Unit(benchmark::kMillisecond);
  };
  add("lbs", lbs_lanes);
  add("error", measure_error);
  add("volume", measure_volumes);
  for (const MetricInfo& metric : metrics()) {
    if (metric.make == nullptr) continue;
    add(std::string(metric.id),
        [metric](benchmark::State& state) { measure_shape(state, metric); });
  }
}

}  // namespace
}  // namespace skinbake

int main(int argc, char** argv) {
  skinbake::register_all();
  skinbake::Collector collector;
  if (!skinbake::run_benchmarks(argc, argv, collector)) return 2;
  collector.print();
}
