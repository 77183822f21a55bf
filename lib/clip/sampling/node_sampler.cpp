#include "clip/sampling/node_sampler.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "clip/sampling/sample.h"
#include "math/scalar.h"
#include "rig/rest_pose.h"

namespace skinbake {

namespace {

bool is_uniform(const Vec3<double>& scale) {
  return scale.x == scale.y && scale.y == scale.z;
}

// Whether a matrix is a rotation times a scale, but for the rounding of double.
bool is_similarity(const Affine<double>& m) {
  constexpr double kRounding = 1e-14;
  const double square = dot(m.x, m.x), tolerance = kRounding * square;
  const auto is_small = [&](double number) { return std::abs(number) <= tolerance; };
  return is_small(dot(m.y, m.y) - square) && is_small(dot(m.z, m.z) - square) &&
         is_small(dot(m.x, m.y)) && is_small(dot(m.y, m.z)) && is_small(dot(m.z, m.x));
}

// Whether all keys of a scale are one number.
bool is_uniform(const std::vector<double>& keys) {
  return std::all_of(keys.begin(), keys.end(), [&](double key) { return key == keys.front(); });
}

}  // namespace

NodeSampler::NodeSampler(const Skeleton& skeleton, const Clip* clip,
                         const std::vector<NodeIndex>& requested)
    : skeleton_(&skeleton) {
  for (const NodeIndex n : requested) add_with_ancestors(n);
  locals_.resize(needed_.size());
  globals_.resize(needed_.size(), kIdentity);
  if (clip == nullptr || needed_.empty()) return;
  const auto [first, last] = std::minmax_element(needed_.begin(), needed_.end());
  for (const Channel& channel : clip->channels) {
    if (channel.node < *first || channel.node > *last) continue;  // most, in a scene of many meshes
    if (channel.path != ChannelPath::kWeights && slots_.contains(channel.node)) {
      channels_.push_back(&channel);
    }
  }
  if (clip->motion) add_motion(*clip->motion);
}

void NodeSampler::add_motion(const ClipMotion& motion) {
  const std::vector<NodeIndex>& nodes = motion.nodes();
  const bool moves =
      std::any_of(nodes.begin(), nodes.end(), [&](NodeIndex n) { return slots_.contains(n); });
  if (!moves) return;
  motion_ = &motion;
  poses_.resize(nodes.size());
}

void NodeSampler::sample_motion(double time_s) {
  motion_->sample(time_s, poses_);
  for (std::size_t i = 0; i < poses_.size(); ++i) {
    const auto slot = slots_.find(motion_->nodes()[i]);
    if (slot == slots_.end()) continue;
    locals_[slot->second].rotation = poses_[i].rotation;
    locals_[slot->second].translation = poses_[i].translation;
  }
}

void NodeSampler::add_with_ancestors(NodeIndex n) {
  const std::size_t first = needed_.size();
  for (; n >= 0 && !slots_.contains(n); n = skeleton_->nodes[n].parent) {
    slots_.emplace(n, 0);
    needed_.push_back(n);
  }
  std::reverse(needed_.begin() + static_cast<std::ptrdiff_t>(first), needed_.end());
  for (std::size_t i = first; i < needed_.size(); ++i) slots_[needed_[i]] = i;
}

void NodeSampler::sample(double time_s) {
  for (std::size_t i = 0; i < needed_.size(); ++i) {
    const Node& node = skeleton_->nodes[needed_[i]];
    locals_[i] = {node.translation, node.rotation, node.scale};
  }
  for (const Channel* channel : channels_) {
    double v[4];
    skinbake::sample(*channel, time_s, v);
    Local& local = locals_[slots_.at(channel->node)];
    if (channel->path == ChannelPath::kTranslation) local.translation = {v[0], v[1], v[2]};
    if (channel->path == ChannelPath::kRotation) local.rotation = {v[3], v[0], v[1], v[2]};
    if (channel->path == ChannelPath::kScale) local.scale = {v[0], v[1], v[2]};
  }
  if (motion_ != nullptr) sample_motion(time_s);
  for (std::size_t i = 0; i < needed_.size(); ++i) {
    const Node& node = skeleton_->nodes[needed_[i]];
    const Local& l = locals_[i];
    const Affine<double> local =
        node.matrix ? *node.matrix : local_transform(l.translation, l.rotation, l.scale);
    const NodeIndex base = skeleton_->base_of(needed_[i]);
    globals_[i] = base < 0 ? local : scene_from_node(base) * local;
  }
}

bool NodeSampler::keeps_stretch() const {
  std::unordered_set<NodeIndex> scaled;  // by channels, whose keys replace the scale at rest
  std::unordered_set<const std::vector<double>*> checked;
  for (const Channel* channel : channels_) {
    if (channel->path != ChannelPath::kScale) continue;
    scaled.insert(channel->node);
    if (channel->interpolation == Interpolation::kCubicSpline) return false;
    if (!checked.insert(channel->values.get()).second) continue;
    if (!is_uniform(*channel->values)) return false;
  }
  return std::all_of(needed_.begin(), needed_.end(), [&](NodeIndex n) {
    const Node& node = skeleton_->nodes[n];
    return node.matrix ? is_similarity(*node.matrix) : scaled.contains(n) || is_uniform(node.scale);
  });
}

std::vector<double> key_times_of(const std::vector<const Channel*>& channels,
                                 const ClipMotion* motion) {
  std::vector<double> times{0.0};
  if (motion != nullptr) {
    times.insert(times.end(), motion->key_times().begin(), motion->key_times().end());
  }
  std::unordered_set<const std::vector<double>*> added;  // channels share their times
  for (const Channel* channel : channels) {
    if (!added.insert(channel->times.get()).second) continue;
    times.insert(times.end(), channel->times->begin(), channel->times->end());
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace skinbake
