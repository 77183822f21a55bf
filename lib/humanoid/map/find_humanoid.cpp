// Finds the humanoid map of a skeleton that does not bring one.

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "humanoid/map/human_map.h"
#include "humanoid/map/name_map.h"
#include "humanoid/map/structure_map.h"
#include "skinbake/humanoid.h"

namespace skinbake {

HumanoidMap find_humanoid(const Skeleton& skeleton) {
  const NodeTree tree(skeleton);
  const std::array<NodeNames, 2> names{NodeNames(skeleton, LeadingZeros::kKept),
                                       NodeNames(skeleton, LeadingZeros::kDropped)};
  HumanoidMap best;
  for (const NameTable& table : name_tables()) {
    const NodeNames& spelling = names[table.zeros == LeadingZeros::kKept ? 0 : 1];
    std::vector<HumanoidBone> bones = map_by_names(tree, spelling, table);
    if (bones.size() <= best.bones.size() || !HumanMap(tree, bones).is_complete()) continue;
    best = {"names:" + std::string(table.name), std::move(bones)};
  }
  if (best.bones.empty()) best = {"structure", map_by_structure(tree)};
  if (best.bones.empty()) return {};
  std::sort(best.bones.begin(), best.bones.end(),
            [](const HumanoidBone& a, const HumanoidBone& b) { return a.bone < b.bone; });
  return best;
}

HumanoidMap required_humanoid(const HumanoidMap& given, const Skeleton& skeleton,
                              const std::string& file) {
  HumanoidMap map = given.bones.empty() ? find_humanoid(skeleton) : given;
  if (!map.bones.empty()) return map;
  throw Error("HUMANOID_UNKNOWN",
              "the names and the structure of the nodes do not tell which of them are the bones of "
              "a human body",
              {file, "/nodes"});
}

}  // namespace skinbake
