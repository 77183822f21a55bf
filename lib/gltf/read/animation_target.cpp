#include "gltf/read/animation_target.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <vector>

#include "gltf/document/message_text.h"

namespace skinbake::gltf {

namespace {

const std::map<std::string_view, ChannelPath> kPaths{{"translation", ChannelPath::kTranslation},
                                                     {"rotation", ChannelPath::kRotation},
                                                     {"scale", ChannelPath::kScale},
                                                     {"weights", ChannelPath::kWeights}};

// A bound for the number of a single weight whose mesh is not known. The rig tells whether it has
// the weight.
constexpr int kMostTargets = 1 << 16;

// "/nodes/3/weights/1" -> "nodes", "3", "weights", "1". These tokens do not contain escapes.
std::vector<std::string_view> tokens_of(std::string_view pointer) {
  std::vector<std::string_view> tokens;
  while (pointer.starts_with('/')) {
    const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
    tokens.push_back(pointer.substr(1, end - 1));
    pointer.remove_prefix(end);
  }
  return tokens;
}

// RFC 6901: digits without leading zeros.
std::optional<int> index_of(std::string_view token) {
  int number = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), number);
  const bool whole = error == std::errc{} && end == token.data() + token.size() && number >= 0;
  if (!whole || (token.size() > 1 && token[0] == '0')) return std::nullopt;
  return number;
}

// Whether a pointer refers to a material, a camera or an element that an extension adds, such as a
// light. Extensions that change geometry are reported elsewhere.
bool is_of_materials(const std::vector<std::string_view>& tokens) {
  if (tokens.size() < 3) return false;
  return tokens[0] == "materials" || tokens[0] == "cameras" || tokens[0] == "extensions" ||
         (tokens[0] == "nodes" && tokens.size() > 4 && tokens[2] == "extensions");
}

int target_count(const Document& document, int mesh) {
  const auto& primitives = document.model.meshes[static_cast<std::size_t>(mesh)].primitives;
  return primitives.empty() ? 0 : static_cast<int>(primitives[0].targets.size());
}

// Narrows a target of all weights to one of `count`. False: there is none of the index.
bool select_weight(std::string_view index, int count, AnimationTarget& target) {
  const std::optional<int> weight = index_of(index);
  if (!weight || *weight >= count) return false;
  target.first_weight = *weight;
  target.is_one_weight = true;
  target.width = 1;
  return true;
}

class Resolver {
 public:
  Resolver(Document& document, const Skeleton& skeleton, const Model::Sampler& sampler,
           const Element& where)
      : document_(document), skeleton_(skeleton), sampler_(sampler), where_(where) {}

  std::optional<AnimationTarget> by_path(const Model::Channel& source) {
    const auto path = kPaths.find(source.target_path);
    if (path == kPaths.end()) {
      return ignore("has the unknown path " + in_quotes(source.target_path));
    }
    if (source.target_node < 0) return ignore("does not have a node");
    return property({source.target_node, path->second});
  }

  std::optional<AnimationTarget> by_pointer(const std::string& pointer) {
    const std::vector<std::string_view> tokens = tokens_of(pointer);
    const bool of_node = tokens.size() >= 3 && tokens[0] == "nodes" && kPaths.contains(tokens[2]);
    if (is_of_materials(tokens)) {
      // A baked file has the materials, and a reader of it would miss their motion.
      const bool is_lost = document_.keeps_materials && tokens[0] == "materials";
      document_.note(is_lost ? "MATERIAL_NOT_ANIMATED" : "CHANNEL_OF_MATERIAL", where_.pointer,
                     where_.name + " points to " + in_quotes(pointer) +
                         ", which does not move vertices; not baked");
      return std::nullopt;
    }
    if (!of_node) {
      return ignore("points to " + in_quotes(pointer) +
                    ", which is not a node's translation, rotation, scale or weights, nor a mesh's "
                    "weights");
    }
    const ChannelPath path = kPaths.at(tokens[2]);
    const std::optional<int> node = index_of(tokens[1]);
    if (!node || *node >= static_cast<int>(skeleton_.nodes.size()) ||
        tokens.size() > (path == ChannelPath::kWeights ? 4 : 3)) {
      return ignore("points to " + in_quotes(pointer) + ", which does not exist");
    }
    std::optional<AnimationTarget> target =
        property({*node, path, 3, 0, false, Integers::kAsDeclared});
    if (!target || tokens.size() == 3) return target;
    const int count = is_mesh_elsewhere(*node) ? kMostTargets : target->width;
    if (!select_weight(tokens[3], count, *target)) {
      return ignore("points to " + in_quotes(pointer) + ", which does not exist");
    }
    return target;
  }

  std::nullopt_t ignore(const std::string& why) {
    document_.note("CHANNEL_IGNORED", where_.pointer, where_.name + " " + why + "; ignored");
    return std::nullopt;
  }

