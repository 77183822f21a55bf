#include "jobs/run.h"

#include <algorithm>
#include <utility>

#include "base/paths.h"
#include "clips/clip_files.h"
#include "jobs/array_outputs.h"
#include "jobs/auxiliary_files.h"
#include "jobs/cache_outputs.h"
#include "jobs/summary.h"
#include "jobs/text_outputs.h"
#include "jobs/verify_outputs.h"
#include "jobs/view.h"
#include "json/text.h"
#include "options/usage_error.h"
#include "report/bodies.h"
#include "report/cracks.h"
#include "terminal/format.h"
#include "terminal/interrupt.h"
#include "terminal/progress.h"
#include "terminal/task_context.h"
#include "thresholds/evaluate_thresholds.h"

namespace skinbake::cli {

namespace {

// Releases the surface of a mesh whose jobs are done, except the counts of the report. A file may
// have hundreds of meshes.
void keep_results(MeshJobs& mesh) {
  if (!mesh.surfaces.empty() && mesh.surfaces.front()->topology) {
    keep_counts(mesh.record.topology.emplace(std::move(*mesh.surfaces.front()->topology)));
  }
  mesh.surfaces.clear();
}

void run_jobs(const BakeOptions& options, const ResolvedOptions& resolved,
              std::deque<MeshJobs>& meshes) {
  std::int64_t total = 0, done = 0;
  for (const MeshJobs& mesh : meshes) {
    for (const Job& job : mesh.jobs) total += cache_frames(options, job).frame_count;
  }
  Progress progress(total, options.bar());
  for (MeshJobs& mesh : meshes) {
    const MeshRun on{options, resolved, mesh};
    with_mesh_location(options.rig, *resolved.rigs[mesh.number], [&] { run_joint_prepasses(on); });
    for (Job& job : mesh.jobs) {
      progress.begin(printable(job.rig->id + (job.clip == nullptr ? "" : " " + job.clip->id)));
      const JobProgress job_progress{
          [&](std::int64_t frames) { progress.update(done + frames); },
          [&](std::string_view method, double part) { progress.prepare(method, part); }};
      with_mesh_location(options.rig, *job.rig, [&] { run_job(on, job, job_progress); });
      done += cache_frames(options, job).frame_count;
    }
    keep_results(mesh);
  }
  if (options.verify) verify_jobs(options, resolved, meshes);
}

// Gives every output its name, except discarded caches. Call last, when only the naming itself can
// fail.
void commit(const BakeOptions& options, bool discards_caches, std::deque<MeshJobs>& meshes,
            TextOutputs& texts) {
  std::vector<OutputFile*> files;
  for (MeshJobs& mesh : meshes) {
    for (Job& job : mesh.jobs) {
      for (const JobCache& cache : job.caches) {
        if (discards_caches) continue;
        const std::vector<OutputFile*> of_cache = cache.writer->files();
        files.insert(files.end(), of_cache.begin(), of_cache.end());
      }
      append_arrays(job, files);
    }
  }
  texts.append(files);
  commit_outputs(files, options.sync);
}

// Throws if options contradict each other.
void check_together(const BakeOptions& options) {
  if (options.outputs.empty() && !options.wants_report()) {
    throw Error("NOTHING_TO_DO",
                "no output: write a cache with -o, a report with --report or --json, or an error "
                "matrix with --error-matrix");
  }
  if (options.verify && options.outputs.empty()) {
    throw UsageError("--verify", "there is no cache to read back; write one with -o");
  }
  check_reports(options.reports);
}

// The part of the bind diagonal by which the rounding to half precision may move a position without
// a warning. A mesh that stands at the origin keeps to a quarter of it.
constexpr double kCoarse = 3e-3;

// A warning if the cache stores halves that are too coarse for the mesh.
void find_coarse_halves(const JobCache& cache, const Rig& rig, Issues& issues) {
  const auto precision = cache.header.options.find("precision");
  if (precision == cache.header.options.end() || precision->second != "half") return;
  const double bound_m = cache.writer->bound_m();
  const double bbox_diagonal_m = bind_baseline(rig).bbox_diagonal_m;
  if (!(bound_m > kCoarse * bbox_diagonal_m)) return;
  Issue issue;
  issue.code = "HALF_COARSE";
  issue.file = cache.writer->path();
  issue.message = fmt::format(
      "half precision moves positions by up to {:.3g} m, {:.3g} % of the bind diagonal of {:.3g} "
      "m; "
      "use --precision single",
      bound_m, 100 * bound_m / bbox_diagonal_m, bbox_diagonal_m);
  add_once({issue}, issues);
}

// A warning if a seam of the mesh opens in a clip.
void find_cracks(const MeshRecord& mesh, Issues& issues) {
  const std::optional<RunCrack> widest = widest_crack_of(mesh);
  if (!widest) return;
  add_once(crack_issues(*mesh.rig, widest->crack, widest->run->clip, widest->run->frames,
                        mesh.bbox_diagonal_m),
           issues);
}

void append_outputs(const MeshJobs& mesh, const ResolvedOptions& resolved, Report& report) {
  for (const Job& job : mesh.jobs) {
    for (const JobCache& cache : job.caches) {
      const CacheWriter& writer = *cache.writer;
      const std::string name = resolved.variants[cache.variant].name();
      report.outputs.push_back({shown(writer.path()),
                                std::string(cache_format_of(writer.path()).id), job.rig->id,
                                cache.header.clip, name, writer.bytes(), writer.xxh128()});
      if (!cache.verification) continue;
      report.verification.push_back(*cache.verification);
      report.verification.back().path = shown(writer.path());
      report.verification.back().method = name;
    }
  }
}

std::vector<std::string> names_of(const std::vector<Variant>& variants) {
  std::vector<std::string> names;
  for (const Variant& variant : variants) names.push_back(variant.name());
  return names;
}

std::vector<std::string> ids_of(const std::vector<EngineProfile>& profiles) {
  std::vector<std::string> ids;
  for (const EngineProfile& profile : profiles) ids.emplace_back(profile.id);
  return ids;
}

// The file that an issue of a mesh refers to: an output, the folder of the bind cache, or the rig's
// file.
std::string file_of(const BakeOptions& options, const Asset& asset, const Issue& issue) {
  if (!issue.file.empty()) return shown(issue.file);
  return issue.code.starts_with("BIND_CACHE_") ? shown(options.bind_cache)
                                               : asset.inputs.front().path;
}

// Of all meshes together, so that a code is printed once.
Issues issues_of(const std::deque<MeshJobs>& meshes) {
  Issues all;
  for (const MeshJobs& mesh : meshes) {
    all.insert(all.end(), mesh.issues.begin(), mesh.issues.end());
  }
  return all;
}

// The files that issues may refer to, as on the command line.
std::vector<std::string> files_of(const BakeOptions& options, const Asset& asset) {
  std::vector<std::string> files = asset.files;
  if (!options.bind_cache.empty()) files.push_back(options.bind_cache);
  return files;
}

// Moves the records of the finished jobs into the report and evaluates the thresholds.
Report make_report(const BakeOptions& options, const Asset& asset, const ResolvedOptions& resolved,
                   std::deque<MeshJobs>& meshes) {
  Report report;
  report.command = options.command;
  report.inputs = asset.inputs;
  report.settings = {options.frames.fps,        options.frames.frames,
                     options.frames.loop,       options.frames.space,
                     options.baseline,          resolved.reference_name,
                     modifier_texts(options),   "",
                     resolved.joint_parameters, metric_setting(options.metrics),
                     ids_of(options.profiles)};
  report.per_vertex = options.per_vertex;
  report.issues = asset.issues;
  report.issues.insert(report.issues.end(), resolved.issues.begin(), resolved.issues.end());
  const std::map<std::string, std::string>& files = resolved.used_clips.file_of;
  for (std::size_t c = 0; c < resolved.clips.size(); ++c) {
    const auto file = files.find(clip_id(resolved.clips[c]));
    report.clips.push_back(
        {resolved.clips[c], resolved.frames[c], file == files.end() ? "" : file->second});
  }
  for (MeshJobs& mesh : meshes) {
    append_outputs(mesh, resolved, report);
    for (const Job& job : mesh.jobs) {
      for (const JobCache& cache : job.caches) {
        find_coarse_halves(cache, *job.rig, mesh.issues);
      }
    }
    find_cracks(mesh.record, mesh.issues);
    for (Issue& issue : mesh.issues) issue.file = file_of(options, asset, issue);
    report.issues.insert(report.issues.end(), mesh.issues.begin(), mesh.issues.end());
    report.meshes.push_back(std::move(mesh.record));
  }
  find_props(report.meshes);
  if (options.body && options.wants_report()) report.bodies = bodies_of(report.meshes);
  report.issues = sorted_unique(std::move(report.issues));
  report.allowed = allowed_codes(report.issues);
  evaluate_thresholds(options.thresholds, report);
  return report;
}

bool none_recommended(const Report& report) {
  return report.recommendation && !report.recommendation->method;
}

bool has_failed(const Report& report) {
  return verdict_status(report) == VerdictStatus::kFail || none_recommended(report);
}

// What a run has found, and whether it writes its caches.
struct Outcome {
  Report report;
  Issues older;  // files of earlier bakes beside the caches; the report does not list them
  bool discards_caches = false;
};

Outcome judge(const BakeOptions& options, const std::deque<MeshJobs>& meshes, Report report) {
  Outcome outcome{std::move(report), older_auxiliary_files(meshes)};
  const Report& found = outcome.report;
  const bool fails =
      has_failed(found) ||
      (options.strict && (has_warnings(found.issues, found.checks) || has_warnings(outcome.older)));
  outcome.discards_caches = !options.keep && !options.outputs.empty() && fails;
  if (!outcome.discards_caches) return outcome;
  // The cache that stays may need the older files. With --strict they may be why the run fails.
  if (!options.strict) outcome.older.clear();
  outcome.report.outputs.clear();
  outcome.report.verification.clear();
  return outcome;
}

void print_summary(const BakeOptions& options, const BakeCommand& command, const Outcome& outcome,
                   const std::deque<MeshJobs>& meshes) {
  if (options.quiet) return;
  const Report& report = outcome.report;
  const std::string summary = command.table(report, meshes) +
                              (outcome.discards_caches ? "" : outputs_text(report, meshes)) +
                              numbers_text(report) + modifiers_text(report) + metrics_text(report) +
                              passed_text(report);
  print_result(summary, options.reports.to_stdout());
}

// Prints the warnings and errors of the outcome.
int exit_code_of(const BakeOptions& options, const Outcome& outcome) {
  for (const Issue& issue : outcome.older) log_issues({issue}, {});
  log_checks(outcome.report);
  if (none_recommended(outcome.report)) log_error("--recommend: no method is within the limits");
  const int exit_code =
      std::max({has_failed(outcome.report) ? 1 : 0, strict_exit_code(options.strict, outcome.older),
                strict_exit_code(options.strict, outcome.report.issues, outcome.report.checks)});
  if (outcome.discards_caches) {
    log_error("no cache is written, and older ones stay; --keep writes them");
  }
  return exit_code;
}

// Adds what the options imply. Throws if they contradict each other.
void complete(BakeOptions& options) {
  for (const Threshold& threshold : options.thresholds.given) {
    if (!options.measures(threshold.section)) options.metrics.push_back(threshold.section);
  }
  check_together(options);
  check_words(options);
  choose_materials(options);
  options.clips.fps = options.frames.fps;
  options.clips.space = options.frames.space;
}

Asset load(const BakeOptions& options) {
  Asset asset = load_rig(options.rig, options.load);
  if (options.load.materials || options.reports.view) record_unread(asset);
  return asset;
}

// The meshes, clips, frames and methods of the run.
ResolvedOptions plan(BakeOptions& options, Asset& asset) {
  const std::vector<Clip> own_clips = asset.clips;
  UsedClips used = use_clip_files(options.clips, options.load, asset);
  options.clips.clips = used.ids;
  ResolvedOptions resolved = resolve(options, asset, own_clips, std::move(used));
  options.thresholds.require_methods(names_of(resolved.variants));
  log_issues(resolved.issues, asset.files);
  return resolved;
}

// The jobs with their sinks: caches, arrays and views.
std::deque<MeshJobs> open_sinks(const BakeOptions& options, Asset& asset,
                                const ResolvedOptions& resolved) {
  remove_outputs_on_signal();
  std::deque<MeshJobs> meshes = open_jobs(options, asset, resolved);
  if (options.reports.view) record_views(resolved, meshes);
  record_inputs(asset.files, asset.inputs);
  return meshes;
}

}  // namespace

int run_bake(BakeOptions options, const BakeCommand& command) {
  configure_console(options);
  complete(options);
  Stopwatch stopwatch;
  Asset asset = load(options);
  const ResolvedOptions resolved = plan(options, asset);
  std::deque<MeshJobs> meshes = open_sinks(options, asset, resolved);
  TextOutputs texts(options, meshes, asset.files);
  stopwatch.load_s = stopwatch.seconds();

  run_jobs(options, resolved, meshes);
  stopwatch.bake_s = stopwatch.seconds() - stopwatch.load_s;

  Report report = make_report(options, asset, resolved, meshes);
  if (command.conclude) command.conclude(report);
  log_issues(issues_of(meshes), files_of(options, asset));
  std::optional<View> view;
  if (options.reports.view) view = recorded_view(options, resolved, meshes);
  const Outcome outcome = judge(options, meshes, std::move(report));

  texts.write(outcome.report, stopwatch, view ? &*view : nullptr);
  commit(options, outcome.discards_caches, meshes, texts);
  print(texts.printed());
  print_summary(options, command, outcome, meshes);
  return exit_code_of(options, outcome);
}

}  // namespace skinbake::cli
