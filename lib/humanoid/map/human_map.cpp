// The humanoid map of a skeleton that does not bring one.

#include <algorithm>
#include <utility>

#include "base/issue.h"
#include "humanoid/map/human_map.h"

namespace skinbake {

HumanMap::HumanMap(const NodeTree& tree, std::span<const HumanoidBone> bones) : HumanMap(tree) {
  for (const HumanoidBone& entry : bones) {
    if (human_bone(entry.bone) != nullptr) set(entry.bone, entry.node);
  }
}

void HumanMap::set_spine(std::span<const NodeIndex> chain) {
  if (!chain.empty()) set("spine", chain.front());
  if (chain.size() > 1) set("chest", chain[1]);
  if (chain.size() > 2) set("upperChest", chain.back());
}

std::string_view HumanMap::parent_of(std::string_view bone) const {
  std::string_view above = human_bone(bone)->parent;
  while (!above.empty() && node(above) < 0) above = human_bone(above)->parent;
  return above;
}

std::string_view HumanMap::bone_above(NodeIndex node) const {
  std::string_view nearest;
  NodeIndex nearest_node = -1;
  for (std::size_t b = 0; b < nodes_.size(); ++b) {
    if (nodes_[b] < 0 || !tree_.is_below(node, nodes_[b])) continue;
    if (nearest_node >= 0 && !tree_.is_below(nodes_[b], nearest_node)) continue;
    nearest = kHumanBones[b].name;
    nearest_node = nodes_[b];
  }
  return nearest;
}

bool HumanMap::fits(std::string_view bone, NodeIndex node, std::string_view other_parent) const {
  if (std::find(nodes_.begin(), nodes_.end(), node) != nodes_.end()) return false;
  const std::string_view above = bone_above(node);
  return above == parent_of(bone) || (!above.empty() && above == other_parent);
}

bool HumanMap::is_complete() const {
  for (std::size_t b = 0; b < nodes_.size(); ++b) {
    if (kHumanBones[b].is_required && nodes_[b] < 0) return false;
  }
  return true;
}

std::vector<HumanoidBone> HumanMap::bones() const {
  std::vector<HumanoidBone> bones;
  for (std::size_t b = 0; b < nodes_.size(); ++b) {
    if (nodes_[b] >= 0) bones.push_back({std::string(kHumanBones[b].name), nodes_[b]});
  }
  return bones;
}

namespace {

// Of the required bones without the spine, a skeleton has names of so many at least if it is worth
// saying which are missing.
constexpr std::size_t kFewNamed = 5;

// A table and the names of a skeleton's nodes, with the required bones that they leave unnamed.
struct Reading {
  const NameTable* table;
  const NodeNames* names;
  std::vector<std::string_view> unnamed;
};

// Every table, with each spelling of the names.
std::vector<Reading> readings_of(const std::vector<NodeNames>& spellings) {
  std::vector<Reading> readings;
  for (const NameTable& table : name_tables()) {
    for (const NodeNames& names : spellings) {
      if (names.zeros == table.zeros) {
        readings.push_back({&table, &names, unnamed_bones(names, table)});
      }
    }
  }
  return readings;
}

bool has_spine(const Reading& reading) {
  const std::vector<BoneWords>& words = reading.names->words;
  return std::any_of(words.begin(), words.end(), [&](const BoneWords& name) {
    return name.side == BodySide::kMiddle && reading.table->is_spine(name.words);
  });
}

std::string listed(const std::vector<std::string_view>& bones) {
  std::string text;
  for (const std::string_view bone : bones) {
    text += (text.empty() ? "'" : ", '") + std::string(bone) + "'";
  }
  return text;
}

// The bones of the nearest table: of those with the fewest unnamed bones, the one that finds the
// most bones.
struct Nearest {
  const Reading* reading = nullptr;
  std::vector<HumanoidBone> bones;
};

Nearest nearest_of(const NodeTree& tree, const std::vector<Reading>& readings) {
  std::size_t fewest = kRequiredBones;
  for (const Reading& reading : readings) fewest = std::min(fewest, reading.unnamed.size());
  Nearest nearest;
  if (fewest + kFewNamed >= kRequiredBones) return nearest;
  for (const Reading& reading : readings) {
    if (reading.unnamed.size() != fewest) continue;
    std::vector<HumanoidBone> bones = map_by_names(tree, *reading.names, *reading.table);
    if (nearest.reading != nullptr && bones.size() <= nearest.bones.size()) continue;
    nearest = {&reading, std::move(bones)};
  }
  return nearest;
}

// Says what the nearest table lacks.
std::string what_lacks(const NodeTree& tree, const std::vector<Reading>& readings) {
  const Nearest nearest = nearest_of(tree, readings);
  if (nearest.reading == nullptr) return "no table of names has the names of the nodes";
  std::vector<std::string_view> unnamed = nearest.reading->unnamed, misplaced;
  if (!has_spine(*nearest.reading)) unnamed.insert(unnamed.begin(), "spine");
  const HumanMap map(tree, nearest.bones);
  for (const HumanBone& bone : kHumanBones) {
    const bool is_named = std::find(unnamed.begin(), unnamed.end(), bone.name) == unnamed.end();
    const bool is_lost = bone.is_required && is_named && map.node(bone.name) < 0;
    // Without hips no bone is below them, and without a head the spine does not have an end.
    const bool is_implied = nearest.bones.empty() || (bone.name == "spine" && map.node("head") < 0);
    if (is_lost && !is_implied) misplaced.push_back(bone.name);
  }
  std::string text = "the names come nearest to the table '" +
                     std::string(nearest.reading->table->name) + "', but ";
  if (!unnamed.empty()) text += "no node is named as the required bones " + listed(unnamed);
  if (!unnamed.empty() && !misplaced.empty()) text += ", and ";
  if (!misplaced.empty()) {
    text += "the nodes named as " + listed(misplaced) + " are not below their parent bones";
  }
  return text;
}

}  // namespace

HumanoidSearch search_humanoid(const Skeleton& skeleton) {
  const NodeTree tree(skeleton);
  const std::vector<NodeNames> spellings = spellings_of(tree);
  const std::vector<Reading> readings = readings_of(spellings);
  HumanoidMap best;
  for (const Reading& reading : readings) {
    if (!reading.unnamed.empty()) continue;
    std::vector<HumanoidBone> bones = map_by_names(tree, *reading.names, *reading.table);
    if (bones.size() <= best.bones.size() || !HumanMap(tree, bones).is_complete()) continue;
    best = {"names:" + std::string(reading.table->name), std::move(bones)};
  }
  if (best.bones.empty()) {
    StructureSearch found = map_by_structure(tree);
    if (found.bones.empty())
      return {{"none", {}}, what_lacks(tree, readings) + "; " + found.why_not};
    best = {"structure", std::move(found.bones)};
  }
  std::sort(best.bones.begin(), best.bones.end(),
            [](const HumanoidBone& a, const HumanoidBone& b) { return a.bone < b.bone; });
  return {std::move(best)};
}

HumanoidMap find_humanoid(const Skeleton& skeleton) {
  return search_humanoid(skeleton).map;
}

HumanoidMap find_humanoid(const Skeleton& skeleton, std::size_t joints, const std::string& file,
                          Issues& issues) {
  HumanoidSearch found = search_humanoid(skeleton);
  if (found.map.bones.empty() && joints >= kRequiredBones) {
    issues.push_back(make_issue("HUMANOID_UNKNOWN", file, "/nodes",
                                "the skeleton is not mapped as a human body: " + found.why_not));
  }
  return std::move(found.map);
}

HumanoidMap required_humanoid(const HumanoidMap& given, const Skeleton& skeleton,
                              const std::string& file) {
  if (!given.bones.empty()) return given;
  HumanoidSearch found = search_humanoid(skeleton);
  if (!found.map.bones.empty()) return std::move(found.map);
  throw Error("HUMANOID_REQUIRED",
              "the names and the structure of the nodes do not tell which of them are the bones of "
              "a human body: " +
                  found.why_not,
              {file, "/nodes"});
}

}  // namespace skinbake
