#include "humanoid/map/human_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <span>
#include <utility>

#include "math/scalar.h"

namespace skinbake {

namespace {

// A node of a body has few branches; nodes with more are not searched, so that the search of a
// hostile file takes linear time.
constexpr std::size_t kMaxBranches = 16;
// Members of a pair mirror each other if their positions differ by less than this part of the
// body's height.
constexpr double kMirrorTolerance = 0.05;
// A shoulder is shorter than this part of the upper arm.
constexpr double kShoulderLength = 0.6;

using Chain = std::vector<NodeIndex>;
using ChainPair = std::pair<Chain, Chain>;

// A leg or an arm as bones, without a side.
struct Limb {
  NodeIndex first = -1;  // a shoulder; -1: none
  NodeIndex upper = -1, lower = -1, end = -1;
  NodeIndex last = -1;  // toes; -1: none
};

class StructureMapper {
 public:
  explicit StructureMapper(const NodeTree& tree) : tree_(tree), heights_(heights_of(tree)) {}

  StructureSearch run() {
    for (const NodeIndex hips : tree_.skeleton().order) {
      std::vector<HumanoidBone> bones = map_below(hips);
      if (!bones.empty()) return {std::move(bones)};
    }
    return {{}, why_not()};
  }

 private:
  // What the search lacked, in the order in which it proceeds.
  enum class Lack { kLegs, kMirroredLegs, kArms, kMirroredArms, kHead, kLimbs };

  // Keeps the lack of the search that came farthest. `node`: where it ended.
  void note(Lack lack, NodeIndex node) {
    if (lack > lack_) lack_ = lack, lacking_ = node;
  }

  std::string why_not() const {
    constexpr std::size_t kLongestName = 100;
    const std::string begin = "the hierarchy does not tell ";
    if (lack_ == Lack::kLegs) return begin + "the legs: no node has two branches that go down";
    const std::string& name = tree_.skeleton().nodes[index(lacking_)].name;
    const bool is_named = !name.empty() && name.size() <= kLongestName;
    const std::string node = is_named ? "'" + name + "'" : "node " + std::to_string(lacking_);
    const std::string unlike = " are not mirror images of each other at rest, node by node";
    switch (lack_) {
      case Lack::kMirroredLegs:
        return begin + "the legs: the branches that go down from " + node + unlike;
      case Lack::kArms:
        return begin + "the arms: the legs are below " + node +
               ", and no node above them has two branches for arms";
      case Lack::kMirroredArms:
        return begin + "the arms: the branches of " + node + unlike;
      case Lack::kHead:
        return begin + "the head: no branch goes up from " + node + ", which has the arms";
      default:
        return begin + "the parts of arms and legs, or left and right, above and below " + node;
    }
  }

  const Vec3<double>& at(NodeIndex n) const { return tree_.position(n); }
  double distance(NodeIndex a, NodeIndex b) const { return norm(at(b) - at(a)); }

  // The children below which a chain of at least `nodes` nodes hangs, themselves included.
  std::vector<NodeIndex> branches(NodeIndex n, std::size_t nodes) const {
    std::vector<NodeIndex> found;
    for (const NodeIndex child : tree_.children(n)) {
      if (tree_.depth_below(child) + 1 >= nodes) found.push_back(child);
    }
    if (found.size() > kMaxBranches) found.clear();
    return found;
  }

  // The nodes from n down to a leaf or to a hand, by the child below which most generations hang.
  Chain chain_from(NodeIndex n) const {
    Chain chain{n};
    while (!tree_.children(n).empty() && chain.size() < kMaxBranches) {
      const std::vector<NodeIndex>& below = tree_.children(n);
      const bool is_hand = chain.size() >= 3 && below.size() >= 3;
      if (is_hand) break;
      n = *std::max_element(below.begin(), below.end(), [&](NodeIndex a, NodeIndex b) {
        return tree_.depth_below(a) < tree_.depth_below(b);
      });
      chain.push_back(n);
    }
    return chain;
  }

  // Whether the chains are mirror images across the vertical plane between them.
  bool is_pair(const Chain& a, const Chain& b) const {
    if (a.size() != b.size()) return false;
    const Vec3<double> between = at(b.front()) - at(a.front());
    const Vec3<double> across{between.x, 0, between.z};
    const double width = norm(across);
    const double tolerance = kMirrorTolerance * height_;
    if (!(width > 1e-3 * height_) || std::abs(between.y) > tolerance) return false;
    const Vec3<double> axis = (1 / width) * across;
    const double middle = dot(axis, at(a.front()) + at(b.front()));
    for (std::size_t i = 0; i < a.size(); ++i) {
      const Vec3<double> sum = at(a[i]) + at(b[i]), apart = at(b[i]) - at(a[i]);
      const double along = dot(axis, apart);
      if (std::abs(dot(axis, sum) - middle) > 2 * tolerance) return false;
      if (!(along > 0) || norm(apart - along * axis) > tolerance) return false;
    }
    return true;
  }

