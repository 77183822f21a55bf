#include "bake_job.h"

#include <algorithm>
#include <chrono>

#include "cache_outputs.h"
#include "interrupt.h"

namespace skinbake::cli {

namespace {

void modify_rigs(const BakeOptions& options, const Asset& asset, Resolved& resolved) {
  if (options.modifiers.empty()) return;
  resolved.modified = modify(resolved.rigs, options.modifiers, asset.humanoid);
  for (std::size_t r = 0; r < resolved.rigs.size(); ++r) {
    resolved.rigs[r] = &resolved.modified[r].rig;
  }
}

// The pose that the surface is compared with.
BaselinePose baseline_of(const BakeOptions& options, const Resolved& resolved, const Rig& rig,
                         const Job& job) {
  BaselinePose baseline = bind_baseline(rig);
  if (options.baseline == Baseline::kBind) return baseline;
  const bool rest = options.baseline == Baseline::kRest;
  baseline.kind = options.baseline;
  baseline.positions =
      pose_positions(rig, rest ? nullptr : job.clip, rest ? 0 : job.frames.time_s(0),
                     resolved.method, resolved.joint_parameters);
  return baseline;
}

std::shared_ptr<Surface> build_surface(const BakeOptions& options, const Resolved& resolved,
                                       const Job& job) {
  auto surface = std::make_shared<Surface>();
  surface->baseline = baseline_of(options, resolved, *job.rig, job);
  // With one thread: when the first block needs it.
  const auto when = options.threads == 1 ? std::launch::deferred : std::launch::async;
  surface->built = std::async(when, [rig = job.rig, s = surface.get()] {
    if (!rig->mesh->triangles.empty()) s->topology = build_topology(*rig, s->baseline);
  });
  return surface;
}

// Every clip finds the same about a mesh: each code is said once.
void add_once(const Issues& found, Issues& issues) {
  for (const Issue& issue : found) {
    const bool known = std::any_of(issues.begin(), issues.end(), [&](const Issue& other) {
      return other.code == issue.code && other.pointer == issue.pointer;
    });
    if (!known) issues.push_back(issue);
  }
}

// The mesh's surface, unless its baseline is another one for each clip.
std::shared_ptr<Surface> surface_of(const BakeOptions& options, const Resolved& resolved,
                                    MeshJobs& mesh, const Job& job) {
  if (mesh.surface && options.baseline != Baseline::kFirstFrame) return mesh.surface;
  std::shared_ptr<Surface> surface = build_surface(options, resolved, job);
  if (!mesh.surface) mesh.surface = surface;
  add_once(surface->baseline.issues, mesh.issues);
  return surface;
}

// Says so if nothing takes them.
void read_joint_parameters(const BakeOptions& options, Asset& asset, Resolved& resolved) {
  JointParametersFile file = load_joint_parameters(options.joint_params, asset);
  resolved.joint_parameters = std::move(file.joints);
  asset.files.push_back(options.joint_params);
  asset.inputs.push_back(file.input);
  const bool reference_takes_them = !options.reference.empty() && options.reference != "exact" &&
                                    parse_method(options.reference).info().takes_joint_parameters;
  if (resolved.method.info().takes_joint_parameters || reference_takes_them) return;
  Issue unused;
  unused.code = "JOINT_PARAMETERS_UNUSED";
  unused.file = file.input.path;
  unused.message = "method '" + std::string(resolved.method.info().id) +
                   "' takes no numbers for single joints; --joint-params changes nothing";
  resolved.issues.push_back(unused);
}

}  // namespace

void check_words(const BakeOptions& options) {
  parse_method(options.method);
  if (!options.reference.empty() && options.reference != "exact") {
    try {
      parse_method(options.reference);
    } catch (const Error& error) {
      throw Error(error.kind(), error.code(),
                  "--reference: " + std::string(error.what()) + ", and 'exact'");
    }
  }
  check_output_words(options);
}

std::string clip_id(const Clip* clip) {
  return clip == nullptr ? "" : clip->id;
}

std::vector<std::string> modifier_texts(const BakeOptions& options) {
  std::vector<std::string> texts;
  for (const Modifier& modifier : options.modifiers) texts.push_back(canonical(modifier));
  return texts;
}

Resolved resolve(const BakeOptions& options, Asset& asset) {
  Resolved resolved;
  resolved.method = parse_method(options.method);
  resolved.clips = select_clips(asset.clips, asset.path, options.clip);
  resolved.rigs = select_meshes(asset, options.meshes);
  modify_rigs(options, asset, resolved);
  for (const Clip* clip : resolved.clips) {
    resolved.frames.push_back(select_frames(asset.path, clip, options.frames));
  }
  if (!options.joint_params.empty()) read_joint_parameters(options, asset, resolved);
  if (!options.wants_report()) return resolved;

  const Method linear = parse_method("lbs");
  const bool exact = options.reference == "exact" ||
                     (options.reference.empty() && resolved.method.index == linear.index);
  resolved.reference = {
      exact ? Reference::Kind::kExact : Reference::Kind::kMethod,
      exact || options.reference.empty() ? linear : parse_method(options.reference)};
  resolved.reference_name = exact ? "exact" : resolved.reference.method.canonical();
  return resolved;
}

std::deque<MeshJobs> open_jobs(const BakeOptions& options, const Asset& asset,
                               const Resolved& resolved) {
  std::deque<MeshJobs> meshes;
  for (std::size_t r = 0; r < resolved.rigs.size(); ++r) {
    const Rig* rig = resolved.rigs[r];
    MeshJobs& mesh = meshes.emplace_back();
    mesh.record.rig = rig;
    if (!resolved.modified.empty()) mesh.record.modifiers = resolved.modified[r].changes;
    for (std::size_t c = 0; c < resolved.clips.size(); ++c) {
      Job& job = mesh.jobs.emplace_back();
      job.rig = rig;
      job.clip = resolved.clips[c];
      job.frames = resolved.frames[c];
    }
  }
  open_caches(options, asset, resolved, meshes);
  return meshes;
}

BakePlan plan_of(const BakeOptions& options, const Resolved& resolved, MeshJobs& mesh,
                 const Job& job) {
  BakePlan plan;
  plan.rig = job.rig;
  plan.clip = job.clip;
  plan.frames = job.frames;
  plan.space = options.space;
  plan.threads = options.threads;
  plan.cancelled = interrupt_flag();
  plan.joint_parameters = resolved.joint_parameters;
  plan.bind_cache = options.bind_cache;
  plan.found = [&mesh](const Issue& issue) { add_once({issue}, mesh.issues); };
  return plan;
}

void run_job(const BakeOptions& options, const Resolved& resolved, MeshJobs& mesh, Job& job,
             const JobProgress& progress) {
  const auto start = std::chrono::steady_clock::now();
  RunRecord run{
      clip_id(job.clip), resolved.method.canonical(), job.frames, resolved.reference_name, {}, {}};
  MethodRun method_run{resolved.method, {}};
  for (const auto& cache : job.caches) method_run.sinks.push_back(cache.get());
  std::unique_ptr<PositionErrorMetric> error;
  std::unique_ptr<VolumeMetric> volume;
  std::shared_ptr<Surface> surface;
  if (options.wants_report()) {
    surface = surface_of(options, resolved, mesh, job);
    mesh.record.bbox_diagonal_m = surface->baseline.bbox_diagonal_m;
    if (options.measures("error") || options.thresholds.need_error()) {
      error = measure_position_error(*job.rig, job.frames, mesh.record.bbox_diagonal_m);
      method_run.sinks.push_back(error.get());
    }
    const bool wants_volume = options.measures("volume") || options.thresholds.need_volume();
    if (wants_volume && !job.rig->mesh->triangles.empty()) {
      volume = measure_volume(
          *job.rig,
          [&]() -> const Topology& {
            surface->built.get();
            return *surface->topology;
          },
          job.frames);
      method_run.sinks.push_back(volume.get());
    }
  }
  BakePlan plan = plan_of(options, resolved, mesh, job);
  plan.runs = {method_run};
  if (error) plan.reference = resolved.reference;
  plan.progress = progress.frames;
  plan.bind_progress = progress.bind;
  bake(plan);
  if (surface) surface->built.get();
  if (error) run.error = error->result();
  if (volume) {
    run.volume = volume->result();
    add_once(run.volume->issues, mesh.issues);
  }
  mesh.record.runs.push_back(std::move(run));
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  job.seconds = elapsed.count();
}

}  // namespace skinbake::cli
