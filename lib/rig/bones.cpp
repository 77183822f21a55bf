#include "rig/bones.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/scalar.h"

namespace skinbake {

namespace {

// Joints nearer than this part of the skeleton's size are meant to be at one place: float files
// keep 1e-7 of their greatest coordinate.
constexpr double kSamePlace = 1e-6;

bool is_finite(const Vec3<double>& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

double diagonal(const std::vector<Vec3<double>>& points) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Vec3<double> low{kInfinity, kInfinity, kInfinity}, high = -low;
  for (const Vec3<double>& p : points) {
    if (!is_finite(p)) continue;
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  return high.x >= low.x ? norm(high - low) : 0;
}

// [joint] the nearest ancestor that is a joint and no helper; of joints on one node, the first.
std::vector<std::optional<JointIndex>> joints_above(const Rig& rig) {
  const std::vector<Node>& nodes = rig.skeleton->nodes;
  std::vector<std::optional<JointIndex>> joint_of(nodes.size());
  for (JointIndex j = static_cast<JointIndex>(rig.joints.size()); j-- > 0;) {
    const NodeIndex node = rig.joints[j].node;
    if (!nodes[node].helper) joint_of[node] = j;
  }
  // Parents first, so that each node takes over what its parent has found.
  std::vector<std::optional<JointIndex>> found(nodes.size());
  for (const NodeIndex n : rig.skeleton->order) {
    const NodeIndex parent = nodes[n].parent;
    if (parent >= 0) found[n] = joint_of[parent] ? joint_of[parent] : found[parent];
  }
  std::vector<std::optional<JointIndex>> above;
  for (const Joint& joint : rig.joints) above.push_back(found[joint.node]);
  return above;
}

std::vector<double> own_weights(const Rig& rig) {
  std::vector<double> weights(rig.joints.size());
  for (const Influence& i : rig.influences) weights[i.joint] += i.weight;
  return weights;
}

}  // namespace

Bones::Bones(const Rig& rig) : Bones(rig, own_weights(rig)) {}

Bones::Bones(const Rig& rig, std::vector<double> weights)
    : rig_(&rig),
      weights_(std::move(weights)),
      above_(joints_above(rig)),
      below_(rig.joints.size()),
      drives_(rig.joints.size()) {
  for (const Joint& joint : rig.joints) {
    positions_.push_back(inverse(joint.joint_from_model).translation);
  }
  size_ = diagonal(positions_);
  for (const TwistChain& chain : rig.twists) drives_[chain.joint] = true;

  std::vector<std::size_t> place(rig.skeleton->nodes.size());
  for (std::size_t i = 0; i < place.size(); ++i) place[rig.skeleton->order[i]] = i;
  std::vector<JointIndex> children_first(rig.joints.size());
  for (JointIndex j = 0; j < rig.joints.size(); ++j) {
    children_first[j] = j;
    if (above_[j] && !rig.skeleton->nodes[rig.joints[j].node].helper)
      below_[*above_[j]].push_back(j);
  }
  std::stable_sort(children_first.begin(), children_first.end(), [&](JointIndex a, JointIndex b) {
    return place[rig.joints[a].node] > place[rig.joints[b].node];
  });
  subtree_weights_ = weights_;
  for (const JointIndex j : children_first) {
    if (above_[j]) subtree_weights_[*above_[j]] += subtree_weights_[j];
  }
}

std::optional<JointIndex> Bones::parent(JointIndex j) const {
  std::optional<JointIndex> p = above_[j];
  while (p && !(weights_[*p] > 0) && !drives_[*p]) p = above_[*p];
  return p;
}

bool Bones::is_same_place(const Vec3<double>& a, const Vec3<double>& b) const {
  return norm(a - b) <= kSamePlace * size_;
}

void Bones::collect_children(JointIndex j, const Vec3<double>& from,
                             std::vector<JointIndex>& found) const {
  std::vector<JointIndex> todo{j};
  while (!todo.empty()) {
    const JointIndex next = todo.back();
    todo.pop_back();
    for (const JointIndex child : below_[next]) {
      if (!is_finite(positions_[child])) continue;
      (is_same_place(positions_[child], from) ? todo : found).push_back(child);
    }
  }
}

std::optional<BoneTip> Bones::tip(JointIndex j) const {
  const Vec3<double> from = positions_[j];
  if (!is_finite(from)) return {};
  std::vector<JointIndex> children;
  collect_children(j, from, children);
  if (children.empty()) return leaf_tip(j, leaf_reach(j));
  const JointIndex best =
      *std::min_element(children.begin(), children.end(), [&](JointIndex a, JointIndex b) {
        if (subtree_weights_[a] != subtree_weights_[b]) {
          return subtree_weights_[a] > subtree_weights_[b];
        }
        const double to_a = norm(positions_[a] - from), to_b = norm(positions_[b] - from);
        if (to_a != to_b) return to_a < to_b;
        const NodeIndex at_a = rig_->joints[a].node, at_b = rig_->joints[b].node;
        return at_a != at_b ? at_a < at_b : a < b;  // skins list joints in orders of their own
      });
  return BoneTip{positions_[best], best};
}

bool Bones::is_leaf(JointIndex j) const {
  std::vector<JointIndex> children;
  if (is_finite(positions_[j])) collect_children(j, positions_[j], children);
  return children.empty();
}

// From the nearest ancestor at another place to the joint.
std::optional<Vec3<double>> Bones::along_leaf(JointIndex j) const {
  std::optional<JointIndex> p = above_[j];
  while (p && (!is_finite(positions_[*p]) || is_same_place(positions_[*p], positions_[j]))) {
    p = above_[*p];
  }
  if (!p || !is_finite(positions_[j])) return {};
  return positions_[j] - positions_[*p];
}

double Bones::leaf_reach(JointIndex j) const {
  const std::optional<Vec3<double>> along = along_leaf(j);
  if (!along) return 0;
  const double squared = dot(*along, *along);
  double reach = 0;
  for (VertexIndex v = 0; v < rig_->mesh->vertex_count(); ++v) {
    if (rig_->influences_of(v).front().joint != j) continue;
    const float* p3 = rig_->mesh->positions.data() + std::size_t{v} * 3;
    const Vec3<double> from_joint = Vec3<double>{p3[0], p3[1], p3[2]} - positions_[j];
    reach = std::max(reach, dot(from_joint, *along) / squared);
  }
  return reach;
}

std::optional<BoneTip> Bones::leaf_tip(JointIndex j, double reach) const {
  const std::optional<Vec3<double>> along = along_leaf(j);
  if (!along || !(reach * norm(*along) > kSamePlace * size_)) return {};
  return BoneTip{positions_[j] + reach * *along, std::nullopt};
}

}  // namespace skinbake
