#include "gltf/read/loaders.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "gltf/document/json_member.h"
#include "gltf/document/message_text.h"
#include "json/json_text.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

// The extensions that contain a map, and its name as a source. A file in both formats of VRM is
// read as VRM 1.0.
struct MapExtension {
  const char* name;
  const char* source;
};
constexpr MapExtension kMapExtensions[] = {
    {"VRMC_vrm", "vrm1"}, {"VRM", "vrm0"}, {"VRMC_vrm_animation", "vrma"}};

class MapBuilder {
 public:
  MapBuilder(Document& document, std::size_t node_count)
      : document_(document), node_count_(node_count) {}

  void add_map(const std::string& extension, const json& bones) {
    const std::string where = "/extensions/" + extension + "/humanoid/humanBones";
    if (extension == "VRM" && bones.is_array()) {
      for (std::size_t i = 0; i < bones.size(); ++i) {
        add_vrm_0(bones[i], where + "/" + std::to_string(i));
      }
    } else if (bones.is_object()) {
      for (const auto& [bone, entry] : bones.items()) {
        add(bone, member(entry, "node"), where + "/" + pointer_token(bone));
      }
    } else {
      leave_out(where, "the map of bones does not have the type that " + extension + " defines");
    }
  }

  // The bones by their names in VRM 1.0.
  std::vector<HumanoidBone> sorted(bool is_vrm_0) {
    rename_thumbs(is_vrm_0);
    std::stable_sort(map_.begin(), map_.end(),
                     [](const HumanoidBone& a, const HumanoidBone& b) { return a.bone < b.bone; });
    return std::move(map_);
  }

  bool is_empty() const { return map_.empty(); }

 private:
  // VRM 0.x names the three joints of a thumb proximal, intermediate and distal. VRM 1.0 names them
  // metacarpal, proximal and distal, as anatomists do. In another source, a bone that only VRM 0.x
  // has shows that the names are old.
  void rename_thumbs(bool is_vrm_0) {
    for (const char* side : {"left", "right"}) {
      const std::string thumb = side + std::string("Thumb");
      if (has(thumb + "Metacarpal") || !(is_vrm_0 || has(thumb + "Intermediate"))) continue;
      for (HumanoidBone& entry : map_) {
        if (entry.bone == thumb + "Proximal") {
          entry.bone = thumb + "Metacarpal";
        } else if (entry.bone == thumb + "Intermediate") {
          entry.bone = thumb + "Proximal";
        }
      }
    }
  }

  bool has(const std::string& bone) const {
    return std::any_of(map_.begin(), map_.end(),
                       [&](const HumanoidBone& entry) { return entry.bone == bone; });
  }

  // Adds an entry of VRM 0.x. Some exporters list absent bones with the node -1.
  void add_vrm_0(const json& entry, const std::string& where) {
    const json& bone = member(entry, "bone");
    if (!bone.is_string()) return leave_out(where, "an entry does not name a bone");
    const json& node = member(entry, "node");
    if (node == -1) return;
    add(bone.get<std::string>(), node, where);
  }

  void add(const std::string& bone, const json& node, const std::string& where) {
    const std::string name = "bone " + in_quotes(bone);
    if (!whole_number(node)) return leave_out(where, name + " does not have a node");
    if (!index_below(node_count_, node)) {
      return leave_out(where + "/node", name + " has a node that does not exist");
    }
    if (listed_.contains(bone)) return leave_out(where, name + " is listed before");
    const auto index = node.get<NodeIndex>();
    const auto [other, is_first] = bone_of_.emplace(index, bone);
    if (!is_first) {
      return leave_out(where + "/node", name + " has node " + std::to_string(index) +
                                            ", which bone " + in_quotes(other->second) +
                                            " already has");
    }
    listed_.insert(bone);
    map_.push_back({bone, index});
  }

  void leave_out(const std::string& where, const std::string& what) {
    document_.note("HUMANOID_MAP_INVALID", where, what + "; left out");
  }

  Document& document_;
  std::size_t node_count_;
  std::map<NodeIndex, std::string> bone_of_;
  std::set<std::string> listed_;  // bones of map_, by their names in the file
  std::vector<HumanoidBone> map_;
};

bool has_spring_bones(const json& springs) {
  const json& groups = member(springs, "boneGroups");
  return groups.is_array() && std::any_of(groups.begin(), groups.end(), [](const json& group) {
           const json& bones = member(group, "bones");
           return bones.is_array() && !bones.empty();
         });
}

}  // namespace

void load_humanoid(Document& document, const json& gltf, std::size_t node_count) {
  const json& extensions = member(gltf, "extensions");
  MapBuilder map(document, node_count);
  std::string source;
  for (const MapExtension& extension : kMapExtensions) {
    const json& humanoid = member(member(extensions, extension.name), "humanoid");
    if (!humanoid.is_object()) continue;
    const auto bones = humanoid.find("humanBones");
    if (bones == humanoid.end()) continue;
    map.add_map(extension.name, *bones);
    if (map.is_empty()) continue;
    source = extension.source;
    break;
  }
  std::vector<HumanoidBone> bones = map.sorted(source == "vrm0");
  document.humanoid = {std::move(source), std::move(bones)};
  if (document.humanoid.bones.empty()) document.humanoid.source.clear();
}

void note_spring_bones(Document& document, const json& gltf) {
  if (!has_spring_bones(member(member(member(gltf, "extensions"), "VRM"), "secondaryAnimation"))) {
    return;
  }
  document.note("EXTENSION_IGNORED", "/extensions/VRM/secondaryAnimation",
                "extension 'VRM' moves nodes by simulation, its spring bones; the clip is baked "
                "without it");
}

}  // namespace skinbake::gltf
