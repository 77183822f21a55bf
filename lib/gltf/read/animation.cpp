// Loads animations as clips: keys are decoded to double, normalised integers are converted, and
// quaternions are normalised.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "clip/frame_rates.h"
#include "gltf/document/message_text.h"
#include "gltf/read/accessor.h"
#include "gltf/read/animation_target.h"
#include "gltf/read/loaders.h"

namespace skinbake::gltf {

namespace {

const Format kTimesFormat{AccessorType::kScalar, {ComponentType::kFloat}, "SCALAR of float"};
#define SKINBAKE_FLOAT_OR_NORMALISED                                           \
  {                                                                            \
    ComponentType::kFloat, ComponentType::kByte, ComponentType::kUnsignedByte, \
        ComponentType::kShort, ComponentType::kUnsignedShort                   \
  }
const Format kRotationFormat{AccessorType::kVec4, SKINBAKE_FLOAT_OR_NORMALISED,
                             "VEC4 of float or normalised integers"};
const Format kMorphFormat{AccessorType::kScalar, SKINBAKE_FLOAT_OR_NORMALISED,
                          "SCALAR of float or normalised integers"};
const Format kPointerVec3Format{AccessorType::kVec3, SKINBAKE_FLOAT_OR_NORMALISED,
                                "VEC3 of float or integers"};
#undef SKINBAKE_FLOAT_OR_NORMALISED

// 317 years: later times are damaged, and their frames could not be counted.
constexpr double kLatest_s = 1e10;

constexpr int kEveryWeight = -1;

constexpr const char* kMovedBefore =
    "moves a property that another channel of the animation already moves";

using Values = std::shared_ptr<const std::vector<double>>;

class ClipsLoader {
 public:
  ClipsLoader(Document& document, const Skeleton& skeleton)
      : document_(document), skeleton_(skeleton) {}

  std::vector<Clip> load() {
    const auto& animations = document_.model.animations;
    std::vector<std::string> names;
    std::vector<int> numbers;
    for (const Model::Animation& animation : animations) {
      names.push_back(animation.name);
      numbers.push_back(static_cast<int>(numbers.size()));
    }
    const std::vector<std::string> ids = unique_ids(names, numbers);
    std::vector<Clip> clips;
    for (std::size_t a = 0; a < animations.size(); ++a) {
      Clip clip;
      const Fault fault = document_.fault_of([&] { clip = load_clip(a, ids[a]); });
      if (fault) {
        clip = {ids[a], static_cast<int>(a), animations[a].name, 0, {}, nullptr, fault};
        document_.note_fault("clip " + in_quotes(ids[a]), element_.pointer, *fault);
      }
      clips.push_back(std::move(clip));
    }
    return clips;
  }

 private:
  Clip load_clip(std::size_t a, const std::string& id) {
    animation_ = &document_.model.animations[a];
    element_ = {describe("animation", a, animation_->name), "/animations/" + std::to_string(a)};
    document_.require_element("animations", static_cast<int>(a));
    Clip clip{id, static_cast<int>(a), animation_->name, 0, {}};
    moved_.clear();
    moved_of_meshes_.clear();
    std::vector<std::pair<std::size_t, MeshWeights>> of_meshes;  // by channel
    for (std::size_t c = 0; c < animation_->channels.size(); ++c) {
      const auto sampler = static_cast<std::size_t>(animation_->channels[c].sampler);
      clip.targets.push_back({animation_->channels[c].sampler, target_element(document_, a, c)});
      clip.duration_s = std::max(clip.duration_s, times_of(sampler)->back());
      if (const auto weights = mesh_weights_of(document_, a, c)) {
        of_meshes.emplace_back(c, *weights);
      } else if (const auto node = visibility_of(document_, a, c)) {
        note_hidden_by(c, *node);
      } else {
        add_channel(a, c, clip);
      }
    }
    for (const auto& [c, weights] : of_meshes) add_mesh_weights(c, weights, clip);
    if (document_.role == Role::kClip) {  // else the rigs that the nodes move have their faults
      for (const Channel& channel : clip.channels) require_nodes(document_, {&channel.node, 1});
    }
    if (clip.channels.empty()) {
      document_.note("CLIP_EMPTY", element_.pointer,
                     element_.name + " does not move a node; the rest pose is baked");
    }
    return clip;
  }

