#include "humanoid/motion/pose_list.h"

#include <algorithm>
#include <utility>

#include "clip/sampling/sample.h"

namespace skinbake {

namespace {

// A pose counts as reached this much earlier: times that are sums of durations are rounded.
constexpr double kSnap_s = 1e-6;

constexpr Quat<double> kUnturned{1, 0, 0, 0};

BoneRotations blend(const BoneRotations& a, const BoneRotations& b, double share) {
  BoneRotations blended;
  for (std::size_t bone = 0; bone < kHumanBones.size(); ++bone) {
    if (!a.bones[bone] && !b.bones[bone]) continue;
    blended.bones[bone] =
        slerp(a.bones[bone].value_or(kUnturned), b.bones[bone].value_or(kUnturned), share);
  }
  return blended;
}

}  // namespace

PoseList::PoseList(std::vector<NamedPose> poses, double fps, const Vec3<double>& hips_at_rest)
    : poses_(std::move(poses)), hips_at_rest_(hips_at_rest) {
  double held_s = 0, frames = 0;
  for (std::size_t p = 0; p < poses_.size(); ++p) {
    if (p > 0 && !poses_[p].hips) poses_[p].hips = poses_[p - 1].hips;
    key_times_.push_back(held_s + frames / fps);  // exactly k / fps without holds
    if (poses_[p].hold_s) {
      held_s += *poses_[p].hold_s;
    } else {
      frames += 1;
    }
  }
  if (poses_.back().hold_s) key_times_.push_back(held_s + frames / fps);
}

PoseList::Place PoseList::place(double time_s) const {
  const auto after = std::upper_bound(key_times_.begin(), key_times_.end(), time_s + kSnap_s);
  if (after == key_times_.begin()) return {};
  const auto key = static_cast<std::size_t>(after - key_times_.begin()) - 1;
  if (key + 1 >= poses_.size()) return {poses_.size() - 1, 0};
  if (!poses_[key].hold_s) return {key, 0};
  const double share = (time_s - key_times_[key]) / *poses_[key].hold_s;
  return {key, std::clamp(share, 0.0, 1.0)};
}

HumanPose PoseList::pose(double time_s) const {
  const auto [from, share] = place(time_s);
  const NamedPose& a = poses_[from];
  HumanPose pose;
  if (share == 0) {
    pose = pose_of(a.rotations);
    pose.hips = a.hips;
    return pose;
  }
  const NamedPose& b = poses_[from + 1];
  pose = pose_of(blend(a.rotations, b.rotations, share));
  if (b.hips) {
    const Vec3<double> from_hips = a.hips.value_or(hips_at_rest_);
    pose.hips = from_hips + share * (*b.hips - from_hips);
  }
  return pose;
}

std::string PoseList::name(double time_s) const {
  const auto [from, share] = place(time_s);
  return poses_[share < 0.5 ? from : from + 1].name;
}

}  // namespace skinbake
