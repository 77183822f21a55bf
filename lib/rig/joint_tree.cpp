// The segments of joints, and the joint hierarchy.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "math/scalar.h"
#include "rig/joint_tree.h"

namespace skinbake {

namespace {

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

// [joint] The nearest ancestor that is a joint and not a helper. If several joints are on the
// ancestor's node, the first of them.
std::vector<std::optional<JointIndex>> joints_above(const Rig& rig) {
  const std::vector<Node>& nodes = rig.skeleton->nodes;
  std::vector<std::optional<JointIndex>> joint_of(nodes.size());
  for (JointIndex j = static_cast<JointIndex>(rig.joints.size()); j-- > 0;) {
    const NodeIndex node = rig.joints[j].node;
    if (!nodes[node].helper) joint_of[node] = j;
  }
  // Parents come first: a node inherits the result of its parent.
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

JointSegments::JointSegments(const Rig& rig) : JointSegments(rig, own_weights(rig)) {}

JointSegments::JointSegments(const Rig& rig, std::vector<double> weights)
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

  std::vector<std::size_t> rank(rig.skeleton->nodes.size());
  for (std::size_t i = 0; i < rank.size(); ++i) rank[rig.skeleton->order[i]] = i;
  std::vector<JointIndex> children_first(rig.joints.size());
  for (JointIndex j = 0; j < rig.joints.size(); ++j) {
    children_first[j] = j;
    if (above_[j] && !rig.skeleton->nodes[rig.joints[j].node].helper)
      below_[*above_[j]].push_back(j);
  }
  std::stable_sort(children_first.begin(), children_first.end(), [&](JointIndex a, JointIndex b) {
    return rank[rig.joints[a].node] > rank[rig.joints[b].node];
  });
  subtree_weights_ = weights_;
  for (const JointIndex j : children_first) {
    if (above_[j]) subtree_weights_[*above_[j]] += subtree_weights_[j];
  }
}

std::optional<JointIndex> JointSegments::parent(JointIndex j) const {
  std::optional<JointIndex> p = above_[j];
  while (p && !(weights_[*p] > 0) && !drives_[*p]) p = above_[*p];
  return p;
}

bool JointSegments::is_same_position(const Vec3<double>& a, const Vec3<double>& b) const {
  return norm(a - b) <= kSamePosition * size_;
}

void JointSegments::collect_children(JointIndex j, const Vec3<double>& from,
                                     std::vector<JointIndex>& found) const {
  std::vector<JointIndex> todo{j};
  while (!todo.empty()) {
    const JointIndex next = todo.back();
    todo.pop_back();
    for (const JointIndex child : below_[next]) {
      if (!is_finite(positions_[child])) continue;
      (is_same_position(positions_[child], from) ? todo : found).push_back(child);
    }
  }
}

std::optional<SegmentTip> JointSegments::tip(JointIndex j) const {
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
        return at_a != at_b ? at_a < at_b : a < b;  // the order of joints differs between skins
      });
  return SegmentTip{positions_[best], best};
}

bool JointSegments::is_leaf(JointIndex j) const {
  std::vector<JointIndex> children;
  if (is_finite(positions_[j])) collect_children(j, positions_[j], children);
  return children.empty();
}

// The vector from the nearest ancestor at another position to the joint.
std::optional<Vec3<double>> JointSegments::along_leaf(JointIndex j) const {
  std::optional<JointIndex> p = above_[j];
  while (p && (!is_finite(positions_[*p]) || is_same_position(positions_[*p], positions_[j]))) {
    p = above_[*p];
  }
  if (!p || !is_finite(positions_[j])) return {};
  return positions_[j] - positions_[*p];
}

