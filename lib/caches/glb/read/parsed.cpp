#include "caches/glb/read/parsed.h"

#include <algorithm>

#include "base/nearest_word.h"
#include "caches/glb/options.h"
#include "caches/glb/read/animations.h"
#include "skinbake/clip.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

using Json = nlohmann::json;

constexpr const char* kMetadata = "asset.extras.skinbake";
constexpr const char* kMetadataMeshes = "asset.extras.skinbake.meshes";

const Json& metadata_of(const GlbDocument& document) {
  const Json& asset = document.member(document.root(), "asset", "the file");
  return document.member(document.member(asset, "extras", "asset"), "skinbake", "asset.extras");
}

FrameRange read_frame_range(const GlbDocument& document, const Json& source, double fps) {
  constexpr std::uint64_t kMaxFrame = std::uint64_t{1} << 40;
  constexpr std::uint64_t kMaxFrameCount = std::uint64_t{1} << 20;  // the writer's limit
  const auto integer = [&](const char* name, std::uint64_t max) {
    return static_cast<std::int64_t>(document.integer(source, name, max, kMetadata));
  };
  const FrameRange frames{fps, integer("first_frame", kMaxFrame), integer("frame_step", kMaxFrame),
                          integer("frame_count", kMaxFrameCount)};
  if (frames.frame_step < 1 || frames.frame_count < 1 ||
      frames.frame_step > static_cast<std::int64_t>(kMaxFrame) / frames.frame_count) {
    document.fail(kMetadata, "does not have frames");
  }
  return frames;
}

FrameRange read_all_frames(const GlbDocument& document) {
  const Json& metadata = metadata_of(document);
  const Json& fps = document.member(metadata, "fps", kMetadata);
  if (!fps.is_number() || !is_frame_rate(fps.get<double>())) {
    document.fail(kMetadata, "fps is not a number from 1e-15 to 1e15");
  }
  return read_frame_range(document, metadata, fps.get<double>());
}

// The frames of each clip. `all`: the frames of all clips.
std::vector<FrameRange> read_frames_of_clips(const GlbDocument& document, const FrameRange& all) {
  const Json& metadata = metadata_of(document);
  if (!metadata.contains("clips")) return {all};
  std::vector<FrameRange> clips;
  std::int64_t sum = 0;
  for (const Json& clip : document.array(metadata, "clips", kMetadata)) {
    clips.push_back(read_frame_range(document, clip, all.fps));
    sum += clips.back().frame_count;
  }
  if (sum != all.frame_count) document.fail(kMetadata, "does not list the clips of all frames");
  return clips;
}

GlbTimeline read_timeline(const GlbDocument& document, const std::vector<FrameRange>& clips) {
  constexpr std::int64_t kMaxFramesOfPart = 46341;  // the writer's limit
  const Json& metadata = metadata_of(document);
  std::vector<std::int64_t> counts;
  std::int64_t sum = 0;
  for (const FrameRange& frames : clips) {
    counts.push_back(frames.frame_count);
    sum += frames.frame_count;
  }
  const std::uint64_t max_targets =
      metadata.contains("split") ? document.integer(metadata, "split", kMaxViewerTargets, kMetadata)
                                 : 0;
  if (max_targets % kFramesPerBlock != 0) document.fail(kMetadata, "has an invalid split");
  if (max_targets == 0 && sum > kMaxFramesOfPart) document.fail(kMetadata, "has too many frames");
  return plan_timeline(counts, max_targets);
}

std::string text_in(const Json& object, const char* name) {
  return object.contains(name) && object.at(name).is_string() ? object.at(name).get<std::string>()
                                                              : "";
}

// Checks that each animation has the name of its clip.
void check_names(const GlbDocument& document, const std::vector<CacheClip>& clips) {
  const Json& animations = document.array(document.root(), "animations", "the file");
  for (std::size_t c = 0; c < clips.size(); ++c) {
    if (text_in(animations[c], "name") == clips[c].clip) continue;
    document.fail("animation " + std::to_string(c), "has another name than its clip");
  }
}

