#include "bake/bind/bind_key.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/bytes.h"
#include "rig/joint_tree.h"

namespace skinbake {

namespace {

// Increased when a method's bind changes, so that older binds are not found.
constexpr std::uint32_t kBindVersion = 5;

template <class T>
void add(Xxh128& hash, std::span<const T> numbers) {
  static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
  const std::uint64_t count = numbers.size();
  hash.update(&count, sizeof count);
  hash.update(numbers.data(), numbers.size_bytes());
}

void add_text(Xxh128& hash, std::string_view text) {
  add(hash, std::span<const char>(text.data(), text.size()));
}

void add_mesh(Xxh128& hash, const Mesh& mesh) {
  add(hash, std::span<const float>(mesh.positions));
  for (const auto& triangle : mesh.triangles) add(hash, std::span<const VertexIndex>(triangle));
  for (const MorphTarget& target : mesh.morph_targets) {
    add(hash, std::span<const float>(target.positions));
  }
}

void add_joints(Xxh128& hash, const Rig& rig) {
  std::vector<NodeIndex> tree;
  for (const Joint& joint : rig.joints) tree.push_back(joint.node);
  for (const Node& node : rig.skeleton->nodes) tree.push_back(node.parent);
  add(hash, std::span<const NodeIndex>(tree));
  for (const Joint& joint : rig.joints) {
    add(hash, std::span<const double>(&joint.joint_from_model.x.x, 12));
  }
  add(hash, std::span<const std::uint32_t>(rig.first_influence));
  std::vector<JointIndex> joints;
  std::vector<double> weights;
  for (const Influence& i : rig.influences) {
    joints.push_back(i.joint);
    weights.push_back(i.weight);
  }
  add(hash, std::span<const JointIndex>(joints));
  add(hash, std::span<const double>(weights));
}

}  // namespace

std::string bind_key(const Method& method, const Rig& rig, const BakePlan& plan) {
  Xxh128 hash;
  hash.update(&kBindVersion, sizeof kBindVersion);
  add_text(hash, method.canonical());
  for (const auto& [joint, numbers] : plan.joint_parameters) {
    add_text(hash, joint);
    for (const auto& [name, number] : numbers) {
      add_text(hash, name);
      hash.update(&number, sizeof number);
    }
  }
  // Joint parameters refer to joints by name, so the hash includes the names.
  if (!plan.joint_parameters.empty()) {
    for (JointIndex j = 0; j < rig.joints.size(); ++j) add_text(hash, joint_id(rig, j));
  }
  add_mesh(hash, *rig.mesh);
  add_joints(hash, rig);
  return hash.hex();
}

}  // namespace skinbake
