#include "clip/node_sampler.h"

#include <algorithm>
#include <iterator>

#include "clip/sample.h"
#include "math/scalar.h"
#include "rig/rest_pose.h"

namespace skinbake {

namespace {

Affine<double> global_from(const Skeleton& skeleton, const std::vector<Affine<double>>& globals,
                           NodeIndex n, const Affine<double>& local) {
  const NodeIndex base = skeleton.base_of(n);
  return base < 0 ? local : globals[static_cast<std::size_t>(base)] * local;
}

// [node] True if the node is requested or an ancestor of a requested node.
std::vector<bool> needed_nodes(const Skeleton& skeleton, const std::vector<NodeIndex>& requested) {
  std::vector<bool> needed(skeleton.nodes.size());
  for (NodeIndex n : requested) {
    for (; n >= 0 && !needed[n]; n = skeleton.nodes[n].parent) needed[n] = true;
  }
  return needed;
}

}  // namespace

NodeSampler::NodeSampler(const Skeleton& skeleton, const Clip* clip,
                         const std::vector<NodeIndex>& requested)
    : skeleton_(&skeleton) {
  const std::vector<bool> needed = needed_nodes(skeleton, requested);
  std::copy_if(skeleton.order.begin(), skeleton.order.end(), std::back_inserter(needed_),
               [&](NodeIndex n) { return needed[n]; });
  locals_.resize(skeleton.nodes.size());
  globals_.resize(skeleton.nodes.size(), kIdentity);
  if (clip == nullptr) return;
  for (const Channel& channel : clip->channels) {
    if (channel.path != ChannelPath::kWeights && needed[channel.node]) {
      channels_.push_back(&channel);
    }
  }
}

void NodeSampler::sample(double time_s) {
  for (const NodeIndex n : needed_) {
    const Node& node = skeleton_->nodes[n];
    locals_[n] = {node.translation, node.rotation, node.scale};
  }
  for (const Channel* channel : channels_) {
    double v[4];
    skinbake::sample(*channel, time_s, v);
    Local& local = locals_[channel->node];
    if (channel->path == ChannelPath::kTranslation) local.translation = {v[0], v[1], v[2]};
    if (channel->path == ChannelPath::kRotation) local.rotation = {v[3], v[0], v[1], v[2]};
    if (channel->path == ChannelPath::kScale) local.scale = {v[0], v[1], v[2]};
  }
  for (const NodeIndex n : needed_) {
    const Node& node = skeleton_->nodes[n];
    const Local& l = locals_[n];
    const Affine<double> local =
        node.matrix ? *node.matrix : local_transform(l.translation, l.rotation, l.scale);
    globals_[n] = global_from(*skeleton_, globals_, n, local);
  }
}

std::vector<double> key_times_of(const std::vector<const Channel*>& channels) {
  std::vector<double> times{0.0};
  const std::vector<double>* last = nullptr;
  for (const Channel* channel : channels) {
    if (channel->times.get() == last) continue;  // successive channels often share their times
    last = channel->times.get();
    times.insert(times.end(), last->begin(), last->end());
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace skinbake
