// Measures the kernels against plain loops of the same run: 100 000 vertices, 4 influences, 64
// joints, one thread. `scripts/bench kernels` runs it and prints the table (README.md in this
// folder).
//
// Real rigs are between the two that are measured: in `tube` neighbouring vertices have the same
// joints, as in a limb; in `scattered` neighbouring vertices do not have a common joint.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numbers>

#include "bake/block/baked_block.h"
#include "bake/kernels/targets.h"
#include "benchmarks/programs/evaluation.h"
#include "benchmarks/programs/fastest_times.h"
#include "benchmarks/programs/plain_loops.h"
#include "clip/poses/rigid_pose.h"
#include "frames/transpose.h"
#include "math/scalar.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

constexpr int kFrames = 240;

Rig tube() {
  return test::tube({.rings = 1000, .segments = 100, .joints = 64, .influences = 4});
}

// The tube with its influences permuted: those of successive vertices are 62 rings, four joints,
// apart.
Rig scattered() {
  Rig rig = tube();
  const std::vector<Influence> original = rig.influences;
  const std::size_t count = rig.mesh->vertex_count(),
                    step = 6173;  // does not have a common factor with count
  for (std::size_t v = 0; v < count; ++v) {
    std::copy_n(&original[v * step % count * 4], 4, &rig.influences[v * 4]);
  }
  return rig;
}

// A rig, and one block of its clip in every form that is measured.
struct Scene {
  Rig rig;
  Clip clip = test::turning_clip(rig, {0.6, 0.8, 0}, std::numbers::pi * 0.9);
  Vec3<double> centre = centre_of(*rig.mesh);
  PackedRig<float> packed_rig{rig, centre};
  std::vector<plain::Vertex> rest;
  std::vector<plain::Influences> influences;
  std::vector<std::vector<plain::Matrix>> matrices;  // [frame][joint]
  std::vector<std::vector<plain::DualQuaternion>> dual_quaternions;

  explicit Scene(Rig scene_rig) : rig(std::move(scene_rig)) {
    PoseSampler sampler(rig, &clip, centre);
    const RigidFactors factors(rig, centre);
    SampledPose pose;
    RigidPose rigid;
    for (int f = 0; f < kFramesPerBlock; ++f) {
      sampler.sample(f / 16.0, pose);
      factors.factor(pose, rigid);
      add_plain_frame(pose, rigid);
    }
    for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
      const float* p = packed_rig.positions.data() + std::size_t{v} * 3;
      rest.push_back({{p[0], p[1], p[2]}});
      plain::Influences& in = influences.emplace_back();
      for (int i = 0; i < 4; ++i) {
        in.joint[i] = packed_rig.influences_of(v)[i].joint;
        in.weight[i] = packed_rig.influences_of(v)[i].weight;
      }
    }
  }

  void add_plain_frame(const SampledPose& pose, const RigidPose& rigid) {
    std::vector<plain::Matrix>& m = matrices.emplace_back();
    std::vector<plain::DualQuaternion>& q = dual_quaternions.emplace_back();
    for (std::size_t j = 0; j < rig.joints.size(); ++j) {
      const double* e = &pose.posed_from_rest[j].x.x;
      plain::Matrix& matrix = m.emplace_back(plain::Matrix{});
      for (int i = 0; i < 12; ++i) matrix.m[i / 3 * 4 + i % 3] = static_cast<float>(e[i]);
      const DualQuat<double> dq = to_dual_quat(rigid.posed_from_scaled[j]);
      const double* d = &dq.real.w;
      plain::DualQuaternion& dual = q.emplace_back();
      for (int i = 0; i < 4; ++i) {
        dual.real[i] = static_cast<float>(d[i]);
        dual.dual[i] = static_cast<float>(d[i + 4]);
      }
    }
  }

  VertexIndex vertex_count() const { return rig.mesh->vertex_count(); }
  std::int64_t vertex_frames() const { return std::int64_t{vertex_count()} * kFramesPerBlock; }
};

const Scene& tube_scene() {
  static const Scene scene(tube());
  return scene;
}
const Scene& scattered_scene() {
  static const Scene scene(scattered());
  return scene;
}
using SceneOf = const Scene& (*)();

template <class Joint>
void plain_loop(benchmark::State& state, const Scene& scene,
                const std::vector<std::vector<Joint>>& joints,
                void (*loop)(const plain::Vertex*, const plain::Influences*, const Joint*,
                             std::size_t, plain::Vertex*)) {
  std::vector<plain::Vertex> posed(scene.vertex_count());
  for (auto _ : state) {
    for (const std::vector<Joint>& frame : joints) {
      loop(scene.rest.data(), scene.influences.data(), frame.data(), posed.size(), posed.data());
      benchmark::DoNotOptimize(posed.data());
      benchmark::ClobberMemory();
    }
  }
  state.SetItemsProcessed(state.iterations() * scene.vertex_frames());
}

