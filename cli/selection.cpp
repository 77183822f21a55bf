#include "selection.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

namespace skinbake::cli {

namespace {

[[noreturn]] void usage(const std::string& code, const std::string& message) {
  throw Error(ErrorKind::kUsage, code, message);
}

template <class Things, class IdOf>
std::string list_of(const Things& things, const IdOf& id_of) {
  constexpr std::size_t kShown = 20;
  std::string text;
  std::size_t shown = 0;
  for (const auto& thing : things) {
    if (shown == kShown) return text + fmt::format(", … ({} in all)", things.size());
    text += (shown++ == 0 ? "'" : ", '") + std::string(id_of(thing)) + "'";
  }
  return text.empty() ? "none" : text;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 0) return {};
  return number;
}

std::optional<std::int64_t> index_of(const std::string& wanted) {
  return wanted.starts_with('#') ? whole_number(std::string_view(wanted).substr(1)) : std::nullopt;
}

bool names_a_file(const std::string& wanted) {
  const std::string path = wanted.substr(0, wanted.rfind('#'));
  const std::string extension = std::filesystem::path(path).extension().string();
  return extension == ".gltf" || extension == ".glb" || extension == ".vrm" || extension == ".vrma";
}

std::string clips_of(const Asset& asset) {
  return list_of(asset.clips, [](const Clip& c) { return c.id; });
}

}  // namespace

std::vector<const Clip*> select_clips(const Asset& asset, const std::string& wanted) {
  if (wanted.empty() && asset.clips.empty()) return {nullptr};
  if (wanted.empty() && asset.clips.size() == 1) return {&asset.clips.front()};
  if (wanted.empty()) {
    usage("CLIP_AMBIGUOUS",
          asset.path + ": several clips; choose with --clip: 'all', " + clips_of(asset));
  }
  for (const Clip& clip : asset.clips) {
    if (clip.id == wanted) return {&clip};
  }
  if (wanted == "all" && !asset.clips.empty()) {
    std::vector<const Clip*> all;
    for (const Clip& clip : asset.clips) all.push_back(&clip);
    return all;
  }
  const auto index = index_of(wanted);
  if (index && *index < static_cast<std::int64_t>(asset.clips.size())) {
    return {&asset.clips[static_cast<std::size_t>(*index)]};
  }
  if (names_a_file(wanted)) {
    usage(
        "CLIP_FILE_UNSUPPORTED",
        "--clip " + wanted + ": clips are read from the rig's own file only; copy the clip there");
  }
  usage("CLIP_UNKNOWN", asset.path + ": no clip '" + wanted + "'; there are: " + clips_of(asset));
}

std::vector<const Rig*> select_meshes(const Asset& asset, const std::vector<std::string>& wanted) {
  std::vector<bool> chosen(asset.rigs.size(), wanted.empty());
  for (const std::string& id : wanted) {
    const auto node = index_of(id);
    auto found = std::find_if(asset.rigs.begin(), asset.rigs.end(),
                              [&](const Rig& rig) { return rig.id == id; });
    if (found == asset.rigs.end() && node) {
      found = std::find_if(asset.rigs.begin(), asset.rigs.end(),
                           [&](const Rig& rig) { return rig.node == *node; });
    }
    if (found == asset.rigs.end()) {
      usage("MESH_UNKNOWN", asset.path + ": no mesh node '" + id + "'; there are: " +
                                list_of(asset.rigs, [](const Rig& rig) { return rig.id; }));
    }
    chosen[static_cast<std::size_t>(found - asset.rigs.begin())] = true;
  }
  std::vector<const Rig*> rigs;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i]) rigs.push_back(&asset.rigs[i]);
  }
  if (rigs.empty()) {
    throw Error(ErrorKind::kInput, "NOTHING_TO_BAKE", "no mesh in the scene; nothing to bake",
                {asset.path, "/scenes"});
  }
  return rigs;
}

FrameRange select_frames(const Clip* clip, const FrameOptions& options) {
  if (!(options.fps > 0) || !std::isfinite(options.fps)) {
    usage("FPS_INVALID", "--fps must be a positive number");
  }
  const double duration = clip == nullptr ? 0 : clip->duration_s;
  if (duration * options.fps > 2147483646.0) {
    usage("TOO_MANY_FRAMES", fmt::format("clip '{}' lasts {} s: more than 2147483647 frames at {} "
                                         "fps; choose a smaller --fps",
                                         clip->id, duration, options.fps));
  }
  std::int64_t last = last_frame(duration, options.fps);
  if (options.loop && last > 0) --last;
  FrameRange range{options.fps, 0, 1, last + 1};
  if (!options.frames) return range;

  std::vector<std::int64_t> parts;
  std::string_view rest = *options.frames;
  for (bool more = true; more;) {
    const std::size_t colon = rest.find(':');
    more = colon != std::string_view::npos;
    const auto number = whole_number(rest.substr(0, colon));
    if (!number || parts.size() == 3) {
      usage("FRAMES_INVALID",
            "--frames " + *options.frames + ": write A:B or A:B:STEP, such as 0:47");
    }
    parts.push_back(*number);
    if (more) rest.remove_prefix(colon + 1);
  }
  const std::int64_t first = parts[0], final = parts.size() > 1 ? parts[1] : parts[0];
  const std::int64_t step = parts.size() > 2 ? parts[2] : 1;
  if (first > final || step < 1) {
    usage("FRAMES_INVALID",
          "--frames " + *options.frames + ": A must not exceed B, STEP is 1 or more");
  }
  if (final > last) {
    usage("FRAMES_OUTSIDE", fmt::format("--frames {}: the clip has frames 0:{} at {} fps",
                                        *options.frames, last, options.fps));
  }
  return {options.fps, first, step, (final - first) / step + 1};
}

}  // namespace skinbake::cli
