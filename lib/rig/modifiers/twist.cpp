#include "rig/modifiers/twist.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "math/scalar.h"
#include "rig/influences.h"
#include "rig/joint_tree.h"

namespace skinbake {

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

  // Adds the helper at fraction s of the segment. Its axes are those of the joint.
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
