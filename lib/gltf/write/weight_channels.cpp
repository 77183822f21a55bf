#include "gltf/write/change_writers.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gltf/document/json_member.h"
#include "gltf/write/own_elements.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

// The keys of a channel for all weights of a node.
struct WeightKeys {
  std::vector<float> times;   // [key] seconds
  std::vector<float> values;  // [key][target]; cubic: [key][3][target]
  const char* interpolation = "LINEAR";
};

// What a channel of the document does with the weights of a node.
enum class Moves { kNothing, kOneWeight, kAllWeights };

// A node, and its mesh, whose weights move the node too.
struct WeightsOwner {
  std::size_t node = 0, mesh = 0;
  std::size_t source_mesh = 0;  // of the file; another one than `mesh` if that is a copy
};

const json& pointer_of(const json& channel) {
  const json& target = member(channel, "target");
  return member(member(member(target, "extensions"), "KHR_animation_pointer"), "pointer");
}

std::string pointer_to_weights(std::size_t mesh) {
  return "/meshes/" + std::to_string(mesh) + "/weights";
}

Moves moves_weights(const json& channel, const WeightsOwner& owner) {
  const json& target = member(channel, "target");
  const json& path = member(target, "path");
  if (path == "weights") {
    return member(target, "node") == owner.node ? Moves::kAllWeights : Moves::kNothing;
  }
  const json& pointer = pointer_of(channel);
  if (path != "pointer" || !pointer.is_string()) return Moves::kNothing;
  const std::string text = pointer.get<std::string>();
  for (const std::string& all :
       {"/nodes/" + std::to_string(owner.node) + "/weights", pointer_to_weights(owner.mesh)}) {
    if (text == all) return Moves::kAllWeights;
    if (text.starts_with(all + "/")) return Moves::kOneWeight;
  }
  return Moves::kNothing;
}

std::size_t add_sampler(DocumentWriter& writer, WeightKeys keys, json& animation) {
  // An element holds the weights of a key, because a target's weight changes little between keys.
  constexpr std::size_t kMostPerElement = 64;
  const std::size_t value_count = keys.values.size(), width = value_count / keys.times.size();
  const std::size_t per_element = width <= kMostPerElement ? width : 1;
  const std::size_t times = writer.add_times(keys.times);
  const std::size_t values =
      writer.add_accessor(writer.add_elements(keys.values, per_element), "SCALAR", value_count);
  json& samplers = animation["samplers"];
  samplers.push_back({{"input", times}, {"output", values}, {"interpolation", keys.interpolation}});
  return samplers.size() - 1;
}

// The keys of a file's channel, with the added weights at rest.
WeightKeys extended(const Channel& channel, const std::vector<float>& rest) {
  const bool is_cubic = channel.interpolation == Interpolation::kCubicSpline;
  WeightKeys keys;
  keys.interpolation = is_cubic                                        ? "CUBICSPLINE"
                       : channel.interpolation == Interpolation::kStep ? "STEP"
                                                                       : "LINEAR";
  keys.times.assign(channel.times->begin(), channel.times->end());
  const auto width = static_cast<std::size_t>(channel.width);
  const std::vector<double>& values = *channel.values;
  for (std::size_t row = 0; row * width < values.size(); ++row) {
    for (std::size_t i = 0; i < width; ++i) {
      keys.values.push_back(static_cast<float>(values[row * width + i]));
    }
    const bool is_tangent = is_cubic && row % 3 != 1;
    for (const float weight : rest) keys.values.push_back(is_tangent ? 0 : weight);
  }
  return keys;
}

class Animating {
 public:
  Animating(DocumentWriter& writer, const RigChanges& changes)
      : writer_(writer), changes_(changes), node_(static_cast<std::size_t>(changes.rig->node)) {
    const json& node = writer.source().json.at("nodes")[node_];
    owner_ = {node_, own_mesh(writer, node_), node.at("mesh").get<std::size_t>()};
    overrides_mesh_ = node.contains("weights");
  }

  // A clip of the changes: one channel replaces the file's channels.
  void replace(const ClipKeys& keys, json& animation) {
    json& channels = animation["channels"];
    json kept = json::array();
    for (json& channel : channels) {
      if (moves_weights(channel, owner_) == Moves::kNothing) kept.push_back(std::move(channel));
    }
    const std::size_t sampler =
        add_sampler(writer_, {keys.morph_times, keys.morph_weights}, animation);
    kept.push_back({{"sampler", sampler}, {"target", {{"node", node_}, {"path", "weights"}}}});
    channels = std::move(kept);
  }

