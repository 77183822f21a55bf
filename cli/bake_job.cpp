#include "bake_job.h"

#include <algorithm>
#include <chrono>

#include "format_options.h"
#include "interrupt.h"
#include "output_paths.h"

namespace skinbake::cli {

namespace {

void modify_rigs(const BakeOptions& options, const Asset& asset, Resolved& resolved) {
  if (options.modifiers.empty()) return;
  resolved.modified = modify(resolved.rigs, options.modifiers, asset.humanoid);
  for (std::size_t r = 0; r < resolved.rigs.size(); ++r) {
    resolved.rigs[r] = &resolved.modified[r].rig;
  }
}

void require_placeholders(const BakeOptions& options, const Resolved& resolved) {
  const auto require = [&](bool several, const char* placeholder, const char* what,
                           const char* option) {
    if (!several || options.output.find(placeholder) != std::string::npos) return;
    throw Error(ErrorKind::kUsage, "OUTPUT_AMBIGUOUS",
                "output '" + options.output + "' is one file for several " + what + "; put " +
                    placeholder + " into it, or choose one with " + option);
  };
  const bool takes_several = cache_format_of(options.output).open_together != nullptr;
  require(resolved.rigs.size() > 1 && !takes_several, "{mesh}", "mesh nodes", "--mesh");
  require(resolved.clips.size() > 1, "{clip}", "clips", "--clip");
}

std::string clip_id(const Clip* clip) {
  return clip == nullptr ? "" : clip->id;
}

std::string cache_path(const BakeOptions& options, const Resolved& resolved, const Job& job) {
  return expand(options.output, {job.rig->id, clip_id(job.clip), resolved.method.canonical()});
}

// Whether the meshes of a clip are in one file.
bool share_caches(const BakeOptions& options) {
  return cache_format_of(options.output).open_together != nullptr &&
         options.output.find("{mesh}") == std::string::npos;
}

// Every file of the run has a name of its own, and none is one of the rig's.
void require_distinct_outputs(const BakeOptions& options, const Asset& asset,
                              const Resolved& resolved, const std::deque<MeshJobs>& meshes) {
  std::vector<std::string> paths;
  for (const std::string& path : {options.report, options.depfile, options.timing}) {
    if (!path.empty() && path != "-") paths.push_back(path);
  }
  for (const MeshJobs& mesh : meshes) {
    if (options.output.empty() || (&mesh != &meshes.front() && share_caches(options))) break;
    for (const Job& job : mesh.jobs) {
      paths.push_back(cache_path(options, resolved, job));
      paths.push_back(paths.back() + ".json");  // its sidecar
    }
  }
  require_distinct(paths);
  require_no_input(paths, asset.files);
}

CacheHeader cache_header(const BakeOptions& options, const Asset& asset, const Resolved& resolved,
                         const Job& job) {
  CacheHeader header{
      job.rig,      clip_id(job.clip),      job.frames, options.space, resolved.method.canonical(),
      asset.inputs, modifier_texts(options)};
  header.extras = asset.extras;
  header.options = options_of(cache_format_of(options.output), options.formats);
  return header;
}

// One file for each job, or one for all meshes with a clip.
void open_caches(const BakeOptions& options, const Asset& asset, const Resolved& resolved,
                 std::deque<MeshJobs>& meshes) {
  const CacheFormat& format = cache_format_of(options.output);
  if (!share_caches(options)) {
    for (MeshJobs& mesh : meshes) {
      for (Job& job : mesh.jobs) {
        job.cache = format.open(cache_path(options, resolved, job),
                                cache_header(options, asset, resolved, job));
      }
    }
    return;
  }
  for (std::size_t c = 0; c < resolved.clips.size(); ++c) {
    std::vector<CacheHeader> headers;
    for (const MeshJobs& mesh : meshes) {
      headers.push_back(cache_header(options, asset, resolved, mesh.jobs[c]));
    }
    auto writers =
        format.open_together(cache_path(options, resolved, meshes.front().jobs[c]), headers);
    for (std::size_t m = 0; m < meshes.size(); ++m) {
      meshes[m].jobs[c].cache = std::move(writers[m]);
    }
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
  if (options.output.empty()) return;
  options_of(cache_format_of(options.output), options.formats);
  expand(options.output, {"mesh", "clip", "method"});
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
  if (!options.output.empty()) require_placeholders(options, resolved);
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
  require_distinct_outputs(options, asset, resolved, meshes);
  if (!options.output.empty()) open_caches(options, asset, resolved, meshes);
  return meshes;
}

void run_job(const BakeOptions& options, const Resolved& resolved, MeshJobs& mesh, Job& job,
             const JobProgress& progress) {
  const auto start = std::chrono::steady_clock::now();
  RunRecord run{
      clip_id(job.clip), resolved.method.canonical(), job.frames, resolved.reference_name, {}, {}};
  MethodRun method_run{resolved.method, {}};
  if (job.cache) method_run.sinks.push_back(job.cache.get());
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
  BakePlan plan{job.rig,         job.clip,        job.frames,
                options.space,   {method_run},    error ? resolved.reference : Reference{},
                options.threads, progress.frames, interrupt_flag()};
  plan.bind_progress = progress.bind;
  plan.bind_cache = options.bind_cache;
  plan.found = [&mesh](const Issue& issue) { add_once({issue}, mesh.issues); };
  plan.joint_parameters = resolved.joint_parameters;
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
