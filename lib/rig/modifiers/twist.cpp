// Limbs by their names or by the humanoid map, and twist joints along them.

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "math/scalar.h"
#include "rig/influences.h"
#include "rig/modifiers/twist.h"

namespace skinbake {

// ---- Names are split at separators, digits and changes of case: "mixamorig:LeftForeArm",
// "DEF-forearm.L", "lowerarm_l", "Bip01 L Forearm" and "J_Bip_L_LowerArm" all give a side and
// "forearm" or "lowerarm". Words that exporters add to every name are removed.
//
// Mixamo calls the upper arm "Arm" and the lower leg "Leg". These ambiguous words are only accepted
// if the other half of the limb has an unambiguous name.

namespace {

constexpr std::size_t kParts = 4, kSides = 2;
constexpr std::array<std::string_view, kParts> kHumanoid{"UpperArm", "LowerArm", "UpperLeg",
                                                         "LowerLeg"};
constexpr std::array<std::string_view, kSides> kSideNames{"left", "right"};

struct Word {
  std::string_view word;
  LimbPart part;
  bool unambiguous;  // false: accepted only beside the other part of its limb
};
constexpr Word kWords[] = {
    {"upperarm", LimbPart::kUpperArm, true}, {"uparm", LimbPart::kUpperArm, true},
    {"arm", LimbPart::kUpperArm, false},     {"lowerarm", LimbPart::kLowerArm, true},
    {"forearm", LimbPart::kLowerArm, true},  {"elbow", LimbPart::kLowerArm, true},
    {"upperleg", LimbPart::kUpperLeg, true}, {"upleg", LimbPart::kUpperLeg, true},
    {"thigh", LimbPart::kUpperLeg, true},    {"lowerleg", LimbPart::kLowerLeg, true},
    {"calf", LimbPart::kLowerLeg, true},     {"shin", LimbPart::kLowerLeg, true},
    {"knee", LimbPart::kLowerLeg, true},     {"leg", LimbPart::kLowerLeg, false}};

// Words that exporters add to names. Lower case.
constexpr std::string_view kDecoration[] = {
    "mixamorig", "bip",   "biped", "valve", "character", "armature", "skeleton",
    "rig",       "def",   "org",   "bone",  "bn",        "b",        "j",
    "jnt",       "joint", "jt",    "sk",    "cc",        "base",     "c"};

// Words of Japanese names (MikuMikuDance), which do not have separators.
constexpr std::pair<std::string_view, std::string_view> kJapanese[] = {
    {"左", " left "},      {"右", " right "},     {"腕", " upper arm "},   {"ひじ", " lower arm "},
    {"肘", " lower arm "}, {"足", " upper leg "}, {"ひざ", " lower leg "}, {"膝", " lower leg "}};

std::string translated(std::string name) {
  for (const auto& [from, to] : kJapanese) {
    const std::size_t at = name.find(from);
    if (at != std::string::npos) name.replace(at, from.size(), to);
  }
  return name;
}

enum class Kind { kLower, kUpper, kDigit, kOther };

Kind kind_of(char c) {
  const auto u = static_cast<unsigned char>(c);
  if (u >= 0x80) return Kind::kLower;  // a byte of a non-ASCII letter in UTF-8
  if (u >= '0' && u <= '9') return Kind::kDigit;
  if (u >= 'a' && u <= 'z') return Kind::kLower;
  return u >= 'A' && u <= 'Z' ? Kind::kUpper : Kind::kOther;
}

// Returns lower-case words without numbers: "LForeArm_01" gives l, fore, arm.
std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words;
  Kind before = Kind::kOther;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const Kind kind = kind_of(name[i]);
    const bool letter = kind == Kind::kLower || kind == Kind::kUpper;
    const bool next_is_lower = i + 1 < name.size() && kind_of(name[i + 1]) == Kind::kLower;
    const bool starts = kind == Kind::kUpper ? before != Kind::kUpper || next_is_lower
                                             : before != Kind::kUpper && before != Kind::kLower;
    if (letter && starts) words.emplace_back();
    if (letter) {
      const char c = name[i];
      words.back() += kind == Kind::kUpper ? static_cast<char>(c - 'A' + 'a') : c;
    }
    before = kind;
  }
  return words;
}

