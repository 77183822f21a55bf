#include "rig/joint_tree.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "math/scalar.h"

namespace skinbake {

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
