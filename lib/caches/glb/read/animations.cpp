#include "caches/glb/read/animations.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace skinbake {

namespace {

using Json = nlohmann::json;

// The weights of a part in the frames of a clip, as the writer lists them: 1 for the target of the
// frame. If no frame has a target, one zero is listed.
struct ListedWeights {
  std::vector<std::uint32_t> indices;
  std::vector<float> values;

  ListedWeights(const GlbFrameSpan& part, const GlbFrameSpan& shown) {
    for (std::size_t f = std::max(shown.first, part.first + 1); f < shown.end; ++f) {
      const std::size_t index = (f - shown.first) * (part.count() - 1) + f - part.first - 1;
      indices.push_back(static_cast<std::uint32_t>(index));
    }
    values.assign(indices.size(), 1);
    if (indices.empty()) indices = {0}, values = {0};
  }
};

// What a sampler moves: the weights or the scale of the node of a part, of every mesh.
struct ExpectedChannel {
  std::size_t part, sampler;
  std::string_view path;
};

// Checks the animation of one clip. Its samplers are, as the writer lists them: the weights of each
// part that shows the clip; in a file of several parts, the scales that show each of these parts
// from its first frame on, and the zero that hides all other parts.
class AnimationCheck {
 public:
  AnimationCheck(const GlbDocument& document, const RandomAccessFile& file,
                 const GlbTimeline& timeline, std::size_t clip, const FrameRange& frames)
      : document_(document),
        file_(file),
        timeline_(timeline),
        clip_(clip),
        frames_(frames),
        parts_(timeline.parts_of(clip)),
        owner_("animation " + std::to_string(clip)),
        animation_(document.array(document.root(), "animations", "the file")[clip]),
        samplers_(document.array(animation_, "samplers", owner_)) {}

  void run() {
    for (std::size_t part = parts_.first; part < parts_.end; ++part) check_weights(part);
    if (timeline_.parts.size() > 1) check_scales();
    if (channels_.empty() ? !samplers_.empty() : samplers_.size() != next_) {
      fail("does not have exactly the samplers of its meshes");
    }
    check_channels();
  }

 private:
  [[noreturn]] void fail(const std::string& cause) const { document_.fail(owner_, cause); }

  const Json& next_sampler() {
    if (next_ >= samplers_.size()) fail("does not have a sampler for each mesh");
    return samplers_[next_++];
  }

  std::uint64_t accessor_of(const Json& sampler, const char* name) const {
    return document_.integer(sampler, name, file_.size(), owner_);
  }

  float time_of(std::size_t frame_of_file) const {
    const auto k = static_cast<std::int64_t>(frame_of_file - timeline_.clips[clip_].first);
    return static_cast<float>(frames_.time_s(k));
  }

  void check_times(const Json& sampler, const std::vector<float>& expected) const {
    const auto times = document_.scalars(accessor_of(sampler, "input"), owner_);
    if (times.count != expected.size() || times.sparse_count != 0 || times.stream_bytes != 0 ||
        times.stride != sizeof(float)) {
      fail("does not have one key for each frame");
    }
    std::vector<float> stored(expected.size());
    file_.read_at(stored.data(), stored.size() * sizeof(float), times.values_offset);
    if (stored != expected) fail("has keys at other times than those of its frames");
  }

  void check_weights(std::size_t part) {
    const std::size_t targets = timeline_.target_count(part);
    if (targets == 0) return;
    channels_.push_back({part, next_, "weights"});
    const Json& sampler = next_sampler();
    const GlbFrameSpan shown = timeline_.shown(part, clip_);
    std::vector<float> times;
    for (std::size_t f = shown.first; f < shown.end; ++f) times.push_back(time_of(f));
    check_times(sampler, times);
    const Json& interpolation = document_.member(sampler, "interpolation", owner_);
    if (interpolation != "LINEAR" && interpolation != "STEP") {
      fail("moves its meshes by other weights than those of its frames");
    }
    const ListedWeights expected(timeline_.parts[part], shown);
    const auto weights = document_.scalars(accessor_of(sampler, "output"), owner_);
    if (weights.count != shown.count() * targets ||
        weights.sparse_count != expected.indices.size() || weights.index_bytes != 4) {
      fail("does not have one weight for each frame");
    }
    std::vector<std::uint32_t> indices(weights.sparse_count);
    std::vector<float> values(weights.sparse_count);
    file_.read_at(indices.data(), indices.size() * 4, weights.indices_offset);
    file_.read_at(values.data(), values.size() * 4, weights.values_offset);
    if (indices != expected.indices || values != expected.values) {
      fail("has a frame in which not exactly one weight is 1");
    }
  }

