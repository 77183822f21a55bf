#include "fit/changed_rig.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "clip/sampling/clip_tracks.h"
#include "clip/sampling/node_sampler.h"

namespace skinbake::fit {

namespace {

// A sampler takes the value of a STEP key already so long before its time.
constexpr double kStepTolerance_s = 2e-6;

float before(double time_s) {
  const float previous =
      std::nextafter(static_cast<float>(time_s), -std::numeric_limits<float>::infinity());
  return std::min(previous, static_cast<float>(time_s - kStepTolerance_s));
}

// The times of the frames and of the clip's keys, ascending, in float32.
std::vector<float> union_of_times(const MorphSampler& sampler, const FrameRange& frames) {
  std::vector<float> times = key_times(frames);
  for (const Channel* channel : sampler.channels()) {
    for (const double time : *channel->times) {
      times.push_back(static_cast<float>(time));
      if (channel->interpolation == Interpolation::kStep && before(time) > 0) {
        times.push_back(before(time));
      }
    }
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

// Interpolates rows between frames, as a program does that reads keys at the frames.
class KeyRows {
 public:
  KeyRows(const std::vector<float>& rows, std::size_t width, const FrameRange& frames)
      : rows_(rows), width_(width), frames_(frames) {}

  void append(double time_s, std::vector<float>& to) {
    const auto time_of = [&](std::int64_t k) { return key_time(frames_, k); };
    while (frame_ + 1 < frames_.frame_count && time_of(frame_ + 1) <= time_s) ++frame_;
    const float* a = rows_.data() + static_cast<std::size_t>(frame_) * width_;
    const bool is_between = frame_ + 1 < frames_.frame_count && time_of(frame_) < time_s;
    if (!is_between) {
      to.insert(to.end(), a, a + width_);
      return;
    }
    const double from = time_of(frame_), length = time_of(frame_ + 1) - from;
    const double s = (time_s - from) / length;
    for (std::size_t i = 0; i < width_; ++i) {
      to.push_back(static_cast<float>(a[i] + s * (double{a[i + width_]} - a[i])));
    }
  }

 private:
  const std::vector<float>& rows_;
  std::size_t width_;
  FrameRange frames_;
  std::int64_t frame_ = 0;
};

std::shared_ptr<const std::vector<double>> as_doubles(const std::vector<float>& values) {
  return std::make_shared<const std::vector<double>>(values.begin(), values.end());
}

}  // namespace

void merge_weights(const Rig& rig, std::vector<float> added, std::size_t added_count,
                   ClipKeys& keys) {
  ClipTrack track{.path = ChannelPath::kWeights,
                  .width = static_cast<int>(added_count),
                  .keys = std::move(added)};
  move_to_key_times(keys.frames, track);
  for (float& weight : track.keys) weight = std::clamp(weight, 0.0F, 1.0F);
  const MorphSampler sampler(rig, keys.clip);
  keys.morph_times = union_of_times(sampler, keys.frames);
  keys.morph_weights.clear();
  keys.morph_weights.reserve(keys.morph_times.size() * (rig.morph_weights.size() + added_count));
  KeyRows rows(track.keys, added_count, keys.frames);
  std::vector<double> own;
  for (const float time : keys.morph_times) {
    sampler.sample(double{time}, own);
    for (const double weight : own) keys.morph_weights.push_back(static_cast<float>(weight));
    rows.append(double{time}, keys.morph_weights);
  }
}

namespace {

void add_helpers(const RigChanges& changes, Rig& rig) {
  if (changes.helpers.empty()) return;
  auto skeleton = std::make_shared<Skeleton>(*rig.skeleton);
  for (const HelperJoint& helper : changes.helpers) {
    Node node;
    node.name = helper.name;
    node.parent = helper.parent;
    node.rotation = helper.rest.rotation;
    node.translation = helper.rest.translation;
    const auto index = static_cast<NodeIndex>(skeleton->nodes.size());
    skeleton->nodes.push_back(std::move(node));
    skeleton->order.push_back(index);
    rig.joints.push_back({index, helper.joint_from_model});
  }
  rig.skeleton = std::move(skeleton);
}

// The weights of a vertex as a file stores them.
void round_weights(std::span<Influence> influences) {
  double sum = 0;
  for (Influence& i : influences) sum += i.weight = double{static_cast<float>(i.weight)};
  for (Influence& i : influences) i.weight /= sum;
}

void add_channels(const RigChanges& changes, const ClipKeys& keys, Clip& clip) {
  const std::size_t first = changes.rig->skeleton->nodes.size();
  const std::vector<float> times = key_times(keys.frames);
  for (std::size_t h = 0; h < keys.helper_rotations.size(); ++h) {
    Channel channel;
    channel.node = static_cast<NodeIndex>(first + h);
    channel.times = as_doubles(times);
    channel.path = ChannelPath::kRotation;
    channel.width = 4;
    channel.values = as_doubles(keys.helper_rotations[h]);
    clip.channels.push_back(channel);
    channel.path = ChannelPath::kTranslation;
    channel.width = 3;
    channel.values = as_doubles(keys.helper_translations[h]);
    clip.channels.push_back(std::move(channel));
  }
}

}  // namespace

Rig changed_rig(const RigChanges& changes) {
  Rig rig = *changes.rig;
  if (!changes.first_influence.empty()) {
    rig.first_influence = changes.first_influence;
    rig.influences = changes.influences;
    rig.first_listed.clear();
    for (std::size_t v = 0; v + 1 < rig.first_influence.size(); ++v) {
      const auto first = rig.influences.begin() + rig.first_influence[v];
      round_weights({first, rig.influences.begin() + rig.first_influence[v + 1]});
    }
  }
  add_helpers(changes, rig);
  if (changes.morphs.empty()) return rig;
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  const AddedMorphs& morphs = changes.morphs;
  if (!morphs.base_positions.empty()) mesh->positions = morphs.base_positions;
  if (!morphs.base_normals.empty()) mesh->normals = morphs.base_normals;
  mesh->morph_targets.insert(mesh->morph_targets.end(), morphs.targets.begin(),
                             morphs.targets.end());
  rig.morph_weights.insert(rig.morph_weights.end(), morphs.rest_weights.begin(),
                           morphs.rest_weights.end());
  rig.mesh = std::move(mesh);
  return rig;
}

Clip changed_clip(const RigChanges& changes, std::size_t index) {
  const ClipKeys& keys = changes.clips[index];
  Clip clip = *keys.clip;
  add_channels(changes, keys, clip);
  if (keys.morph_times.empty()) return clip;
  const NodeIndex node = changes.rig->node;
  std::erase_if(clip.channels, [&](const Channel& channel) {
    return channel.node == node && channel.path == ChannelPath::kWeights;
  });
  Channel channel;
  channel.node = node;
  channel.path = ChannelPath::kWeights;
  channel.width = static_cast<int>(keys.morph_weights.size() / keys.morph_times.size());
  channel.times = as_doubles(keys.morph_times);
  channel.values = as_doubles(keys.morph_weights);
  clip.channels.push_back(std::move(channel));
  return clip;
}

}  // namespace skinbake::fit
