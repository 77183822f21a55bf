#include "caches/glb/write/json/animations.h"

#include <vector>

#include "caches/glb/encoding.h"

namespace skinbake {

namespace {

// An element of the array `animations`. All meshes share its samplers, because they have the same
// frames:
//
//   of each part that shows the clip    its weights, unless it does not have targets
//   in a file of several parts          the scales of the node of each of these parts; a scale of 0
//                                       for the nodes of all other parts
class AnimationJson {
 public:
  // All three arguments must outlive the object.
  AnimationJson(const GlbLayout& layout, AccessorArrays& arrays, JsonWriter& json)
      : layout_(layout), arrays_(arrays), json_(json) {}

  void write(std::size_t c) {
    const GlbClip& clip = layout_.clips[c];
    times_view_ = arrays_.add_view(clip.times);
    for (std::size_t part = clip.parts.first; part < clip.parts.end; ++part) add_weights(c, part);
    if (layout_.timeline.parts.size() > 1) add_scales(clip);
    json_.begin_object();
    if (!clip.id.empty()) json_.key("name").value(clip.id);
    json_.key("samplers").begin_array();
    for (const Sampler& sampler : samplers_) {
      json_.begin_line_object()
          .key("input")
          .value(sampler.input)
          .key("output")
          .value(sampler.output);
      json_.key("interpolation").value(sampler.is_step ? "STEP" : "LINEAR").end_object();
    }
    json_.end_array().key("channels").begin_array();
    for (std::size_t m = 0; m < layout_.meshes.size(); ++m) write_channels(m);
    json_.end_array().end_object();
  }

 private:
  struct Sampler {
    int input, output;
    bool is_step;
  };
  // A channel of the node of a part.
  struct Channel {
    std::size_t part, sampler;
    const char* path;
  };

  // The accessor of some times; the bounds are required.
  int add_times(int view, std::uint64_t offset, std::int64_t count, double first_s, double last_s) {
    const std::array<float, 1> first{static_cast<float>(first_s)}, last{static_cast<float>(last_s)};
    JsonWriter& times = arrays_.begin_accessor(kComponentFloat, count, "SCALAR");
    times.key("bufferView").value(view);
    if (offset != 0) times.key("byteOffset").value(offset);
    times.key("min").numbers(first).key("max").numbers(last);
    return arrays_.end_accessor();
  }

  void add_weights(std::size_t c, std::size_t part) {
    const GlbTimeline& timeline = layout_.timeline;
    const GlbClip& clip = layout_.clips[c];
    const auto targets = static_cast<std::int64_t>(timeline.target_count(part));
    if (targets == 0) return;
    const GlbFrameSpan shown = timeline.shown(part, c);
    const auto count = static_cast<std::int64_t>(shown.count());
    const auto first = static_cast<std::int64_t>(shown.first - timeline.clips[c].first);
    const int input =
        add_times(times_view_, static_cast<std::uint64_t>(first) * sizeof(float), count,
                  clip.frames.time_s(first), clip.frames.time_s(first + count - 1));
    const GlbClip::Weights& weights = clip.weights[part - clip.parts.first];
    const auto listed = static_cast<std::int64_t>(weights.count);
    const int indices = arrays_.add_view(weights.indices);
    const int values = arrays_.add_view(weights.values);
    arrays_.begin_accessor(kComponentFloat, count * targets, "SCALAR");
    arrays_.write_sparse({listed, indices, kComponentUint32, 0, values, 0});
    channels_.push_back({part, samplers_.size(), "weights"});
    samplers_.push_back({input, arrays_.end_accessor(), layout_.options.step});
  }

  void add_scales(const GlbClip& clip) {
    const std::size_t count = clip.parts.count();
    const double first_s = clip.frames.time_s(0);
    const int starts_view = arrays_.add_view(clip.part_times);
    const int scales_view = arrays_.add_view(clip.part_scales);
    const int starts =
        add_times(starts_view, 0, static_cast<std::int64_t>(count), first_s, last_start_s(clip));
    for (std::size_t i = 0; i < count; ++i) {
      channels_.push_back({clip.parts.first + i, samplers_.size(), "scale"});
      samplers_.push_back({starts, add_scale_values(scales_view, i * count, count), true});
    }
    if (count == layout_.timeline.parts.size()) return;
    const int zeros_view = arrays_.add_view({layout_.zeros.offset, kFloatVertexBytes});
    for (std::size_t part = 0; part < layout_.timeline.parts.size(); ++part) {
      const bool is_shown = clip.parts.first <= part && part < clip.parts.end;
      if (!is_shown) channels_.push_back({part, samplers_.size(), "scale"});
    }
    samplers_.push_back(
        {add_times(starts_view, 0, 1, first_s, first_s), add_scale_values(zeros_view, 0, 1), true});
  }

  // The accessor of `count` scales of a view, from `first` on.
  int add_scale_values(int view, std::size_t first, std::size_t count) {
    JsonWriter& scales =
        arrays_.begin_accessor(kComponentFloat, static_cast<std::int64_t>(count), "VEC3");
    scales.key("bufferView").value(view);
    if (first != 0) scales.key("byteOffset").value(std::uint64_t{first} * kFloatVertexBytes);
    return arrays_.end_accessor();
  }

  // The time from which the last part shows the clip.
  double last_start_s(const GlbClip& clip) const {
    const GlbTimeline& timeline = layout_.timeline;
    const auto c = static_cast<std::size_t>(&clip - layout_.clips.data());
    const std::size_t frame = timeline.shown(clip.parts.end - 1, c).first - timeline.clips[c].first;
    return clip.frames.time_s(static_cast<std::int64_t>(frame));
  }

  void write_channels(std::size_t mesh) {
    for (const Channel& channel : channels_) {
      const std::uint64_t node = mesh * layout_.timeline.parts.size() + channel.part;
      json_.begin_line_object().key("sampler").value(std::uint64_t{channel.sampler});
      json_.key("target").begin_line_object();
      json_.key("node").value(node).key("path").value(channel.path);
      json_.end_object().end_object();
    }
  }

  const GlbLayout& layout_;
  AccessorArrays& arrays_;
  JsonWriter& json_;
  int times_view_ = -1;
  std::vector<Sampler> samplers_;
  std::vector<Channel> channels_;
};

}  // namespace

void write_animations(const GlbLayout& layout, AccessorArrays& arrays, JsonWriter& json) {
  json.key("animations").begin_array();
  for (std::size_t c = 0; c < layout.clips.size(); ++c)
    AnimationJson(layout, arrays, json).write(c);
  json.end_array();
}

}  // namespace skinbake
