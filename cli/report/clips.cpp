#include "report/clips.h"

#include <algorithm>

#include "clips/clip_files.h"
#include "options/parsing/usage_error.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

bool is_of_poses(const ParsedClip& clip) {
  return clip.id.starts_with("poses:");
}

[[noreturn]] void missing_clip(const ParsedReport& report, const ParsedClip& clip) {
  if (is_of_poses(clip)) missing_file(report, {"poses are", clip.file, "--clip poses:FILE"});
  missing_file(report, {"clips are", clip.file, "--clip"});
}

void require_file(const ParsedReport& report, const std::string& given,
                  const MissingFile& recorded) {
  if (given.empty() && !recorded.file.empty()) missing_file(report, recorded);
}

// The setting of the report. An option may repeat it; `unset`: the option is not given.
template <class Setting>
void take(const char* option, const Setting& unset, const std::optional<Setting>& recorded,
          Setting& setting) {
  if (!recorded) return;
  if (setting != unset && setting != *recorded) {
    throw UsageError(option, "differs from the setting of the report; omit it");
  }
  setting = *recorded;
}

// The options with the settings of the report. Its files must be given: a report does not have
// their paths.
ClipSource source_of(const ClipSource& given, const ParsedReport& report) {
  ClipSource source = given;
  require_file(report, given.map, {"names are paired", report.settings.map, "--map"});
  if (!report.settings.retarget) return source;
  const RetargetSettings& recorded = *report.settings.retarget;
  require_file(report, given.humanoid, {"bones are", recorded.humanoid, "--humanoid"});
  require_file(report, given.clip_humanoid,
               {"bones of the clip are", recorded.clip_humanoid, "--clip-humanoid"});
  require_file(report, given.ranges, {"ranges of muscles are", recorded.ranges, "--ranges"});
  RetargetOptions& options = source.retarget;
  take("--retarget", RetargetMode::kAuto, std::optional(recorded.mode), options.mode);
  take("--t-pose", TPoseChoice{}, recorded.t_pose, options.t_pose);
  take("--clip-t-pose", TPoseChoice{}, recorded.clip_t_pose, options.clip_t_pose);
  take("--root-motion", RootMotion::kKeep, recorded.root_motion, options.root_motion);
  take("--mirror", false, recorded.mirror, options.mirror);
  source.fps = recorded.pose_fps.value_or(source.fps);
  return source;
}

// Adds the clips of the report that need no file.
void add_clips_without_file(const ParsedReport& report, std::vector<std::string>& wanted) {
  for (const ParsedClip& clip : report.clips) {
    const bool is_known = std::find(wanted.begin(), wanted.end(), clip.id) != wanted.end();
    if (clip.file.empty() && !clip.id.empty() && !is_known) wanted.push_back(clip.id);
  }
}

void require_clips(const ParsedReport& report, const std::vector<Clip>& clips) {
  for (const ParsedClip& wanted : report.clips) {
    const bool is_there = std::any_of(clips.begin(), clips.end(),
                                      [&](const Clip& clip) { return clip.id == wanted.id; });
    if (!is_there && !wanted.file.empty()) missing_clip(report, wanted);
  }
}

}  // namespace

void missing_file(const ParsedReport& report, const MissingFile& missing) {
  throw Error(ErrorKind::kUsage, "VIEW_WITHOUT_RIG",
              fmt::format("{}: the report's {} from '{}'; give that file with {}", report.name,
                          missing.what, missing.file, missing.option));
}

void use_report_clips(const ClipSource& given, const LoadOptions& load, const ParsedReport& report,
                      Asset& asset) {
  const bool is_recorded = report.settings.retarget.has_value();
  for (const ParsedClip& clip : report.clips) {
    if (given.clips.empty() && !clip.file.empty()) missing_clip(report, clip);
  }
  ClipSource source = source_of(given, report);
  if (is_recorded) add_clips_without_file(report, source.clips);
  const UsedClips used = use_clip_files(source, load, asset);
  require_clips(report, asset.clips);
  if (given.clips.empty() || is_recorded || !used.file_of.empty()) return;
  throw Error(ErrorKind::kUsage, "CLIP_UNKNOWN",
              "--clip " + given.clips.front() +
                  ": must name a file; the report selects the clips of the rig");
}

}  // namespace skinbake::cli
