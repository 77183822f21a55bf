#include "fit/run.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "bake/view.h"
#include "clips/clip_source.h"
#include "fit/choice.h"
#include "fit/encoding.h"
#include "fit/page.h"
#include "fit/targets.h"
#include "fit/text.h"
#include "fit/verify.h"
#include "memory/run_memory.h"
#include "options/file_kinds.h"
#include "options/usage_error.h"
#include "outputs/depfile.h"
#include "outputs/input_files.h"
#include "outputs/output_paths.h"
#include "skinbake/caches.h"
#include "skinbake/fit.h"
#include "skinbake/memory.h"
#include "skinbake/metrics.h"
#include "skinbake/tool/fit_report.h"
#include "skinbake/tool/printable.h"
#include "skinbake/tool/rig_file.h"
#include "task/task_context.h"
#include "terminal/format.h"
#include "terminal/interrupt.h"
#include "terminal/progress.h"
#include "thresholds/evaluate_thresholds.h"

namespace skinbake::cli {

namespace {

void check_together(const FitOptions& options) {
  if (!options.has_bound() && !options.correctives) {
    throw UsageError("--max-error",
                     "is missing; give a bound, --max-error 0.001 (metres) or "
                     "--max-error-relative 0.05%, or a number, --correctives 16");
  }
  if (!is_binary_gltf(options.output)) {
    throw UsageError("--output", "'" + options.output +
                                     "' must be a .glb or a .vrm file, which contains its buffers "
                                     "and images");
  }
  std::vector<std::string> paths{options.output};
  if (!options.depfile.empty()) paths.push_back(options.depfile);
  if (!options.report.empty() && options.report != "-") paths.push_back(options.report);
  for (const auto& [format, path] : options.pages.given()) paths.push_back(path);
  require_distinct(paths);
  fit_encoding(options.formats);  // checks the option
  if (!options.pages.view) return;
  if (options.pages.html.empty()) throw UsageError("--view", "needs --html");
  require_viewer("--view");
}

[[noreturn]] void nothing_to_fit(const Asset& asset, const std::string& message) {
  throw Error(ErrorKind::kInput, "NOTHING_TO_FIT", message, {asset.path, ""});
}

// The selected meshes that have a skin. Throws Error.
std::vector<const Rig*> select_skinned(const FitOptions& options, const Asset& asset) {
  std::vector<const Rig*> rigs = select_meshes(asset, options.meshes);
  const auto is_rigid = [](const Rig* rig) { return !rig->skinned; };
  const auto rigid = std::find_if(rigs.begin(), rigs.end(), is_rigid);
  if (!options.meshes.empty() && !selects_several(options.meshes) && rigid != rigs.end()) {
    nothing_to_fit(asset, "mesh '" + printable((*rigid)->id) +
                              "' does not have a skin; name meshes that joints move");
  }
  std::erase_if(rigs, is_rigid);
  if (rigs.empty()) {
    nothing_to_fit(asset, "no mesh has a skin; fit needs a mesh that joints move");
  }
  return rigs;
}

// Throws if a clip is not of the rig's file, which gets the keys of correctives.
void require_own_clips(const FitOptions& options, const Asset& asset) {
  for (const std::string& value : options.clips) {
    const bool is_own = std::any_of(asset.clips.begin(), asset.clips.end(),
                                    [&](const Clip& clip) { return clip.id == value; });
    const std::string file = split_clip(value).path;
    if (is_own || (file.empty() && !is_made_clip(value))) continue;
    const std::string from = file.empty() ? "RIG --clip " + value : value + " RIG";
    throw UsageError("--clip", "'" + printable(value) +
                                   "' is not a clip of the rig; write it into the rig first: "
                                   "skinbake retarget " +
                                   printable(from) + " -o moved.glb");
  }
}

std::vector<const Clip*> select_animated(const FitOptions& options, const Asset& asset) {
  require_own_clips(options, asset);
  const std::vector<const Clip*> clips = select_clips(asset.clips, asset.path, options.clips);
  if (clips.empty() || clips.front() == nullptr) {
    nothing_to_fit(asset, "the file does not have a clip; add one by skinbake retarget");
  }
  return clips;
}

// One mesh: its plan, and the targets that the plan points to.
struct MeshFit {
  FitPlan plan;
  std::vector<std::unique_ptr<FrameSource>> targets;
};

// In metres; infinite: there is none.
double bound_of(const FitOptions& options, const Rig& rig) {
  double bound = std::numeric_limits<double>::infinity();
  if (options.max_error_m) bound = *options.max_error_m;
  if (options.max_error_relative) {
    bound = std::min(bound, *options.max_error_relative * bind_baseline(rig).bbox_diagonal_m);
  }
  return bound;
}

// What the names of the targets say: "skinbake.dqs.0".
std::string name_of(const FitOptions& options) {
  return "skinbake." + (options.targets.empty() ? parse_method(options.method).info().id.data()
                                                : std::string("cache"));
}

MeshFit mesh_fit(const FitOptions& options, const Asset& asset, const Rig& rig,
                 const std::vector<const Clip*>& clips, Issues& found) {
  MeshFit fit;
  FitPlan& plan = fit.plan;
  plan.rig = &rig;
  plan.method = parse_method(options.method);
  plan.max_error_m = bound_of(options, rig);
  plan.correctives = options.correctives;
  plan.max_correctives = options.max_correctives;
  plan.normals = options.normals;
  plan.influences = options.influences;
  plan.helpers = options.helpers;
  plan.name = name_of(options);
  plan.threads = options.threads;
  if (!options.joint_params.empty()) {
    plan.joint_parameters = load_joint_parameters(options.joint_params, asset).joints;
  }
  plan.bits = fit_encoding(options.formats).bits;
  plan.bind_cache = options.binds.folder;
  plan.trust_bind_cache = options.binds.trusts;
  plan.found = [&found](const Issue& issue) { found.push_back(issue); };
  std::vector<FrameRange> frames;
  for (const Clip* clip : clips) {
    frames.push_back(select_frames(asset.path, clip, options.frames));
  }
  fit.targets = open_targets(options, rig, clips, frames);
  for (std::size_t i = 0; i < clips.size(); ++i) {
    const FrameSource* target = fit.targets.empty() ? nullptr : fit.targets[i].get();
    plan.clips.push_back({clips[i], frames[i], target});
  }
  return fit;
}

// The clips of the file that the fit does not contain.
std::vector<FitClip> left_out_clips(const FitOptions& options, const Asset& asset,
                                    const FitPlan& plan) {
  FrameOptions frames = options.frames;
  frames.frames.reset();  // those of the clips of the fit
  std::vector<FitClip> left_out;
  for (const Clip& clip : asset.clips) {
    const bool is_fitted = std::any_of(plan.clips.begin(), plan.clips.end(),
                                       [&](const FitClip& own) { return own.clip == &clip; });
    // One that is too long to be fitted is not measured either.
    const double instants = clip.duration_s * frames.fps;
    if (instants >= static_cast<double>(frames.max_frames)) continue;
    if (!is_fitted) left_out.push_back({&clip, select_frames(asset.path, &clip, frames)});
  }
  return left_out;
}

void require_memory(const FitOptions& options, const Asset& asset, const FitPlan& plan) {
  const MemoryNeed need = memory_of(plan);
  MemoryPlan memory;
  memory.hold("the rig", skinbake::memory_of(asset));
  memory.use(need.consumer, need.bytes);
  std::uint64_t longest = 0, all = 0;  // frames of a clip, and of all
  for (const FitClip& clip : plan.clips) {
    const auto frames = static_cast<std::uint64_t>(clip.frames.frame_count);
    longest = std::max(longest, frames);
    all = saturated_sum(all, frames);
  }
  const std::uint64_t positions = std::uint64_t{12} * plan.rig->mesh->vertex_count();
  const auto targets =
      static_cast<std::uint64_t>(options.correctives.value_or(options.max_correctives));
  memory.hold("the correctives",
              saturated_product(positions * (options.normals ? 2 : 1), std::min(targets, all)));
  const std::uint64_t of_a_clip = saturated_product(positions, longest);
  if (options.verify) {
    memory.use("the file that is read back",
               saturated_sum(saturated_product(2, skinbake::memory_of(asset)), of_a_clip));
  }
  if (plan.helpers > 0 || plan.influences) {
    std::uint64_t frames = 0;
    for (const FitClip& clip : left_out_clips(options, asset, plan)) {
      frames = std::max(frames, static_cast<std::uint64_t>(clip.frames.frame_count));
    }
    memory.use("a clip outside the fit", saturated_product(positions, frames));
  }
  if (!options.pages.given().empty()) memory.use("the frames of a clip for the pages", of_a_clip);
  if (options.pages.view) hold_view(memory);
  memory.require(options.load.max_memory, "mesh '" + printable(plan.rig->id) + "'",
                 "lower the frame rate or fit fewer clips", {asset.path, ""});
}

void refuse_inputs(const FitOptions& options, const Asset& asset,
                   const std::vector<std::string>& targets) {
  InputFiles inputs;
  inputs.add(asset);
  for (const std::string& target : targets) inputs.add_cache(target);
  if (!options.joint_params.empty()) inputs.add(options.joint_params, "parameters");
  inputs.refuse({options.output});
  if (!options.depfile.empty()) inputs.refuse({options.depfile});
  if (!options.report.empty() && options.report != "-") inputs.refuse({options.report});
  for (const auto& [format, path] : options.pages.given()) inputs.refuse({path});
  refuse_binds({options.output}, options.binds.folder);
}

// The fits of all meshes, and what was chosen for each.
struct Fits {
  std::vector<FitResult> results;
  std::vector<std::optional<FitChoice>> choices;
};

Fits fit_all(const FitOptions& options, const Asset& asset, std::vector<MeshFit>& meshes) {
  constexpr std::int64_t kParts = 1000;  // of a mesh, for the progress
  Progress progress(kParts * static_cast<std::int64_t>(meshes.size()), options.bar());
  const ChangeEncoding encoding = fit_encoding(options.formats).changes;
  Fits fits;
  for (MeshFit& mesh : meshes) {
    progress.begin(printable(mesh.plan.rig->id));
    mesh.plan.progress = [&](std::string_view step, double part) { progress.prepare(step, part); };
    ChosenFit fit = choose_fit(asset, mesh.plan, encoding);
    fits.results.push_back(std::move(fit.result));
    fits.choices.push_back(std::move(fit.choice));
  }
  return fits;
}

// What helps a mesh that exceeds its bound.
std::string remedy_of(const FitOptions& options, const FitResult& result) {
  if (options.best_effort) return "the best effort is written";
  const bool collapses =
      std::any_of(result.clips.begin(), result.clips.end(),
                  [](const FitClipResult& clip) { return !clip.collapses.empty(); });
  std::string remedy = "no model is written: raise the bound";
  if (collapses) {
    remedy += options.helpers == 0 ? " or add --helpers 4" : " or --helpers";
  } else if (options.correctives) {
    remedy += " or --correctives";
  } else if (result.changes.morphs.targets.size() >=
             static_cast<std::size_t>(options.max_correctives)) {
    remedy += " or --max-correctives";
  }
  return remedy + ", or add --best-effort";
}

// Prints the meshes that exceed their bound, and returns them as issues.
Issues check_bounds(const FitOptions& options, const Asset& asset,
                    const std::vector<FitResult>& results) {
  Issues exceeded;
  for (const FitResult& result : results) {
    if (result.is_met) continue;
    Issue& issue = exceeded.emplace_back();
    issue.code = "FIT_BOUND_EXCEEDED";
    issue.file = asset.path;
    issue.message = excess_of(result) + "; " + remedy_of(options, result);
    log_error(issue.message + " [" + issue.code + "]");
  }
  return exceeded;
}

// Whether the changes may move clips that have no keys of the fit. Correctives do not: their rest
// weights give the rest shape of the mesh.
bool changes_other_clips(const FitResult& result) {
  return !result.changes.helpers.empty() || !result.changes.influences.empty();
}

// A finding for each clip outside the fit that its changes make worse.
Issues check_left_out(const FitOptions& options, const Asset& asset, const FitPlan& plan,
                      const FitResult& result) {
  constexpr double kRounding = 1e-6;  // of the diagonal
  Issues worse;
  if (!changes_other_clips(result)) return worse;
  const std::vector<FitClip> clips = left_out_clips(options, asset, plan);
  const std::vector<LeftOutErrors> errors = measure_left_out(plan, result.changes, clips);
  for (std::size_t i = 0; i < clips.size(); ++i) {
    const auto& [before, after] = errors[i];
    if (!(after.max_m > before.max_m + kRounding * result.bbox_diagonal_m)) continue;
    Issue& issue = worse.emplace_back();
    issue.code = "FIT_CLIP_WORSE";
    issue.file = asset.path;
    issue.message = fmt::format(
        "mesh '{}', clip '{}', which the fit does not contain: the largest distance from {} rises "
        "from {:.3g} to {:.3g} m, in frame {} at vertex {}",
        printable(plan.rig->id), printable(clips[i].clip->id),
        options.targets.empty() ? plan.method.canonical() : "linear blending of the file",
        before.max_m, after.max_m, after.frame, after.vertex);
  }
  return worse;
}

void append(Issues more, Issues& issues) {
  issues.insert(issues.end(), std::make_move_iterator(more.begin()),
                std::make_move_iterator(more.end()));
}

// The inputs beside the rig's file: caches and parameters.
std::vector<std::string> other_inputs(const FitOptions& options,
                                      const std::vector<std::string>& targets) {
  std::vector<std::string> inputs = targets;
  if (!options.joint_params.empty()) inputs.push_back(options.joint_params);
  return inputs;
}

std::vector<const FitPlan*> plans_of(const std::vector<MeshFit>& meshes) {
  std::vector<const FitPlan*> plans;
  for (const MeshFit& mesh : meshes) plans.push_back(&mesh.plan);
  return plans;
}

// The outputs of a run, which appear together.
class Outputs {
 public:
  // Opens the files, so that an invalid path fails before the first frame.
  explicit Outputs(const FitOptions& options) : options_(options), rig_(options.output) {
    if (!options.depfile.empty()) depfile_.emplace(options.depfile);
    if (!options.report.empty() && options.report != "-") report_.emplace(options.report);
    for (const auto& [format, path] : options.pages.given()) pages_.emplace_back(path);
  }