// The seconds of one block of frames: the fastest of some runs.
double seconds_of(plain::LinearBlend loop, const Scene& scene) {
  std::vector<plain::Vertex> posed(scene.vertex_count());
  double fastest_s = 1e9;
  for (int run = 0; run < 20; ++run) {
    const auto start = std::chrono::steady_clock::now();
    for (const std::vector<plain::Matrix>& frame : scene.matrices) {
      loop(scene.rest.data(), scene.influences.data(), frame.data(), posed.size(), posed.data());
      benchmark::DoNotOptimize(posed.data());
    }
    const std::chrono::duration<double> run_s = std::chrono::steady_clock::now() - start;
    fastest_s = std::min(fastest_s, run_s.count());
  }
  return fastest_s;
}

// The fastest spelling of the plain loop with this compiler, and prints the time of each.
plain::LinearBlend fastest_plain_lbs() {
  const Scene& scene = tube_scene();
  plain::LinearBlend fastest = nullptr;
  double fastest_s = 0;
  std::printf("plain LBS loops; the fastest is the reference\n");
  for (const plain::LinearBlendLoop& loop : plain::kLinearBlendLoops) {
    const double loop_s = seconds_of(loop.run, scene);
    std::printf("  %-50s %6.2f ns\n", loop.name,
                1e9 * loop_s / static_cast<double>(scene.vertex_frames()));
    if (fastest != nullptr && loop_s >= fastest_s) continue;
    fastest = loop.run;
    fastest_s = loop_s;
  }
  return fastest;
}

void plain_lbs(benchmark::State& state, SceneOf of) {
  static const plain::LinearBlend fastest = fastest_plain_lbs();
  plain_loop(state, of(), of().matrices, fastest);
}
void plain_dqs(benchmark::State& state, SceneOf of) {
  plain_loop(state, of(), of().dual_quaternions, plain::dual_quaternion);
}

enum class Output { kTile, kTileWithNormals };

// The last evaluation is reused: its bind takes longer than the measurement, and is the same for
// all instruction sets.
const Evaluation& evaluation_of(const Scene& scene, const Method& method, const std::string& name) {
  static std::pair<const Scene*, std::string> last;
  static std::unique_ptr<Evaluation> evaluation;
  if (last != std::pair(&scene, name)) {
    evaluation = std::make_unique<Evaluation>(scene.rig, scene.clip, std::vector{method});
    last = {&scene, name};
  }
  return *evaluation;
}

// The kernel over all tiles. All tiles are written to the same memory: the output stays in cache.
// The time includes preparing joints and parts, and excludes sampling the clip, which is the same
// for all methods.
void lanes(benchmark::State& state, SceneOf of, const std::string& target,
           const std::string& method_name, Output output) {
  force_target(target);
  const Method method = parse_method(method_name);
  const Scene& scene = of();
  const Evaluation& evaluation = evaluation_of(scene, method, method_name);
  AlignedArray<float> positions(kVerticesPerTile * 3 * kFramesPerBlock);
  AlignedArray<float> normals(kVerticesPerTile * 3 * kFramesPerBlock);
  RelaxBuffers<float> buffers;
  bool is_finite = true;
  for (auto _ : state) {
    evaluation.joints->prepare(*evaluation.job);
    if (kernels<float>(method).relax != nullptr) {
      benchmark::DoNotOptimize(
          relaxed_positions(*evaluation.job, *evaluation.joints, 0, buffers, is_finite));
      continue;
    }
    visit_tiles(scene.vertex_count(), [&](VertexRange vertices) {
      evaluation.skin(0, vertices, positions.data(),
                      output == Output::kTileWithNormals ? normals.data() : nullptr);
      benchmark::ClobberMemory();
    });
  }
  state.SetItemsProcessed(state.iterations() * scene.vertex_frames());
  force_target("");
}

// Writes 240 frames, 288 MB, in frame-major order.
void lanes_to_rows(benchmark::State& state) {
  const Method method = parse_method("lbs");
  const Scene& scene = tube_scene();
  const Evaluation evaluation(scene.rig, scene.clip, {method});
  AlignedArray<float> tile(kVerticesPerTile * 3 * kFramesPerBlock);
  const std::size_t row = std::size_t{scene.vertex_count()} * 3;
  std::vector<float> rows(row * kFrames);
  for (auto _ : state) {
    for (int first = 0; first < kFrames; first += kFramesPerBlock) {
      evaluation.joints->prepare(*evaluation.job);
      float* const rows_of_block = rows.data() + static_cast<std::size_t>(first) * row;
      visit_tiles(scene.vertex_count(), [&](VertexRange vertices) {
        evaluation.skin(0, vertices, tile.data());
        transpose_to_rows(tile.data(), std::size_t{vertices.count} * 3, kFramesPerBlock,
                          rows_of_block + std::size_t{vertices.first} * 3, row);
      });
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * std::int64_t{scene.vertex_count()} * kFrames);
}

void memory_copy(benchmark::State& state) {
  const Scene& scene = tube_scene();
  const std::size_t size = std::size_t{scene.vertex_count()} * 3 * kFrames;
  std::vector<float> from(size), to(size);
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), size * sizeof(float));
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * std::int64_t{scene.vertex_count()} * kFrames);
}

