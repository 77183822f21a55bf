// Reads the humanoid map that a user writes for a file.

#include <algorithm>
#include <map>
#include <utility>

#include "gltf/document/message_text.h"
#include "gltf/user_file/node_names.h"
#include "gltf/user_file/user_json.h"
#include "humanoid/human_bones.h"
#include "json/json_text.h"
#include "skinbake/gltf.h"

namespace skinbake {

namespace {

using gltf::in_quotes;

class HumanoidFileReader {
 public:
  HumanoidFileReader(const gltf::UserFile& file, const Skeleton& skeleton)
      : file_(file), skeleton_(skeleton), by_name_(gltf::nodes_by_name(skeleton.nodes)) {}

  HumanoidFile read() {
    const gltf::UserJson json = gltf::read_user_json(file_);
    HumanoidFile result{{"file", {}}, json.input};
    for (const auto& [bone, name] : json.value.items()) {
      if (human_bone(bone) == nullptr) {
        fail(bone, "is not a bone of VRM 1.0");
      }
      if (!name.is_string()) fail(bone, "is not a string");
      result.map.bones.push_back({bone, node_of(bone, name.get<std::string>())});
    }
    if (result.map.bones.empty()) {
      gltf::fail_in(file_, "the humanoid map", "", "is empty");
    }
    return result;
  }

 private:
  NodeIndex node_of(const std::string& bone, const std::string& name) {
    const gltf::Nodes nodes = gltf::named_nodes(skeleton_, by_name_, name);
    if (nodes.empty()) {
      fail(bone, "has the node " + in_quotes(name) + ", which the file does not have");
    }
    if (nodes.size() > 1) {
      fail(bone, "has the node " + in_quotes(name) + ", a name of " + std::to_string(nodes.size()) +
                     " nodes, such as #" + std::to_string(nodes.front()));
    }
    const auto [other, is_first] = bone_of_.emplace(nodes.front(), bone);
    if (!is_first) {
      fail(bone, "has the node " + in_quotes(name) + ", which bone " + in_quotes(other->second) +
                     " already has");
    }
    return nodes.front();
  }

  [[noreturn]] void fail(const std::string& bone, const std::string& message) const {
    gltf::fail_in(file_, "bone " + in_quotes(bone), "/" + pointer_token(bone), message);
  }

  const gltf::UserFile& file_;
  const Skeleton& skeleton_;
  gltf::NodesByName by_name_;
  std::map<NodeIndex, std::string> bone_of_;
};

}  // namespace

HumanoidFile load_humanoid_file(const std::string& path, const Skeleton& skeleton) {
  const gltf::UserFile file{path, "the humanoid map", "HUMANOID_FILE_INVALID"};
  return HumanoidFileReader(file, skeleton).read();
}

}  // namespace skinbake