  // Writes the rig, and reads it back with --verify.
  FitOutput write_rig(const Asset& asset, const std::vector<MeshFit>& meshes,
                      const std::vector<FitResult>& results) {
    std::vector<RigChanges> changes;
    for (const FitResult& result : results) changes.push_back(result.changes);
    const WrittenChanges written =
        write_changed_rigs(asset, changes, fit_encoding(options_.formats).changes, rig_);
    files_.push_back(&rig_);
    if (options_.verify) verify_fit(rig_, plans_of(meshes), results, options_.load);
    return {shown(options_.output), written.bytes, written.added_bytes};
  }

  void write_depfile(const std::vector<std::string>& inputs) {
    if (!depfile_) return;
    depfile_->write(depfile_text({options_.output}, inputs));
    files_.push_back(&*depfile_);
  }

  void write_report(const std::string& json) {
    if (!report_) return;
    report_->write(json);
    files_.push_back(&*report_);
  }

  void write_pages(const std::vector<std::string>& pages) {
    for (std::size_t i = 0; i < pages.size(); ++i) {
      pages_[i].write(pages[i]);
      files_.push_back(&pages_[i]);
    }
  }

  // Gives the files that were written their names.
  void commit() { commit_outputs(files_, options_.sync); }

 private:
  const FitOptions& options_;
  OutputFile rig_;
  std::optional<OutputFile> depfile_, report_;
  std::vector<OutputFile> pages_;  // in the order of PageOptions::given
  std::vector<OutputFile*> files_;
};

FitReport report_of(const FitOptions& options, const Asset& asset,
                    const std::vector<std::string>& targets, const Fits& fits) {
  FitReport report;
  report.inputs = asset.inputs;
  for (const std::string& target : targets) {
    const std::unique_ptr<CacheReader> cache = open_cache(target);
    report.inputs.push_back({"reference", shown(target), cache->bytes(), cache->xxh128()});
    report.targets.push_back(shown(target));
  }
  if (!options.joint_params.empty()) {
    report.inputs.push_back(load_joint_parameters(options.joint_params, asset).input);
  }
  report.fps = options.frames.fps;
  if (targets.empty()) report.method = parse_method(options.method).canonical();
  report.max_error_m = options.max_error_m;
  report.max_error_relative = options.max_error_relative;
  report.correctives = options.correctives;
  report.max_correctives = options.max_correctives;
  report.normals = options.normals;
  report.helpers = options.helpers;
  report.influences = options.influences;
  const FitEncoding encoding = fit_encoding(options.formats);
  report.bits = encoding.bits;
  report.meshopt = encoding.changes.meshopt;
  report.is_verified = options.verify;
  report.results = fits.results;
  report.choices = fits.choices;
  return report;
}

std::string text_of(const FitOptions& options, const FitReport& report) {
  std::string text = table_of(report.results) + joints_of(report) + choices_of(report);
  if (!report.output) return text;
  return text + fmt::format("{}: {} bytes, {} of them added; a float32 cache has {}\n",
                            printable(options.output), report.output->bytes,
                            report.output->added_bytes, cache_bytes(report.results));
}

}  // namespace

int run_fit(FitOptions options) {
  configure_console(options);
  check_together(options);
  options.load.source = true;
  const Asset asset = load_rig(options.rig, options.load);
  const std::vector<const Rig*> rigs = select_skinned(options, asset);
  const std::vector<const Clip*> clips = select_animated(options, asset);
  require_targets(options, clips.size(), rigs.size());
  const std::vector<std::string> targets = target_paths(options, rigs, clips);
  Issues found = asset.issues;
  log_issues(found, asset.files);
  std::vector<MeshFit> meshes;
  for (const Rig* rig : rigs) {
    meshes.push_back(mesh_fit(options, asset, *rig, clips, found));
    require_memory(options, asset, meshes.back().plan);
  }
  refuse_inputs(options, asset, targets);
  record_inputs(asset.files, asset.inputs);
  record_inputs(other_inputs(options, targets));
  remove_outputs_on_signal();
  Outputs outputs(options);
  const Fits fits = fit_all(options, asset, meshes);
  const Issues exceeded = check_bounds(options, asset, fits.results);
  const bool is_met = exceeded.empty();
  for (std::size_t m = 0; m < meshes.size(); ++m) {
    append(issues_of(fits.results[m], asset.path), found);
    append(check_left_out(options, asset, meshes[m].plan, fits.results[m]), found);
  }
  log_issues({found.begin() + static_cast<std::ptrdiff_t>(asset.issues.size()), found.end()},
             asset.files);
  append(exceeded, found);
  FitReport report = report_of(options, asset, targets, fits);
  report.issues = found;
  report.allowed = allowed_codes(found);
  if (is_met || options.best_effort) {
    report.output = outputs.write_rig(asset, meshes, fits.results);
    std::vector<std::string> inputs = asset.files;
    const std::vector<std::string> others = other_inputs(options, targets);
    inputs.insert(inputs.end(), others.begin(), others.end());
    outputs.write_depfile(inputs);
  }
  const std::string json = to_json(report);
  outputs.write_report(json);
  if (!options.pages.given().empty()) {
    outputs.write_pages(fit_pages(options, report, plans_of(meshes)));
  }
  outputs.commit();
  if (options.report_to_stdout()) {
    print(json);
  } else if (!options.quiet) {
    print(text_of(options, report));
  }
  return is_met ? strict_exit_code(options.strict, found) : 1;
}

}  // namespace skinbake::cli