  // The channel moves each node that has the mesh and does not have weights. A channel of the node
  // itself has precedence.
  void add_mesh_weights(std::size_t c, const MeshWeights& weights, Clip& clip) {
    const Element where = channel_element(c);
    const std::vector<NodeIndex>& nodes = nodes_of_meshes()[weights.mesh];
    if (nodes.empty()) return ignore(where, "moves weights of a mesh that no node follows");
    const bool is_repeated = !take(moved_of_meshes_[weights.mesh], weights.target);
    if (is_repeated) return ignore(where, kMovedBefore);
    Channel channel = channel_without_keys(weights.target);
    const auto sampler = static_cast<std::size_t>(animation_->channels[c].sampler);
    channel.times = times_of(sampler);
    fill(sampler, channel);
    bool are_all_free = true;
    for (const NodeIndex node : nodes) {
      if (take(moved_[{node, ChannelPath::kWeights}], weights.target)) {
        channel.node = node;
        clip.channels.push_back(channel);
      } else {
        are_all_free = false;
      }
    }
    if (!are_all_free) ignore(where, kMovedBefore);
  }

  // By mesh: the nodes that use the mesh's weights.
  std::map<int, std::vector<NodeIndex>>& nodes_of_meshes() {
    if (nodes_of_meshes_) return *nodes_of_meshes_;
    nodes_of_meshes_.emplace();
    const auto& nodes = document_.model.nodes;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (nodes[n].weights.empty()) {
        (*nodes_of_meshes_)[nodes[n].mesh].push_back(static_cast<NodeIndex>(n));
      }
    }
    return *nodes_of_meshes_;
  }

  // Notes that a channel hides meshes, which are read like visible ones.
  void note_hidden_by(std::size_t c, NodeIndex node) {
    const NodeIndex hidden = mesh_node_below(node);
    const std::string when = hidden < 0 ? "" : first_hidden(c);
    if (when.empty()) return;
    const Element where = channel_element(c);
    const Model::Node& source = document_.model.nodes[static_cast<std::size_t>(hidden)];
    document_.note("VISIBILITY_NOT_BAKED", where.pointer,
                   where.name + " hides " +
                       describe("node", static_cast<std::size_t>(hidden), source.name) + when +
                       " by KHR_node_visibility; a bake has its geometry in every frame");
  }

  // " at 0.3 s": the first key that hides; empty: no key does. Keys that cannot be read count
  // as hiding: no position depends on them, so that they do not refuse the file.
  std::string first_hidden(std::size_t c) {
    const auto sampler = static_cast<std::size_t>(animation_->channels[c].sampler);
    const std::vector<double>& times = *times_of(sampler);
    std::vector<double> keys;
    try {
      keys = decoded(animation_->samplers[sampler].output, sampler_element(sampler, "output"));
    } catch (const Error&) {
      return " for a time";
    }
    const auto first = std::find(keys.begin(), keys.end(), 0.0);
    if (first == keys.end()) return "";
    if (first == keys.begin() || keys.size() != times.size()) return " from the start";
    std::array<char, 32> text;
    std::snprintf(text.data(), text.size(), " at %.4g s", times[first - keys.begin()]);
    return text.data();
  }

  // The first mesh node of the scene at the node or below it; -1: none. The meshes of a clip's file
  // are in another file: there, the node itself.
  NodeIndex mesh_node_below(NodeIndex node) {
    if (document_.role == Role::kClip) return node;
    if (mesh_nodes_below_.empty()) {
      mesh_nodes_below_.assign(skeleton_.nodes.size(), -1);
      for (const NodeIndex n : scene_mesh_nodes(document_)) mesh_nodes_below_[n] = n;
      for (auto n = skeleton_.order.rbegin(); n != skeleton_.order.rend(); ++n) {
        const NodeIndex parent = skeleton_.nodes[*n].parent, found = mesh_nodes_below_[*n];
        if (parent >= 0 && mesh_nodes_below_[parent] < 0) mesh_nodes_below_[parent] = found;
      }
    }
    return mesh_nodes_below_[static_cast<std::size_t>(node)];
  }

  void ignore(const Element& where, const std::string& why) {
    document_.note("CHANNEL_IGNORED", where.pointer, where.name + " " + why + "; ignored");
  }

  // Marks what a target moves. False: another channel already moves it.
  static bool take(std::set<int>& moved, const AnimationTarget& target) {
    const bool single = target.path == ChannelPath::kWeights && target.width == 1;
    const int weight = single ? target.first_weight : kEveryWeight;
    if (moved.contains(kEveryWeight) || moved.contains(weight) || (!single && !moved.empty())) {
      return false;
    }
    moved.insert(weight);
    return true;
  }

  Channel channel_without_keys(const AnimationTarget& target) {
    integers_ = target.integers;
    Channel channel;
    channel.node = target.node;
    channel.path = target.path;
    channel.width = target.width;
    channel.first_weight = target.first_weight;
    channel.is_one_weight = target.is_one_weight;
    return channel;
  }