// Removes the side from the words and returns it: "l", "left", or the start of "leftarm".
std::optional<std::size_t> take_side(std::vector<std::string>& words) {
  for (std::string& word : words) {
    for (std::size_t side = 0; side < kSides; ++side) {
      const std::string_view name = kSideNames[side];
      if (word != name.substr(0, 1) && !word.starts_with(name)) continue;
      word.erase(0, word.starts_with(name) ? name.size() : 1);
      return side;
    }
  }
  return {};
}

struct Match {
  std::size_t side;
  const Word* word;
};

std::optional<Match> match(const std::string& name) {
  constexpr std::size_t kLongest = 256;  // each byte may be a word
  if (name.size() > kLongest) return {};
  std::vector<std::string> words = words_of(translated(name));
  const std::optional<std::size_t> side = take_side(words);
  if (!side) return {};
  std::string rest;
  for (const std::string& word : words) {
    const bool decoration =
        std::find(std::begin(kDecoration), std::end(kDecoration), word) != std::end(kDecoration);
    if (!decoration) rest += word;
  }
  for (const Word& word : kWords) {
    if (word.word == rest) return Match{*side, &word};
  }
  return {};
}

// The joints whose names match a part.
struct Candidates {
  std::vector<JointIndex> unambiguous, ambiguous;
};

class LimbFinder {
 public:
  explicit LimbFinder(const Rig& rig) : rig_(rig) {
    for (JointIndex j = 0; j < rig.joints.size(); ++j) {
      const Node& node = rig.skeleton->nodes[rig.joints[j].node];
      const std::optional<Match> found = node.helper ? std::nullopt : match(node.name);
      if (!found) continue;
      Candidates& candidates = named_[found->side][static_cast<std::size_t>(found->word->part)];
      (found->word->unambiguous ? candidates.unambiguous : candidates.ambiguous).push_back(j);
    }
  }

  void apply_map(std::span<const HumanoidBone> humanoid) {
    for (std::size_t side = 0; side < kSides; ++side) {
      for (std::size_t part = 0; part < kParts; ++part) {
        const std::string bone = std::string(kSideNames[side]).append(kHumanoid[part]);
        for (const HumanoidBone& entry : humanoid) {
          if (entry.bone == bone && !found_[side][part]) found_[side][part] = joint_on(entry.node);
        }
      }
    }
  }

  void apply_names() {
    for (std::size_t side = 0; side < kSides; ++side) {
      for (std::size_t part = 0; part < kParts; ++part) {
        std::optional<JointIndex>& found = found_[side][part];
        const Candidates& candidates = named_[side][part];
        if (!found) found = only_one(candidates.unambiguous);
      }
      for (std::size_t part = 0; part < kParts; ++part) {
        std::optional<JointIndex>& found = found_[side][part];
        const Candidates& candidates = named_[side][part];
        const bool other = found_[side][part ^ 1].has_value();  // upper and lower are adjacent
        if (!found && other) found = only_one(candidates.ambiguous);
      }
    }
  }

  std::vector<Limb> limbs() const {
    std::vector<Limb> limbs;
    for (const auto& parts : found_) {
      for (std::size_t part = 0; part < kParts; ++part) {
        const std::optional<JointIndex> upper = parts[part & ~std::size_t{1}], here = parts[part];
        if (here && (here == upper || !upper || is_descendant(*here, *upper))) {
          limbs.push_back({static_cast<LimbPart>(part), *here});
        }
      }
    }
    return limbs;
  }

 private:
  // Returns the candidate if it is the only one and is not already another part.
  std::optional<JointIndex> only_one(const std::vector<JointIndex>& candidates) const {
    if (candidates.size() != 1) return {};
    for (const auto& parts : found_) {
      if (std::find(std::begin(parts), std::end(parts), candidates.front()) != std::end(parts)) {
        return {};
      }
    }
    return candidates.front();
  }

