#include "inspect/pose_json.h"

#include <array>

#include "json/json_writer.h"

namespace skinbake {

std::string pose_json(const HumanPose& pose, const std::string& name) {
  const BoneRotations rotations = rotations_of(pose);
  JsonWriter json;
  json.begin_array().begin_object();
  if (!name.empty()) json.key("name").value(name);
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
