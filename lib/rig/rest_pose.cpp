#include "rig/rest_pose.h"

#include <vector>

namespace skinbake {

Affine<double> local_at_rest(const Node& node) {
  return node.matrix ? *node.matrix : local_transform(node.translation, node.rotation, node.scale);
}

Affine<double> scene_at_rest(const Skeleton& skeleton, NodeIndex node) {
  Affine<double> scene = kIdentity;
  for (; node >= 0; node = skeleton.base_of(node)) {
    scene = local_at_rest(skeleton.nodes[static_cast<std::size_t>(node)]) * scene;
  }
  return scene;
}

const Affine<double>& RestScenes::scene_from_node(NodeIndex node) {
  std::vector<NodeIndex> unknown;  // from the node upwards
  NodeIndex known = node;
  for (; known >= 0 && !scenes_.contains(known); known = skeleton_.base_of(known)) {
    unknown.push_back(known);
  }
  const Affine<double>* scene = known < 0 ? &kIdentity : &scenes_.at(known);
  for (auto below = unknown.rbegin(); below != unknown.rend(); ++below) {
    const Node& at = skeleton_.nodes[static_cast<std::size_t>(*below)];
    scene = &scenes_.emplace(*below, *scene * local_at_rest(at)).first->second;
  }
  return *scene;
}

}  // namespace skinbake