  std::optional<JointIndex> joint_on(NodeIndex node) const {
    for (JointIndex j = 0; j < rig_.joints.size(); ++j) {
      if (rig_.joints[j].node == node) return j;
    }
    return {};
  }

  bool is_descendant(JointIndex lower, JointIndex upper) const {
    NodeIndex n = rig_.joints[lower].node;
    while (n >= 0 && n != rig_.joints[upper].node) n = rig_.skeleton->nodes[n].parent;
    return n >= 0 && lower != upper;
  }

  const Rig& rig_;
  Candidates named_[kSides][kParts];
  std::optional<JointIndex> found_[kSides][kParts];
};

}  // namespace

std::vector<Limb> find_limbs(const Rig& rig, std::span<const HumanoidBone> humanoid) {
  LimbFinder finder(rig);
  finder.apply_map(humanoid);
  finder.apply_names();
  return finder.limbs();
}

bool is_twist_name(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower.find("twist") != std::string::npos || lower.find("roll") != std::string::npos ||
         lower.find("捩") != std::string::npos;
}

namespace {

using From = ShareTwist::From;

// Returns all nodes, parents before children. Helpers form a chain below the joint, and the node
// that leads to the child becomes a child of the last helper: the order in the hierarchy is the
// order along the segment.
std::vector<NodeIndex> parents_first(const std::vector<Node>& nodes) {
  std::vector<std::vector<NodeIndex>> children(nodes.size());
  std::vector<NodeIndex> order;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const NodeIndex parent = nodes[n].parent;
    (parent < 0 ? order : children[parent]).push_back(static_cast<NodeIndex>(n));
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::vector<NodeIndex>& below = children[order[i]];
    order.insert(order.end(), below.begin(), below.end());
  }
  return order;
}

class Builder {
 public:
  Builder(const Rig& rig, JointIndex joint, const ShareTwist& twist, const JointSegment& segment)
      : old_(rig), rig_(rig), joint_(joint), twist_(twist), segment_(segment) {}

  Rig build() && {
    add_helpers();
    share_weights();
    return std::move(rig_);
  }

 private:
  int interval_count() const { return twist_.helpers + 1; }
  bool is_self() const { return twist_.from == From::kSelf; }

  void add_helpers() {
    auto skeleton = std::make_shared<Skeleton>(*old_.skeleton);
    TwistChain chain;
    chain.joint = joint_;
    chain.from = is_self() ? joint_of(*segment_.parent) : joint_;
    chain.to = is_self() ? joint_ : joint_of(*segment_.child);
    chain.pivot = segment_.start;
    chain.axis = segment_.axis;
    if (!is_self()) nodes_.push_back(joint_);
    NodeIndex above = rig_.joints[joint_].node;
    for (int i = is_self() ? 0 : 1; i <= interval_count(); ++i) {
      const double s = static_cast<double>(i) / interval_count();
      above = add_node(*skeleton, above, i, s);
      const auto helper = static_cast<JointIndex>(rig_.joints.size() - 1);
      chain.helpers.push_back({helper, is_self() ? s - 1 : s});
      nodes_.push_back(helper);
    }
    if (segment_.child) attach(segment_.child->node, above, *skeleton);
    skeleton->order = parents_first(skeleton->nodes);
    rig_.skeleton = std::move(skeleton);
    rig_.twists.push_back(std::move(chain));
  }

  // The rig's joint on the node of `end`, which is added if the rig does not have one.
  JointIndex joint_of(const Joint& end) {
    const auto known = std::find_if(rig_.joints.begin(), rig_.joints.end(),
                                    [&](const Joint& j) { return j.node == end.node; });
    const auto index = static_cast<JointIndex>(known - rig_.joints.begin());
    if (known == rig_.joints.end()) rig_.joints.push_back(end);
    return index;
  }

