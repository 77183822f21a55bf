#include "clips/used_retargeting.h"

#include <algorithm>

#include "outputs/output_paths.h"

namespace skinbake::cli {

void UsedRetargeting::add(RetargetMode mode) {
  is_uniform_ = is_uniform_ && (modes_.empty() || modes_.contains(mode));
  modes_.insert(mode);
}

void UsedRetargeting::add_motion() {
  settings_.root_motion = source_.retarget.root_motion;
  settings_.mirror = source_.retarget.mirror;
}

void UsedRetargeting::add_of_file(const MatchedClip& clip, const ClipFile& file) {
  const bool is_off = source_.retarget.mode == RetargetMode::kOff;
  add(clip.as_humanoids ? RetargetMode::kHumanoid
      : is_off          ? RetargetMode::kOff
                        : RetargetMode::kNames);
  if (!clip.as_humanoids) return;
  add_motion();
  clip_t_poses_.push_back(resolved(source_.retarget.clip_t_pose, file.humanoid));
}

std::optional<RetargetSettings> UsedRetargeting::take(const HumanoidMap& rig) {
  if (modes_.empty()) return {};
  if (is_uniform_) settings_.mode = *modes_.begin();
  if (modes_.contains(RetargetMode::kHumanoid)) {
    settings_.t_pose = resolved(source_.retarget.t_pose, rig);
    if (!source_.humanoid.empty()) settings_.humanoid = shown(source_.humanoid);
  } else {
    settings_.clip_humanoid.clear();
  }
  const auto is_first = [&](const TPoseChoice& one) { return one == clip_t_poses_.front(); };
  const bool agree = std::all_of(clip_t_poses_.begin(), clip_t_poses_.end(), is_first);
  if (!clip_t_poses_.empty() && agree) settings_.clip_t_pose = clip_t_poses_.front();
  return settings_;
}

}  // namespace skinbake::cli