  // Steps from one scale to the next, equal on all axes.
  void check_steps(const std::vector<float>& times, const std::vector<float>& expected) {
    const Json& sampler = next_sampler();
    check_times(sampler, times);
    if (document_.member(sampler, "interpolation", owner_) != "STEP") {
      fail("does not show its meshes in steps");
    }
    const auto scales = document_.directions(accessor_of(sampler, "output"), owner_);
    if (!scales.is_float || scales.count != expected.size() || scales.sparse_count != 0) {
      fail("does not have one scale for each of its meshes");
    }
    std::vector<float> stored(3 * expected.size());
    read_glb_vectors(
        file_, scales,
        [this](const std::string& element, const std::string& cause) {
          document_.fail(element, cause);
        },
        stored.data());
    for (std::size_t i = 0; i < stored.size(); ++i) {
      if (stored[i] != expected[i / 3])
        fail("shows a mesh at other times than those of its frames");
    }
  }

  void check_scales() {
    std::vector<float> starts;
    for (std::size_t part = parts_.first; part < parts_.end; ++part) {
      starts.push_back(time_of(timeline_.shown(part, clip_).first));
    }
    for (std::size_t i = 0; i < starts.size(); ++i) {
      channels_.push_back({parts_.first + i, next_, "scale"});
      std::vector<float> scales(starts.size());
      scales[i] = 1;
      check_steps(starts, scales);
    }
    if (starts.size() == timeline_.parts.size()) return;
    for (std::size_t part = 0; part < timeline_.parts.size(); ++part) {
      const bool is_shown = parts_.first <= part && part < parts_.end;
      if (!is_shown) channels_.push_back({part, next_, "scale"});
    }
    check_steps({starts[0]}, {0});
  }

  void check_channels() const {
    const std::size_t nodes = document_.array(document_.root(), "nodes", "the file").size();
    const std::size_t meshes = nodes / timeline_.parts.size();
    const Json& channels = document_.array(animation_, "channels", owner_);
    if (channels.size() != meshes * channels_.size()) {
      fail("does not have exactly the channels of its meshes");
    }
    for (std::size_t i = 0; i < channels.size(); ++i) {
      const ExpectedChannel& expected = channels_[i % channels_.size()];
      const std::size_t node = i / channels_.size() * timeline_.parts.size() + expected.part;
      const Json& target = document_.member(channels[i], "target", owner_);
      if (document_.integer(channels[i], "sampler", samplers_.size(), owner_) != expected.sampler ||
          document_.integer(target, "node", nodes, owner_) != node ||
          document_.member(target, "path", owner_) != expected.path) {
        fail("has a channel that does not move its mesh");
      }
    }
  }

  const GlbDocument& document_;
  const RandomAccessFile& file_;
  const GlbTimeline& timeline_;
  std::size_t clip_;
  const FrameRange& frames_;
  GlbTimeline::Parts parts_;
  std::string owner_;
  const Json& animation_;
  const Json& samplers_;
  std::size_t next_ = 0;  // the sampler to check
  std::vector<ExpectedChannel> channels_;
};

}  // namespace

void check_animations(const GlbDocument& document, const RandomAccessFile& file,
                      const GlbTimeline& timeline, std::span<const FrameRange> clips) {
  const Json& animations = document.array(document.root(), "animations", "the file");
  if (animations.size() != clips.size()) {
    document.fail("the file", "does not have exactly one animation for each clip");
  }
  for (std::size_t c = 0; c < clips.size(); ++c) {
    AnimationCheck(document, file, timeline, c, clips[c]).run();
  }
}

}  // namespace skinbake
