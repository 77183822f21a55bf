#include "gltf/write/animation_writer.h"

#include <set>
#include <utility>

#include "clip/sampling/channel_path.h"
#include "clip/sampling/key_times.h"
#include "gltf/document/json_member.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

const char* accessor_type(ChannelPath path) {
  if (path == ChannelPath::kWeights) return "SCALAR";
  return path == ChannelPath::kRotation ? "VEC4" : "VEC3";
}

std::string unused_name(const json& animations, const std::string& name) {
  std::set<std::string> used;
  for (const json& animation : animations) {
    const json& other = member(animation, "name");
    if (other.is_string()) used.insert(other.get<std::string>());
  }
  std::string unused = name;
  for (int number = 2; used.contains(unused); ++number) {
    unused = name + "_" + std::to_string(number);
  }
  return unused;
}

// The instants of the frames, which glTF requires to have bounds.
std::size_t add_times(DocumentWriter& writer, const FrameRange& frames) {
  std::vector<float> times;
  times.reserve(static_cast<std::size_t>(frames.frame_count));
  for (std::int64_t k = 0; k < frames.frame_count; ++k) {
    times.push_back(key_time(frames, k));
  }
  const std::size_t count = times.size();
  const float first = times.front(), last = times.back();
  const std::size_t accessor =
      writer.add_accessor(writer.add_view(std::move(times)), "SCALAR", count);
  json& bounded = writer.array("accessors")[accessor];
  bounded["min"] = {first};
  bounded["max"] = {last};
  return accessor;
}

// An animated node must not have a matrix.
void replace_matrix(json& node, const Node& parts) {
  if (!node.contains("matrix")) return;
  const Vec3<double>&t = parts.translation, &s = parts.scale;
  const Quat<double>& q = parts.rotation;
  node.erase("matrix");
  node["translation"] = {t.x, t.y, t.z};
  node["rotation"] = {q.x, q.y, q.z, q.w};
  node["scale"] = {s.x, s.y, s.z};
}

}  // namespace

std::string add_animation(DocumentWriter& writer, const std::string& name, const FrameRange& frames,
                          std::vector<ClipTrack> tracks, std::span<const Node> nodes) {
  const std::size_t times = add_times(writer, frames);
  json samplers = json::array(), channels = json::array();
  for (ClipTrack& track : tracks) {
    const auto node = static_cast<std::size_t>(track.node);
    if (track.path != ChannelPath::kWeights) {
      replace_matrix(writer.document()["nodes"][node], nodes[node]);
    }
    const std::size_t width =
        track.path == ChannelPath::kWeights ? 1 : static_cast<std::size_t>(track.width);
    const std::size_t count = track.keys.size() / width;
    const std::size_t values = writer.add_accessor(writer.add_view(std::move(track.keys)),
                                                   accessor_type(track.path), count);
    channels.push_back({{"sampler", samplers.size()},
                        {"target", {{"node", node}, {"path", to_string(track.path)}}}});
    samplers.push_back({{"input", times}, {"output", values}, {"interpolation", "LINEAR"}});
  }
  json& animations = writer.array("animations");
  std::string unused = unused_name(animations, name);
  animations.push_back(
      {{"name", unused}, {"channels", std::move(channels)}, {"samplers", std::move(samplers)}});
  return unused;
}

}  // namespace skinbake::gltf
