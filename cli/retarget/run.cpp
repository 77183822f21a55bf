#include "retarget/run.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "clips/clip_files.h"
#include "gltf/write/rig_file.h"
#include "json/printable.h"
#include "options/parsing/usage_error.h"
#include "options/selection.h"
#include "outputs/depfile.h"
#include "outputs/input_files.h"
#include "outputs/output_paths.h"
#include "outputs/rig_output.h"
#include "skinbake/memory.h"
#include "task/task_context.h"
#include "terminal/format.h"
#include "terminal/interrupt.h"
#include "terminal/progress.h"
#include "thresholds/evaluate_thresholds.h"

namespace skinbake::cli {

namespace {

// The file of CLIP without "#ID".
std::string path_of_clip(const RetargetCommandOptions& options) {
  return split_clip(options.clip_file).path;
}

// Replaces CLIP and the ids of --clip by values "FILE#ID", as `bake --clip` has them. Throws
// UsageError.
void settle_inputs(RetargetCommandOptions& options) {
  if (options.rig.empty()) {
    options.rig = std::exchange(options.clip_file, "");
    return;
  }
  const FileClip file = split_clip(options.clip_file);
  if (file.path.empty()) {
    throw UsageError("CLIP", "'" + options.clip_file +
                                 "' is not a .gltf, .glb, .vrm or .vrma file; for --clip rom and "
                                 "--clip poses:FILE name the rig alone");
  }
  if (options.clips.clips.empty()) {
    options.clips.clips = {options.clip_file};
    return;
  }
  if (!file.id.empty()) {
    throw UsageError("--clip", "CLIP names the clip '" + file.id + "' already; omit one of them");
  }
  // "!walk*" omits from all clips that are named before and after it, as for `bake --clip`.
  const auto omits = [](const std::string& id) { return id.starts_with('!'); };
  std::vector<std::string>& ids = options.clips.clips;
  if (std::all_of(ids.begin(), ids.end(), omits)) ids.insert(ids.begin(), "all");
  for (std::string& id : ids) {
    if (!omits(id)) id = file.path + "#" + id;
  }
}

void check_together(const RetargetCommandOptions& options) {
  require_rig_name(options.output);
  if (!options.depfile.empty()) require_distinct({options.output, options.depfile});
}

// Throws if every clip is the rig's own and stays as it is.
void require_change(const ClipSource& clips, const Asset& asset) {
  if (!keeps_own_clips(clips, asset)) return;
  throw UsageError("CLIP",
                   "the clip is one of the rig already; name the file of another clip before the "
                   "rig, --clip rom or --clip poses:FILE, or --mirror or --root-motion");
}

// The clip's name in the written file. A clip without a name gets that of its file.
std::string name_of(const Clip& clip, const RetargetCommandOptions& options) {
  if (!clip.name.empty()) return clip.name;
  const std::string path = path_of_clip(options);
  return path.empty() ? "clip" : std::filesystem::path(path).stem().string();
}

std::vector<AddedClip> added_clips(const RetargetCommandOptions& options, const Asset& asset,
                                   const std::vector<const Clip*>& clips) {
  std::vector<AddedClip> added;
  for (const Clip* clip : clips) {
    added.push_back(
        {clip, name_of(*clip, options), select_frames(asset.path, clip, options.frames)});
  }
  return added;
}

// Throws if the rig and the keys need more memory than --max-memory.
void require_memory(const RetargetCommandOptions& options, const Asset& asset,
                    const std::vector<AddedClip>& clips) {
  MemoryPlan plan;
  plan.hold("the rig", memory_of(asset));
  for (const AddedClip& clip : clips) plan.hold("the keys", memory_of_keys(asset, clip));
  plan.use("the file that is written", memory_of_document(asset));
  plan.require(options.load.max_memory, "the rig with its clips",
               "lower the frame rate or write fewer clips", {asset.path, ""});
}

void refuse_inputs(const RetargetCommandOptions& options, const Asset& asset) {
  InputFiles inputs;
  inputs.add(asset);
  inputs.refuse({options.output});
  if (!options.depfile.empty()) inputs.refuse({options.depfile});
}

std::string text_of(const RetargetCommandOptions& options, const WrittenRig& rig) {
  std::string text = fmt::format("{}: {} bytes\n", printable(options.output), rig.bytes);
  for (const WrittenClip& clip : rig.clips) {
    text += fmt::format("animation '{}': {} frames at {} fps, {} channels\n", printable(clip.name),
                        clip.frames, options.frames.fps, clip.channels);
  }
  return text;
}

WrittenRig write_with_progress(const RetargetCommandOptions& options, const Asset& asset,
                               const std::vector<AddedClip>& clips, OutputFile& file) {
  std::int64_t total = 0;
  for (const AddedClip& clip : clips) total += clip.frames.frame_count;
  Progress progress(total, options.bar());
  progress.begin(printable(options.rig));
  return write_rig(asset, clips, file, [&](std::int64_t frames) { progress.update(frames); });
}

}  // namespace

int run_retarget(RetargetCommandOptions options) {
  configure_console(options);
  settle_inputs(options);
  check_together(options);
  options.load.source = true;
  Asset asset = load_asset(options.rig, options.load);
  require_avatar(options.output, asset);
  require_change(options.clips, asset);
  options.clips.fps = options.frames.fps;
  const UsedClips used = use_clip_files(options.clips, options.load, asset);
  for (Issue& issue : warn_of_exclusions(asset, used.ids, {})) {
    asset.issues.push_back(std::move(issue));
  }
  log_issues(asset.issues, asset.files);
  const std::vector<const Clip*> chosen = select_clips(asset.clips, asset.path, used.ids);
  const std::vector<AddedClip> clips = added_clips(options, asset, chosen);
  require_memory(options, asset, clips);
  refuse_inputs(options, asset);
  remove_outputs_on_signal();
  std::optional<OutputFile> depfile;
  if (!options.depfile.empty()) {
    depfile.emplace(options.depfile);
    depfile->write(depfile_text({options.output}, asset.files));
  }
  OutputFile file(options.output);
  const WrittenRig written = write_with_progress(options, asset, clips, file);
  std::vector<OutputFile*> files{&file};
  if (depfile) files.push_back(&*depfile);
  commit_outputs(files, options.sync);
  if (!options.quiet) print(text_of(options, written));
  return strict_exit_code(options.strict, asset.issues);
}

}  // namespace skinbake::cli
