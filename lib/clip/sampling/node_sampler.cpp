// Global transforms and morph weights of nodes at an instant.

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "clip/sampling/node_sampler.h"
#include "clip/sampling/sample.h"
#include "math/scalar.h"
#include "rig/rest_pose.h"

namespace skinbake {

MorphSampler::MorphSampler(const Rig& rig, const Clip* clip) : rig_(&rig) {
  if (clip == nullptr) return;
  motion_ = clip->motion.get();
  for (const Channel& channel : clip->channels) {
    const bool is_mine = channel.path == ChannelPath::kWeights && channel.node == rig.node;
    if (is_mine) channels_.push_back(&channel);
  }
}

void MorphSampler::sample(double time_s, std::vector<double>& weights) const {
  weights = rig_->morph_weights;
  for (const Channel* channel : channels_) {
    skinbake::sample(*channel, time_s, weights.data() + channel->first_weight);
  }
  if (motion_ != nullptr) motion_->sample_morphs(rig_->node, time_s, weights);
}

namespace {

constexpr double kProductRounding = 1e-14;  // of double

// A mirrored axis is not stretched.
bool is_uniform(const Vec3<double>& scale, double neglected = 0) {
  const double x = std::abs(scale.x), y = std::abs(scale.y), z = std::abs(scale.z);
  const double greatest = std::max({x, y, z});
  return greatest - std::min({x, y, z}) <= neglected * greatest;
}

// Whether a matrix is a rotation times a scale.
bool is_similarity(const Affine<double>& m, double neglected = kProductRounding) {
  const double square = dot(m.x, m.x), tolerance = neglected * square;
  const auto is_small = [&](double number) { return std::abs(number) <= tolerance; };
  return is_small(dot(m.y, m.y) - square) && is_small(dot(m.z, m.z) - square) &&
         is_small(dot(m.x, m.y)) && is_small(dot(m.y, m.z)) && is_small(dot(m.z, m.x));
}

// Whether all keys of a scale are one number.
bool is_uniform(const std::vector<double>& keys) {
  return std::all_of(keys.begin(), keys.end(), [&](double key) { return key == keys.front(); });
}

bool is_constant(const std::vector<double>& keys, double neglected) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double least = keys[axis], greatest = keys[axis];
    for (std::size_t i = axis; i < keys.size(); i += 3) {
      least = std::min(least, keys[i]);
      greatest = std::max(greatest, keys[i]);
    }
    const double size = std::max(std::abs(least), std::abs(greatest));
    if (!(greatest - least <= neglected * size)) return false;
  }
  return true;
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

// [slot] Whether a channel or the motion turns the node.
std::vector<bool> NodeSampler::turning() const {
  std::vector<bool> turns(needed_.size());
  const auto mark = [&](NodeIndex n) {
    const auto slot = slots_.find(n);
    if (slot != slots_.end()) turns[slot->second] = true;
  };
  for (const Channel* channel : channels_) {
    if (channel->path == ChannelPath::kRotation) mark(channel->node);
  }
  if (motion_ == nullptr) return turns;
  for (const NodeIndex n : motion_->nodes()) mark(n);
  return turns;
}

bool NodeSampler::may_stretch_between_keys(double neglected) const {
  std::unordered_map<NodeIndex, Vec3<double>> scaled;  // by channels
  std::unordered_set<const std::vector<double>*> constant;
  for (const Channel* channel : channels_) {
    if (channel->path != ChannelPath::kScale) continue;
    if (channel->interpolation == Interpolation::kCubicSpline) return true;
    const std::vector<double>& keys = *channel->values;
    if (constant.insert(&keys).second && !is_constant(keys, neglected)) return true;
    scaled[channel->node] = {keys[0], keys[1], keys[2]};
  }
  const std::vector<bool> turns = turning();
  std::vector<bool> is_below(needed_.size());  // [slot] a scale that differs between the axes
  for (std::size_t i = 0; i < needed_.size(); ++i) {  // parents come first
    const NodeIndex base = skeleton_->base_of(needed_[i]);
    if (base < 0) continue;
    const std::size_t above = slots_.at(base);
    const Node& node = skeleton_->nodes[base];
    const auto channel = scaled.find(base);
    const Vec3<double>& scale = channel == scaled.end() ? node.scale : channel->second;
    const bool is_even =
        node.matrix ? is_similarity(*node.matrix, neglected) : is_uniform(scale, neglected);
    is_below[i] = is_below[above] || !is_even;
    if (is_below[i] && turns[i]) return true;
  }
  return false;
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
