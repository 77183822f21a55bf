// A user's numbers for single joints: {"lowerArm.L": {"r0": 0.05, "r1": 0.04, "s": 0.5}, …}.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "gltf/container.h"
#include "gltf/uri.h"

namespace skinbake {

namespace gltf {

namespace {

using nlohmann::json;

constexpr const char* kRemedy =
    "it must be like {\"elbow\": {\"r0\": 0.05, \"r1\": 0.04, \"s\": 0.5}}";

// The joints that have one above them, of all meshes, by name.
std::set<std::string> child_joints(const Asset& asset) {
  std::set<std::string> names;
  for (const Rig& rig : asset.rigs) {
    const std::vector<Node>& nodes = rig.skeleton->nodes;
    std::set<NodeIndex> joints;
    for (const Joint& joint : rig.joints) joints.insert(joint.node);
    for (const NodeIndex joint : joints) {
      NodeIndex above = nodes[joint].parent;
      while (above >= 0 && !joints.contains(above)) above = nodes[above].parent;
      if (above >= 0 && !nodes[joint].name.empty()) names.insert(nodes[joint].name);
    }
  }
  return names;
}

std::string list_of(const std::set<std::string>& names) {
  constexpr std::size_t kMost = 20;
  std::string list;
  std::size_t count = 0;
  for (const std::string& name : names) {
    if (++count > kMost) return list + ", …";
    list += (list.empty() ? "" : ", ") + in_quotes(name);
  }
  return list.empty() ? "none" : list;
}

std::string pointer_to(const std::string& key, const std::string& above = "") {
  return above + (json::json_pointer() / key).to_string();
}

// What may be said of a joint, and what the number may be.
struct Key {
  const char* name;
  bool is_share;
};
constexpr Key kKeys[] = {{"r0", false}, {"r1", false}, {"s", true}};

double number_of(const Document& document, const Element& element, const json& value,
                 const Key& key) {
  const double number = value.is_number() ? value.get<double>() : NAN;
  const bool good = key.is_share ? number >= 0 && number <= 1 : number > 0 && std::isfinite(number);
  if (good) return number;
  document.fail("JOINT_PARAMETERS_INVALID", element,
                std::string("must be a number ") +
                    (key.is_share ? "from 0 to 1" : "above 0, a distance from the joint"));
}

std::map<std::string, double> numbers_of(const Document& document, const Element& joint,
                                         const json& of_joint) {
  if (!of_joint.is_object()) {
    document.fail("JOINT_PARAMETERS_INVALID", joint, "is not an object; " + std::string(kRemedy));
  }
  std::map<std::string, double> numbers;
  for (const auto& [name, value] : of_joint.items()) {
    const Element element{joint.name + ", " + in_quotes(name), pointer_to(name, joint.pointer)};
    const auto key = std::find_if(std::begin(kKeys), std::end(kKeys),
                                  [&](const Key& k) { return k.name == name; });
    if (key == std::end(kKeys)) {
      document.fail("JOINT_PARAMETERS_INVALID", element, "is unknown; a joint has r0, r1 and s");
    }
    numbers[name] = number_of(document, element, value, *key);
  }
  return numbers;
}

}  // namespace

}  // namespace gltf

JointParametersFile load_joint_parameters(const std::string& path, const Asset& asset) {
  using namespace gltf;
  Document document;
  document.path = path;
  const FileContent content = read_file(path);
  if (!content.problem.empty()) {
    document.fail("FILE_UNREADABLE", {"the file", ""}, content.problem + "; check the path");
  }
  const ByteSpan bytes{content.bytes.data(), content.bytes.size()};
  const json all =
      parse_json(document, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, kRemedy);
  if (!all.is_object()) {
    document.fail("JOINT_PARAMETERS_INVALID", {"the file", ""},
                  "is not an object; " + std::string(kRemedy));
  }
  JointParametersFile file{{}, input_record("parameters", path, bytes)};
  const std::set<std::string> known = child_joints(asset);
  for (const auto& [name, of_joint] : all.items()) {
    const Element element{"joint " + in_quotes(name), pointer_to(name)};
    if (!known.contains(name)) {
      document.fail("JOINT_UNKNOWN", element,
                    "is no joint of " + asset.path +
                        " with another one above it; there are: " + list_of(known));
    }
    file.joints[name] = numbers_of(document, element, of_joint);
  }
  return file;
}

}  // namespace skinbake
