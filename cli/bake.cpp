// skinbake bake rig.glb --method dqs -o walk.pc2 --report walk.json

#include <algorithm>
#include <memory>

#include "array_outputs.h"
#include "auto_fps.h"
#include "bake_job.h"
#include "bake_options.h"
#include "bake_report.h"
#include "bake_run.h"
#include "cache_outputs.h"
#include "checks.h"
#include "clip_file.h"
#include "commands.h"
#include "companions.h"
#include "interrupt.h"
#include "mesh_errors.h"
#include "progress.h"
#include "summary.h"
#include "text_outputs.h"
#include "verify_outputs.h"
#include "view.h"

namespace skinbake::cli {

namespace {

void run_jobs(const BakeOptions& options, const Resolved& resolved, std::deque<MeshJobs>& meshes) {
  std::int64_t total = 0, done = 0;
  for (const MeshJobs& mesh : meshes) {
    for (const Job& job : mesh.jobs) total += job.frames.frame_count;
  }
  Progress progress(total, options.bar());
  for (MeshJobs& mesh : meshes) {
    for (Job& job : mesh.jobs) {
      progress.begin(one_line(job.rig->id + (job.clip == nullptr ? "" : " " + job.clip->id)));
      const JobProgress told{
          [&](std::int64_t frames) { progress.update(done + frames); },
          [&](std::string_view method, double part) { progress.prepare(method, part); }};
      naming_the_mesh(options.rig, *job.rig, [&] { run_job(options, resolved, mesh, job, told); });
      done += job.frames.frame_count;
    }
  }
  for (MeshJobs& mesh : meshes) {
    for (Job& job : mesh.jobs) {
      if (!options.verify || job.caches.empty()) continue;
      naming_the_mesh(options.rig, *job.rig, [&] { verify_job(options, resolved, mesh, job); });
    }
  }
}

// All outputs get their names together, when nothing can fail any more but the naming itself.
void commit(const BakeOptions& options, std::deque<MeshJobs>& meshes, TextOutputs& texts) {
  for (MeshJobs& mesh : meshes) {
    for (Job& job : mesh.jobs) {
      for (const JobCache& cache : job.caches) {
        if (options.sync) cache.writer->sync();
        cache.writer->commit();
      }
      commit_arrays(job, options.sync);
    }
  }
  texts.commit();
}

// Throws where options do not go together.
void check_together(const BakeOptions& options) {
  if (options.outputs.empty() && !options.wants_report()) {
    throw Error(ErrorKind::kUsage, "NOTHING_TO_DO",
                "nothing to do: give a cache with -o, a report with --report, --json, --html, "
                "--markdown or --junit, or --error-matrix");
  }
  if (options.verify && options.outputs.empty()) {
    throw CLI::ValidationError("--verify", "there is no cache to read back; give one with -o");
  }
  if (options.pages.view && options.pages.html.empty()) {
    throw CLI::ValidationError("--view", "is for a page; give it with --html");
  }
  if (options.pages.view) require_viewer("--view");
  if (options.frames.in_between_limit_m && options.frames.frames) {
    throw CLI::ValidationError("--frames", "counts the frames of a rate; give --fps as a number");
  }
  require_interpolation(options);
}

// Returns whether the summary could be printed.
bool print_and_commit(const BakeOptions& options, const BakeCommand& command, const Report& report,
                      std::deque<MeshJobs>& meshes, TextOutputs& texts) {
  const std::string summary = options.quiet
                                  ? ""
                                  : fps_text(options.frames) + command.table(report, meshes) +
                                        outputs_text(report, meshes) + modifiers_text(report) +
                                        metrics_text(report) + passed_text(report);
  if (command.is_the_table) print_result(summary, options.report_to_stdout());
  commit(options, meshes, texts);
  return command.is_the_table || print_summary(summary, options.report_to_stdout());
}

// `is_told`: the summary could be printed. `older`: issues that the report does not have.
int exit_code_of(const BakeOptions& options, const Report& report, bool is_told,
                 const Issues& older) {
  log_issues(older, {});
  log_checks(report);
  const bool none_recommended = report.recommendation && !report.recommendation->method;
  if (none_recommended) log_error("--recommend: no method is within the limits");
  return std::max({verdict_status(report) == "fail" || none_recommended ? 1 : 0,
                   options.strict && !is_told ? 1 : 0, strict_exit_code(options.strict, older),
                   strict_exit_code(options.strict, report.issues, report.checks)});
}

}  // namespace

void run_bake(BakeOptions options, const BakeCommand& command) {
  options.thresholds.settle();
  configure_console(options);
  check_together(options);
  if (options.in_between_limit_m && !options.measures("in_between")) {
    options.metrics.emplace_back("in_between");
  }
  check_words(options);
  Stopwatch stopwatch;
  choose_extras(options);
  Asset asset = load_asset(options.rig, options.load);
  use_clip_file(options, asset);
  log_issues(asset.issues, asset.files);
  Resolved resolved = resolve(options, asset);
  log_issues(resolved.issues, asset.files);
  finish_before_ending();
  if (options.frames.in_between_limit_m) choose_fps(options, asset, resolved);
  std::deque<MeshJobs> meshes = open_jobs(options, asset, resolved);
  if (options.pages.view) record_views(resolved, meshes);
  TextOutputs texts(options, meshes, asset.files);
  stopwatch.load_s = stopwatch.seconds();

  run_jobs(options, resolved, meshes);
  stopwatch.bake_s = stopwatch.seconds() - stopwatch.load_s;
  Report report = make_report(options, asset, resolved, meshes);
  if (command.conclude) command.conclude(asset, resolved, report);
  for (const MeshJobs& mesh : meshes) log_issues(mesh.issues, asset.files);
  std::optional<View> space;
  if (options.pages.view) space = recorded_view(options, resolved, meshes);
  const std::string json = texts.write(report, stopwatch, space ? &*space : nullptr);
  if (options.report_to_stdout()) print(json);  // may fail, and then no file is written
  const bool is_told = print_and_commit(options, command, report, meshes, texts);
  exit_code = exit_code_of(options, report, is_told, older_companions(meshes));
}

void setup_bake(CLI::App& app) {
  auto options = std::make_shared<BakeOptions>();
  CLI::App* command =
      app.add_subcommand("bake", "Evaluate a clip; write vertex caches and a report");
  add_bake_options(*command, *options);
  command->footer(
      "Examples:\n"
      "  skinbake bake hero.glb --clip run --method dqs -o run.pc2\n"
      "  skinbake bake hero.glb --clip all -o '{mesh}.{clip}.pc2'\n"
      "  skinbake bake hero.glb --clip run -o run.glb\n"
      "  skinbake bake hero.glb --clip run -o run.mdd -o run.npy --verify\n"
      "  skinbake bake hero.glb --clip run --fps auto:0.001 -o run.glb --format glb:normals=1\n"
      "  skinbake bake hero.glb --clip moves.glb#run --map names.json -o run.pc2\n"
      "  skinbake bake hero.glb --method dqs --report run.json --fail-volume-loss 5%\n"
      "  skinbake bake hero.glb --method dqs --html run.html --junit run.xml --fail-rms 1e-3\n"
      "  skinbake bake hero.glb --profile unreal-4 --twist auto -o engine.pc2\n"
      "  skinbake bake hero.glb --json | jq .verdict");
  command->callback([options, command] {
    for (const char* option : {"--metrics", "--in-between-limit", "--reference"}) {
      options->asks_to_measure |= command->count(option) > 0;
    }
    run_bake(*options, {summary_text});
  });
}

}  // namespace skinbake::cli