 private:
  // Returns the target with its width, or nothing if the node does not have the property.
  std::optional<AnimationTarget> property(AnimationTarget target) {
    if (target.path == ChannelPath::kWeights) {
      target.width = morph_target_count(target.node);
      if (target.width > 0) return target;
      return ignore("animates the weights of a node without morph targets");
    }
    if (skeleton_.nodes[static_cast<std::size_t>(target.node)].matrix) {
      return ignore("animates a node that has a matrix");
    }
    target.width = target.path == ChannelPath::kRotation ? 4 : 3;
    return target;
  }

  // Whether the node's mesh may be in the file of a rig, with which the clip is matched.
  bool is_mesh_elsewhere(NodeIndex node) const {
    return document_.role == Role::kClip &&
           document_.model.nodes[static_cast<std::size_t>(node)].mesh < 0;
  }

  int morph_target_count(NodeIndex node) const {
    const int mesh = document_.model.nodes[static_cast<std::size_t>(node)].mesh;
    if (mesh < 0) return is_mesh_elsewhere(node) ? values_per_key() : 0;
    return target_count(document_, mesh);
  }

  // The number of morph weights of a clip's node, whose mesh may be in another file.
  int values_per_key() const {
    const std::size_t keys = accessor_at(document_, sampler_.input).count;
    const std::size_t cubic = sampler_.interpolation == "CUBICSPLINE" ? 3 : 1;
    const std::size_t count = accessor_at(document_, sampler_.output).count;
    return static_cast<int>(std::min<std::size_t>(keys == 0 ? 0 : count / keys / cubic,
                                                  std::numeric_limits<int>::max()));
  }

  Document& document_;
  const Skeleton& skeleton_;
  const Model::Sampler& sampler_;
  const Element& where_;
};

}  // namespace

std::optional<AnimationTarget> resolve_target(Document& document, const Skeleton& skeleton,
                                              std::size_t animation, std::size_t channel,
                                              const Element& where) {
  const Model::Animation& animated = document.model.animations[animation];
  const Model::Channel& source = animated.channels[channel];
  Resolver resolver(document, skeleton, animated.samplers[static_cast<std::size_t>(source.sampler)],
                    where);
  if (source.target_path != "pointer") return resolver.by_path(source);
  const auto pointer =
      document.animation_pointers.find({static_cast<int>(animation), static_cast<int>(channel)});
  if (pointer != document.animation_pointers.end()) return resolver.by_pointer(pointer->second);
  return resolver.ignore("has the path 'pointer' but does not have KHR_animation_pointer");
}

std::optional<NodeIndex> visibility_of(const Document& document, std::size_t animation,
                                       std::size_t channel) {
  const auto pointer =
      document.animation_pointers.find({static_cast<int>(animation), static_cast<int>(channel)});
  if (pointer == document.animation_pointers.end()) return {};
  const std::vector<std::string_view> tokens = tokens_of(pointer->second);
  const bool has_form = tokens.size() == 5 && tokens[0] == "nodes" && tokens[2] == "extensions" &&
                        tokens[3] == "KHR_node_visibility" && tokens[4] == "visible";
  const std::optional<int> node = has_form ? index_of(tokens[1]) : std::nullopt;
  const bool exists = node && *node < static_cast<int>(document.model.nodes.size());
  return exists ? node : std::nullopt;
}

std::string target_element(const Document& document, std::size_t animation, std::size_t channel) {
  const auto pointer =
      document.animation_pointers.find({static_cast<int>(animation), static_cast<int>(channel)});
  if (pointer == document.animation_pointers.end()) {
    const int node = document.model.animations[animation].channels[channel].target_node;
    return node < 0 ? "" : "/nodes/" + std::to_string(node);
  }
  const std::vector<std::string_view> tokens = tokens_of(pointer->second);
  if (tokens.size() < 2 || !index_of(tokens[1])) return "";
  return "/" + std::string(tokens[0]) + "/" + std::string(tokens[1]);
}

std::optional<MeshWeights> mesh_weights_of(const Document& document, std::size_t animation,
                                           std::size_t channel) {
  const Model::Channel& source = document.model.animations[animation].channels[channel];
  const auto pointer =
      document.animation_pointers.find({static_cast<int>(animation), static_cast<int>(channel)});
  if (source.target_path != "pointer" || pointer == document.animation_pointers.end()) return {};
  const std::vector<std::string_view> tokens = tokens_of(pointer->second);
  const bool has_form = tokens.size() == 3 || tokens.size() == 4;
  if (!has_form || tokens[0] != "meshes" || tokens[2] != "weights") return {};
  const std::optional<int> mesh = index_of(tokens[1]);
  if (!mesh || *mesh >= static_cast<int>(document.model.meshes.size())) return {};
  AnimationTarget target{-1,    ChannelPath::kWeights, target_count(document, *mesh), 0,
                         false, Integers::kAsDeclared};
  if (target.width == 0 || (tokens.size() == 4 && !select_weight(tokens[3], target.width, target)))
    return {};
  return MeshWeights{*mesh, target};
}

}  // namespace skinbake::gltf
