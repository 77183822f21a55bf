#include "rig/bones.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

}  // namespace

Bones::Bones(const Rig& rig)
    : rig_(&rig), above_(joints_above(rig)), below_(rig.joints.size()), drives_(rig.joints.size()) {
  weights_.resize(rig.joints.size());
  for (const Influence& i : rig.influences) weights_[i.joint] += i.weight;
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
  if (children.empty()) return leaf_tip(j);
  const JointIndex best =
      *std::min_element(children.begin(), children.end(), [&](JointIndex a, JointIndex b) {
        if (subtree_weights_[a] != subtree_weights_[b]) {
          return subtree_weights_[a] > subtree_weights_[b];
        }
        const double to_a = norm(positions_[a] - from), to_b = norm(positions_[b] - from);
        return to_a != to_b ? to_a < to_b : a < b;
      });
  return BoneTip{positions_[best], best};
}

std::optional<BoneTip> Bones::leaf_tip(JointIndex j) const {
  std::optional<JointIndex> p = above_[j];
  while (p && (!is_finite(positions_[*p]) || is_same_place(positions_[*p], positions_[j]))) {
    p = above_[*p];
  }
  if (!p) return {};
  const Vec3<double> along = positions_[j] - positions_[*p];
  const Vec3<double> direction = (1 / norm(along)) * along;
  double reach = 0;
  for (VertexIndex v = 0; v < rig_->mesh->vertex_count(); ++v) {
    if (rig_->influences_of(v).front().joint != j) continue;
    const float* p3 = rig_->mesh->positions.data() + std::size_t{v} * 3;
    reach = std::max(reach, dot(Vec3<double>{p3[0], p3[1], p3[2]} - positions_[j], direction));
  }
  if (!(reach > kSamePlace * size_)) return {};
  return BoneTip{positions_[j] + reach * direction, std::nullopt};
}

}  // namespace skinbake
