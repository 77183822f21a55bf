#include "clip/forward_kinematics.h"

#include <algorithm>

#include "clip/sample.h"
#include "math/scalar.h"

namespace skinbake {

namespace {

Affine<double> compose(const Vec3<double>& t, const Quat<double>& r, const Vec3<double>& s) {
  const Affine<double> m = to_affine(r, t);
  return {s.x * m.x, s.y * m.y, s.z * m.z, t};
}

Affine<double> at_parent(const std::vector<Affine<double>>& globals, const Node& node,
                         const Affine<double>& local) {
  return node.parent < 0 ? local : globals[static_cast<std::size_t>(node.parent)] * local;
}

std::vector<NodeIndex> needed_nodes(const Rig& rig) {
  const Skeleton& skeleton = *rig.skeleton;
  std::vector<bool> needed(skeleton.nodes.size());
  const auto need_with_ancestors = [&](NodeIndex n) {
    for (; n >= 0 && !needed[n]; n = skeleton.nodes[n].parent) needed[n] = true;
  };
  need_with_ancestors(rig.node);
  for (const Joint& joint : rig.joints) need_with_ancestors(joint.node);
  std::vector<NodeIndex> in_order;
  std::copy_if(skeleton.order.begin(), skeleton.order.end(), std::back_inserter(in_order),
               [&](NodeIndex n) { return needed[n]; });
  return in_order;
}

}  // namespace

PoseSampler::PoseSampler(const Rig& rig, const Clip* clip, const Vec3<double>& centre)
    : rig_(&rig), centre_(centre), needed_(needed_nodes(rig)) {
  const std::size_t node_count = rig.skeleton->nodes.size();
  locals_.resize(node_count);
  globals_.resize(node_count, kIdentity);
  if (clip == nullptr) return;
  std::vector<bool> needed(node_count);
  for (const NodeIndex n : needed_) needed[n] = true;
  for (const Channel& channel : clip->channels) {
    const bool morphs = channel.path == ChannelPath::kWeights;
    if (morphs ? channel.node == rig.node : needed[channel.node]) channels_.push_back(&channel);
  }
}

void PoseSampler::evaluate_channels(double time_s, SampledPose& pose) {
  for (const NodeIndex n : needed_) {
    const Node& node = rig_->skeleton->nodes[n];
    locals_[n] = {node.translation, node.rotation, node.scale};
  }
  pose.morph_weights = rig_->morph_weights;
  for (const Channel* channel : channels_) {
    if (channel->path == ChannelPath::kWeights) {
      skinbake::sample(*channel, time_s, pose.morph_weights.data() + channel->first_weight);
      continue;
    }
    double v[4];
    skinbake::sample(*channel, time_s, v);
    Local& local = locals_[channel->node];
    if (channel->path == ChannelPath::kTranslation) local.translation = {v[0], v[1], v[2]};
    if (channel->path == ChannelPath::kRotation) local.rotation = {v[3], v[0], v[1], v[2]};
    if (channel->path == ChannelPath::kScale) local.scale = {v[0], v[1], v[2]};
  }
}

void PoseSampler::sample(double time_s, SampledPose& pose) {
  evaluate_channels(time_s, pose);
  for (const NodeIndex n : needed_) {
    const Node& node = rig_->skeleton->nodes[n];
    const Local& l = locals_[n];
    globals_[n] = at_parent(
        globals_, node, node.matrix ? *node.matrix : compose(l.translation, l.rotation, l.scale));
  }
  pose.scene_from_mesh = globals_[rig_->node];
  const Affine<double> rest_from_centred{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, centre_};
  pose.posed_from_rest.resize(rig_->joints.size());
  for (std::size_t j = 0; j < rig_->joints.size(); ++j) {
    const Joint& joint = rig_->joints[j];
    pose.posed_from_rest[j] = globals_[joint.node] * (joint.joint_from_model * rest_from_centred);
  }
}

std::vector<double> PoseSampler::key_times() const {
  std::vector<double> times{0.0};
  const std::vector<double>* last = nullptr;
  for (const Channel* channel : channels_) {
    if (channel->times.get() == last) continue;  // neighbours usually share their keys
    last = channel->times.get();
    times.insert(times.end(), last->begin(), last->end());
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

bool PoseSampler::has_scale_splines() const {
  return std::any_of(channels_.begin(), channels_.end(), [](const Channel* c) {
    return c->path == ChannelPath::kScale && c->interpolation == Interpolation::kCubicSpline;
  });
}

std::vector<Affine<double>> rest_globals(const Skeleton& skeleton) {
  std::vector<Affine<double>> globals(skeleton.nodes.size(), kIdentity);
  for (const NodeIndex n : skeleton.order) {
    const Node& node = skeleton.nodes[n];
    globals[n] = at_parent(
        globals, node,
        node.matrix ? *node.matrix : compose(node.translation, node.rotation, node.scale));
  }
  return globals;
}

}  // namespace skinbake
