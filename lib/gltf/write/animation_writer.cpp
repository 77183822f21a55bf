#include "gltf/write/animation_writer.h"

#include <utility>

#include "clip/sampling/sample.h"
#include "gltf/document/json_member.h"
#include "gltf/document/message_text.h"
#include "skinbake/error.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

const char* accessor_type(ChannelPath path) {
  if (path == ChannelPath::kWeights) return "SCALAR";
  return path == ChannelPath::kRotation ? "VEC4" : "VEC3";
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

void require_distinct_times(const FrameRange& frames, const std::string& clip) {
  // Floats are farther apart the greater they are, so the last two frames are the nearest ones.
  const std::int64_t last = frames.frame_count - 1;
  if (last < 1 || key_time(frames, last - 1) < key_time(frames, last)) return;
  throw Error("CACHE_TIMES_COLLIDE",
              "clip " + in_quotes(clip) +
                  ": two frames have the same time in the float32 that glTF stores");
}

AnimationWriter::AnimationWriter(DocumentWriter& writer) : writer_(writer) {
  for (const json& animation : member(writer.current(), "animations")) {
    const json& name = member(animation, "name");
    if (name.is_string()) names_.insert(name.get<std::string>());
  }
}

std::string AnimationWriter::take_unused(const std::string& name) {
  std::string unused = name;
  int& number = next_number_.try_emplace(name, 2).first->second;
  while (!names_.insert(unused).second) unused = name + "_" + std::to_string(number++);
  return unused;
}

std::string AnimationWriter::add(const std::string& name, const FrameRange& frames,
                                 std::vector<ClipTrack> tracks, std::span<const Node> nodes) {
  const std::size_t times = writer_.add_times(key_times(frames));
  json samplers = json::array(), channels = json::array();
  for (ClipTrack& track : tracks) {
    const auto node = static_cast<std::size_t>(track.node);
    if (track.path != ChannelPath::kWeights) {
      replace_matrix(writer_.document().element("nodes", node), nodes[node]);
    }
    const std::size_t width =
        track.path == ChannelPath::kWeights ? 1 : static_cast<std::size_t>(track.width);
    const std::size_t count = track.keys.size() / width;
    const std::size_t values = writer_.add_accessor(writer_.add_view(std::move(track.keys)),
                                                    accessor_type(track.path), count);
    channels.push_back({{"sampler", samplers.size()},
                        {"target", {{"node", node}, {"path", to_string(track.path)}}}});
    samplers.push_back({{"input", times}, {"output", values}, {"interpolation", "LINEAR"}});
  }
  std::string unused = take_unused(name);
  writer_.document().append(
      "animations",
      {{"name", unused}, {"channels", std::move(channels)}, {"samplers", std::move(samplers)}});
  return unused;
}

}  // namespace skinbake::gltf
