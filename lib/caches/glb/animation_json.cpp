#include "caches/glb/animation_json.h"

#include <utility>
#include <vector>

#include "caches/glb/encoding.h"
#include "gltf/write/baked_document.h"

namespace skinbake {

namespace {

using nlohmann::json;

// The animation of a clip. All meshes share its samplers, because they have the same frames:
//
//   of each part that shows the clip    its weights, unless it does not have targets
//   in a file of several parts          the scales of the node of each of these parts; a scale of 0
//                                       for the nodes of all other parts
class AnimationJson {
 public:
  // All arguments must outlive the object.
  AnimationJson(const GlbLayout& layout, std::size_t clip, AccessorArrays& arrays)
      : layout_(layout), number_(clip), clip_(layout.clips[clip]), arrays_(arrays) {}

  json make() {
    times_view_ = arrays_.add_view(clip_.times);
    for (std::size_t part = clip_.parts.first; part < clip_.parts.end; ++part) add_weights(part);
    if (layout_.timeline.parts.size() > 1) add_scales();
    json channels = json::array();
    for (std::size_t m = 0; m < layout_.meshes.size(); ++m) {
      for (const Channel& channel : channels_) {
        const std::size_t node = m * layout_.timeline.parts.size() + channel.part;
        channels.push_back(
            {{"sampler", channel.sampler}, {"target", {{"node", node}, {"path", channel.path}}}});
      }
    }
    json::object_t animation{{"samplers", std::move(samplers_)}, {"channels", std::move(channels)}};
    if (!clip_.id.empty()) animation["name"] = clip_.id;
    return animation;
  }

 private:
  // A channel of the node of a part.
  struct Channel {
    std::size_t part, sampler;
    const char* path;
  };

  void add_channel(std::size_t part, const char* path) {
    channels_.push_back({part, samplers_.size(), path});
  }

  void add_sampler(std::size_t input, std::size_t output, bool is_step) {
    samplers_.push_back(
        {{"input", input}, {"output", output}, {"interpolation", is_step ? "STEP" : "LINEAR"}});
  }

  // The accessor of some times; the bounds are required.
  std::size_t add_times(std::size_t view, std::uint64_t offset, std::size_t count, double first_s,
                        double last_s) {
    json times = accessor_of(kComponentFloat, count, "SCALAR");
    times["bufferView"] = view;
    if (offset != 0) times["byteOffset"] = offset;
    times["min"] = {gltf::decimal(static_cast<float>(first_s))};
    times["max"] = {gltf::decimal(static_cast<float>(last_s))};
    return arrays_.add(std::move(times));
  }

  double time_s(std::size_t frame) const {
    const std::size_t first = layout_.timeline.clips[number_].first;
    return clip_.frames.time_s(static_cast<std::int64_t>(frame - first));
  }

  void add_weights(std::size_t part) {
    const GlbTimeline& timeline = layout_.timeline;
    const std::size_t targets = timeline.target_count(part);
    if (targets == 0) return;
    const GlbFrameSpan shown = timeline.shown(part, number_);
    const std::uint64_t first = shown.first - timeline.clips[number_].first;
    const std::size_t input = add_times(times_view_, first * sizeof(float), shown.count(),
                                        time_s(shown.first), time_s(shown.end - 1));
    const GlbClip::Weights& weights = clip_.weights[part - clip_.parts.first];
    const std::size_t indices = arrays_.add_view(weights.indices);
    const std::size_t values = arrays_.add_view(weights.values);
    json output = accessor_of(kComponentFloat, shown.count() * targets, "SCALAR");
    output["sparse"] = sparse_of({weights.count, indices, kComponentUint32, 0, values, 0});
    add_channel(part, "weights");
    add_sampler(input, arrays_.add(std::move(output)), layout_.options.step);
  }

  void add_scales() {
    const std::size_t count = clip_.parts.count();
    const double first_s = clip_.frames.time_s(0);
    const std::size_t starts_view = arrays_.add_view(clip_.part_times);
    const std::size_t scales_view = arrays_.add_view(clip_.part_scales);
    const double last_s = time_s(layout_.timeline.shown(clip_.parts.end - 1, number_).first);
    const std::size_t starts = add_times(starts_view, 0, count, first_s, last_s);
    for (std::size_t i = 0; i < count; ++i) {
      add_channel(clip_.parts.first + i, "scale");
      add_sampler(starts, add_scale_values(scales_view, i * count, count), true);
    }
    if (count == layout_.timeline.parts.size()) return;
    const std::size_t zeros_view = arrays_.add_view({layout_.zeros.offset, kFloatVertexBytes});
    for (std::size_t part = 0; part < layout_.timeline.parts.size(); ++part) {
      const bool is_shown = clip_.parts.first <= part && part < clip_.parts.end;
      if (!is_shown) add_channel(part, "scale");
    }
    const std::size_t start = add_times(starts_view, 0, 1, first_s, first_s);
    add_sampler(start, add_scale_values(zeros_view, 0, 1), true);
  }

  // The accessor of `count` scales of a view, from `first` on.
  std::size_t add_scale_values(std::size_t view, std::size_t first, std::size_t count) {
    json scales = accessor_of(kComponentFloat, count, "VEC3");
    scales["bufferView"] = view;
    if (first != 0) scales["byteOffset"] = std::uint64_t{first} * kFloatVertexBytes;
    return arrays_.add(std::move(scales));
  }

  const GlbLayout& layout_;
  std::size_t number_;
  const GlbClip& clip_;
  AccessorArrays& arrays_;
  std::size_t times_view_ = 0;
  json::array_t samplers_;
  std::vector<Channel> channels_;
};

}  // namespace

json animation_json(const GlbLayout& layout, std::size_t clip, AccessorArrays& arrays) {
  return AnimationJson(layout, clip, arrays).make();
}

}  // namespace skinbake
