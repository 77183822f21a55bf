#include "gltf/humanoid.h"

#include <algorithm>
#include <string_view>

namespace skinbake::gltf {

namespace {

using nlohmann::json;

// The member of an object, or null.
const json& member(const json& object, const char* key) {
  static const json nothing;
  if (!object.is_object()) return nothing;
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

class MapBuilder {
 public:
  explicit MapBuilder(std::size_t node_count) : node_count_(node_count) {}

  void add(const std::string& bone, const json& node) {
    if (!node.is_number_unsigned() || node.get<std::uint64_t>() >= node_count_) return;
    map_.push_back({bone, node.get<NodeIndex>()});
  }

  std::vector<HumanoidBone> sorted() {
    std::stable_sort(map_.begin(), map_.end(),
                     [](const HumanoidBone& a, const HumanoidBone& b) { return a.bone < b.bone; });
    return std::move(map_);
  }

 private:
  std::size_t node_count_;
  std::vector<HumanoidBone> map_;
};

}  // namespace

std::vector<HumanoidBone> humanoid_map(const json& gltf, std::size_t node_count, Role role) {
  MapBuilder map(node_count);
  const json& extensions = member(gltf, "extensions");
  for (const char* extension : {"VRM", "VRMC_vrm", "VRMC_vrm_animation"}) {
    if (role == Role::kClip && extension != std::string_view("VRMC_vrm_animation")) continue;
    const json& bones = member(member(member(extensions, extension), "humanoid"), "humanBones");
    if (bones.is_array()) {  // VRM 0.x
      for (const json& entry : bones) {
        const json& bone = member(entry, "bone");
        if (bone.is_string()) map.add(bone.get<std::string>(), member(entry, "node"));
      }
    } else if (bones.is_object()) {
      for (const auto& [bone, entry] : bones.items()) map.add(bone, member(entry, "node"));
    }
  }
  return map.sorted();
}

}  // namespace skinbake::gltf