  // Adds the channel if it moves a node, and no other channel already moves its target.
  void add_channel(std::size_t a, std::size_t c, Clip& clip) {
    const Element where = channel_element(c);
    const std::optional<AnimationTarget> target = resolve_target(document_, skeleton_, a, c, where);
    if (!target) return;
    if (!take(moved_[{target->node, target->path}], *target)) return ignore(where, kMovedBefore);
    Channel channel = channel_without_keys(*target);
    const auto sampler = static_cast<std::size_t>(animation_->channels[c].sampler);
    channel.times = times_of(sampler);
    fill(sampler, channel);
    clip.channels.push_back(std::move(channel));
  }

  Element channel_element(std::size_t c) const {
    return {element_.name + " channel " + std::to_string(c),
            element_.pointer + "/channels/" + std::to_string(c)};
  }

  Element sampler_element(std::size_t sampler, const std::string& member) const {
    return {element_.name + " sampler " + std::to_string(sampler) + ", " + member,
            element_.pointer + "/samplers/" + std::to_string(sampler) + "/" + member};
  }

  Values times_of(std::size_t sampler) {
    const int accessor = animation_->samplers.at(sampler).input;
    Values& cached = times_[accessor];
    if (cached) return cached;
    const Element where = sampler_element(sampler, "input");
    check_format(document_, accessor, kTimesFormat, where);
    auto times = std::make_shared<const std::vector<double>>(decoded(accessor, where));
    check_times(*times, where);
    note_stride(accessor);
    return cached = times;
  }

  // The times of a STEP sampler, whose keys may have been rounded.
  Values step_times_of(int accessor, const Values& times) {
    Values& cached = step_times_[accessor];
    if (cached) return cached;
    auto moved = moved_to_frames(*times);
    return cached = moved ? std::make_shared<const std::vector<double>>(std::move(*moved)) : times;
  }

  std::vector<double> decoded(int accessor, const Element& where,
                              Integers integers = Integers::kFractions) {
    const AlignedArray<double> values = decode_all<double>(document_, accessor, where, integers);
    return {values.data(), values.data() + values.size()};
  }

  void check_times(const std::vector<double>& times, const Element& where) {
    if (!all_finite(times.data(), times.size())) {
      document_.fail("VALUE_NOT_FINITE", where, "has a NaN or an infinity");
    }
    if (times.front() < 0) {
      document_.fail("TIMES_INVALID", where, "has a negative key time");
    }
    if (times.back() > kLatest_s) {
      document_.fail("TIMES_INVALID", where, "has a key time after 10,000,000,000 s");
    }
    std::int64_t repeated = 0;
    for (std::size_t k = 1; k < times.size(); ++k) {
      if (times[k] < times[k - 1]) {
        document_.fail(
            "TIMES_INVALID", where,
            "has a key time that is less than the one before (key " + std::to_string(k) + ")");
      }
      repeated += times[k] == times[k - 1];
    }
    if (repeated == 0) return;
    document_.note("KEY_TIMES_REPEATED", where.pointer,
                   std::to_string(repeated) + " key times equal the one before; the last counts",
                   repeated);
  }

  void note_stride(int accessor) {
    const int view = accessor_at(document_, accessor).buffer_view;
    if (view < 0) return;
    if (document_.model.buffer_views[static_cast<std::size_t>(view)].byte_stride == 0) return;
    if (strided_views_[view]) return;
    strided_views_[view] = true;
    document_.note("ANIMATION_BYTE_STRIDE", "/bufferViews/" + std::to_string(view),
                   "animation keys with a byteStride; read with the stride");
  }

  void fill(std::size_t sampler, Channel& channel) {
    channel.interpolation = interpolation_of(sampler);
    if (channel.interpolation == Interpolation::kStep) {
      channel.times = step_times_of(animation_->samplers[sampler].input, channel.times);
    }
    const bool cubic = channel.interpolation == Interpolation::kCubicSpline;
    const std::size_t keys = channel.times->size();
    const int accessor = animation_->samplers[sampler].output;
    const Element where = sampler_element(sampler, "output");
    const std::size_t width =
        channel.path == ChannelPath::kWeights ? static_cast<std::size_t>(channel.width) : 1;
    check_format(document_, accessor, format_of(channel.path), where);
    const std::size_t count = accessor_at(document_, accessor).count;
    // The division comes first, so that the product below cannot overflow.
    if (count / width / (cubic ? 3 : 1) != keys || count != keys * width * (cubic ? 3 : 1)) {
      document_.fail(
          "ACCESSOR_COUNT", where,
          "has " + std::to_string(count) + " elements for " + std::to_string(keys) + " keys");
    }
    const bool unit = channel.path == ChannelPath::kRotation && !cubic;
    channel.values = values_of(accessor, unit, where);
    if (cubic && keys == 1) keep_single_key(channel, where);
  }