  // Whether extend() changes the animation.
  bool extends(const json& animation) const {
    const json& channels = member(animation, "channels");
    return std::any_of(channels.begin(), channels.end(), [&](const json& channel) {
      return is_copied(channel) || moves_weights(channel, owner_) == Moves::kAllWeights;
    });
  }

  // Another animation: its channel for all weights gets further ones. `clip`: the animation, as it
  // was loaded.
  void extend(const Clip& clip, json& animation) {
    copy_pointers(animation["channels"]);
    for (json& channel : animation["channels"]) {
      if (moves_weights(channel, owner_) != Moves::kAllWeights) continue;
      channel["sampler"] = add_sampler(writer_, keys_of(clip, channel), animation);
    }
  }

 private:
  // The copy of a mesh moves as the mesh does. The node's weights replace the mesh's weights.
  bool is_copied(const json& channel) const {
    if (owner_.mesh == owner_.source_mesh || overrides_mesh_) return false;
    const json& pointer = pointer_of(channel);
    if (!pointer.is_string()) return false;
    const std::string from = pointer_to_weights(owner_.source_mesh);
    const auto& text = pointer.get_ref<const std::string&>();
    return text == from || text.starts_with(from + "/");
  }

  void copy_pointers(json& channels) const {
    const std::string from = pointer_to_weights(owner_.source_mesh);
    const std::size_t count = channels.size();
    for (std::size_t c = 0; c < count; ++c) {
      if (!is_copied(channels[c])) continue;
      const std::string text = pointer_of(channels[c]).get<std::string>();
      json copy = channels[c];
      copy.at("target").at("extensions").at("KHR_animation_pointer")["pointer"] =
          pointer_to_weights(owner_.mesh) + text.substr(from.size());
      channels.push_back(std::move(copy));
    }
  }

  WeightKeys keys_of(const Clip& clip, const json& channel) const {
    const std::vector<double>& own = changes_.rig->morph_weights;
    const std::vector<float>& added = changes_.morphs.rest_weights;
    const bool is_of_mesh = pointer_of(channel) == pointer_to_weights(owner_.mesh);
    if (is_of_mesh && overrides_mesh_) return keys_at_rest();
    for (const Channel& candidate : clip.channels) {
      const bool is_mine =
          candidate.path == ChannelPath::kWeights && candidate.node == changes_.rig->node;
      const bool moves_all = static_cast<std::size_t>(candidate.width) == own.size();
      if (is_mine && moves_all) return extended(candidate, added);
    }
    return keys_at_rest();
  }

  // Of a channel that does not fit the mesh, and was not loaded.
  WeightKeys keys_at_rest() const {
    WeightKeys rest{{0}, {}};
    for (const double weight : changes_.rig->morph_weights) {
      rest.values.push_back(static_cast<float>(weight));
    }
    const std::vector<float>& added = changes_.morphs.rest_weights;
    rest.values.insert(rest.values.end(), added.begin(), added.end());
    return rest;
  }

  DocumentWriter& writer_;
  const RigChanges& changes_;
  std::size_t node_;
  WeightsOwner owner_;
  bool overrides_mesh_ = false;  // the node has weights, which pointers to the mesh do not move
};

}  // namespace

void animate_weights(DocumentWriter& writer, const RigChanges& changes,
                     std::span<const Clip> clips) {
  if (!writer.current().contains("animations")) return;
  Animating animating(writer, changes);
  for (const Clip& clip : clips) {
    const auto index = static_cast<std::size_t>(clip.index);
    const auto keys =
        std::find_if(changes.clips.begin(), changes.clips.end(),
                     [&](const ClipKeys& other) { return other.clip->index == clip.index; });
    const bool is_replaced = keys != changes.clips.end();
    if (!is_replaced && !animating.extends(writer.current()["animations"].at(index))) continue;
    json& animation = writer.document().element("animations", index);
    if (is_replaced) {
      animating.replace(*keys, animation);
    } else {
      animating.extend(clip, animation);
    }
  }
}

}  // namespace skinbake::gltf
