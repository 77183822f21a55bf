// skinbake bake rig.glb --method dqs -o walk.pc2 --report walk.json

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>

#include "array_outputs.h"
#include "auto_fps.h"
#include "bake_job.h"
#include "bake_options.h"
#include "bake_run.h"
#include "cache_outputs.h"
#include "checks.h"
#include "clip_file.h"
#include "commands.h"
#include "depfile.h"
#include "interrupt.h"
#include "mesh_errors.h"
#include "output_paths.h"
#include "progress.h"
#include "summary.h"
#include "verify_outputs.h"
#include "view.h"

namespace skinbake::cli {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

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

void append_outputs(const MeshJobs& mesh, const Resolved& resolved, Report& report) {
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

std::vector<std::string> ids_of(const std::vector<EngineProfile>& profiles) {
  std::vector<std::string> ids;
  for (const EngineProfile& profile : profiles) ids.emplace_back(profile.id);
  return ids;
}

Report make_report(const BakeOptions& options, const Asset& asset, const Resolved& resolved,
                   std::deque<MeshJobs>& meshes) {
  Report report;
  report.command = options.command;
  report.inputs = asset.inputs;
  report.settings = {options.frames.fps,
                     options.frames.frames,
                     options.frames.loop,
                     options.frames.space == Space::kScene ? "scene" : "mesh",
                     options.baseline == Baseline::kBind   ? "bind"
                     : options.baseline == Baseline::kRest ? "rest"
                                                           : "first-frame",
                     resolved.reference_name,
                     modifier_texts(options),
                     options.map.empty() ? "" : shown(options.map),
                     resolved.joint_parameters,
                     metric_setting(options.metrics),
                     ids_of(options.profiles)};
  report.per_vertex = options.per_vertex;
  report.issues = asset.issues;
  report.issues.insert(report.issues.end(), resolved.issues.begin(), resolved.issues.end());
  for (std::size_t c = 0; c < resolved.clips.size(); ++c) {
    report.clips.push_back({resolved.clips[c], resolved.frames[c]});
  }
  for (MeshJobs& mesh : meshes) {
    append_outputs(mesh, resolved, report);
    if (!mesh.surfaces.empty()) mesh.record.topology = std::move(mesh.surfaces.front()->topology);
    for (Issue& issue : mesh.issues) issue.file = asset.inputs.front().path;
    report.issues.insert(report.issues.end(), mesh.issues.begin(), mesh.issues.end());
    report.meshes.push_back(std::move(mesh.record));
  }
  report.issues = sorted_unique(std::move(report.issues));
  check(options.thresholds, report);
  return report;
}

// What the run writes, as the rule in a depfile names it.
std::vector<std::string> outputs_of(const BakeOptions& options,
                                    const std::deque<MeshJobs>& meshes) {
  std::vector<std::string> outputs;
  for (const MeshJobs& mesh : meshes) {
    for (const Job& job : mesh.jobs) {
      for (const JobCache& cache : job.caches) outputs.push_back(cache.writer->path());
      for (const auto& matrix : job.matrices) outputs.push_back(matrix->path());
      for (const OutputFile& file : job.per_vertex) outputs.push_back(file.path());
    }
  }
  if (!options.report.empty() && options.report != "-") outputs.push_back(options.report);
  for (const auto& [format, path] : options.pages.given()) outputs.push_back(path);
  if (outputs.empty()) outputs.push_back(options.depfile);  // a rule has a target
  return outputs;
}

struct Times {
  double load_s, bake_s, total_s;
};

std::string timing_text(const Times& times, const Report& report) {
  std::int64_t frames = 0;
  for (const MeshRecord& mesh : report.meshes) {
    for (const RunRecord& run : mesh.runs) frames += run.frames.frame_count;
  }
  return fmt::format(
      "{{\n  \"schema\": \"skinbake.timing\",\n  \"schema_version\": \"1.0\",\n"
      "  \"load_s\": {:.6f},\n  \"bake_s\": {:.6f},\n  \"total_s\": {:.6f},\n"
      "  \"frames\": {}\n}}\n",
      times.load_s, times.bake_s, times.total_s, frames);
}

// Made from the JSON, so that they are what `skinbake report` makes of it.
void write_pages(const BakeOptions& options, Report& report, const std::string& json,
                 const View* space, std::vector<OutputFile>& pages) {
  if (pages.empty()) return;
  const bool has_file = !options.report.empty() && options.report != "-";
  const std::string name = has_file ? shown(options.report) : report.inputs.front().path;
  ReportView view;
  if (report.per_vertex == PerVertex::kNpy) {  // files that have no name yet
    report.per_vertex = PerVertex::kJson;
    view = parse_report(to_json(report, options.threads), name);
    report.per_vertex = PerVertex::kNpy;
  } else {
    view = parse_report(json, name);
  }
  const auto given = options.pages.given();
  for (std::size_t i = 0; i < given.size(); ++i) {
    pages[i].write(to_page(given[i].first, {&view, 1}, space));
  }
}

// All outputs get their names together, when nothing can fail any more but the naming itself.
void commit(const BakeOptions& options, std::deque<MeshJobs>& meshes,
            std::vector<OutputFile>& texts) {
  for (MeshJobs& mesh : meshes) {
    for (Job& job : mesh.jobs) {
      for (const JobCache& cache : job.caches) {
        if (options.sync) cache.writer->sync();
        cache.writer->commit();
      }
      commit_arrays(job, options.sync);
    }
  }
  for (OutputFile& text : texts) {
    if (options.sync) text.sync();
    text.commit();
  }
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
  const auto start = Clock::now();
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
  // Before the work, as a name may be refused.
  const std::string depfile =
      options.depfile.empty() ? "" : depfile_text(outputs_of(options, meshes), asset.files);
  std::vector<OutputFile> texts;
  const auto open_text = [&](const std::string& path) {
    if (!path.empty() && path != "-") texts.emplace_back(path);
  };
  open_text(options.report);
  open_text(options.depfile);
  open_text(options.timing);
  std::vector<OutputFile> pages;
  for (const auto& [format, path] : options.pages.given()) pages.emplace_back(path);
  const double load_s = seconds_since(start);

  run_jobs(options, resolved, meshes);
  const double bake_s = seconds_since(start) - load_s;
  Report report = make_report(options, asset, resolved, meshes);
  if (command.conclude) command.conclude(asset, resolved, report);
  for (const MeshJobs& mesh : meshes) log_issues(mesh.issues, asset.files);
  const std::string json = options.wants_report() ? to_json(report, options.threads) : "";
  for (OutputFile& text : texts) {
    if (text.path() == options.report) text.write(json);
    if (text.path() == options.depfile) text.write(depfile);
    if (text.path() == options.timing) {
      text.write(timing_text({load_s, bake_s, seconds_since(start)}, report));
    }
  }
  std::optional<View> space;
  if (options.pages.view) space = recorded_view(options, resolved, meshes);
  write_pages(options, report, json, space ? &*space : nullptr, pages);
  std::move(pages.begin(), pages.end(), std::back_inserter(texts));
  if (options.report_to_stdout()) print(json);  // may fail, and then no file is written
  const std::string summary = options.quiet
                                  ? ""
                                  : fps_text(options.frames) + command.table(report, meshes) +
                                        outputs_text(report, meshes) + modifiers_text(report) +
                                        metrics_text(report) + passed_text(report);
  if (command.is_the_table) print_result(summary, options.report_to_stdout());
  commit(options, meshes, texts);
  const bool is_told = command.is_the_table || print_summary(summary, options.report_to_stdout());
  log_checks(report);
  const bool none_recommended = report.recommendation && !report.recommendation->method;
  if (none_recommended) log_error("--recommend: no method is within the limits");
  exit_code = std::max({verdict_status(report) == "fail" || none_recommended ? 1 : 0,
                        options.strict && !is_told ? 1 : 0,
                        strict_exit_code(options.strict, report.issues, report.checks)});
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
