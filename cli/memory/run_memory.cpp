#include "memory/run_memory.h"

#include <algorithm>
#include <utility>

#include "outputs/cache_outputs.h"
#include "skinbake/memory.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

// A number per vertex in a JSON report: the digits of a double, and a comma.
constexpr std::uint64_t kNumberText = 24;
constexpr std::uint64_t kNumbersPerVertex = 3;
// A number per frame, whose vector and whose text may have grown to twice their size.
constexpr std::uint64_t kFrameNumber = 2 * sizeof(double), kFrameNumberText = 60;
constexpr std::uint64_t kErrorsPerFrame = 6, kMeasuresPerFrame = 3;  // of each other metric
// A run in the report, and the sinks of its bake, apart from numbers per vertex and frame.
constexpr std::uint64_t kRun = 16 << 10;

void add(const BakeMemory& bake, MemoryPlan& plan) {
  plan.hold("the mesh as methods read it", bake.rigs);
  plan.use("the preparation of the method", bake.bind);
  plan.use("16 frames of the mesh", bake.block);
}

class RunMemory {
 public:
  RunMemory(const BakeOptions& options, const Asset& asset, const ResolvedOptions& resolved,
            std::deque<MeshJobs>& meshes)
      : options_(options),
        resolved_(resolved),
        caches_(memory_of_caches(options, asset, resolved, meshes)) {
    run_.hold("open caches", caches_.held);
    run_.hold("the meshes and clips of the file", memory_of(asset));
    for (const ModifiedRig& rig : resolved.modified) hold_changed(rig.rig);
    for (const std::vector<ModifiedRig>& rigs : resolved.profiled) {
      for (const ModifiedRig& rig : rigs) hold_changed(rig.rig);
    }
    for (const MeshJobs& mesh : meshes) hold_results(mesh);
    run_.use("the text of the report", text_ * (1 + options.reports.files.size()));
    if (options.reports.view) hold_view(run_);
  }

  // The plan of the run while the jobs of a mesh are at work.
  MemoryPlan while_baking(MeshJobs& mesh) const {
    MemoryPlan plan = run_;
    const std::vector<std::uint64_t>& caches = caches_.active[mesh.number];
    if (!caches.empty()) {
      plan.hold("open caches", *std::max_element(caches.begin(), caches.end()));
    }
    BakeMemory most;
    std::uint64_t metrics = 0;
    for (const Job& job : mesh.jobs) {
      BakePlan bake = plan_of(options_, resolved_, mesh, job);
      // The first check precedes the recorders. One without frames has blocks of the same memory.
      const bool has_reference = resolved_.reference.kind != Reference::Kind::kNone;
      const bool is_recorded = options_.reports.view && job.recorders.empty();
      const std::unique_ptr<ViewRecorder> recorder =
          is_recorded ? record_view(*job.rig, {}, 1, has_reference) : nullptr;
      for (std::size_t v = 0; v < resolved_.variants.size(); ++v) {
        MethodRun& run = bake.runs.emplace_back(run_of(resolved_.variants[v], mesh));
        for (const JobCache& cache : job.caches) {
          if (cache.variant == v) run.sinks.push_back(cache.writer.get());
        }
        if (!job.recorders.empty()) run.sinks.push_back(job.recorders[v].get());
        if (recorder) run.sinks.push_back(recorder.get());
      }
      if (options_.wants_report()) bake.reference = resolved_.reference;
      // The jobs differ only in their blocks.
      if (&job == &mesh.jobs.front()) most = memory_of(bake);
      const std::uint64_t verified = options_.verify ? verified_block(job) : 0;
      most.block = std::max(most.block, block_memory_of(bake) + verified);
    }
    if (options_.wants_report()) most.block += measured_block(mesh, metrics);
    plan.hold("the surface that is measured", metrics);
    add(most, plan);
    return plan;
  }

  // Adds what a later check finds beside the same run, when its outputs are open: normals of
  // blocks, and the positions that they need. A refusal names both at once.
  void hold_unopened(const MeshJobs& mesh, MemoryPlan& plan) const {
    if (!mesh.jobs.front().caches.empty() || !any_stores_normals(options_)) return;
    const std::uint64_t positions =
        mesh.record.rig->mesh->positions.size() * kFramesPerBlock * sizeof(float);
    plan.hold("the normals of outputs", 2 * positions * (options_.load.tangents ? 2 : 1));
  }

 private:
  // Modifiers copy the influences of a rig; a mesh is copied only where they change it.
  void hold_changed(const Rig& rig) { run_.hold("the influences of modifiers", memory_of(rig)); }

  void hold_results(const MeshJobs& mesh) {
    const std::uint64_t variants = resolved_.variants.size();
    const std::uint64_t vertices = mesh.record.rig->mesh->vertex_count();
    for (const Job& job : mesh.jobs) {
      const auto frames = static_cast<std::uint64_t>(job.frames.frame_count);
      if (!options_.wants_report()) continue;
      const std::uint64_t numbers = numbers_per_frame(mesh) * frames;
      run_.hold("the results of the report",
                variants * (kRun + error_memory(static_cast<VertexIndex>(vertices)).result +
                            kFrameNumber * numbers));
      text_ += variants * kFrameNumberText * numbers;
      if (options_.per_vertex == PerVertex::kJson) {
        text_ += variants * kNumberText * kNumbersPerVertex * vertices;
      }
    }
  }

