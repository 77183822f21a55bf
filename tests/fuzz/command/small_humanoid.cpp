#include "command/small_humanoid.h"

#include <vector>

#include "support/gltf/gltf_file.h"

namespace skinbake::fuzz {

namespace {

// A joint of a T-pose that faces +Z, in metres.
struct Bone {
  const char* name;
  int parent;  // -1: none
  float x, y, z;
};

constexpr Bone kBones[] = {
    {"hips", -1, 0, 0.95f, 0},
    {"spine", 0, 0, 1.05f, 0},
    {"chest", 1, 0, 1.2f, 0},
    {"neck", 2, 0, 1.45f, 0},
    {"head", 3, 0, 1.53f, 0},
    {"leftUpperArm", 2, 0.18f, 1.42f, 0},
    {"leftLowerArm", 5, 0.46f, 1.42f, 0},
    {"leftHand", 6, 0.72f, 1.42f, 0},
    {"rightUpperArm", 2, -0.18f, 1.42f, 0},
    {"rightLowerArm", 8, -0.46f, 1.42f, 0},
    {"rightHand", 9, -0.72f, 1.42f, 0},
    {"leftUpperLeg", 0, 0.1f, 0.9f, 0},
    {"leftLowerLeg", 11, 0.12f, 0.45f, 0},
    {"leftFoot", 12, 0.14f, 0.1f, -0.05f},
    {"rightUpperLeg", 0, -0.1f, 0.9f, 0},
    {"rightLowerLeg", 14, -0.12f, 0.45f, 0},
    {"rightFoot", 15, -0.14f, 0.1f, -0.05f},
};

nlohmann::json joint_nodes() {
  nlohmann::json nodes = nlohmann::json::array();
  for (const Bone& bone : kBones) {
    const Bone above = bone.parent < 0 ? Bone{"", -1, 0, 0, 0} : kBones[bone.parent];
    nodes.push_back({{"name", bone.name},
                     {"translation", {bone.x - above.x, bone.y - above.y, bone.z - above.z}},
                     {"children", nlohmann::json::array()}});
    if (bone.parent >= 0) {
      nodes[static_cast<std::size_t>(bone.parent)]["children"].push_back(nodes.size() - 1);
    }
  }
  for (nlohmann::json& node : nodes) {
    if (node["children"].empty()) node.erase("children");
  }
  return nodes;
}

// The first vertex of a triangle follows the joint and the one above it.
nlohmann::json primitive_of(test::GltfFile& file) {
  std::vector<float> positions, weights;
  std::vector<std::uint8_t> joints;
  std::uint8_t joint = 0;
  for (const Bone& bone : kBones) {
    const auto above = static_cast<std::uint8_t>(bone.parent < 0 ? 0 : bone.parent);
    for (int corner = 0; corner < 3; ++corner) {
      const float x = corner == 1 ? 0.05f : 0, y = corner == 2 ? 0.05f : 0;
      positions.insert(positions.end(), {bone.x + x, bone.y + y, bone.z});
      const bool is_shared = corner == 0 && above != joint;
      joints.insert(joints.end(), {joint, is_shared ? above : std::uint8_t{0}, 0, 0});
      weights.insert(weights.end(), {is_shared ? 0.5f : 1, is_shared ? 0.5f : 0, 0, 0});
    }
    ++joint;
  }
  return {{"attributes",
           {{"POSITION", file.add<float>("VEC3", positions)},
            {"JOINTS_0", file.add<std::uint8_t>("VEC4", joints)},
            {"WEIGHTS_0", file.add<float>("VEC4", weights)}}}};
}

}  // namespace

std::string small_humanoid() {
  test::GltfFile file;
  nlohmann::json nodes = joint_nodes(), joints;
  for (std::size_t joint = 0; joint < nodes.size(); ++joint) joints.push_back(joint);
  nodes.push_back({{"name", "body"}, {"mesh", 0}, {"skin", 0}});
  file.json["nodes"] = std::move(nodes);
  file.json["skins"] = {{{"joints", std::move(joints)}}};
  file.json["meshes"] = {{{"primitives", {primitive_of(file)}}}};
  const int times = file.add<float>("SCALAR", {0, 0.1f});
  const int turns = file.add<float>("VEC4", {0, 0, 0, 1, 0, 0, 0.6f, 0.8f});
  const int moves = file.add<float>("VEC3", {0, 0.95f, 0, 0.1f, 0.9f, 0.2f});
  file.json["animations"] = {
      {{"name", "wave"},
       {"samplers", {{{"input", times}, {"output", turns}}, {{"input", times}, {"output", moves}}}},
       {"channels",
        {{{"sampler", 0}, {"target", {{"node", 5}, {"path", "rotation"}}}},
         {{"sampler", 0}, {"target", {{"node", 9}, {"path", "rotation"}}}},
         {{"sampler", 1}, {"target", {{"node", 0}, {"path", "translation"}}}}}}}};
  return file.text();
}

}  // namespace skinbake::fuzz
