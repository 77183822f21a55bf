#include "methods/joint_sets.h"

#include <algorithm>
#include <map>

namespace skinbake {

Bound joint_sets(const Rig& rig) {
  Bound bound;
  bound.first_part_joint = {0};
  bound.first_entry = {0};
  std::map<std::vector<std::uint32_t>, std::uint32_t> parts;
  std::vector<std::uint32_t> joints;
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    joints.clear();
    for (const Influence& i : rig.influences_of(v)) joints.push_back(i.joint);
    if (joints.size() > 1) {
      std::sort(joints.begin(), joints.end());
      const auto [known, is_new] =
          parts.try_emplace(joints, static_cast<std::uint32_t>(bound.part_count()));
      if (is_new) {
        bound.part_joints.insert(bound.part_joints.end(), joints.begin(), joints.end());
        bound.first_part_joint.push_back(static_cast<std::uint32_t>(bound.part_joints.size()));
      }
      bound.indices.push_back(known->second);
    }
    bound.first_entry.push_back(static_cast<std::uint32_t>(bound.indices.size()));
  }
  return bound;
}

}  // namespace skinbake
