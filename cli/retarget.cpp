// `skinbake retarget run.glb hero.glb -o hero_run.glb`: writes a rig with the clip of another
// character, with the range of motion of a human body, or with poses.

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/file_kind.h"
#include "base/paths.h"
#include "clips/clip_files.h"
#include "clips/selection.h"
#include "clips/used_issues.h"
#include "commands.h"
#include "gltf/write/rig_file.h"
#include "json/text.h"
#include "options/choices.h"
#include "options/option_groups.h"
#include "outputs/depfile.h"
#include "outputs/output_paths.h"
#include "outputs/rig_output.h"
#include "terminal/format.h"
#include "terminal/interrupt.h"
#include "terminal/progress.h"
#include "terminal/task_context.h"
#include "thresholds/evaluate_thresholds.h"

namespace skinbake::cli {

namespace {

struct RetargetCommandOptions : CommonOptions {
  std::string clip;  // FILE[#ID], rom[:PART] or poses:FILE
  std::string rig;
  ClipSource clips;
  FrameOptions frames;
  std::string output;
  std::string depfile;
  LoadOptions load;
  bool strict = false;
  bool sync = false;
};

// Throws UsageError if the value is not a clip, or if an option does not apply to a clip of its
// kind.
void check_clip(const RetargetCommandOptions& o) {
  const RetargetOptions& retarget = o.clips.retarget;
  const auto require_absent = [](const char* option, bool is_given, const char* clips) {
    if (is_given) throw UsageError(option, std::string("applies to ") + clips);
  };
  if (is_made_clip(o.clip)) {
    constexpr const char* kFiles = "a clip of a file";
    require_absent("--map", !o.clips.map.empty(), kFiles);
    require_absent("--clip-humanoid", !o.clips.clip_humanoid.empty(), kFiles);
    require_absent("--clip-t-pose", retarget.clip_t_pose != TPoseChoice{}, kFiles);
    require_absent("--mode", retarget.mode != RetargetMode::kAuto, kFiles);
    require_absent("--root-motion", retarget.root_motion != RootMotion::kKeep, kFiles);
    require_absent("--mirror", retarget.mirror, kFiles);
    return;
  }
  if (split_clip(o.clip).path.empty()) {
    refuse_other_kind(o.clip.substr(0, o.clip.find('#')));
    throw UsageError("CLIP", "'" + o.clip +
                                 "' is neither a .gltf, .glb, .vrm or .vrma file, nor rom[:PART], "
                                 "nor poses:FILE");
  }
  require_absent("--ranges", !o.clips.ranges.empty(), "rom and poses:FILE");
  if (retarget.mode == RetargetMode::kNames || retarget.mode == RetargetMode::kOff) {
    constexpr const char* kHumanoids = "bones of a human body, not to names; omit --mode";
    require_absent("--mirror", retarget.mirror, kHumanoids);
    require_absent("--root-motion", retarget.root_motion != RootMotion::kKeep, kHumanoids);
  }
}

// A clip of the rig's own file has the bones and the T-pose of the rig, unless options say
// otherwise.
ClipSource source_of(const RetargetCommandOptions& options) {
  ClipSource source = options.clips;
  source.clips = {options.clip};
  source.fps = options.frames.fps;
  std::error_code unknown;
  if (is_made_clip(options.clip) ||
      !std::filesystem::equivalent(split_clip(options.clip).path, options.rig, unknown)) {
    return source;
  }
  RetargetOptions& retarget = source.retarget;
  if (source.clip_humanoid.empty()) source.clip_humanoid = source.humanoid;
  if (retarget.clip_t_pose == TPoseChoice{}) retarget.clip_t_pose = retarget.t_pose;
  return source;
}

void take_humanoid(const RetargetCommandOptions& options, Asset& asset) {
  const std::string& path = options.clips.humanoid;
  if (path.empty()) return;
  HumanoidFile file = load_humanoid_file(path, *asset.skeleton);
  asset.humanoid = std::move(file.map);
  asset.inputs.push_back(file.input);
  asset.files.push_back(path);
  const Issues found = humanoid_findings(*asset.skeleton, asset.humanoid, shown(asset.path));
  asset.issues.insert(asset.issues.end(), found.begin(), found.end());
}

// The clip's name in the written file. A clip without a name gets the name of its file.
std::string name_of(const Clip& clip, const RetargetCommandOptions& options) {
  if (!clip.name.empty()) return clip.name;
  const std::string path = split_clip(options.clip).path;
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

void refuse_inputs(const RetargetCommandOptions& options, const Asset& asset) {
  InputFiles inputs;
  inputs.add(asset);
  inputs.refuse({options.output});
  if (!options.depfile.empty()) inputs.refuse({options.depfile});
}

std::string text_of(const RetargetCommandOptions& options, const WrittenRig& rig) {
  std::string text = fmt::format("{}: {} bytes\n", printable(options.output), rig.bytes);
  for (const WrittenClip& clip : rig.clips) {
    text += fmt::format("animation '{}': {} frames at {} fps{}, {} channels\n",
                        printable(clip.name), clip.frames, rate_text(options.frames.fps),
                        clip.end_s ? fmt::format(" and the end at {:.6g} s", *clip.end_s) : "",
                        clip.channels);
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

void check_outputs(const RetargetCommandOptions& options) {
  require_rig_name(options.output);
  if (!options.depfile.empty()) require_distinct({options.output, options.depfile});
}

int run_retarget(RetargetCommandOptions options) {
  configure_console(options);
  check_clip(options);
  check_outputs(options);
  options.load.source = true;
  Asset asset = load_asset(options.rig, options.load);
  require_avatar(options.output, asset);
  take_humanoid(options, asset);
  const UsedClips used = use_other_clip(source_of(options), options.load, asset);
  const std::vector<const Clip*> selected = select_clips(asset.clips, asset.path, used.ids);
  std::vector<const Rig*> rigs;
  for (const Rig& rig : asset.rigs) rigs.push_back(&rig);
  asset.issues = issues_of_used(asset, rigs, selected, used.file_of);
  log_issues(asset.issues, asset.files);
  settle_fps(keyed_clips(asset.path, *asset.skeleton, selected), options.frames);
  const std::vector<AddedClip> clips = added_clips(options, asset, selected);
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

void add_inputs(CLI::App& command, RetargetCommandOptions& o) {
  command
      .add_option(
          "CLIP", o.clip,
          "Clip to retarget: FILE or FILE#ID (.gltf, .glb, .vrm, .vrma), rom[:PART] or poses:FILE")
      ->required()
      ->check(check_not_empty)
      ->type_name("");
  command.add_option("RIG", o.rig, "glTF file to add the clip to: .gltf, .glb or .vrm")
      ->required()
      ->check(check_not_empty)
      ->type_name("");
}

void add_file(CLI::App& command, const char* name, std::string& path, const char* help) {
  command.add_option(name, path, help)->check(check_not_empty)->type_name("FILE");
}

void add_motion(CLI::App& command, ClipSource& clips) {
  RetargetOptions& options = clips.retarget;
  add_choice<RetargetMode>(command, "--mode", options.mode,
                           {{"auto", RetargetMode::kAuto},
                            {"humanoid", RetargetMode::kHumanoid},
                            {"names", RetargetMode::kNames},
                            {"off", RetargetMode::kOff}},
                           "Pair nodes by human bone or by name; off: by name, with unchanged keys",
                           "auto");
  add_file(command, "--map", clips.map,
           "JSON file that pairs node names: {\"name in the rig\": \"name in CLIP\"}");
  add_file(
      command, "--humanoid", clips.humanoid,
      "JSON file of the rig's human bones: {\"hips\": \"pelvis\", …}; default: found in the rig");
  add_file(command, "--clip-humanoid", clips.clip_humanoid,
           "JSON file of CLIP's human bones: {\"hips\": \"pelvis\", …}; default: found in CLIP");
  add_t_pose_option(command, "--t-pose", options.t_pose,
                    "T-pose of the rig: rest, auto (limbs straightened), or an instant of a clip");
  add_t_pose_option(command, "--clip-t-pose", options.clip_t_pose,
                    "T-pose of CLIP: rest, auto (limbs straightened), or an instant of a clip");
  add_choice<RootMotion>(command, "--root-motion", options.root_motion,
                         {{"keep", RootMotion::kKeep},
                          {"in-place", RootMotion::kInPlace},
                          {"none", RootMotion::kNone}},
                         "Hip translation: keep, in-place (no horizontal travel), none", "keep");
  command.add_flag("--mirror", options.mirror, "Exchange left and right in a humanoid's motion");
  add_file(command, "--ranges", clips.ranges,
           "JSON file of muscle ranges in degrees, for rom and poses: {\"leftForearmTwist\": [-60, "
           "60]}");
}

void add_output(CLI::App& command, RetargetCommandOptions& o) {
  command
      .add_option("-o,--output", o.output,
                  "GLB to write (.glb, or .vrm for an avatar): the rig with the added animation")
      ->required()
      ->check(check_not_empty)
      ->type_name("PATH");
  add_depfile_option(command, o.depfile);
  add_sync_option(command, o.sync);
}

}  // namespace

void setup_retarget(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RetargetCommandOptions>();
  CLI::App* command = app.add_subcommand(
      "retarget", "Write a rig with the clip of another character, as a skinned GLB");
  add_inputs(*command, *options);
  add_motion(*command, options->clips);
  add_rate_options(*command, options->frames);
  add_output(*command, *options);
  add_common_options(*command, *options);
  add_strict_option(*command, options->strict);
  add_load_options(*command, options->load);
  command->footer(
      "Examples:\n"
      "  skinbake retarget run.glb hero.glb -o hero_run.glb\n"
      "  skinbake retarget moves.glb#all hero.glb --root-motion in-place -o hero_moves.glb\n"
      "  skinbake retarget dance.vrma avatar.vrm --fps 60 -o avatar_dance.glb\n"
      "  skinbake retarget rom:arms hero.glb -o hero_rom.glb\n"
      "  skinbake retarget hero.glb#walk hero.glb --mirror -o hero_walks.glb");
  command->callback([options, &exit_code] { exit_code = run_retarget(*options); });
}

}  // namespace skinbake::cli
