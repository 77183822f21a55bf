// Weights are carried from the joints of a triangle up their ancestors, deepest first, and only
// until an ancestor has (almost) all of them: the cost follows the influences, not the skeleton.

#include "metrics/joint_regions.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace skinbake {
namespace {

// A joint that moves less than this of a triangle, or all but this, is not its hinge.
constexpr double kLeast = 0.02, kMost = 0.98;

constexpr int kBits = 64;

// [joint] the nearest ancestor that is a joint of the skin; SkinTree::kNone.
std::vector<std::uint32_t> parent_joints(const Rig& rig) {
  const std::vector<Node>& nodes = rig.skeleton->nodes;
  std::vector<std::uint32_t> joint_of(nodes.size(), SkinTree::kNone);
  for (JointIndex j = static_cast<JointIndex>(rig.joints.size()); j-- > 0;) {
    joint_of[static_cast<std::size_t>(rig.joints[j].node)] = j;  // the first of equal nodes counts
  }
  std::vector<std::uint32_t> parents(rig.joints.size(), SkinTree::kNone);
  for (JointIndex j = 0; j < rig.joints.size(); ++j) {
    NodeIndex node = nodes[static_cast<std::size_t>(rig.joints[j].node)].parent;
    while (node >= 0 && joint_of[static_cast<std::size_t>(node)] == SkinTree::kNone) {
      node = nodes[static_cast<std::size_t>(node)].parent;
    }
    if (node >= 0) parents[j] = joint_of[static_cast<std::size_t>(node)];
  }
  return parents;
}

}  // namespace

SkinTree build_skin_tree(const Rig& rig) {
  const std::vector<std::uint32_t> parents = parent_joints(rig);
  const std::size_t count = parents.size();
  // In the order of `Skeleton::order`, which has parents first.
  std::vector<std::uint32_t> place(rig.skeleton->nodes.size(), 0);
  for (std::uint32_t i = 0; i < rig.skeleton->order.size(); ++i) {
    place[static_cast<std::size_t>(rig.skeleton->order[i])] = i;
  }
  const auto place_of = [&](JointIndex j) {
    return place[static_cast<std::size_t>(rig.joints[j].node)];
  };
  SkinTree tree;
  tree.joint.resize(count);
  std::iota(tree.joint.begin(), tree.joint.end(), 0u);
  std::stable_sort(tree.joint.begin(), tree.joint.end(),
                   [&](JointIndex a, JointIndex b) { return place_of(a) < place_of(b); });
  tree.rank.resize(count);
  for (std::uint32_t r = 0; r < count; ++r) tree.rank[tree.joint[r]] = r;
  tree.parent.assign(count, SkinTree::kNone);
  for (JointIndex j = 0; j < count; ++j) {
    if (parents[j] != SkinTree::kNone) tree.parent[tree.rank[j]] = tree.rank[parents[j]];
  }
  return tree;
}

HingeFinder::HingeFinder(const Rig& rig)
    : rig_(rig),
      tree_(build_skin_tree(rig)),
      waiting_(rig.joints.size() / kBits + 1, 0),
      weight_(rig.joints.size(), 0) {}

void HingeFinder::add(std::uint32_t rank, double weight) {
  const std::uint64_t bit = std::uint64_t{1} << (rank % kBits);
  std::uint64_t& word = waiting_[rank / kBits];
  weight_[rank] = (word & bit) ? weight_[rank] + weight : weight;
  word |= bit;
}

std::span<const JointIndex> HingeFinder::hinges_of(const Triangle& triangle) {
  hinges_.clear();
  std::uint32_t highest = 0;
  for (const VertexIndex v : triangle) {
    for (const Influence& i : rig_.influences_of(v)) {
      const std::uint32_t rank = tree_.rank[i.joint];
      add(rank, i.weight);
      highest = std::max(highest, rank / kBits);
    }
  }
  bool done = false;  // a joint has all: so have its ancestors, and nobody else has anything
  for (std::uint32_t w = highest + 1; w-- > 0;) {
    while (waiting_[w] != 0 && !done) {
      const auto rank = w * kBits + static_cast<std::uint32_t>(std::bit_width(waiting_[w])) - 1;
      waiting_[w] &= ~(std::uint64_t{1} << (rank % kBits));
      const double mean = weight_[rank] / 3;
      done = mean >= kMost;
      if (mean > kLeast && mean < kMost) hinges_.push_back(tree_.joint[rank]);
      if (tree_.parent[rank] != SkinTree::kNone) add(tree_.parent[rank], weight_[rank]);
    }
    waiting_[w] = 0;
  }
  return hinges_;
}

}  // namespace skinbake
