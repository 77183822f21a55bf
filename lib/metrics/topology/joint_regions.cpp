// Weights are added from the joints of a triangle to their ancestors, deepest first, until an
// ancestor has almost all of the weight. The cost depends on the influences, not on the skeleton.

#include "metrics/topology/joint_regions.h"

#include <algorithm>
#include <bit>

#include "rig/joint_tree.h"

namespace skinbake {
namespace {

// Bounds of the part of a triangle that a hinge moves.
constexpr double kLeast = 0.02, kMost = 0.98;

constexpr int kBits = 64;

}  // namespace

SkinTree build_skin_tree(const Rig& rig) {
  const std::vector<int> parents = parent_joints(rig);
  SkinTree tree;
  tree.joint = joints_parents_first(rig);
  const auto count = static_cast<std::uint32_t>(tree.joint.size());
  tree.rank.resize(count);
  for (std::uint32_t r = 0; r < count; ++r) tree.rank[tree.joint[r]] = r;
  tree.parent.assign(count, SkinTree::kNone);
  for (JointIndex j = 0; j < count; ++j) {
    if (parents[j] < 0) continue;
    tree.parent[tree.rank[j]] = tree.rank[static_cast<std::size_t>(parents[j])];
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
  // True if a joint has all weight: then its ancestors do too, and no other joint has any.
  bool done = false;
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
