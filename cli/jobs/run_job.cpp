// Evaluates one job: the metrics of every variant measure the frames while they are computed. If
// the caches have the end of a clip between two frames, the metrics have a pass of their own: the
// distances in time of what they compare are equal.

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/paths.h"
#include "jobs/bake_job.h"

namespace skinbake::cli {

namespace {

// The pose that volumes are compared with.
BaselinePose baseline_of(const MeshRun& on, const Job& job, const MethodRun& run) {
  const Baseline kind = on.options.baseline;
  BaselinePose baseline = bind_baseline(*job.rig);
  baseline.kind = kind;
  if (kind == Baseline::kRest) {
    baseline.positions = pose_positions(*run.rig, {}, run.method, on.resolved.joint_parameters);
  }
  if (kind == Baseline::kFirstFrame) {
    BakePlan plan = plan_of(on, job);
    plan.runs = {run};
    plan.frames.first_frame = 0;  // of the clip, so that every part of it has the same baseline
    baseline.positions = first_frame_positions(std::move(plan));
  }
  return baseline;
}

std::shared_ptr<Surface> build_surface(const MeshRun& on, const Job& job, const MethodRun& run) {
  auto surface = std::make_shared<Surface>();
  surface->baseline = baseline_of(on, job, run);
  // With one thread, or if the system grants no more, the surface is built when the first block
  // needs it. So is a small one, which takes less time than the start of a thread.
  constexpr std::size_t kTrianglesForThread = 1024;
  const bool is_alone =
      on.options.threads == 1 || job.rig->mesh->triangles.size() < kTrianglesForThread;
  const auto when = is_alone ? std::launch::deferred : std::launch::async | std::launch::deferred;
  surface->built = std::async(when, [rig = job.rig, s = surface.get()] {
    if (!rig->mesh->triangles.empty()) s->topology = build_topology(*rig, s->baseline);
  });
  return surface;
}

// The mesh's surface for the job and variants[v]. Builds it on first use.
std::shared_ptr<Surface> surface_of(const MeshRun& on, const Job& job, std::size_t v) {
  const auto& [options, resolved, mesh] = on;
  mesh.surfaces.resize(options.baseline == Baseline::kBind ? 1 : resolved.variants.size());
  std::shared_ptr<Surface>& cached = mesh.surfaces[std::min(v, mesh.surfaces.size() - 1)];
  if (cached && options.baseline != Baseline::kFirstFrame) return cached;
  std::shared_ptr<Surface> surface = build_surface(on, job, run_of(resolved.variants[v], mesh));
  if (!cached) cached = surface;
  add_once(surface->baseline.issues, mesh.issues);
  return surface;
}

// The metrics of one variant. They use the unmodified mesh: profiles change its influences, not its
// geometry.
struct RunMetrics {
  std::shared_ptr<Surface> surface;
  std::unique_ptr<PositionErrorMetric> error;
  std::unique_ptr<VolumeMetric> volume;
  ChosenMetrics others;
};

// Writes every error of a variant to --error-matrix; empty without that option.
DistanceRow row_of(const Job& job, std::size_t v) {
  if (job.matrices.empty()) return {};
  return [matrix = job.matrices[v].get()](std::int64_t position, std::span<const float> distances) {
    matrix->write(position, distances);
  };
}

RunMetrics make_metrics(const MeshRun& on, const Job& job, std::size_t v) {
  const BakeOptions& options = on.options;
  RunMetrics measured;
  if (!options.wants_report()) return measured;
  measured.surface = surface_of(on, job, v);
  const double diagonal_m = measured.surface->baseline.bbox_diagonal_m;
  on.mesh.record.bbox_diagonal_m = diagonal_m;
  if (options.needs_error()) {
    measured.error =
        measure_position_error(*job.rig, job.frames, diagonal_m,
                               {options.thresholds.vertex_limits_m(diagonal_m), row_of(job, v)});
  }
  const auto topology = [surface = measured.surface.get()]() -> const Topology& {
    surface->built.get();
    return *surface->topology;
  };
  const bool wants_volume = options.measures("volume");
  if (wants_volume && !job.rig->mesh->triangles.empty()) {
    measured.volume = measure_volume(*job.rig, topology, job.frames);
  }
  measured.others = ChosenMetrics(
      options.metrics,
      {job.rig, job.clip, job.frames, options.frames.space, &measured.surface->baseline, topology},
      options.thresholds);
  return measured;
}

RunRecord record_of(const MeshRun& on, const Job& job, const Variant& variant,
                    const RunMetrics& measured) {
  MeshJobs& mesh = on.mesh;
  const std::string reference =
      job.reference ? shown(job.reference->path()) : on.resolved.reference_name;
  RunRecord run{
      clip_id(job.clip), variant.method.canonical(), {job.frames, job.clip}, reference, {}, {}};
  run.profile = variant.profile;
  run.rig = variant.rigs[mesh.number];
  run.method_on_mesh = name_on_mesh(variant.method, *run.rig);
  if (measured.surface) measured.surface->built.get();
  if (measured.error) run.error = measured.error->result();
  if (measured.volume) {
    run.volume = measured.volume->result();
    add_once(run.volume->issues, mesh.issues);
  }
  run.metrics = measured.others.results();
  for (const MetricResult& result : run.metrics) add_once(result.issues, mesh.issues);
  return run;
}

void add_caches(const Job& job, std::size_t v, MethodRun& run) {
  for (const JobCache& cache : job.caches) {
    if (cache.variant == v) run.sinks.push_back(cache.writer.get());
  }
}

void add_metrics(const Job& job, std::size_t v, const RunMetrics& measured, MethodRun& run) {
  if (measured.error) run.sinks.push_back(measured.error.get());
  if (measured.volume) run.sinks.push_back(measured.volume.get());
  measured.others.add_sinks(run);
  if (!job.recorders.empty()) run.sinks.push_back(job.recorders[v].get());
}

// Evaluates the frames of the caches alone: they have the end of the clip, which is not measured.
void bake_caches(const MeshRun& on, const Job& job, BakePlan plan) {
  plan.frames = cache_frames(on.options, job);
  for (std::size_t v = 0; v < on.resolved.variants.size(); ++v) {
    add_caches(job, v, plan.runs.emplace_back(run_of(on.resolved.variants[v], on.mesh)));
  }
  bake(plan);
}

}  // namespace

void add_once(const Issues& found, Issues& issues) {
  for (const Issue& issue : found) {
    const bool known = std::any_of(issues.begin(), issues.end(), [&](const Issue& other) {
      return other.code == issue.code && other.file == issue.file && other.pointer == issue.pointer;
    });
    if (!known) issues.push_back(issue);
  }
}

MethodRun run_of(const Variant& variant, const MeshJobs& mesh) {
  return {variant.method, {}, variant.rigs[mesh.number]};
}

BakePlan plan_of(const MeshRun& on, const Job& job) {
  const BakeOptions& options = on.options;
  BakePlan plan;
  plan.rig = job.rig;
  plan.clip = job.clip;
  plan.frames = job.frames;
  plan.space = options.frames.space;
  plan.threads = options.threads;
  plan.bind_cache = options.bind_cache;
  plan.found = [&mesh = on.mesh](const Issue& issue) { add_once({issue}, mesh.issues); };
  plan.joint_parameters = on.resolved.joint_parameters;
  return plan;
}

void run_joint_prepasses(const MeshRun& on) {
  const auto& [options, resolved, mesh] = on;
  for (const Job& job : mesh.jobs) {
    BakePlan plan = plan_of(on, job);
    plan.frames = cache_frames(options, job);
    for (std::size_t v = 0; v < resolved.variants.size(); ++v) {
      MethodRun run = run_of(resolved.variants[v], mesh);
      for (const JobCache& cache : job.caches) {
        FrameSink* const sink = cache.writer->joint_prepass();
        if (cache.variant == v && sink != nullptr) run.sinks.push_back(sink);
      }
      if (!run.sinks.empty()) plan.runs.push_back(run);
    }
    if (!plan.runs.empty()) bake(plan);
  }
}

void run_job(const MeshRun& on, Job& job, const JobProgress& progress) {
  const auto& [options, resolved, mesh] = on;
  const auto start = std::chrono::steady_clock::now();
  BakePlan plan = plan_of(on, job);
  plan.progress = progress.frames;
  plan.bind_progress = progress.bind;
  const bool has_end = cache_frames(options, job).frame_count > job.frames.frame_count;
  if (has_end) {
    bake_caches(on, job, plan);
    plan.progress = {};
  }
  std::vector<RunMetrics> measured;
  for (std::size_t v = 0; v < resolved.variants.size(); ++v) {
    const RunMetrics& metrics = measured.emplace_back(make_metrics(on, job, v));
    MethodRun& run = plan.runs.emplace_back(run_of(resolved.variants[v], mesh));
    if (!has_end) add_caches(job, v, run);
    add_metrics(job, v, metrics, run);
    if (metrics.error || !job.recorders.empty()) plan.reference = resolved.reference;
  }
  plan.reference.frames = job.reference.get();
  if (!has_end || options.wants_report() || !job.recorders.empty()) bake(plan);
  plan.reference = {};
  plan.progress = {};
  for (std::size_t v = 0; v < resolved.variants.size(); ++v) {
    const Variant& variant = resolved.variants[v];
    plan.runs = {run_of(variant, mesh)};
    measured[v].others.bake_other_frames(plan);
    RunRecord& run = mesh.record.runs.emplace_back(record_of(on, job, variant, measured[v]));
    if (!job.per_vertex.empty()) run.per_vertex_file = write_per_vertex(run, job.per_vertex[v]);
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  job.seconds = elapsed.count();
}

}  // namespace skinbake::cli