double JointSegments::leaf_reach(JointIndex j) const {
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

std::optional<SegmentTip> JointSegments::leaf_tip(JointIndex j, double reach) const {
  const std::optional<Vec3<double>> along = along_leaf(j);
  if (!along || !(reach * norm(*along) > kSamePosition * size_)) return {};
  return SegmentTip{positions_[j] + reach * *along, std::nullopt};
}

// ---- segments of a file's rigs

namespace {

bool is_finite(const Affine<double>& m) {
  const double* numbers = &m.x.x;
  return std::all_of(numbers, numbers + 12, [](double x) { return std::isfinite(x); });
}

bool are_equal(const Affine<double>& a, const Affine<double>& b) {
  return std::equal(&a.x.x, &a.x.x + 12, &b.x.x);
}

// Converts between the bind spaces of two rigs, given the inverse bind matrices that one joint has
// in both. Equal matrices are not inverted, so that equal bind spaces give equal bits.
Affine<double> other_from_mine(const Affine<double>& other, const Affine<double>& mine) {
  return are_equal(other, mine) ? kIdentity : inverse(other) * mine;
}

// [node] The rig's first joint on the node.
std::vector<std::optional<JointIndex>> first_joints(const Rig& rig) {
  std::vector<std::optional<JointIndex>> first(rig.skeleton->nodes.size());
  for (JointIndex j = static_cast<JointIndex>(rig.joints.size()); j-- > 0;) {
    first[rig.joints[j].node] = j;
  }
  return first;
}

std::vector<double> weights_in(const Rig& rig, const std::vector<double>& node_weights) {
  const std::vector<std::optional<JointIndex>> first = first_joints(rig);
  std::vector<double> weights;
  for (JointIndex j = 0; j < rig.joints.size(); ++j) {
    const NodeIndex node = rig.joints[j].node;
    weights.push_back(first[node] == j ? node_weights[node] : 0);
  }
  return weights;
}

}  // namespace

FileJointSegments::FileJointSegments(std::span<const Rig* const> rigs)
    : rigs_(rigs.begin(), rigs.end()),
      whole_(rigs_),
      shared_of_(rigs.size()),
      segments_(rigs.size()) {
  for (std::size_t r = 0; r < rigs_.size(); ++r) {
    const Rig& rig = *rigs_[r];
    if (!rig.skinned) continue;
    Shared& shared = shared_by(rig);
    shared_of_[r] = static_cast<std::size_t>(&shared - shared_.data());
    for (const Influence& i : rig.influences) shared.weights[rig.joints[i.joint].node] += i.weight;
    for (const Joint& joint : rig.joints) {
      std::vector<std::size_t>& users = shared.users[joint.node];
      if (users.empty() || users.back() != r) users.push_back(r);
    }
  }
  for (std::size_t r = 0; r < rigs_.size(); ++r) {
    if (!rigs_[r]->skinned) continue;
    const Shared& shared = shared_[shared_of_[r]];
    complete(r, shared);
    segments_[r].emplace(*whole_[r], weights_in(*whole_[r], shared.weights));
  }
}

FileJointSegments::Shared& FileJointSegments::shared_by(const Rig& rig) {
  const Skeleton* skeleton = rig.skeleton.get();
  const auto known = std::find_if(shared_.begin(), shared_.end(),
                                  [&](const Shared& s) { return s.skeleton == skeleton; });
  if (known != shared_.end()) return *known;
  const std::size_t nodes = skeleton->nodes.size();
  return shared_.emplace_back(
      Shared{skeleton, std::vector<double>(nodes), std::vector<std::vector<std::size_t>>(nodes)});
}

// Adds the joints of every rig that shares a joint with the rig, directly or through other rigs.
void FileJointSegments::complete(std::size_t r, const Shared& shared) {
  Rig whole = *rigs_[r];
  const std::size_t own = whole.joints.size();
  std::vector<std::optional<JointIndex>> joint_on = first_joints(whole);
  std::vector<bool> taken(rigs_.size());
  taken[r] = true;
  for (std::size_t j = 0; j < whole.joints.size(); ++j) {
    const Joint mine = whole.joints[j];
    for (const std::size_t other : shared.users[mine.node]) {
      if (taken[other]) continue;
      const std::vector<Joint>& theirs = rigs_[other]->joints;
      const auto same = std::find_if(theirs.begin(), theirs.end(),
                                     [&](const Joint& t) { return t.node == mine.node; });
      const Affine<double> from_mine =
          other_from_mine(same->joint_from_model, mine.joint_from_model);
      if (!is_finite(from_mine)) continue;  // a singular matrix; another shared joint may do
      taken[other] = true;
      for (const Joint& joint : theirs) {
        if (joint_on[joint.node]) continue;
        joint_on[joint.node] = static_cast<JointIndex>(whole.joints.size());
        whole.joints.push_back({joint.node, joint.joint_from_model * from_mine});
      }
    }
  }
  if (whole.joints.size() == own) return;
  whole_[r] = &completed_.emplace_back(std::move(whole));
}

bool FileJointSegments::has_weight(std::size_t r, JointIndex joint) const {
  return shared_[shared_of_[r]].weights[whole(r).joints[joint].node] > 0;
}

// The greatest reach of a leaf in any mesh, so that the segment does not depend on how the body is
// divided into meshes.
double FileJointSegments::reach(std::size_t r, JointIndex joint) const {
  const NodeIndex node = whole(r).joints[joint].node;
  double reach = 0;
  for (const std::size_t other : shared_[shared_of_[r]].users[node]) {
    const std::vector<Joint>& joints = rigs_[other]->joints;
    for (JointIndex j = 0; j < joints.size(); ++j) {
      if (joints[j].node == node) reach = std::max(reach, segments_[other]->leaf_reach(j));
    }
  }
  return reach;
}

std::optional<JointSegment> FileJointSegments::segment(std::size_t r, JointIndex joint) const {
  const JointSegments& segments = *segments_[r];
  const std::optional<SegmentTip> tip =
      segments.is_leaf(joint) ? segments.leaf_tip(joint, reach(r, joint)) : segments.tip(joint);
  if (!tip) return {};
  const Vec3<double> along = tip->position - segments.position(joint);
  JointSegment segment;
  segment.start = segments.position(joint);
  segment.length = norm(along);
  segment.axis = (1 / segment.length) * along;
  if (tip->child) segment.child = whole(r).joints[*tip->child];
  if (const auto parent = segments.parent(joint)) segment.parent = whole(r).joints[*parent];
  return segment;
}

namespace {

// [joint] The nearest ancestor among the joints of `joint_of_node` [node], or -1. Visits only the
// ancestors of joints: a scene may have tens of thousands of meshes, each with its own tree.
std::vector<int> nearest_above(const Rig& rig, const std::vector<int>& joint_of_node) {
  constexpr int kUnknown = -2;
  const std::vector<Node>& nodes = rig.skeleton->nodes;
  std::vector<int> above(nodes.size(), kUnknown);  // [node]
  std::vector<NodeIndex> path;                     // nodes that have the same joint above them
  std::vector<int> of_joints;
  for (const Joint& joint : rig.joints) {
    int found = -1;
    path.clear();
    for (NodeIndex n = joint.node; n >= 0 && found < 0; n = nodes[n].parent) {
      if (above[n] != kUnknown) {
        found = above[n];
        break;
      }
      path.push_back(n);
      if (nodes[n].parent >= 0) found = joint_of_node[nodes[n].parent];
    }
    for (const NodeIndex n : path) above[n] = found;
    of_joints.push_back(found);
  }
  return of_joints;
}

// A scene may have tens of thousands of rigid meshes. The tree of each must then not take a time
// that grows with the nodes of the scene.
bool has_one_joint(const Rig& rig) {
  return rig.joints.size() == 1;
}

double size_of(const std::vector<Vec3<double>>& positions) {
  double size = 0;
  for (const Vec3<double>& p : positions) size = std::max(size, norm(p - positions[0]));
  return size;
}

}  // namespace

bool is_finite(const Vec3<double>& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

std::vector<int> parent_joints(const Rig& rig) {
  if (has_one_joint(rig)) return {-1};
  std::vector<int> joint_of_node(rig.skeleton->nodes.size(), -1);
  for (std::size_t j = rig.joints.size(); j-- > 0;) {
    joint_of_node[rig.joints[j].node] = static_cast<int>(j);
  }
  return nearest_above(rig, joint_of_node);
}

std::vector<JointIndex> joints_parents_first(const Rig& rig) {
  if (has_one_joint(rig)) return {0};
  std::vector<std::size_t> rank(rig.skeleton->nodes.size());
  for (std::size_t i = 0; i < rank.size(); ++i) rank[rig.skeleton->order[i]] = i;
  std::vector<JointIndex> joints(rig.joints.size());
  std::iota(joints.begin(), joints.end(), JointIndex{0});
  std::stable_sort(joints.begin(), joints.end(), [&](JointIndex a, JointIndex b) {
    return rank[rig.joints[a].node] < rank[rig.joints[b].node];
  });
  return joints;
}

JointTree::JointTree(const Rig& rig, const Vec3<double>& centre) : weights(rig.joints.size()) {
  for (const Influence& i : rig.influences) weights[i.joint] += i.weight;
  find_order(rig);
  find_heads(rig, centre);
  find_tips(rig, centre);
}

void JointTree::find_order(const Rig& rig) {
  depths.assign(rig.joints.size(), 0);
  if (has_one_joint(rig)) {
    parents = {-1};
    if (weights[0] > 0) order = {0};
    return;
  }
  std::vector<int> joint_of_node(rig.skeleton->nodes.size(), -1);
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    if (weights[j] > 0) joint_of_node[rig.joints[j].node] = static_cast<int>(j);
  }
  parents = nearest_above(rig, joint_of_node);
  for (const NodeIndex n : rig.skeleton->order) {
    if (joint_of_node[n] >= 0) order.push_back(static_cast<JointIndex>(joint_of_node[n]));
  }
  // Several joints may be on one node. The loop above adds the last of them; the others follow
  // here, after all of their ancestors.
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    if (weights[j] > 0 && joint_of_node[rig.joints[j].node] != static_cast<int>(j)) {
      order.push_back(static_cast<JointIndex>(j));
    }
  }
  for (const JointIndex j : order) {
    if (parents[j] >= 0) depths[j] = depths[parents[j]] + 1;
  }
}