  Interpolation interpolation_of(std::size_t sampler) const {
    const std::string& name = animation_->samplers[sampler].interpolation;
    if (name.empty() || name == "LINEAR") return Interpolation::kLinear;
    if (name == "STEP") return Interpolation::kStep;
    if (name == "CUBICSPLINE") return Interpolation::kCubicSpline;
    document_.fail("SCHEMA_VIOLATION", sampler_element(sampler, "interpolation"),
                   "is " + in_quotes(name) + ", not STEP, LINEAR or CUBICSPLINE");
  }

  const Format& format_of(ChannelPath path) const {
    if (path == ChannelPath::kRotation) return kRotationFormat;
    if (path == ChannelPath::kWeights) return kMorphFormat;
    return integers_ == Integers::kAsDeclared ? kPointerVec3Format : kVec3Format;
  }

  // Channels that use one accessor share its values, so that a file cannot multiply memory.
  Values values_of(int accessor, bool unit, const Element& where) {
    Values& cached = values_[{accessor, unit, integers_}];
    if (cached) return cached;
    std::vector<double> values = decoded(accessor, where, integers_);
    if (!all_finite(values.data(), values.size())) {
      document_.fail("VALUE_NOT_FINITE", where, "has a NaN or an infinity");
    }
    if (unit) normalise_quaternions(values, where);
    note_stride(accessor);
    return cached = std::make_shared<const std::vector<double>>(std::move(values));
  }

  void normalise_quaternions(std::vector<double>& values, const Element& where) {
    std::int64_t off = 0, zero = 0;
    for (std::size_t k = 0; k < values.size(); k += 4) {
      double* q = &values[k];
      const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
      if (length > 0) {
        off += !(std::abs(length - 1) <= kUnitTolerance);
        for (int c = 0; c < 4; ++c) q[c] /= length;
      } else {
        ++zero;
        q[3] = 1;
      }
    }
    if (zero > 0) {
      document_.note("QUATERNION_ZERO", where.pointer,
                     std::to_string(zero) + " rotations have length zero; the identity is used",
                     zero);
    }
    if (off == 0) return;
    document_.note("QUATERNION_NOT_UNIT", where.pointer,
                   std::to_string(off) + " rotations do not have unit length; normalised", off);
  }

  void keep_single_key(Channel& channel, const Element& where) {
    channel.values = single_key_of(channel, where);
    channel.interpolation = Interpolation::kStep;
    document_.note("CUBIC_KEY_MISSING", where.pointer,
                   where.name + " is CUBICSPLINE with a single key; its value stays constant");
  }

  // The value between the two tangents. It is shared as the values of values_of are.
  Values single_key_of(const Channel& channel, const Element& where) {
    const bool is_rotation = channel.path == ChannelPath::kRotation;
    Values& cached = single_keys_[{channel.values, is_rotation}];
    if (cached) return cached;
    const auto width = static_cast<std::ptrdiff_t>(channel.width);
    const auto value = channel.values->begin() + width;
    std::vector<double> key(value, value + width);
    if (is_rotation) normalise_quaternions(key, where);
    return cached = std::make_shared<const std::vector<double>>(std::move(key));
  }

  Document& document_;
  const Skeleton& skeleton_;
  const Model::Animation* animation_ = nullptr;
  Element element_;
  std::map<int, Values> times_, step_times_;                  // by accessor
  std::map<std::tuple<int, bool, Integers>, Values> values_;  // by accessor and conversion
  std::map<std::pair<Values, bool>, Values> single_keys_;     // by values and whether they rotate
  // The targets of the animation's channels: the index of each moved weight, or kEveryWeight for
  // all weights and for the other properties.
  std::map<std::pair<NodeIndex, ChannelPath>, std::set<int>> moved_;
  std::map<int, std::set<int>> moved_of_meshes_;  // the same of pointers to weights of meshes
  std::optional<std::map<int, std::vector<NodeIndex>>> nodes_of_meshes_;
  std::vector<NodeIndex> mesh_nodes_below_;   // [node]; empty: not needed yet
  Integers integers_ = Integers::kFractions;  // conversion of the current channel
  std::map<int, bool> strided_views_;
};

}  // namespace

std::vector<Clip> load_clips(Document& document, const Skeleton& skeleton) {
  return ClipsLoader(document, skeleton).load();
}

}  // namespace skinbake::gltf
