#include "skinbake/gltf.h"

#include <filesystem>
#include <memory>
#include <utility>

#include "base/nearest_word.h"
#include "gltf/clip_file/retarget.h"
#include "gltf/user_file/poses_file.h"
#include "humanoid/motion/human_motion.h"
#include "humanoid/motion/pose_source.h"
#include "json/json_text.h"
#include "rig/rest_pose.h"

namespace skinbake {

namespace {

constexpr std::string_view kParts[] = {"arms", "legs", "spine", "hands"};

TPosedSkeleton body_of(const Asset& rig, const HumanClipOptions& options) {
  const HumanoidMap map = required_humanoid(rig.humanoid, *rig.skeleton, rig.path);
  return t_posed(*rig.skeleton, map, rig.clips, options.t_pose, rig.path);
}

Vec3<double> hips_at_rest(const Asset& rig, const TPosedSkeleton& body) {
  const NodeIndex hips = body.nodes[human_bone_index("hips")];
  if (hips < 0) return {0, 0, 0};
  return hips_place(body, scene_at_rest(*rig.skeleton, hips).translation, hips_unit_m(body));
}

Clip clip_of(std::string id, std::shared_ptr<const PoseSource> poses, const Asset& rig,
             TPosedSkeleton body) {
  Clip clip;
  clip.id = clip.name = std::move(id);
  clip.duration_s = poses->key_times().back();
  HumanMotion::Options motion;
  motion.hips_unit_m = hips_unit_m(body);
  clip.motion = std::make_shared<const HumanMotion>(
      rig.skeleton, std::make_shared<const TPosedSkeleton>(std::move(body)), std::move(poses),
      std::move(motion));
  return clip;
}

[[noreturn]] void fail_unknown_part(std::string_view part) {
  std::string parts;
  for (const std::string_view known : kParts) {
    parts += (parts.empty() ? "'rom:" : ", 'rom:") + std::string(known) + "'";
  }
  throw Error("CLIP_UNKNOWN", "no range of motion 'rom:" + std::string(part) +
                                  "'; there are: 'rom', " + parts +
                                  did_you_mean(part, {std::begin(kParts), std::end(kParts)}));
}

}  // namespace

Clip range_of_motion(const Asset& rig, std::string_view part, const HumanClipOptions& options) {
  const std::vector<BodyPart> parts = body_parts(part);
  if (parts.empty()) fail_unknown_part(part);
  const HumanoidMap map = required_humanoid(rig.humanoid, *rig.skeleton, rig.path);
  auto poses = std::make_shared<const RangeOfMotion>(parts, map.bones, options.ranges);
  const std::string id = part.empty() ? "rom" : "rom:" + std::string(part);
  if (poses->is_empty()) {
    throw Error("CLIP_MOVES_NOTHING",
                "'" + id +
                    "' does not move the body, which does not have the bones of its muscles, or "
                    "the given ranges are all 0; choose another part or other ranges",
                {rig.path, ""});
  }
  return clip_of(id, std::move(poses), rig, body_of(rig, options));
}

PosesClip load_poses(const std::string& path, const Asset& rig, double fps,
                     const HumanClipOptions& options) {
  gltf::PosesFile file = gltf::load_poses_file(path, options.ranges);
  TPosedSkeleton body = body_of(rig, options);
  auto poses =
      std::make_shared<const PoseList>(std::move(file.poses), fps, hips_at_rest(rig, body));
  const std::string name = std::filesystem::path(path).filename().string();
  return {clip_of("poses:" + name, std::move(poses), rig, std::move(body)), std::move(file.input)};
}

}  // namespace skinbake
