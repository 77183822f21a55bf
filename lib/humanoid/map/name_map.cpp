#include "humanoid/map/human_map.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace skinbake {

namespace {

// Hips are tried in this number of nodes at most: a file can give one name to all of its nodes.
constexpr std::size_t kMaxHips = 8;

bool is_number(const std::string& word) {
  return !word.empty() && word.front() >= '0' && word.front() <= '9';
}

// Removes the prefixes of exporters that stand before a bone's name: "mixamorig1:", "Bip001 ",
// "DEF-", "J_Bip_C_".
void drop_known_prefix(std::vector<std::string>& words) {
  std::size_t drop = 0;
  const auto is = [&](std::size_t w, std::string_view word) {
    return w < words.size() && words[w] == word;
  };
  if (is(0, "mixamorig") || is(0, "bip")) {
    drop = words.size() > 1 && is_number(words[1]) ? 2 : 1;
  } else if (is(0, "def")) {
    drop = 1;
  } else if (is(0, "j") && (is(1, "bip") || is(1, "adj"))) {
    drop = is(2, "c") ? 3 : 2;
  }
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(drop));
}

// The words of a skeleton's names. They are split anew in every call: they take many
// times the memory of the names.
class SplitNames {
 public:
  explicit SplitNames(const Skeleton& skeleton) : skeleton_(skeleton) {}

  std::vector<std::string> words(const Node& node) const {
    std::vector<std::string> words = words_of(node.name);
    drop_known_prefix(words);
    for (const std::string& word : dropped_) {
      if (words.size() > 1 && words.front() == word) words.erase(words.begin());
    }
    return words;
  }

  // Drops a first word that more than half of the names have, unless it is a side.
  void drop_common_word() {
    std::map<std::string, std::size_t> uses;
    std::size_t named = 0;
    for (const Node& node : skeleton_.nodes) {
      std::vector<std::string> left = words(node);
      if (left.empty()) continue;
      ++named;
      if (left.size() > 1) ++uses[std::move(left.front())];
    }
    for (const auto& [word, count] : uses) {
      const BodySide side = bone_words({word}, LeadingZeros::kKept).side;
      if (2 * count <= named || side != BodySide::kMiddle) continue;
      dropped_.push_back(word);
      return;
    }
  }

 private:
  const Skeleton& skeleton_;
  std::vector<std::string> dropped_;
};

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
  std::vector<NodeIndex> candidates(BodySide side, const std::string& words) const {
    const auto found = names_.nodes.find({side, words});
    return found == names_.nodes.end() ? std::vector<NodeIndex>{} : found->second;
  }

  // The node with the most descendants that has the best of the bone's names and meets the
  // condition; ties: the lower index.
  template <class Condition>
  std::optional<NodeIndex> best_node(std::string_view bone, const Condition& fits) const {
    const SidedBone sided = without_side(bone);
    for (const std::string& words : table_.names_of(sided.bone)) {
      std::optional<NodeIndex> best;
      for (const NodeIndex n : candidates(sided.side, words)) {
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
      const std::vector<NodeIndex> more = candidates(BodySide::kMiddle, words);
      hips.insert(hips.end(), more.begin(), more.end());
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
      const auto node = best_node(bone.name, [&](NodeIndex n) { return map.fits(bone.name, n); });
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

NodeNames::NodeNames(const Skeleton& skeleton, LeadingZeros zeros) {
  SplitNames names(skeleton);
  names.drop_common_word();
  names.drop_common_word();  // "CC_Base_"
  for (std::size_t n = 0; n < skeleton.nodes.size(); ++n) {
    words.push_back(bone_words(names.words(skeleton.nodes[n]), zeros));
    if (!words[n].words.empty()) nodes[words[n]].push_back(static_cast<NodeIndex>(n));
  }
}

std::vector<HumanoidBone> map_by_names(const NodeTree& tree, const NodeNames& names,
                                       const NameTable& table) {
  return NameMapper(tree, names, table).best();
}

}  // namespace skinbake