// Checks that the scene that viewers show contains every node.
void check_scene(const GlbDocument& document) {
  const Json& scenes = document.array(document.root(), "scenes", "the file");
  const Json& scene = document.member(document.root(), "scene", "the file");
  if (scenes.size() != 1 || scene != 0)
    document.fail("the file", "does not have exactly one scene");
  const std::size_t nodes = document.array(document.root(), "nodes", "the file").size();
  const Json& shown = document.array(scenes[0], "nodes", "scene 0");
  for (std::size_t i = 0; i < std::max(nodes, shown.size()); ++i) {
    if (i >= nodes || i >= shown.size() || shown[i] != i) {
      document.fail("scene 0", "does not show every node");
    }
  }
}

// `frames`: of each clip, by read_frames_of_clips().
std::vector<CacheClip> read_clips(const GlbDocument& document,
                                  const std::vector<FrameRange>& frames) {
  const Json& metadata = metadata_of(document);
  std::vector<CacheClip> clips;
  const auto add = [&clips](const std::string& id, const FrameRange& range) {
    clips.push_back({id, range.first_frame, range.frame_step, range.frame_count});
  };
  if (!metadata.contains("clips")) {
    const std::string id = text_in(metadata, "clip");
    if (!id.empty()) add(id, frames[0]);
    return clips;
  }
  for (std::size_t c = 0; c < frames.size(); ++c) {
    add(text_in(metadata["clips"][c], "id"), frames[c]);
  }
  return clips;
}

}  // namespace

[[noreturn]] void refuse_glb(const std::string& path, const std::string& element,
                             const std::string& cause) {
  throw Error("CACHE_INVALID", element + ": " + cause + " (skinbake reads only its own GLB caches)",
              {path, ""});
}

ParsedGlb parse_glb(const RandomAccessFile& file, const std::string& path) {
  const GlbErrorThrower refuse = [path](const std::string& element, const std::string& cause) {
    refuse_glb(path, element, cause);
  };
  try {
    ParsedGlb parsed{read_glb_document(file, refuse), {}, {}, {}};
    parsed.frames = read_all_frames(parsed.document);
    const std::vector<FrameRange> clips = read_frames_of_clips(parsed.document, parsed.frames);
    parsed.timeline = read_timeline(parsed.document, clips);
    parsed.clips = read_clips(parsed.document, clips);
    check_scene(parsed.document);
    if (parsed.frames.frame_count > 1) {
      check_animations(parsed.document, file, parsed.timeline, clips);
      check_names(parsed.document, parsed.clips);
    }
    return parsed;
  } catch (const Json::exception&) {
    refuse("the JSON text", "has a value of another type than the writer gives it");
    throw;  // unreachable
  }
}

std::vector<std::string> read_mesh_ids(const GlbDocument& document) {
  const Json& metadata = metadata_of(document);
  if (!metadata.contains("meshes")) return {};
  std::vector<std::string> ids;
  for (const Json& mesh : document.array(metadata, "meshes", kMetadata)) {
    ids.push_back(document.member(mesh, "id", kMetadataMeshes).get<std::string>());
  }
  return ids;
}

std::optional<SelectedMesh> select_mesh(const GlbDocument& document, const std::string& wanted,
                                        const std::string& path) {
  if (wanted.empty()) return std::nullopt;
  const Json& meshes = document.array(metadata_of(document), "meshes", kMetadata);
  std::string ids;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    const auto id = document.member(meshes[i], "id", kMetadataMeshes).get<std::string>();
    const Json& node = document.member(meshes[i], "node", kMetadataMeshes);
    if (id == wanted || "#" + node.dump() == wanted) {
      return meshes.size() > 1 ? std::optional(SelectedMesh{i, id}) : std::nullopt;
    }
    ids += (ids.empty() ? "'" : ", '") + id + "'";
    known.push_back(id);
  }
  throw Error(
      "MESH_UNKNOWN",
      "no mesh '" + wanted + "' in the cache; there are: " + ids + did_you_mean(wanted, known),
      {path, ""});
}

}  // namespace skinbake
