// What a clip does to a human body: a pose that any other body can take, and the muscles that leave
// their ranges.

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "humanoid/motion/pose_source.h"
#include "inspect/inspect.h"
#include "inspect/pose_json.h"
#include "json/print.h"
#include "json/text.h"

namespace skinbake {

namespace {

ClipPoses poses_of(const Asset& asset, const Clip& clip, const TPoseChoice& t_pose) {
  const HumanoidMap map = required_humanoid(asset.humanoid, *asset.skeleton, asset.path);
  auto body = std::make_shared<const TPosedSkeleton>(
      t_posed(*asset.skeleton, map, asset.clips, t_pose, asset.path));
  const double unit_m = hips_unit_m(*body);
  return {asset.skeleton, clip, std::move(body), unit_m};
}

// "12 to 40, 52"
std::string frames_text(const std::vector<FrameRun>& runs) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i == kShown) return text + ", …";
    text += (i == 0 ? "" : ", ") + std::to_string(runs[i].first);
    if (runs[i].last != runs[i].first) text += " to " + std::to_string(runs[i].last);
  }
  return text;
}

}  // namespace

std::string pose_json(const Asset& asset, const Clip& clip, double time_s,
                      const TPoseChoice& t_pose) {
  char name[64];
  std::snprintf(name, sizeof name, " at %.6g s", time_s);
  return pose_json(poses_of(asset, clip, t_pose).pose(time_s), clip.id + name);
}

std::string limits_text(const Asset& asset, const Clip& clip, const FrameRange& frames,
                        const HumanClipOptions& options) {
  const std::vector<MuscleExcess> found =
      muscles_outside(poses_of(asset, clip, options.t_pose), frames, options.ranges);
  std::string text = "clip " + printable(clip.id) + ": ";
  if (found.empty()) return text + "every muscle stays within its range\n";
  text += std::to_string(found.size()) + " of " + std::to_string(kMuscleCount) +
          " muscles leave their range\n";
  for (const MuscleExcess& muscle : found) {
    char line[160];
    std::snprintf(line, sizeof line,
                  "  %-26s %+7.1f degrees in frame %lld, %.1f beyond %+.0f to %+.0f; frames ",
                  muscle.muscle->name.c_str(), muscle.worst_angle_deg,
                  static_cast<long long>(muscle.worst_frame), muscle.worst_excess_deg,
                  muscle.range.min_deg, muscle.range.max_deg);
    text += line + frames_text(muscle.runs) + "\n";
  }
  return text;
}

std::string limits_json(const Asset& asset, const Clip& clip, const FrameRange& frames,
                        const HumanClipOptions& options) {
  const std::vector<MuscleExcess> found =
      muscles_outside(poses_of(asset, clip, options.t_pose), frames, options.ranges);
  OrderedJson muscles = OrderedJson::array();
  for (const MuscleExcess& muscle : found) {
    OrderedJson runs = OrderedJson::array();
    for (const FrameRun& run : muscle.runs) {
      runs.push_back({{"first", run.first}, {"last", run.last}});
    }
    muscles.push_back({{"muscle", muscle.muscle->name},
                       {"min_deg", muscle.range.min_deg},
                       {"max_deg", muscle.range.max_deg},
                       {"frames_outside", muscle.frames},
                       {"worst_frame", muscle.worst_frame},
                       {"worst_angle_deg", muscle.worst_angle_deg},
                       {"worst_excess_deg", muscle.worst_excess_deg},
                       {"runs", std::move(runs)}});
  }
  return print({{"clip", clip.id},
                {"fps", frames.fps},
                {"frame_count", frames.frame_count},
                {"muscles", std::move(muscles)}});
}

}  // namespace skinbake
