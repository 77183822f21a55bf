#include "humanoid/map/node_names.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace skinbake {

namespace {

// Words that all names can share, in front of the bone: "Quick Rig Character 1".
constexpr int kMostCommonWords = 6;

bool is_number(const std::string& word) {
  return !word.empty() && word.front() >= '0' && word.front() <= '9';
}

// Removes the prefixes of exporters that stand before a bone's name: "mixamorig1:", "Bip001 ",
// "ValveBiped.Bip01_", "DEF-", "J_Bip_C_".
void drop_known_prefix(std::vector<std::string>& words) {
  std::size_t drop = 0;
  const auto is = [&](std::size_t w, std::string_view word) {
    return w < words.size() && words[w] == word;
  };
  if (is(0, "valve") && is(1, "biped")) drop = 2;
  if (is(drop, "mixamorig") || is(drop, "bip")) {
    drop += words.size() > drop + 1 && is_number(words[drop + 1]) ? 2 : 1;
  } else if (is(0, "def")) {
    drop = 1;
  } else if (is(0, "j") && (is(1, "bip") || is(1, "adj"))) {
    drop = is(2, "c") ? 3 : 2;
  }
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(drop));
}

std::string_view without_namespaces(std::string_view name) {
  const std::size_t end = name.find_last_of(":|");
  return end == std::string_view::npos || end + 1 == name.size() ? name : name.substr(end + 1);
}

// The name without a number that follows a separator; the name itself if it is a number.
std::string_view without_suffix(std::string_view name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  const bool has_number = last != std::string_view::npos && last + 1 < name.size();
  const bool is_separated = has_number && std::string_view("_-. ").find(name[last]) < 4;
  return is_separated && last > 0 ? name.substr(0, last) : name;
}

// The words of a skeleton's names. They are split anew in every call: they take many
// times the memory of the names.
class SplitNames {
 public:
  explicit SplitNames(const Skeleton& skeleton) : skeleton_(skeleton) {
    for (int i = 0; i < kMostCommonWords && drop_common_word(); ++i) {
    }
  }

  std::vector<std::string> words(std::string_view name) const {
    std::vector<std::string> words = words_of(without_namespaces(name));
    if (words.empty()) words = words_of(name);
    drop_known_prefix(words);
    std::size_t common = 0;
    for (const std::string& word : dropped_) {
      common += common + 1 < words.size() && words[common] == word ? 1 : 0;
    }
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(common));
    return words;
  }

 private:
  // Drops a first word that more than half of the names have, unless it is a side.
  bool drop_common_word() {
    std::map<std::string, std::size_t> uses;
    std::size_t named = 0;
    for (const Node& node : skeleton_.nodes) {
      std::vector<std::string> left = words(node.name);
      if (left.empty()) continue;
      ++named;
      if (left.size() > 1) ++uses[std::move(left.front())];
    }
    for (const auto& [word, count] : uses) {
      const BodySide side = bone_words({word}, LeadingZeros::kKept).side;
      if (2 * count <= named || side != BodySide::kMiddle) continue;
      dropped_.push_back(word);
      return true;
    }
    return false;
  }

  const Skeleton& skeleton_;
  std::vector<std::string> dropped_;
};

std::size_t index(NodeIndex n) {
  return static_cast<std::size_t>(n);
}

// [node] Whether a body is below the node whose names end with numbers: at least half of them, and
// as many as a body has bones. Empty: nowhere.
std::vector<char> numbered_bodies(const Skeleton& skeleton) {
  std::vector<std::size_t> named(skeleton.nodes.size()), numbered(skeleton.nodes.size());
  std::vector<char> is_body(skeleton.nodes.size());
  bool has_body = false;
  for (auto n = skeleton.order.rbegin(); n != skeleton.order.rend(); ++n) {
    const Node& node = skeleton.nodes[index(*n)];
    named[index(*n)] += node.name.empty() ? 0 : 1;
    numbered[index(*n)] += without_suffix(node.name) != node.name ? 1 : 0;
    is_body[index(*n)] =
        named[index(*n)] >= kRequiredBones && 2 * numbered[index(*n)] >= named[index(*n)];
    has_body = has_body || is_body[index(*n)];
    if (node.parent < 0) continue;
    named[index(node.parent)] += named[index(*n)];
    numbered[index(node.parent)] += numbered[index(*n)];
  }
  return has_body ? is_body : std::vector<char>{};
}

void list_nodes(NodeNames& names) {
  names.nodes.clear();
  for (std::size_t n = 0; n < names.words.size(); ++n) {
    if (names.words[n].words.empty()) continue;
    names.nodes[names.words[n]].push_back(static_cast<NodeIndex>(n));
  }
}

NodeNames plain_names(const SplitNames& split, const Skeleton& skeleton, LeadingZeros zeros) {
  NodeNames names{zeros, {}, {}, {}};
  for (const Node& node : skeleton.nodes) {
    names.words.push_back(bone_words(split.words(node.name), zeros));
  }
  list_nodes(names);
  return names;
}

// The names without suffixes, except of nodes below or above a node that would have the same name.
NodeNames unnumbered_names(const SplitNames& split, const NodeTree& tree, const NodeNames& plain) {
  NodeNames names{plain.zeros, {}, {}, {}};
  for (const Node& node : tree.skeleton().nodes) {
    names.words.push_back(bone_words(split.words(without_suffix(node.name)), plain.zeros));
  }
  list_nodes(names);
  for (auto& [words, nodes] : names.nodes) {
    std::sort(nodes.begin(), nodes.end(),
              [&](NodeIndex a, NodeIndex b) { return tree.rank(a) < tree.rank(b); });
    std::vector<NodeIndex> chain;  // each node is below the one before it
    for (const NodeIndex n : nodes) {
      while (!chain.empty() && !tree.is_below(n, chain.back())) chain.pop_back();
      if (!chain.empty()) {
        names.words[index(n)] = plain.words[index(n)];
        names.words[index(chain.back())] = plain.words[index(chain.back())];
      }
      chain.push_back(n);
    }
  }
  list_nodes(names);
  return names;
}

}  // namespace

std::vector<NodeNames> spellings_of(const NodeTree& tree) {
  const Skeleton& skeleton = tree.skeleton();
  const SplitNames split(skeleton);
  std::vector<NodeNames> spellings{plain_names(split, skeleton, LeadingZeros::kKept),
                                   plain_names(split, skeleton, LeadingZeros::kDropped)};
  const std::vector<char> bodies = numbered_bodies(skeleton);
  if (bodies.empty()) return spellings;
  for (std::size_t i = 0; i < 2; ++i) {
    spellings.push_back(unnumbered_names(split, tree, spellings[i]));
    spellings.back().can_be_hips = bodies;
  }
  return spellings;
}

}  // namespace skinbake
