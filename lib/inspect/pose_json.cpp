#include "inspect/pose_json.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "humanoid/motion/pose_list.h"
#include "json/json_writer.h"
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
  JsonWriter json;
  json.begin_array().begin_object();
  if (!name.empty()) json.key("name").value(fitting(name));
  if (pose.hips) {
    const std::array<double, 3> place{pose.hips->x, pose.hips->y, pose.hips->z};
    json.key("hips").numbers(place);
  }
  json.key("bones").begin_object();
  for (std::size_t b = 0; b < kHumanBones.size(); ++b) {
    if (!rotations.bones[b]) continue;
    const Quat<double>& q = *rotations.bones[b];
    const std::array<double, 4> numbers{q.x, q.y, q.z, q.w};
    json.key(kHumanBones[b].name).begin_line_object().key("rotation").numbers(numbers).end_object();
  }
  json.end_object().end_object().end_array();
  return json.take();
}

}  // namespace skinbake