void JointTree::find_heads(const Rig& rig, const Vec3<double>& centre) {
  for (const Joint& joint : rig.joints) {
    // With a singular inverse bind matrix the position is undefined: the centre is used.
    const Vec3<double> position = inverse(joint.joint_from_model).translation;
    heads.push_back(is_finite(position) ? position - centre : Vec3<double>{0, 0, 0});
  }
}

// The tip is the child whose subtree has the greatest weight. A child at the joint's own position
// is replaced by its own children. The segment of a leaf continues parent -> joint to the extent of
// the vertices that the leaf dominates. If it dominates none, the segment is as long as the one
// into the joint: a point would draw in vertices that are beside the bone.
void JointTree::find_tips(const Rig& rig, const Vec3<double>& centre) {
  const std::size_t count = heads.size();
  const std::vector<int> above = parent_joints(rig);
  const std::vector<JointIndex> downwards = joints_parents_first(rig);
  const double same = kSamePosition * size_of(heads);
  const auto are_apart = [&](std::size_t a, std::size_t b) {
    return norm(heads[a] - heads[b]) > same;
  };
  // [joint] The nearest ancestor at another position, given the nearest ancestor.
  const auto nearest_apart = [&](const std::vector<int>& ancestors) {
    std::vector<int> apart(count, -1);
    for (const JointIndex j : downwards) {
      const int a = ancestors[j];
      if (a >= 0) apart[j] = are_apart(a, j) ? a : apart[a];
    }
    return apart;
  };
  const std::vector<int> elsewhere = nearest_apart(above);
  std::vector<double> subtree_weights = weights;
  std::vector<int> child(count, -1);
  for (std::size_t i = count; i-- > 0;) {
    const JointIndex j = downwards[i];
    if (above[j] < 0) continue;
    subtree_weights[above[j]] += subtree_weights[j];
    const int candidate = are_apart(above[j], j) ? static_cast<int>(j) : child[j];
    int& chosen = child[above[j]];
    if (candidate < 0) continue;
    const bool better =
        chosen < 0 || subtree_weights[candidate] > subtree_weights[chosen] ||
        (subtree_weights[candidate] == subtree_weights[chosen] && candidate < chosen);
    if (better) chosen = candidate;
  }
  std::vector<double> reach(count, 0);
  directions.assign(count, {0, 0, 0});
  for (std::size_t j = 0; j < count; ++j) {
    if (child[j] < 0 && elsewhere[j] < 0) continue;
    const Vec3<double> d =
        child[j] >= 0 ? heads[child[j]] - heads[j] : heads[j] - heads[elsewhere[j]];
    reach[j] = child[j] >= 0 ? norm(d) : 0;
    directions[j] = (1 / norm(d)) * d;
  }
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    const JointIndex j = rig.influences_of(v)[0].joint;
    if (child[j] >= 0) continue;
    const float* p = rig.mesh->positions.data() + std::size_t{v} * 3;
    const Vec3<double> position = Vec3<double>{p[0], p[1], p[2]} - centre;
    reach[j] = std::max(reach[j], dot(position - heads[j], directions[j]));
  }
  const std::vector<int> start = nearest_apart(parents);  // of the segment into the joint
  for (std::size_t j = 0; j < count; ++j) {
    if (!(reach[j] > same) && start[j] >= 0) reach[j] = norm(heads[j] - heads[start[j]]);
    tips.push_back(heads[j] + reach[j] * directions[j]);
  }
}

std::string joint_id(const Rig& rig, JointIndex joint) {
  const NodeIndex node = rig.joints[joint].node;
  const std::string& name = rig.skeleton->nodes[node].name;
  return name.empty() ? std::to_string(node).insert(0, 1, '#') : name;
}

std::vector<std::string> distinct_joint_ids(const Rig& rig) {
  std::vector<std::string> ids;
  for (JointIndex j = 0; j < rig.joints.size(); ++j) ids.push_back(joint_id(rig, j));
  return distinct_names(std::move(ids));
}

std::vector<std::string> distinct_names(std::vector<std::string> names) {
  std::set<std::string> used;
  std::map<std::string, std::size_t> counts;
  for (std::string& name : names) {
    std::size_t& number = counts[name];
    std::string distinct = name;
    do {
      if (++number > 1) distinct = name + " (" + std::to_string(number) + ")";
    } while (!used.insert(distinct).second);
    name = std::move(distinct);
  }
  return names;
}

}  // namespace skinbake