class Collector : public FastestTimes {
 public:
  // The cost of each method relative to linear blending, for lib/methods/costs.h.
  void print_costs(const std::string& target) const {
    const std::string on = "_tube_" + target;
    std::printf("\ncosts relative to lbs (%s)\n", target.c_str());
    for (const MethodInfo& method : methods()) {
      const std::string id(method.id);
      if (!has(id + on) || !has("lbs" + on)) continue;
      std::printf("%s %.1f\n", id.c_str(), ns(id + on) / ns("lbs" + on));
    }
  }

  void print_ratio(const char* what, const std::string& slow, const std::string& fast,
                   const char* goal) const {
    if (!has(slow) || !has(fast)) return;
    std::printf("%-52s %6.2f ns / %6.2f ns = %5.2f   (%s)\n", what, ns(slow), ns(fast),
                ns(slow) / ns(fast), goal);
  }
};

struct NamedScene {
  const char* name;
  SceneOf of;
};
constexpr NamedScene kScenes[] = {{"tube", tube_scene}, {"scattered", scattered_scene}};

// Every method; direct delta mush also with the number of joints for which its goal is set.
std::vector<std::string> measured_methods() {
  std::vector<std::string> names;
  for (const MethodInfo& method : methods()) names.emplace_back(method.id);
  names.emplace_back("ddm:prune=8");
  return names;
}

// Benchmarks are named "what_scene" or "what_scene_target".
void register_scene(const NamedScene& scene) {
  const std::string on = std::string("_") + scene.name;
  benchmark::RegisterBenchmark(("plain_lbs" + on).c_str(), plain_lbs, scene.of);
  benchmark::RegisterBenchmark(("plain_dqs" + on).c_str(), plain_dqs, scene.of);
  for (const std::string& name : measured_methods()) {
    for (const std::string& target : supported_targets()) {
      benchmark::RegisterBenchmark((name + on + "_" + target).c_str(), lanes, scene.of, target,
                                   name, Output::kTile);
    }
  }
  for (const std::string& target : supported_targets()) {
    benchmark::RegisterBenchmark(("lbs_normals" + on + "_" + target).c_str(), lanes, scene.of,
                                 target, "lbs", Output::kTileWithNormals);
  }
}

void register_all() {
  for (const NamedScene& scene : kScenes) register_scene(scene);
  benchmark::RegisterBenchmark("lbs_rows", lanes_to_rows);
  benchmark::RegisterBenchmark("memcpy_rows", memory_copy);
}

// Goals relative to linear blending, with AVX-512.
constexpr std::pair<const char*, const char*> kGoals[] = {
    {"dqs", "at most 3"},          {"dib", "at most 45"},       {"sbs", "at most 6"},
    {"sbs-core", "at most 25"},    {"sbs+", "at most 25"},      {"sbs++", "at most 25"},
    {"sbs-ellipse", "at most 25"}, {"sbs-conic", "at most 25"}, {"lmb", "at most 20"},
    {"cor", "at most 5"},          {"dm", "at most 40"},        {"ddm", "prune=32"},
    {"ddm:prune=8", "at most 15"}, {"jst", "at most 20"}};

void print_scene(const Collector& collector, const std::string& scene) {
  for (const std::string& target : supported_targets()) {
    if (target == "SCALAR") continue;
    const std::string on = " (" + scene + ", " + target + ")", suffix = "_" + scene + "_" + target;
    const bool wide = target == "AVX3";
    collector.print_ratio(("plain LBS loop / LBS lanes" + on).c_str(), "plain_lbs_" + scene,
                          "lbs" + suffix, wide ? "at least 5" : "at least 3");
    collector.print_ratio(("plain DQS loop / DQS lanes" + on).c_str(), "plain_dqs_" + scene,
                          "dqs" + suffix, "at least 8");
    for (const auto& [id, goal] : kGoals) {
      collector.print_ratio((std::string(id) + " lanes / LBS lanes" + on).c_str(), id + suffix,
                            "lbs" + suffix, goal);
    }
    collector.print_ratio(("LBS with normals / without" + on).c_str(), "lbs_normals" + suffix,
                          "lbs" + suffix, "at most 2.2");
  }
}

void print_ratios(const Collector& collector) {
  std::printf("\nns per vertex and frame, and their ratio\n");
  for (const NamedScene& scene : kScenes) print_scene(collector, scene.name);
  collector.print_ratio("LBS into 288 MB of rows / memcpy of as much", "lbs_rows", "memcpy_rows",
                        "at most 2");
}

}  // namespace
}  // namespace skinbake

int main(int argc, char** argv) {
  skinbake::register_all();
  skinbake::Collector collector;
  if (!skinbake::run_benchmarks(argc, argv, collector)) return 2;
  skinbake::print_ratios(collector);
  collector.print_costs(skinbake::supported_targets().front());
}
