// One mesh with one clip: what is measured of every method's frames while they are computed.

#include <algorithm>
#include <chrono>

#include "bake_job.h"
#include "interrupt.h"
#include "output_paths.h"

namespace skinbake::cli {

namespace {

// The pose that the surface is compared with.
BaselinePose baseline_of(const BakeOptions& options, const Resolved& resolved, const Job& job,
                         const Method& method) {
  const Rig& rig = *job.rig;
  BaselinePose baseline = bind_baseline(rig);
  if (options.baseline == Baseline::kBind) return baseline;
  const bool rest = options.baseline == Baseline::kRest;
  baseline.kind = options.baseline;
  baseline.positions =
      pose_positions(rig, rest ? nullptr : job.clip, rest ? 0 : job.frames.time_s(0), method,
                     resolved.joint_parameters);
  return baseline;
}

std::shared_ptr<Surface> build_surface(const BakeOptions& options, const Resolved& resolved,
                                       const Job& job, const Method& method) {
  auto surface = std::make_shared<Surface>();
  surface->baseline = baseline_of(options, resolved, job, method);
  // With one thread: when the first block needs it.
  const auto when = options.threads == 1 ? std::launch::deferred : std::launch::async;
  surface->built = std::async(when, [rig = job.rig, s = surface.get()] {
    if (!rig->mesh->triangles.empty()) s->topology = build_topology(*rig, s->baseline);
  });
  return surface;
}

// The mesh's surface for the job and methods[m], unless it is there already.
std::shared_ptr<Surface> surface_of(const BakeOptions& options, const Resolved& resolved,
                                    MeshJobs& mesh, const Job& job, std::size_t m) {
  mesh.surfaces.resize(options.baseline == Baseline::kBind ? 1 : resolved.methods.size());
  std::shared_ptr<Surface>& kept = mesh.surfaces[std::min(m, mesh.surfaces.size() - 1)];
  if (kept && options.baseline != Baseline::kFirstFrame) return kept;
  std::shared_ptr<Surface> surface = build_surface(options, resolved, job, resolved.methods[m]);
  if (!kept) kept = surface;
  add_once(surface->baseline.issues, mesh.issues);
  return surface;
}

// What is measured of one method's frames.
struct Measured {
  std::shared_ptr<Surface> surface;
  std::unique_ptr<PositionErrorMetric> error;
  std::unique_ptr<VolumeMetric> volume;
  ChosenMetrics others;
};

Measured measure(const BakeOptions& options, const Resolved& resolved, MeshJobs& mesh,
                 const Job& job, std::size_t m) {
  Measured measured;
  if (!options.wants_report()) return measured;
  measured.surface = surface_of(options, resolved, mesh, job, m);
  mesh.record.bbox_diagonal_m = measured.surface->baseline.bbox_diagonal_m;
  if (options.measures("error") || options.thresholds.need_error()) {
    const double diagonal_m = mesh.record.bbox_diagonal_m;
    measured.error = measure_position_error(*job.rig, job.frames, diagonal_m,
                                            options.thresholds.vertex_limits_m(diagonal_m));
  }
  const auto topology = [surface = measured.surface.get()]() -> const Topology& {
    surface->built.get();
    return *surface->topology;
  };
  const bool wants_volume = options.measures("volume") || options.thresholds.need_volume();
  if (wants_volume && !job.rig->mesh->triangles.empty()) {
    measured.volume = measure_volume(*job.rig, topology, job.frames);
  }
  measured.others = ChosenMetrics(
      options.metrics, {job.rig, job.clip, job.frames, options.frames.space,
                        &measured.surface->baseline, topology, options.in_between_limit_m});
  return measured;
}

RunRecord record_of(const Measured& measured, const Resolved& resolved, MeshJobs& mesh,
                    const Job& job, const Method& method) {
  const std::string reference =
      job.reference ? shown(job.reference->path()) : resolved.reference_name;
  RunRecord run{clip_id(job.clip), method.canonical(), job.frames, reference, {}, {}};
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

MethodRun run_of(const Job& job, const Resolved& resolved, const Measured& measured,
                 std::size_t m) {
  MethodRun run{resolved.methods[m], {}};
  for (const JobCache& cache : job.caches) {
    if (cache.method == m) run.sinks.push_back(cache.writer.get());
  }
  if (measured.error) run.sinks.push_back(measured.error.get());
  if (measured.volume) run.sinks.push_back(measured.volume.get());
  measured.others.add_sinks(run);
  if (!job.recorders.empty()) run.sinks.push_back(job.recorders[m].get());
  return run;
}

}  // namespace

void add_once(const Issues& found, Issues& issues) {
  for (const Issue& issue : found) {
    const bool known = std::any_of(issues.begin(), issues.end(), [&](const Issue& other) {
      return other.code == issue.code && other.pointer == issue.pointer;
    });
    if (!known) issues.push_back(issue);
  }
}

BakePlan plan_of(const BakeOptions& options, const Resolved& resolved, MeshJobs& mesh,
                 const Job& job) {
  BakePlan plan;
  plan.rig = job.rig;
  plan.clip = job.clip;
  plan.frames = job.frames;
  plan.space = options.frames.space;
  plan.threads = options.threads;
  plan.cancelled = interrupt_flag();
  plan.bind_cache = options.bind_cache;
  plan.found = [&mesh](const Issue& issue) { add_once({issue}, mesh.issues); };
  plan.joint_parameters = resolved.joint_parameters;
  return plan;
}

void run_job(const BakeOptions& options, const Resolved& resolved, MeshJobs& mesh, Job& job,
             const JobProgress& progress) {
  const auto start = std::chrono::steady_clock::now();
  BakePlan plan = plan_of(options, resolved, mesh, job);
  plan.progress = progress.frames;
  plan.bind_progress = progress.bind;
  std::vector<Measured> measured;
  for (std::size_t m = 0; m < resolved.methods.size(); ++m) {
    const Measured& mine = measured.emplace_back(measure(options, resolved, mesh, job, m));
    plan.runs.push_back(run_of(job, resolved, mine, m));
    if (mine.error || !job.recorders.empty()) plan.reference = resolved.reference;
  }
  plan.reference.frames = job.reference.get();
  bake(plan);
  plan.reference = {};
  plan.progress = {};
  for (std::size_t m = 0; m < resolved.methods.size(); ++m) {
    plan.runs = {{resolved.methods[m], {}}};
    measured[m].others.bake_other_frames(plan);
    mesh.record.runs.push_back(record_of(measured[m], resolved, mesh, job, resolved.methods[m]));
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  job.seconds = elapsed.count();
}

}  // namespace skinbake::cli