  // The first pair of chains of at least three nodes whose branches meet the condition. Notes
  // `unlike` if such a pair is not mirrored.
  template <class Condition>
  std::optional<ChainPair> pair_below(NodeIndex n, Lack unlike, const Condition& fits) {
    const std::vector<NodeIndex> starts = branches(n, 3);
    for (std::size_t i = 0; i < starts.size(); ++i) {
      for (std::size_t j = i + 1; j < starts.size(); ++j) {
        ChainPair pair{chain_from(starts[i]), chain_from(starts[j])};
        if (!fits(pair.first)) continue;
        if (is_pair(pair.first, pair.second)) return pair;
        if (fits(pair.second)) note(unlike, n);
      }
    }
    return std::nullopt;
  }

  std::vector<HumanoidBone> map_below(NodeIndex hips) {
    height_ = heights_[index(hips)];
    if (!(height_ > 0) || !std::isfinite(height_)) return {};
    const auto legs = pair_below(hips, Lack::kMirroredLegs, [&](const Chain& leg) {
      return at(leg[2]).y < at(leg[1]).y && at(leg[1]).y < at(leg[0]).y &&
             at(leg[0]).y - at(leg[2]).y > 0.25 * height_;
    });
    if (!legs) return {};
    note(Lack::kArms, hips);
    for (const NodeIndex spine : branches(hips, 2)) {
      if (spine == legs->first.front() || spine == legs->second.front()) continue;
      std::vector<HumanoidBone> bones = map_body(hips, spine, *legs);
      if (!bones.empty()) return bones;
    }
    return {};
  }

  // [node] The extent along y of the node and everything below it.
  static std::vector<double> heights_of(const NodeTree& tree) {
    const std::vector<NodeIndex>& order = tree.skeleton().order;
    std::vector<double> low(order.size()), high(order.size());
    for (const NodeIndex n : order) low[index(n)] = high[index(n)] = tree.position(n).y;
    for (auto n = order.rbegin(); n != order.rend(); ++n) {
      if (tree.parent(*n) < 0) continue;
      const std::size_t above = index(tree.parent(*n));
      low[above] = std::min(low[above], low[index(*n)]);
      high[above] = std::max(high[above], high[index(*n)]);
    }
    for (std::size_t n = 0; n < high.size(); ++n) high[n] -= low[n];
    return high;
  }
  static std::size_t index(NodeIndex n) { return static_cast<std::size_t>(n); }

  std::vector<HumanoidBone> map_body(NodeIndex hips, NodeIndex spine, const ChainPair& legs) {
    Chain trunk;
    for (NodeIndex n = spine; n >= 0 && trunk.size() < kMaxBranches; n = next_of_trunk(n)) {
      trunk.push_back(n);
      const auto arms = pair_below(n, Lack::kMirroredArms,
                                   [&](const Chain& arm) { return at(arm[0]).y > at(hips).y; });
      if (!arms) continue;
      note(Lack::kHead, n);
      for (const NodeIndex neck : branches(n, 1)) {
        const bool is_arm = neck == arms->first.front() || neck == arms->second.front();
        if (is_arm || !is_upright(hips, n, neck)) continue;
        note(Lack::kLimbs, hips);
        return assembled(hips, trunk, neck, legs, *arms);
      }
      return {};
    }
    return {};
  }

  NodeIndex next_of_trunk(NodeIndex n) const {
    const std::vector<NodeIndex>& below = tree_.children(n);
    if (below.empty()) return -1;
    return *std::max_element(below.begin(), below.end(), [&](NodeIndex a, NodeIndex b) {
      return tree_.size_below(a) < tree_.size_below(b);
    });
  }

  // Whether the line from the hips to the chest is within 30 degrees of +Y, and the neck is above.
  bool is_upright(NodeIndex hips, NodeIndex chest, NodeIndex neck) const {
    const Vec3<double> up = at(neck) - at(hips);
    return up.y > 0.866 * norm(up) && at(neck).y >= at(chest).y;
  }

