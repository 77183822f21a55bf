#include "inspect/pose_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "humanoid/motion/pose_source.h"
#include "json/print.h"
#include "json/text.h"

namespace skinbake {

namespace {

// The name as the file may have it: cut between characters, and without bytes that are not UTF-8,
// which JSON would replace by longer ones.
std::string fitting(std::string_view name) {
  std::string text;
  while (!name.empty()) {
    const std::size_t length = utf8_length(name);
    const std::string_view character = length > 0 ? name.substr(0, length) : kReplacementCharacter;
    if (text.size() + character.size() > kMostPoseNameBytes) break;
    text += character;
    name.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return text;
}

}  // namespace

std::string pose_json(const HumanPose& pose, const std::string& name) {
  const BoneRotations rotations = rotations_of(pose);
  OrderedJson one = OrderedJson::object();
  if (!name.empty()) one["name"] = fitting(name);
  if (pose.hips) one["hips"] = {pose.hips->x, pose.hips->y, pose.hips->z};
  OrderedJson& bones = one["bones"] = OrderedJson::object();
  for (std::size_t b = 0; b < kHumanBones.size(); ++b) {
    if (!rotations.bones[b]) continue;
    const Quat<double>& q = *rotations.bones[b];
    bones[kHumanBones[b].name] = {{"rotation", {q.x, q.y, q.z, q.w}}};
  }
  return print(OrderedJson::array({std::move(one)}));
}

}  // namespace skinbake
