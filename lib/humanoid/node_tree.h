// The hierarchy of a skeleton with its rest positions, for questions about whole subtrees.

#pragma once

#include <cstddef>
#include <vector>

#include "skinbake/rig.h"

namespace skinbake {

class NodeTree {
 public:
  // The skeleton must outlive the tree. Takes time proportional to the number of nodes.
  explicit NodeTree(const Skeleton& skeleton);

  const Skeleton& skeleton() const { return skeleton_; }
  const Node& node(NodeIndex n) const { return skeleton_.nodes[at(n)]; }
  NodeIndex parent(NodeIndex n) const { return node(n).parent; }
  const std::vector<NodeIndex>& children(NodeIndex n) const { return children_[at(n)]; }
  // In the scene at rest.
  const Vec3<double>& position(NodeIndex n) const { return positions_[at(n)]; }
  // The number of nodes below n, and the number of generations below it.
  std::size_t size_below(NodeIndex n) const { return last_[at(n)] - first_[at(n)]; }
  std::size_t depth_below(NodeIndex n) const { return depths_[at(n)]; }
  // The place of n in a walk that visits a node before its descendants.
  std::size_t rank(NodeIndex n) const { return first_[at(n)]; }
  // Whether n is a descendant of `above`.
  bool is_below(NodeIndex n, NodeIndex above) const {
    return first_[at(above)] < first_[at(n)] && first_[at(n)] <= last_[at(above)];
  }
  // The nodes from `above`, exclusive, down to n, inclusive. Precondition: is_below(n, above).
  std::vector<NodeIndex> path(NodeIndex above, NodeIndex n) const;

 private:
  static std::size_t at(NodeIndex n) { return static_cast<std::size_t>(n); }

  const Skeleton& skeleton_;
  std::vector<std::vector<NodeIndex>> children_;  // [node] ascending
  std::vector<Vec3<double>> positions_;           // [node]
  std::vector<std::size_t> first_, last_;  // [node] ranks of the node and of its last descendant
  std::vector<std::size_t> depths_;        // [node]
};

}  // namespace skinbake
