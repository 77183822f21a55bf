#include "methods/bind/joint_sets.h"

#include <algorithm>
#include <map>

namespace skinbake {
namespace {

// Joints and parts; the numbers of the parts are not set yet.
BindData find_joint_sets(const Rig& rig) {
  BindData bind_data;
  bind_data.first_part_joint = {0};
  bind_data.first_entry = {0};
  std::map<std::vector<std::uint32_t>, std::uint32_t> parts;
  std::vector<std::uint32_t> joints;
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    joints.clear();
    for (const Influence& i : rig.influences_of(v)) joints.push_back(i.joint);
    if (joints.size() > 1) {
      std::sort(joints.begin(), joints.end());
      const auto [known, is_new] =
          parts.try_emplace(joints, static_cast<std::uint32_t>(bind_data.part_count()));
      if (is_new) {
        bind_data.part_joints.insert(bind_data.part_joints.end(), joints.begin(), joints.end());
        bind_data.first_part_joint.push_back(
            static_cast<std::uint32_t>(bind_data.part_joints.size()));
      }
      bind_data.indices.push_back(known->second);
    }
    bind_data.first_entry.push_back(static_cast<std::uint32_t>(bind_data.indices.size()));
  }
  return bind_data;
}

}  // namespace

BindData bind_joint_sets(const BindInput& input) {
  BindData bind_data = find_joint_sets(input.rig);
  bind_data.numbers_per_part = 3;
  const std::vector<int>& depths = input.tree.depths;
  for (std::size_t set = 0; set < bind_data.part_count(); ++set) {
    JointIndex deepest = bind_data.part_joints[bind_data.first_part_joint[set]];
    for (std::uint32_t i = bind_data.first_part_joint[set]; i < bind_data.first_part_joint[set + 1];
         ++i) {
      const JointIndex joint = bind_data.part_joints[i];
      if (depths[joint] > depths[deepest]) deepest = joint;
    }
    const Vec3<double>& head = input.tree.heads[deepest];
    bind_data.part_numbers.insert(bind_data.part_numbers.end(), {head.x, head.y, head.z});
  }
  return bind_data;
}

}  // namespace skinbake