  // Adds the helper at fraction s of the segment. It has the axes of the joint.
  NodeIndex add_node(Skeleton& skeleton, NodeIndex above, int number, double s) {
    const Joint joint = rig_.joints[joint_];
    Node node;
    node.name = joint_id(old_, joint_) + ".twist" + std::to_string(number);
    node.parent = above;
    node.helper = true;
    node.translation =
        joint.joint_from_model * fma(s * segment_.length, segment_.axis, segment_.start);
    const auto index = static_cast<NodeIndex>(skeleton.nodes.size());
    Affine<double> helper_from_model = joint.joint_from_model;
    helper_from_model.translation = helper_from_model.translation - node.translation;
    skeleton.nodes.push_back(std::move(node));
    rig_.joints.push_back({index, helper_from_model});
    return index;
  }

  // Makes the child of the joint that is an ancestor of `node`, or `node` itself, a child of
  // `above`.
  void attach(NodeIndex node, NodeIndex above, Skeleton& skeleton) const {
    const NodeIndex top = rig_.joints[joint_].node;
    while (skeleton.nodes[node].parent != top) node = skeleton.nodes[node].parent;
    skeleton.nodes[node].parent = above;
  }

  void share_weights() {
    rig_.influences.clear();
    std::vector<Influence> mine;
    for (VertexIndex v = 0; v < old_.mesh->vertex_count(); ++v) {
      mine.clear();
      for (const Influence& i : old_.influences_of(v)) {
        i.joint == joint_ ? share(v, i.weight, mine) : mine.push_back(i);
      }
      sort_descending(mine);
      rig_.influences.insert(rig_.influences.end(), mine.begin(), mine.end());
      rig_.first_influence[v + 1] = static_cast<std::uint32_t>(rig_.influences.size());
    }
  }

  void share(VertexIndex v, double weight, std::vector<Influence>& shares) const {
    const float* p = old_.mesh->positions.data() + std::size_t{v} * 3;
    const Vec3<double> from_start = Vec3<double>{p[0], p[1], p[2]} - segment_.start;
    const double x = std::clamp(dot(from_start, segment_.axis) / segment_.length, 0.0, 1.0);
    const double interval =
        std::min(std::floor(x * interval_count()), double{interval_count() - 1.0});
    const double upper = weight * (x * interval_count() - interval);
    const auto at = static_cast<std::size_t>(interval);
    if (weight - upper > 0) shares.push_back({nodes_[at], weight - upper});
    if (upper > 0) shares.push_back({nodes_[at + 1], upper});
  }

  const Rig& old_;
  Rig rig_;
  JointIndex joint_;
  const ShareTwist& twist_;
  const JointSegment& segment_;
  std::vector<JointIndex> nodes_;  // [i] the joint of node i of the segment
};

}  // namespace

bool is_twist_shared(const Rig& rig, JointIndex joint) {
  return std::any_of(rig.twists.begin(), rig.twists.end(), [&](const TwistChain& c) {
    const auto is_joint = [&](const TwistChain::Helper& h) { return h.joint == joint; };
    return c.joint == joint || std::any_of(c.helpers.begin(), c.helpers.end(), is_joint);
  });
}

std::string obstacle_to_twist(const Rig& rig, JointIndex joint, From from,
                              const std::optional<JointSegment>& segment) {
  if (is_twist_shared(rig, joint)) {
    return "its twist is already shared; name the joint in one twist modifier only";
  }
  if (!segment) {
    return "its segment is of length zero: no joint is below it and no vertex is beyond it; choose "
           "another joint";
  }
  if (from == From::kChild && !segment->child) return "no joint is below it; write from=self";
  if (from == From::kSelf && !segment->parent) {
    return "no joint with weight is above it; write from=child";
  }
  return "";
}

Rig with_twist_joints(const Rig& rig, JointIndex joint, const ShareTwist& twist,
                      const JointSegment& segment) {
  return Builder(rig, joint, twist, segment).build();
}

}  // namespace skinbake
