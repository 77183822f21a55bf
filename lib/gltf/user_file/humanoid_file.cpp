// Reads the humanoid map that a user writes for a file.

#include <map>

#include "gltf/document/message_text.h"
#include "gltf/user_file/user_json.h"
#include "humanoid/human_bones.h"
#include "humanoid/muscles/muscles.h"
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

// Reads ranges of muscles: {"leftForearmTwist": [-90, 90], …}.

namespace {

constexpr double kMost_deg = 180;  // beyond it a pose does not determine the angle

// NaN unless the value is a number.
double number_at(const nlohmann::json& list, std::size_t i) {
  return list[i].is_number() ? list[i].get<double>() : NAN;
}

MuscleRange range_of(const gltf::UserFile& file, const std::string& name,
                     const nlohmann::json& value) {
  const auto fail = [&](const std::string& message) {
    gltf::fail_in(file, "muscle " + gltf::in_quotes(name), "/" + pointer_token(name), message);
  };
  if (muscle(name) == nullptr) {
    fail("does not exist");
  }
  if (!value.is_array() || value.size() != 2) {
    fail("is not a list of two angles");
  }
  const MuscleRange range{number_at(value, 0), number_at(value, 1)};
  if (!(range.min_deg >= -kMost_deg && range.max_deg <= kMost_deg)) {
    fail("has an angle that is not a number from -180 to 180");
  }
  if (!(range.min_deg <= range.max_deg)) {
    fail("has a least angle above its greatest angle");
  }
  if (!(range.min_deg <= 0 && range.max_deg >= 0)) {
    fail("has a range without 0 degrees, which is the T-pose");
  }
  return range;
}

}  // namespace

MuscleRangesFile load_muscle_ranges(const std::string& path) {
  const gltf::UserFile file{path, "the file of muscle ranges", "MUSCLE_RANGES_INVALID"};
  const gltf::UserJson json = gltf::read_user_json(file);
  MuscleRangesFile result{{}, json.input};
  for (const auto& [name, value] : json.value.items()) {
    result.ranges[name] = range_of(file, name, value);
  }
  return result;
}

}  // namespace skinbake
