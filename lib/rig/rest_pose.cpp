#include "rig/rest_pose.h"

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

RestScenes::RestScenes(const Skeleton& skeleton) : scenes_(skeleton.nodes.size(), kIdentity) {
  for (const NodeIndex n : skeleton.order) {
    const Affine<double>& base = scene_from_node(skeleton.base_of(n));
    scenes_[static_cast<std::size_t>(n)] =
        base * local_at_rest(skeleton.nodes[static_cast<std::size_t>(n)]);
  }
}

}  // namespace skinbake
