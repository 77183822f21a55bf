// Times of keys, and the keys of single nodes.

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "clip/sampling/clip_tracks.h"
#include "clip/sampling/node_sampler.h"
#include "clip/sampling/sample.h"

namespace skinbake {

namespace {

// The key on the way from `from` to `to`, 1 being `to`.
void interpolate(ChannelPath path, const std::vector<float>& from, const std::vector<float>& to,
                 double share, float* key) {
  if (path == ChannelPath::kRotation) {
    const Quat<double> q =
        slerp({from[3], from[0], from[1], from[2]}, {to[3], to[0], to[1], to[2]}, share);
    const double numbers[] = {q.x, q.y, q.z, q.w};
    for (int i = 0; i < 4; ++i) key[i] = static_cast<float>(numbers[i]);
    return;
  }
  for (std::size_t i = 0; i < to.size(); ++i) {
    key[i] = static_cast<float>(from[i] + share * (double(to[i]) - from[i]));
  }
}

}  // namespace

float key_time(const FrameRange& frames, std::int64_t k) {
  return static_cast<float>(frames.time_s(k));
}

std::vector<float> key_times(const FrameRange& frames) {
  std::vector<float> times;
  times.reserve(static_cast<std::size_t>(frames.frame_count));
  for (std::int64_t k = 0; k < frames.frame_count; ++k) times.push_back(key_time(frames, k));
  return times;
}

void move_to_key_times(const FrameRange& frames, ClipTrack& track) {
  const auto width = static_cast<std::size_t>(track.width);
  const double step_s = static_cast<double>(frames.frame_step) / frames.fps;
  // From frame k to the next one, which may be the end of the clip.
  const auto span_s = [&](std::int64_t k) {
    return std::min(step_s, frames.end_s - frames.time_s(k));
  };
  const auto frame_at = [&](std::int64_t k) {
    const float* first = track.keys.data() + static_cast<std::size_t>(k) * width;
    return std::vector<float>(first, first + width);
  };
  std::vector<float> before;  // the value at the frame before, which its key may no longer have
  for (std::int64_t k = 0; k < frames.frame_count; ++k) {
    const std::vector<float> here = frame_at(k);
    const double late_s = double(key_time(frames, k)) - frames.time_s(k);
    float* const key = track.keys.data() + static_cast<std::size_t>(k) * width;
    if (late_s > 0 && k > 0) {
      interpolate(track.path, before, here, 1 + late_s / span_s(k - 1), key);
    } else if (late_s < 0 && k + 1 < frames.frame_count) {
      interpolate(track.path, frame_at(k + 1), here, 1 - late_s / span_s(k), key);
    }
    before = here;
  }
}

namespace {

// The retargeted rest pose differs from the rest by rounding errors of double; float32 is coarser.
constexpr double kRounding = 1e-9;

// Records one property. Keys are stored from the first one that differs from the rest.
class Recorder {
 public:
  Recorder(NodeIndex node, ChannelPath path, std::vector<double> rest, std::int64_t frame_count)
      : frame_count_(static_cast<std::size_t>(frame_count)), rest_(std::move(rest)), last_(rest_) {
    track_.node = node;
    track_.path = path;
    track_.width = static_cast<int>(rest_.size());
  }

  void add(std::span<const double> value, std::int64_t frame) {
    value_.assign(value.begin(), value.end());
    if (track_.path == ChannelPath::kRotation) continue_from_last();
    last_ = value_;
    if (!is_recording_ && is_rest()) return;
    if (!is_recording_) begin(frame);
    append(value_);
  }

  // Stores the rest, which is the only key of the frames so far.
  void begin(std::int64_t frame) {
    is_recording_ = true;
    track_.keys.reserve(frame_count_ * rest_.size());
    for (std::int64_t k = 0; k < frame; ++k) append(rest_);
  }

  bool is_recording() const { return is_recording_; }
  ClipTrack take() { return std::move(track_); }

 private:
  // q and -q are the same rotation.
  void continue_from_last() {
    double product = 0;
    for (std::size_t i = 0; i < value_.size(); ++i) product += value_[i] * last_[i];
    if (product >= 0) return;
    for (double& number : value_) number = -number;
  }

  bool is_rest() const {
    for (std::size_t i = 0; i < value_.size(); ++i) {
      const double tolerance = kRounding * std::max(1.0, std::abs(rest_[i]));
      if (!(std::abs(value_[i] - rest_[i]) <= tolerance)) return false;
    }
    return true;
  }

  void append(const std::vector<double>& value) {
    for (const double number : value) track_.keys.push_back(static_cast<float>(number));
  }

