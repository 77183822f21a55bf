#include "gltf/clip_file/retarget.h"

#include <cmath>
#include <utility>

#include "humanoid/motion/pose_source.h"

namespace skinbake::gltf {

namespace {

// Hips below this height do not indicate the size of a body: their node is the root, or the file is
// damaged.
constexpr double kLeastHeight_m = 0.01;

}  // namespace

HumanoidRetarget::HumanoidRetarget(const ClipFile& file, const HumanoidMap& from, const Asset& rig,
                                   const HumanoidMap& to, const RetargetOptions& options)
    : from_skeleton_(file.skeleton),
      to_skeleton_(rig.skeleton),
      from_(std::make_shared<const TPosedSkeleton>(
          t_posed(*file.skeleton, from, file.clips, options.clip_t_pose, file.path))),
      to_(std::make_shared<const TPosedSkeleton>(
          t_posed(*rig.skeleton, to, rig.clips, options.t_pose, rig.path))),
      root_motion_(options.root_motion),
      is_mirrored_(options.mirror),
      stands_(!is_vrm(from) || !is_vrm(to)) {
  is_scaled_ = from_->hips_height_m >= kLeastHeight_m && to_->hips_height_m >= kLeastHeight_m &&
               std::isfinite(to_->hips_height_m / from_->hips_height_m);
  const std::size_t count = from_skeleton_->nodes.size();
  roles_.assign(count, Role::kNone);
  moves_rig_.assign(count, 0);
  moves_hips_.assign(count, 0);
  for (std::size_t b = 0; b < kHumanBones.size(); ++b) {
    const NodeIndex bone = from_->nodes[b];
    if (bone < 0) continue;
    // The right arm of the clip is the left one of the rig if the clip is mirrored.
    const bool is_shared = to_->nodes[is_mirrored_ ? other_side(b) : b] >= 0;
    const bool is_hips = kHumanBones[b].name == "hips";
    for (NodeIndex n = bone; n >= 0; n = from_skeleton_->base_of(n)) {
      const auto i = static_cast<std::size_t>(n);
      if (roles_[i] != Role::kBone) roles_[i] = n == bone ? Role::kBone : Role::kAboveBones;
      if (is_shared) moves_rig_[i] = 1;
      if (is_hips && is_shared) moves_hips_[i] = 1;
    }
  }
  carries_bones_.assign(to_skeleton_->nodes.size(), 0);
  for (const NodeIndex bone : to_->nodes) {
    if (bone < 0) continue;
    for (NodeIndex n = to_skeleton_->base_of(bone); n >= 0; n = to_skeleton_->base_of(n)) {
      carries_bones_[static_cast<std::size_t>(n)] = 1;
    }
  }
}

std::shared_ptr<const HumanMotion> HumanoidRetarget::motion(
    const Clip& clip, const std::set<NodeIndex>& left_alone,
    std::shared_ptr<const FacePlayer> face) const {
  HumanMotion::Options options;
  options.hips_unit_m = is_scaled_ ? to_->hips_height_m : 1;
  options.root = root_motion_;
  options.is_mirrored = is_mirrored_;
  options.stands = stands_;
  options.left_alone = left_alone;
  std::shared_ptr<const PoseSource> poses = std::make_shared<const ClipPoses>(
      from_skeleton_, clip, from_, is_scaled_ ? from_->hips_height_m : 1);
  if (face) poses = std::make_shared<const LookingPoses>(std::move(poses), std::move(face));
  return std::make_shared<const HumanMotion>(to_skeleton_, to_, std::move(poses),
                                             std::move(options));
}

}  // namespace skinbake::gltf
