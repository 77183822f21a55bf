#include "fit/options.h"

#include <iterator>
#include <utility>

#include "clips/used_issues.h"
#include "fit/findings.h"
#include "fit/outputs.h"
#include "fit/plan.h"
#include "fit/text.h"
#include "json/text.h"
#include "outputs/rig_output.h"
#include "terminal/format.h"
#include "terminal/interrupt.h"
#include "terminal/progress.h"
#include "terminal/task_context.h"
#include "thresholds/evaluate_thresholds.h"

namespace skinbake::cli {

namespace {

Fits fit_all(const FitOptions& options, const Asset& asset, std::vector<MeshFit>& meshes) {
  constexpr std::int64_t kParts = 1000;  // of a mesh, for the progress
  Progress progress(kParts * static_cast<std::int64_t>(meshes.size()), options.bar(), "steps");
  AddedBytes sizes(asset, fit_encoding(options.formats).changes);
  Fits fits;
  for (MeshFit& mesh : meshes) {
    progress.begin(printable(mesh.plan.rig->id));
    mesh.plan.progress = [&](std::string_view step, double part) { progress.prepare(step, part); };
    ChosenFit fit = with_clip_remedy(asset.path, *mesh.plan.rig, "or omit the clip from --clip",
                                     [&] { return choose_fit(mesh.plan, sizes); });
    fits.bytes.push_back(bytes_of(fit.result.changes, sizes));
    fits.results.push_back(std::move(fit.result));
    fits.choices.push_back(std::move(fit.choice));
  }
  return fits;
}

void append(Issues more, Issues& issues) {
  issues.insert(issues.end(), std::make_move_iterator(more.begin()),
                std::make_move_iterator(more.end()));
}

std::string text_of(const FitOptions& options, const FitReport& report) {
  std::string text = table_of(report);
  for (const std::string& line : lines_of(report, options.output)) text += line + "\n";
  return text;
}

// The errors of the clips that each mesh was not fitted to. Adds the issues of the fits.
std::vector<FitLeftOut> left_out_of(const FitOptions& options, const Asset& asset,
                                    const std::vector<MeshFit>& meshes,
                                    const std::vector<FitResult>& results, Issues& found) {
  std::vector<FitLeftOut> left_out;
  for (std::size_t m = 0; m < meshes.size(); ++m) {
    const FitPlan& plan = meshes[m].plan;
    left_out.push_back(measure_others(options, asset, plan, results[m]));
    append(issues_of(results[m], asset.path), found);
    append(issues_of(left_out.back(), options, plan, results[m], asset.path), found);
  }
  return left_out;
}

}  // namespace

int run_fit(FitOptions options) {
  configure_console(options);
  check_together(options);
  options.load.source = true;
  const Asset asset = load_rig(options.rig, options.load);
  record_unread(asset);
  require_avatar(options.output, asset);
  const std::vector<const Rig*> rigs = select_skinned(options, asset);
  FitTraining made({}, asset, options.threads);
  const FitMotions motions = fit_motions(options, select_animated(options, asset), made);
  settle_fps(keyed_clips(asset.path, *asset.skeleton, motions.clips), options.frames);
  require_targets(options, motions.clips, rigs);
  const std::vector<std::string> targets = target_paths(options, rigs, motions.clips);
  std::vector<std::string> inputs = other_inputs(options, targets);
  record_inputs(inputs);
  inputs.insert(inputs.begin(), asset.files.begin(), asset.files.end());
  Issues found = issues_of_used(asset, rigs, motions.clips);
  log_issues(found, asset.files);
  const auto logged = static_cast<std::ptrdiff_t>(found.size());
  append(warn_of_exclusions(asset, options.clips, options.meshes), found);
  std::vector<MeshFit> meshes;
  for (const Rig* rig : rigs) {
    meshes.push_back(mesh_fit(options, asset, *rig, motions, found));
  }
  append(clip_ends(asset, rigs, meshes.front().plan), found);
  refuse_inputs(options, asset, targets);
  record_inputs(asset.files, asset.inputs);
  remove_outputs_on_signal();
  FitOutputs outputs(options);
  Fits fits = fit_all(options, asset, meshes);
  const Issues exceeded = check_bounds(options, asset, fits.results);
  const bool is_met = exceeded.empty();
  std::vector<FitLeftOut> left_out = left_out_of(options, asset, meshes, fits.results, found);
  log_issues({found.begin() + logged, found.end()}, inputs);
  append(exceeded, found);
  FitReport report = report_of(options, asset, targets, fits);
  report.left_out = std::move(left_out);
  report.influences_training = motions.names;
  report.issues = found;
  report.allowed = allowed_codes(found);
  if (is_met || options.best_effort) {
    report.output = outputs.write_rig(asset, meshes, fits.results);
    outputs.write_depfile(inputs);
  }
  outputs.write_reports(fit_texts(options, report, plans_of(meshes)));
  outputs.commit();
  print(outputs.printed());
  if (!options.reports.to_stdout() && !options.quiet) {
    print(text_of(options, report));
  }
  return is_met ? strict_exit_code(options.strict, found) : 1;
}

}  // namespace skinbake::cli