  ClipTrack track_;
  std::size_t frame_count_;
  std::vector<double> rest_, value_, last_;
  bool is_recording_ = false;
};

// The nodes whose translation, rotation or scale the clip may change, ascending. Nodes with a
// matrix do not move.
std::vector<NodeIndex> moving_nodes(const Skeleton& skeleton, const Clip& clip) {
  std::set<NodeIndex> nodes;
  for (const Channel& channel : clip.channels) {
    if (channel.path != ChannelPath::kWeights) nodes.insert(channel.node);
  }
  if (clip.motion) nodes.insert(clip.motion->nodes().begin(), clip.motion->nodes().end());
  std::erase_if(nodes, [&](NodeIndex n) {
    return skeleton.nodes[static_cast<std::size_t>(n)].matrix.has_value();
  });
  return {nodes.begin(), nodes.end()};
}

class Sampling {
 public:
  Sampling(const Skeleton& skeleton, std::span<const Rig> rigs, const Clip& clip,
           std::int64_t frame_count)
      : nodes_(moving_nodes(skeleton, clip)), sampler_(skeleton, &clip, nodes_) {
    for (const NodeIndex n : nodes_) {
      const Node& node = skeleton.nodes[static_cast<std::size_t>(n)];
      const Vec3<double>&t = node.translation, &s = node.scale;
      const Quat<double>& q = node.rotation;
      const auto record = [&](ChannelPath path, std::vector<double> rest) {
        recorders_.emplace_back(n, path, std::move(rest), frame_count);
      };
      record(ChannelPath::kTranslation, {t.x, t.y, t.z});
      record(ChannelPath::kRotation, {q.x, q.y, q.z, q.w});
      record(ChannelPath::kScale, {s.x, s.y, s.z});
    }
    for (const Rig& rig : rigs) {
      if (rig.morph_weights.empty()) continue;
      const MorphSampler morphs(rig, &clip);
      if (morphs.channels().empty() && !clip.motion) continue;
      morphs_.push_back(morphs);
      morph_recorders_.emplace_back(rig.node, ChannelPath::kWeights, rig.morph_weights,
                                    frame_count);
    }
  }

  void sample(double time_s, std::int64_t frame) {
    sampler_.sample(time_s);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const NodeSampler::Local& local = sampler_.local(nodes_[i]);
      const Vec3<double>&t = local.translation, &s = local.scale;
      const Quat<double>& q = local.rotation;
      recorders_[3 * i].add(std::vector{t.x, t.y, t.z}, frame);
      recorders_[3 * i + 1].add(std::vector{q.x, q.y, q.z, q.w}, frame);
      recorders_[3 * i + 2].add(std::vector{s.x, s.y, s.z}, frame);
    }
    for (std::size_t m = 0; m < morphs_.size(); ++m) {
      morphs_[m].sample(time_s, weights_);
      morph_recorders_[m].add(weights_, frame);
    }
  }

  std::vector<ClipTrack> finish(std::int64_t frame_count) {
    recorders_.insert(recorders_.end(), std::make_move_iterator(morph_recorders_.begin()),
                      std::make_move_iterator(morph_recorders_.end()));
    const bool is_still = std::none_of(recorders_.begin(), recorders_.end(),
                                       [](const Recorder& r) { return r.is_recording(); });
    if (is_still && !recorders_.empty()) recorders_.front().begin(frame_count);
    std::vector<ClipTrack> tracks;
    for (Recorder& recorder : recorders_) {
      if (recorder.is_recording()) tracks.push_back(recorder.take());
    }
    std::stable_sort(tracks.begin(), tracks.end(),
                     [](const ClipTrack& a, const ClipTrack& b) { return a.node < b.node; });
    return tracks;
  }

 private:
  std::vector<NodeIndex> nodes_;
  NodeSampler sampler_;
  std::vector<Recorder> recorders_;  // [node][translation, rotation, scale]
  std::vector<MorphSampler> morphs_;
  std::vector<Recorder> morph_recorders_;  // parallel to morphs_
  std::vector<double> weights_;
};

}  // namespace

std::vector<ClipTrack> clip_tracks(const Skeleton& skeleton, std::span<const Rig> rigs,
                                   const Clip& clip, const FrameRange& frames,
                                   const std::function<void(std::int64_t)>& progress) {
  Sampling sampling(skeleton, rigs, clip, frames.frame_count);
  for (std::int64_t k = 0; k < frames.frame_count; ++k) {
    sampling.sample(frames.sample_time_s(k), k);
    if (progress) progress(k + 1);
  }
  std::vector<ClipTrack> tracks = sampling.finish(frames.frame_count);
  for (ClipTrack& track : tracks) move_to_key_times(frames, track);
  return tracks;
}

}  // namespace skinbake