  std::vector<HumanoidBone> assembled(NodeIndex hips, const Chain& trunk, NodeIndex neck,
                                      const ChainPair& legs, const ChainPair& arms) const {
    const std::array<std::optional<Limb>, 2> leg{leg_of(legs.first), leg_of(legs.second)};
    const std::array<std::optional<Limb>, 2> arm{arm_of(arms.first), arm_of(arms.second)};
    if (!leg[0] || !leg[1] || !arm[0] || !arm[1]) return {};
    const std::optional<Vec3<double>> left = left_of(*leg[0], *leg[1]);
    if (!left) return {};
    const auto is_left = [&](NodeIndex a, NodeIndex b) { return dot(*left, at(a) - at(b)) > 0; };
    HumanMap map(tree_);
    map.set("hips", hips);
    map.set_spine(trunk);
    const std::vector<NodeIndex>& above = tree_.children(neck);
    map.set("head", above.empty() ? neck : above.front());
    if (!above.empty()) map.set("neck", neck);
    const bool leg_0_is_left = is_left(leg[0]->upper, leg[1]->upper);
    const bool arm_0_is_left = is_left(arm[0]->upper, arm[1]->upper);
    set_leg("left", *leg[leg_0_is_left ? 0 : 1], map);
    set_leg("right", *leg[leg_0_is_left ? 1 : 0], map);
    set_arm("left", *arm[arm_0_is_left ? 0 : 1], map);
    set_arm("right", *arm[arm_0_is_left ? 1 : 0], map);
    return map.is_complete() ? map.bones() : std::vector<HumanoidBone>{};
  }

  static void set_leg(const std::string& side, const Limb& leg, HumanMap& map) {
    map.set(side + "UpperLeg", leg.upper);
    map.set(side + "LowerLeg", leg.lower);
    map.set(side + "Foot", leg.end);
    if (leg.last >= 0) map.set(side + "Toes", leg.last);
  }
  static void set_arm(const std::string& side, const Limb& arm, HumanMap& map) {
    if (arm.first >= 0) map.set(side + "Shoulder", arm.first);
    map.set(side + "UpperArm", arm.upper);
    map.set(side + "LowerArm", arm.lower);
    map.set(side + "Hand", arm.end);
  }

  // Whether the upper and the lower segment are as long as in a limb.
  bool has_limb_lengths(const Limb& limb) const {
    const double upper = distance(limb.upper, limb.lower), lower = distance(limb.lower, limb.end);
    return upper < 2 * lower && lower < 2 * upper;
  }

  // Three nodes; the fourth is the toes, the fifth their end.
  std::optional<Limb> leg_of(const Chain& chain) const {
    if (chain.size() > 5) return std::nullopt;
    Limb leg{-1, chain[0], chain[1], chain[2], chain.size() > 3 ? chain[3] : -1};
    return has_limb_lengths(leg) ? std::optional(leg) : std::nullopt;
  }

  // Three nodes, after a shoulder if the first segment is short. Nodes below the hand follow it.
  std::optional<Limb> arm_of(const Chain& chain) const {
    const bool has_shoulder =
        chain.size() > 3 &&
        distance(chain[0], chain[1]) < kShoulderLength * distance(chain[1], chain[2]);
    const std::span<const NodeIndex> nodes = std::span(chain).subspan(has_shoulder ? 1 : 0);
    Limb arm{has_shoulder ? chain[0] : -1, nodes[0], nodes[1], nodes[2], -1};
    return has_limb_lengths(arm) ? std::optional(arm) : std::nullopt;
  }

  // The direction to the left of the body, horizontal; nothing if it is not known.
  std::optional<Vec3<double>> left_of(const Limb& a, const Limb& b) const {
    Vec3<double> forward{0, 0, 1};
    if (a.last >= 0 && b.last >= 0) {
      const Vec3<double> toes = (at(a.last) - at(a.end)) + (at(b.last) - at(b.end));
      forward = {toes.x, 0, toes.z};
    }
    const Vec3<double> left = cross(Vec3<double>{0, 1, 0}, forward);
    const Vec3<double> across = at(a.upper) - at(b.upper);
    // The legs must be beside each other as seen from the front.
    const bool is_clear = std::abs(dot(left, across)) > 0.7 * norm(left) * norm(across);
    return is_clear ? std::optional(left) : std::nullopt;
  }

  const NodeTree& tree_;
  const std::vector<double> heights_;
  double height_ = 0;  // of the body that is tried
  Lack lack_ = Lack::kLegs;
  NodeIndex lacking_ = -1;
};

}  // namespace

StructureSearch map_by_structure(const NodeTree& tree) {
  return StructureMapper(tree).run();
}

}  // namespace skinbake
