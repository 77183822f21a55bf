#include "clips/retarget_options.h"

#include <string>

#include "options/parsing/choices.h"

namespace skinbake::cli {

namespace {

// Reads "auto", "rest", "clip:NAME" or "clip:NAME@SECONDS". Throws UsageError.
TPoseChoice t_pose_of(const std::string& option, const std::string& text) {
  if (text == "auto") return {TPoseSource::kAuto};
  if (text == "rest") return {TPoseSource::kRest};
  const std::string prefix = "clip:";
  if (!text.starts_with(prefix) || text.size() == prefix.size()) {
    throw UsageError(option, "'" + text + "' is not one of auto|rest|clip:NAME[@SECONDS]");
  }
  TPoseChoice choice{TPoseSource::kClip, text.substr(prefix.size())};
  const std::size_t at = choice.clip.rfind('@');
  if (at == std::string::npos) return choice;
  const std::optional<double> seconds = finite_number(choice.clip.substr(at + 1));
  if (!seconds) return choice;  // the name contains '@'
  choice.time_s = *seconds;
  choice.clip.resize(at);
  return choice;
}

void add_t_pose(CLI::App& command, const std::string& name, TPoseChoice& choice,
                const std::string& help) {
  command
      .add_option_function<std::string>(
          name, [&choice, name](const std::string& text) { choice = t_pose_of(name, text); }, help)
      ->type_name("auto|rest|clip:NAME[@SECONDS]");
}

}  // namespace

void add_t_pose_option(CLI::App& command, ClipSource& clips) {
  add_t_pose(command, "--t-pose", clips.retarget.t_pose,
             "The rig's T-pose; auto: the rest pose with straightened limbs; rest: the rest pose; "
             "clip: an instant of a clip; default: rest for VRM files, else auto");
}

void add_map_option(CLI::App& command, ClipSource& clips) {
  command
      .add_option("--map", clips.map,
                  "JSON object of node names for --clip FILE: {\"in the rig\": \"in the clip\"}")
      ->check(check_not_empty)
      ->type_name("FILE");
}

void add_retarget_options(CLI::App& command, ClipSource& clips) {
  RetargetOptions& options = clips.retarget;
  add_choice<RetargetMode>(
      command, "--retarget", options.mode,
      {{"auto", RetargetMode::kAuto},
       {"humanoid", RetargetMode::kHumanoid},
       {"names", RetargetMode::kNames},
       {"off", RetargetMode::kOff}},
      "How --clip FILE moves the rig: as a human body, or by node names; auto: by names if all "
      "nodes are in the rig and rest in the same rotations, else as a human body; off: as names, "
      "without a warning where the rest poses differ",
      "auto");
  command
      .add_option("--humanoid", clips.humanoid,
                  "JSON file with the rig's bones: {\"hips\": \"pelvis\", \"leftUpperLeg\": "
                  "\"#12\", …}; default: the file's VRM map, else found by names or structure")
      ->check(check_not_empty)
      ->type_name("FILE");
  command
      .add_option("--clip-humanoid", clips.clip_humanoid, "The same for the bones of --clip FILE")
      ->check(check_not_empty)
      ->type_name("FILE");
  command
      .add_option("--ranges", clips.ranges,
                  "JSON file with ranges of muscles for --clip rom and poses:FILE, in degrees from "
                  "the T-pose: {\"leftForearmTwist\": [-60, 60], …}")
      ->check(check_not_empty)
      ->type_name("FILE");
  add_t_pose_option(command, clips);
  add_t_pose(command, "--clip-t-pose", options.clip_t_pose, "The same for --clip FILE");
  add_choice<RootMotion>(command, "--root-motion", options.root_motion,
                         {{"keep", RootMotion::kKeep},
                          {"in-place", RootMotion::kInPlace},
                          {"none", RootMotion::kNone}},
                         "The way of a human body's hips; in-place: without the horizontal way; "
                         "none: without any",
                         "keep");
  command.add_flag("--mirror", options.mirror, "Exchange left and right of a human body");
}

}  // namespace skinbake::cli
