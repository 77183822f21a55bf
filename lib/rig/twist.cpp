#include "rig/twist.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "math/scalar.h"
#include "rig/influences.h"
#include "rig/joint_tree.h"

namespace skinbake {

namespace {

using From = ShareTwist::From;

// Helpers are chained below the joint, and what leads to the child hangs below the last of them:
// so the tree has them where the bone has them. Order: each node after its parent.
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
  Builder(const Rig& rig, JointIndex joint, const ShareTwist& twist, const FileBone& bone)
      : old_(rig), rig_(rig), joint_(joint), twist_(twist), bone_(bone) {}

  Rig build() && {
    add_helpers();
    share_weights();
    return std::move(rig_);
  }

 private:
  int segments() const { return twist_.helpers + 1; }
  bool is_self() const { return twist_.from == From::kSelf; }

  void add_helpers() {
    auto skeleton = std::make_shared<Skeleton>(*old_.skeleton);
    TwistChain chain;
    chain.joint = joint_;
    chain.from = is_self() ? joint_of(*bone_.parent) : joint_;
    chain.to = is_self() ? joint_ : joint_of(*bone_.child);
    chain.pivot = bone_.start;
    chain.axis = bone_.axis;
    if (!is_self()) nodes_.push_back(joint_);
    NodeIndex above = rig_.joints[joint_].node;
    for (int i = is_self() ? 0 : 1; i <= segments(); ++i) {
      const double s = static_cast<double>(i) / segments();
      above = add_node(*skeleton, above, i, s);
      const auto helper = static_cast<JointIndex>(rig_.joints.size() - 1);
      chain.helpers.push_back({helper, is_self() ? s - 1 : s});
      nodes_.push_back(helper);
    }
    if (bone_.child) hang(bone_.child->node, above, *skeleton);
    skeleton->order = parents_first(skeleton->nodes);
    rig_.skeleton = std::move(skeleton);
    rig_.twists.push_back(std::move(chain));
  }

  // A joint at the bone's other end; the rig gets it if it has none there.
  JointIndex joint_of(const Joint& end) {
    const auto known = std::find_if(rig_.joints.begin(), rig_.joints.end(),
                                    [&](const Joint& j) { return j.node == end.node; });
    const auto place = static_cast<JointIndex>(known - rig_.joints.begin());
    if (known == rig_.joints.end()) rig_.joints.push_back(end);
    return place;
  }

  // The helper at fraction s of the bone: a node there, in the joint's own frame.
  NodeIndex add_node(Skeleton& skeleton, NodeIndex above, int number, double s) {
    const Joint joint = rig_.joints[joint_];
    Node node;
    node.name = joint_id(old_, joint_) + ".twist" + std::to_string(number);
    node.parent = above;
    node.helper = true;
    node.translation = joint.joint_from_model * fma(s * bone_.length, bone_.axis, bone_.start);
    const auto index = static_cast<NodeIndex>(skeleton.nodes.size());
    Affine<double> helper_from_model = joint.joint_from_model;
    helper_from_model.translation = helper_from_model.translation - node.translation;
    skeleton.nodes.push_back(std::move(node));
    rig_.joints.push_back({index, helper_from_model});
    return index;
  }

  // Hangs what leads from the joint to `node` below `above`.
  void hang(NodeIndex node, NodeIndex above, Skeleton& skeleton) const {
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
    const Vec3<double> from_start = Vec3<double>{p[0], p[1], p[2]} - bone_.start;
    const double x = std::clamp(dot(from_start, bone_.axis) / bone_.length, 0.0, 1.0);
    const double station = std::min(std::floor(x * segments()), double{segments() - 1.0});
    const double upper = weight * (x * segments() - station);
    const auto at = static_cast<std::size_t>(station);
    if (weight - upper > 0) shares.push_back({nodes_[at], weight - upper});
    if (upper > 0) shares.push_back({nodes_[at + 1], upper});
  }

  const Rig& old_;
  Rig rig_;
  JointIndex joint_;
  const ShareTwist& twist_;
  const FileBone& bone_;
  std::vector<JointIndex> nodes_;  // [i] the joint of node i
};

}  // namespace

bool is_twist_shared(const Rig& rig, JointIndex joint) {
  return std::any_of(rig.twists.begin(), rig.twists.end(), [&](const TwistChain& c) {
    const auto is_joint = [&](const TwistChain::Helper& h) { return h.joint == joint; };
    return c.joint == joint || std::any_of(c.helpers.begin(), c.helpers.end(), is_joint);
  });
}

std::string obstacle_to_twist(const Rig& rig, JointIndex joint, From from,
                              const std::optional<FileBone>& bone) {
  if (is_twist_shared(rig, joint)) return "its twist is shared already; give --twist once for it";
  if (!bone)
    return "its bone has no length: nothing hangs below it, and no vertex beyond it; take another "
           "joint";
  if (from == From::kChild && !bone->child) return "no joint hangs below it; write from=self";
  if (from == From::kSelf && !bone->parent)
    return "no joint with weight is above it; write from=child";
  return "";
}

Rig with_twist_joints(const Rig& rig, JointIndex joint, const ShareTwist& twist,
                      const FileBone& bone) {
  return Builder(rig, joint, twist, bone).build();
}

}  // namespace skinbake
