// Parameters of single joints: {"lowerArm.L": {"r0": 0.05, "r1": 0.04, "s": 0.5}, …}.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "gltf/document/message_text.h"
#include "gltf/user_file/user_json.h"
#include "json/json_text.h"
#include "math/scalar.h"
#include "rig/joint_tree.h"

namespace skinbake {

namespace gltf {

namespace {

using nlohmann::json;

// The largest accepted distance between a bound and its joint, in sizes of the rig: a larger one is
// a mistake, and float coordinates would lose the digits of the mesh.
constexpr double kMostSizes = 10;

// The joints of all meshes, and the joints that have a parent joint.
struct KnownJoints {
  std::map<std::string, std::set<NodeIndex>> named;  // unnamed joints have the name "#<node>"
  std::map<std::string, std::string> by_number;      // "#<node>" of joints in `below`, with names
  std::set<NodeIndex> below;
  double size = 0;  // size of the largest rig
};

// The diagonal of the box around a rig's vertices and joints in the bind pose.
double size_of(const Rig& rig) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  const auto add = [&](std::size_t axis, double x) {
    low[axis] = std::min(low[axis], x);
    high[axis] = std::max(high[axis], x);
  };
  const std::vector<float>& positions = rig.mesh->positions;
  for (std::size_t i = 0; i < positions.size(); ++i) add(i % 3, positions[i]);
  for (const Vec3<double>& head : JointTree(rig, {0, 0, 0}).heads) {
    add(0, head.x), add(1, head.y), add(2, head.z);
  }
  return norm(Vec3<double>{high[0] - low[0], high[1] - low[1], high[2] - low[2]});
}

std::string number_of(NodeIndex node) {
  return "#" + std::to_string(node);
}

KnownJoints joints_of(const Asset& asset) {
  KnownJoints found;
  for (const Rig& rig : asset.rigs) {
    found.size = std::max(found.size, size_of(rig));
    const std::vector<int> above_joint = parent_joints(rig);
    for (JointIndex j = 0; j < rig.joints.size(); ++j) {
      found.named[joint_id(rig, j)].insert(rig.joints[j].node);
      if (above_joint[j] >= 0) found.below.insert(rig.joints[j].node);
    }
  }
  for (const auto& [name, nodes] : found.named) {
    for (const NodeIndex node : nodes) {
      if (found.below.contains(node)) found.by_number.emplace(number_of(node), name);
    }
  }
  return found;
}

// "22.4"
std::string rounded(double number) {
  char digits[32];
  const auto general = std::chars_format::general;
  return {digits, std::to_chars(digits, digits + sizeof digits, number, general, 3).ptr};
}

std::string list_of(const KnownJoints& joints) {
  constexpr std::size_t kMost = 20;
  std::string list;
  std::size_t count = 0;
  for (const auto& [name, nodes] : joints.named) {
    const auto is_below = [&joints](NodeIndex node) { return joints.below.contains(node); };
    if (std::none_of(nodes.begin(), nodes.end(), is_below)) continue;
    if (++count > kMost) return list + ", …";
    list += (list.empty() ? "" : ", ") + in_quotes(name);
  }
  return list.empty() ? "none" : list;
}

// A value in the file, as messages name it.
struct JsonPlace {
  std::string name;  // "joint 'elbow'"
  std::string pointer;
};

JsonPlace position_of(const std::string& name, const std::string& key,
                      const std::string& above = "") {
  return {name, above + "/" + pointer_token(key)};
}

// A parameter of a joint and its range.
struct Key {
  const char* name;
  bool is_share;  // 0 … 1; otherwise a distance
};
constexpr Key kKeys[] = {{"r0", false}, {"r1", false}, {"s", true}};

double number_of(const UserFile& file, const JsonPlace& position, const json& value, const Key& key,
                 double rig_size) {
  const double number = value.is_number() ? value.get<double>() : NAN;
  const double most = key.is_share ? 1 : kMostSizes * rig_size;
  if ((key.is_share ? number >= 0 : number > 0) && number <= most) return number;
  if (key.is_share) {
    fail_in(file, position.name, position.pointer, "is not a number from 0 to 1");
  }
  fail_in(file, position.name, position.pointer,
          "is not a number greater than 0 and at most ten times the size of the rig, which is " +
              rounded(rig_size));
}

std::map<std::string, double> numbers_of(const UserFile& file, const JsonPlace& joint,
                                         const json& of_joint, double rig_size) {
  if (!of_joint.is_object()) {
    fail_in(file, joint.name, joint.pointer, "is not an object");
  }
  std::map<std::string, double> numbers;
  for (const auto& member : of_joint.items()) {
    const std::string& name = member.key();
    const JsonPlace position =
        position_of(joint.name + ", " + in_quotes(name), name, joint.pointer);
    const auto key = std::find_if(std::begin(kKeys), std::end(kKeys),
                                  [&](const Key& k) { return k.name == name; });
    if (key == std::end(kKeys)) {
      fail_in(file, position.name, position.pointer, "is none of r0, r1 and s");
    }
    numbers[name] = number_of(file, position, member.value(), *key, rig_size);
  }
  return numbers;
}

// Returns the key by which methods find the joint: its name, or its number if several joints have
// the name. Returns an empty text if the joint is unknown.
std::string key_of(const UserFile& file, const JsonPlace& position, const std::string& written,
                   const KnownJoints& known) {
  const auto named = known.named.find(written);
  if (named != known.named.end() && named->second.size() > 1) {
    const NodeIndex one = *named->second.begin(), other = *std::next(named->second.begin());
    fail_in(file, position.name, position.pointer,
            "is the name of several joints, " + number_of(one) + " and " + number_of(other));
  }
  // A number and a name that are written alike may mean different joints.
  const auto numbered = known.by_number.find(written);
  const bool has_name = named != known.named.end() && known.below.contains(*named->second.begin());
  const bool has_number = numbered != known.by_number.end();
  if (has_number && !(has_name && named->first < numbered->second)) {
    const std::string& name = numbered->second;
    return known.named.at(name).size() == 1 ? name : written;
  }
  return has_name ? written : "";
}

}  // namespace

}  // namespace gltf

JointParametersFile load_joint_parameters(const std::string& path, const Asset& asset) {
  using namespace gltf;
  const UserFile file{path, "the JSON of joint parameters", "JOINT_PARAMETERS_INVALID"};
  const UserJson all = read_user_json(file);
  JointParametersFile found{{}, all.input};
  const KnownJoints known = joints_of(asset);
  for (const auto& [name, of_joint] : all.value.items()) {
    const JsonPlace position = position_of("joint " + in_quotes(name), name);
    const std::string joint = key_of(file, position, name, known);
    if (joint.empty()) {
      throw Error("JOINT_UNKNOWN",
                  position.name + " is not a joint of " + asset.path +
                      " below another joint; use one of: " + list_of(known),
                  {path, position.pointer});
    }
    if (!found.joints.emplace(joint, numbers_of(file, position, of_joint, known.size)).second) {
      fail_in(file, position.name, position.pointer,
              "is given twice, by its name and by its number");
    }
  }
  return found;
}

}  // namespace skinbake
