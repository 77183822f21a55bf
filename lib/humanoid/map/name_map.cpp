#include "humanoid/map/human_map.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace skinbake {

namespace {

// Hips are tried in this number of nodes at most: a file can give one name to all of its nodes.
constexpr std::size_t kMaxHips = 8;

// The nodes of a name. Names in one case do not tell where a word ends, so that "lthigh" is not
// found to have a side when it is split.
const std::vector<NodeIndex>& nodes_of(const NodeNames& names, BodySide side,
                                       const std::string& words) {
  static const std::vector<NodeIndex> kNone;
  auto found = names.nodes.find({side, words});
  if (found == names.nodes.end() && side != BodySide::kMiddle) {
    found = names.nodes.find({BodySide::kMiddle, (side == BodySide::kLeft ? 'l' : 'r') + words});
  }
  return found == names.nodes.end() ? kNone : found->second;
}

bool can_be_hips(const NodeNames& names, NodeIndex n) {
  return names.can_be_hips.empty() || names.can_be_hips[static_cast<std::size_t>(n)];
}

class NameMapper {
 public:
  NameMapper(const NodeTree& tree, const NodeNames& names, const NameTable& table)
      : tree_(tree), names_(names), table_(table) {}

  std::vector<HumanoidBone> best() const {
    std::vector<HumanoidBone> best;
    for (const NodeIndex hips : hips_candidates()) {
      std::vector<HumanoidBone> bones = map_below(hips);
      if (bones.size() > best.size()) best = std::move(bones);
    }
    return best;
  }

 private:
  // The node with the most descendants that has the best of the bone's names and meets the
  // condition; ties: the lower index.
  template <class Condition>
  std::optional<NodeIndex> best_node(std::string_view bone, const Condition& fits) const {
    const SidedBone sided = without_side(bone);
    for (const std::string& words : table_.names_of(sided.bone)) {
      std::optional<NodeIndex> best;
      for (const NodeIndex n : nodes_of(names_, sided.side, words)) {
        const bool is_better = !best || tree_.size_below(n) > tree_.size_below(*best);
        if (is_better && fits(n)) best = n;
      }
      if (best) return best;
    }
    return std::nullopt;
  }

  std::vector<NodeIndex> hips_candidates() const {
    std::vector<NodeIndex> hips;
    for (const std::string& words : table_.names_of("hips")) {
      const std::vector<NodeIndex>& nodes = nodes_of(names_, BodySide::kMiddle, words);
      std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(hips),
                   [&](NodeIndex n) { return can_be_hips(names_, n); });
    }
    std::stable_sort(hips.begin(), hips.end(), [&](NodeIndex a, NodeIndex b) {
      return tree_.size_below(a) > tree_.size_below(b);
    });
    if (hips.size() > kMaxHips) hips.resize(kMaxHips);
    return hips;
  }

  std::vector<HumanoidBone> map_below(NodeIndex hips) const {
    HumanMap map(tree_);
    map.set("hips", hips);
    map_spine(hips, map);
    for (const HumanBone& bone : kHumanBones) {
      if (map.node(bone.name) >= 0) continue;
      const std::string_view other = table_.other_parent_of(bone.name);
      const auto node =
          best_node(bone.name, [&](NodeIndex n) { return map.fits(bone.name, n, other); });
      if (node) map.set(bone.name, *node);
    }
    return map.bones();
  }

  void map_spine(NodeIndex hips, HumanMap& map) const {
    const auto is_below_hips = [&](NodeIndex n) { return tree_.is_below(n, hips); };
    const auto head = best_node("head", is_below_hips);
    if (!head) return;
    const auto left = best_node("leftUpperArm", is_below_hips);
    const auto right = best_node("rightUpperArm", is_below_hips);
    const auto neck = best_node(
        "neck", [&](NodeIndex n) { return is_below_hips(n) && tree_.is_below(*head, n); });
    std::vector<NodeIndex> chain;
    for (const NodeIndex n : tree_.path(hips, neck.value_or(*head))) {
      const bool holds_arms = (!left || tree_.is_below(*left, n)) &&  //
                              (!right || tree_.is_below(*right, n));
      const BoneWords& words = names_.words[static_cast<std::size_t>(n)];
      const bool is_free = n != neck && n != *head && words.side == BodySide::kMiddle;
      if (is_free && holds_arms && table_.is_spine(words.words)) chain.push_back(n);
    }
    map.set_spine(chain);
    if (neck) map.set("neck", *neck);
    map.set("head", *head);
  }

  const NodeTree& tree_;
  const NodeNames& names_;
  const NameTable& table_;
};

}  // namespace

std::vector<std::string_view> unnamed_bones(const NodeNames& names, const NameTable& table) {
  std::vector<std::string_view> unnamed;
  for (const HumanBone& bone : kHumanBones) {
    if (!bone.is_required || bone.name == "spine") continue;
    const SidedBone sided = without_side(bone.name);
    const std::vector<std::string>& words = table.names_of(sided.bone);
    const bool is_named = std::any_of(words.begin(), words.end(), [&](const std::string& name) {
      const std::vector<NodeIndex>& nodes = nodes_of(names, sided.side, name);
      return std::any_of(nodes.begin(), nodes.end(),
                         [&](NodeIndex n) { return bone.name != "hips" || can_be_hips(names, n); });
    });
    if (!is_named) unnamed.push_back(bone.name);
  }
  return unnamed;
}

std::vector<HumanoidBone> map_by_names(const NodeTree& tree, const NodeNames& names,
                                       const NameTable& table) {
  return NameMapper(tree, names, table).best();
}

}  // namespace skinbake
