#include "humanoid/node_tree.h"

#include <algorithm>

#include "rig/rest_pose.h"

namespace skinbake {

NodeTree::NodeTree(const Skeleton& skeleton) : skeleton_(skeleton) {
  const std::size_t count = skeleton.nodes.size();
  children_.resize(count);
  positions_.resize(count);
  first_.resize(count);
  last_.resize(count);
  depths_.assign(count, 0);
  for (std::size_t n = 0; n < count; ++n) {
    const NodeIndex above = skeleton.nodes[n].parent;
    if (above >= 0) children_[at(above)].push_back(static_cast<NodeIndex>(n));
  }
  std::vector<Affine<double>> scene(count);
  for (const NodeIndex n : skeleton.order) {
    const NodeIndex base = skeleton.base_of(n);
    const Affine<double> local = local_at_rest(node(n));
    scene[at(n)] = base < 0 ? local : scene[at(base)] * local;
    positions_[at(n)] = scene[at(n)].translation;
  }
  std::vector<std::size_t> sizes(count, 0);
  for (auto n = skeleton.order.rbegin(); n != skeleton.order.rend(); ++n) {
    const NodeIndex above = parent(*n);
    if (above < 0) continue;
    sizes[at(above)] += sizes[at(*n)] + 1;
    depths_[at(above)] = std::max(depths_[at(above)], depths_[at(*n)] + 1);
  }
  // Ranks of a walk that visits a node before its descendants.
  std::size_t root_rank = 0;
  for (const NodeIndex n : skeleton.order) {
    if (parent(n) < 0) {
      first_[at(n)] = root_rank;
      root_rank += sizes[at(n)] + 1;
    }
    last_[at(n)] = first_[at(n)] + sizes[at(n)];
    std::size_t rank = first_[at(n)] + 1;
    for (const NodeIndex child : children(n)) {
      first_[at(child)] = rank;
      rank += sizes[at(child)] + 1;
    }
  }
}

std::vector<NodeIndex> NodeTree::path(NodeIndex above, NodeIndex n) const {
  std::vector<NodeIndex> nodes;
  for (; n != above; n = parent(n)) nodes.push_back(n);
  std::reverse(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace skinbake