  // --verify evaluates the frames again, for verifiers in the place of writers. Returns what these
  // need more.
  static std::uint64_t verified_block(const Job& job) {
    std::uint64_t writers = 0, verifiers = 0;
    for (const JobCache& cache : job.caches) {
      writers += cache.writer->state_bytes();
      verifiers += verifier_bytes(*cache.writer, cache.header);
    }
    return verifiers - std::min(writers, verifiers);
  }

  std::uint64_t numbers_per_frame(const MeshJobs& mesh) const {
    std::uint64_t numbers = options_.needs_error() ? kErrorsPerFrame : 0;
    const bool wants_volume = options_.measures("volume");
    // The loss of each joint region.
    if (wants_volume) numbers += resolved_.topologies[mesh.number].joint_regions;
    for (const MetricInfo& metric : metrics()) {
      const bool is_measured = metric.id != "error" && options_.measures(metric.id);
      if (is_measured) numbers += kMeasuresPerFrame;
    }
    return numbers;
  }

  // The metrics' part of a block. Adds what they keep beside it.
  std::uint64_t measured_block(const MeshJobs& jobs, std::uint64_t& kept) const {
    const Rig& rig = *jobs.record.rig;
    const Mesh& mesh = *rig.mesh;
    const std::uint64_t variants = resolved_.variants.size();
    const bool is_rebuilt = options_.baseline == Baseline::kFirstFrame;
    const std::uint64_t surfaces =
        options_.baseline == Baseline::kBind || is_rebuilt ? 1 : variants;
    const TopologyMemory& topology = resolved_.topologies[jobs.number];
    kept += topology.while_built + (surfaces - 1) * topology.built;
    std::uint64_t block = 0;
    if (options_.needs_error()) {
      kept += variants * error_memory(mesh.vertex_count()).result;
      block += variants * error_memory(mesh.vertex_count()).state;
    }
    if (mesh.triangles.empty()) return block;
    std::uint64_t whole = 0;
    for (const MetricInfo& metric : metrics()) {
      if (metric.id == "error" || !options_.measures(metric.id)) continue;
      const MetricMemory memory =
          metric.memory == nullptr ? volume_memory(mesh, topology) : metric.memory(rig);
      kept += variants * memory.kept;
      block += variants * memory.state;
      whole = std::max(whole, memory.whole);
    }
    return block + variants * whole;
  }

  const BakeOptions& options_;
  const ResolvedOptions& resolved_;
  CachesMemory caches_;
  MemoryPlan run_;
  std::uint64_t text_ = 0;
};

}  // namespace

void hold_view(MemoryPlan& plan) {
  // The frames as base64, and the page around them.
  constexpr std::uint64_t kPage = 2 * (kMostViewBytes / 3 * 4);
  plan.hold("the frames of the page", kMostViewBytes);
  plan.hold("the page with its frames", kPage);
}

void require_memory(const BakeOptions& options, const Asset& asset, ResolvedOptions& resolved,
                    std::deque<MeshJobs>& meshes) {
  const RunMemory memory(options, asset, resolved, meshes);
  const std::uint64_t limit = options.load.max_memory;
  std::uint64_t left = kBlockMemory, needed = 0;
  LargestBake refused;
  for (MeshJobs& mesh : meshes) {
    MemoryPlan plan = memory.while_baking(mesh);
    left = std::min(left, left_for_frames(plan, limit));
    needed = std::max(needed, plan.bytes());
    memory.hold_unopened(mesh, plan);
    refused.add(*resolved.rigs[mesh.number], std::move(plan));
  }
  if (needed > limit) {
    refused.require(asset, limit, "bake fewer meshes, clips or methods at a time");
  }
  const std::uint64_t spare = limit - needed;
  resolved.block_memory = left;
  // Frames in flight may take the rest of the limit as well, and the peak may exceed the limit.
  constexpr std::uint64_t kShare = 8;
  const std::uint64_t growth = kShare * resolved.variants.size();
  resolved.spare_memory = {spare / growth, limit, growth};
}

MemoryPlan while_baking(const BakeMemory& bake, const Asset& asset, MemoryPlan held) {
  held.hold("the meshes and clips of the file", memory_of(asset));
  add(bake, held);
  return held;
}

std::uint64_t left_for_frames(const MemoryPlan& plan, std::uint64_t limit) {
  return std::min(kBlockMemory, limit - std::min(limit, plan.held()));
}

void LargestBake::add(const Rig& rig, MemoryPlan plan) {
  if (rig_ != nullptr && plan.bytes() <= plan_.bytes()) return;
  rig_ = &rig;
  plan_ = std::move(plan);
}

void LargestBake::require(const Asset& asset, std::uint64_t limit,
                          const std::string& remedy) const {
  if (rig_ == nullptr) return;
  plan_.require(limit,
                fmt::format("mesh '{}' of {} vertices", rig_->id, rig_->mesh->vertex_count()),
                remedy, {asset.path, "/nodes/" + std::to_string(rig_->node)});
}

}  // namespace skinbake::cli
