#include "caches/glb/read/parsed.h"

#include <algorithm>
#include <cmath>

#include "caches/glb/options.h"
#include "skinbake/error.h"
#include "skinbake/tool/words/nearest_word.h"

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
  if (frames.frame_step < 1 || frames.frame_count < 1) {
    document.fail(kMetadata, "does not have frames");
  }
  return frames;
}

FrameRange read_all_frames(const GlbDocument& document) {
  const Json& metadata = metadata_of(document);
  const Json& fps = document.member(metadata, "fps", kMetadata);
  if (!fps.is_number() || !(fps.get<double>() > 0) || !std::isfinite(fps.get<double>())) {
    document.fail(kMetadata, "fps is not a positive, finite number");
  }
  return read_frame_range(document, metadata, fps.get<double>());
}

// The clips and the parts of the file. `all`: the frames of all clips.
GlbTimeline read_timeline(const GlbDocument& document, const FrameRange& all) {
  constexpr std::int64_t kMaxFramesOfPart = 46341;  // the writer's limit
  const Json& metadata = metadata_of(document);
  std::vector<std::int64_t> counts;
  std::int64_t sum = 0;
  if (metadata.contains("clips")) {
    for (const Json& clip : document.array(metadata, "clips", kMetadata)) {
      counts.push_back(read_frame_range(document, clip, all.fps).frame_count);
      sum += counts.back();
    }
  } else {
    counts.push_back(sum = all.frame_count);
  }
  if (sum != all.frame_count) document.fail(kMetadata, "does not list the clips of all frames");
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

// Precondition: read_timeline has accepted the clips.
std::vector<CacheClip> read_clips(const GlbDocument& document, const FrameRange& all) {
  const Json& metadata = metadata_of(document);
  std::vector<CacheClip> clips;
  const auto add = [&clips](const std::string& id, const FrameRange& frames) {
    clips.push_back({id, frames.first_frame, frames.frame_step, frames.frame_count});
  };
  if (!metadata.contains("clips")) {
    const std::string id = text_in(metadata, "clip");
    if (!id.empty()) add(id, all);
    return clips;
  }
  for (const Json& clip : document.array(metadata, "clips", kMetadata)) {
    add(text_in(clip, "id"), read_frame_range(document, clip, all.fps));
  }
  return clips;
}

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

void check_weights(const GlbDocument& document, const RandomAccessFile& file, const Json& sampler,
                   const GlbFrameSpan& part, const GlbFrameSpan& shown, const std::string& owner) {
  const auto scalars = [&](const char* name) {
    return document.scalars(document.integer(sampler, name, file.size(), owner), owner);
  };
  const ListedWeights expected(part, shown);
  const auto times = scalars("input"), weights = scalars("output");
  if (times.count != shown.count() || weights.count != times.count * (part.count() - 1) ||
      weights.sparse_count != expected.indices.size() || weights.index_bytes != 4) {
    document.fail(owner, "does not have one key and one weight for each frame");
  }
  std::vector<std::uint32_t> indices(weights.sparse_count);
  std::vector<float> values(weights.sparse_count);
  file.read_at(indices.data(), indices.size() * 4, weights.indices_offset);
  file.read_at(values.data(), values.size() * 4, weights.values_offset);
  if (indices != expected.indices || values != expected.values) {
    document.fail(owner, "has a frame in which not exactly one weight is 1");
  }
}

// Checks the weights of all animations. Their samplers precede those of the nodes' scales, which
// select the visible part and do not move vertices.
void check_animations(const GlbDocument& document, const RandomAccessFile& file,
                      const GlbTimeline& timeline) {
  const Json& animations = document.array(document.root(), "animations", "the file");
  if (animations.size() != timeline.clips.size()) {
    document.fail("the file", "does not have exactly one animation for each clip");
  }
  for (std::size_t c = 0; c < timeline.clips.size(); ++c) {
    const std::string owner = "animation " + std::to_string(c);
    const Json& samplers = document.array(animations[c], "samplers", owner);
    std::size_t next = 0;
    const GlbTimeline::Parts parts = timeline.parts_of(c);
    for (std::size_t part = parts.first; part < parts.end; ++part) {
      if (timeline.target_count(part) == 0) continue;
      const GlbFrameSpan shown = timeline.shown(part, c);
      if (next >= samplers.size()) document.fail(owner, "does not have a sampler for each mesh");
      check_weights(document, file, samplers[next++], timeline.parts[part], shown, owner);
    }
    if (timeline.parts.size() == 1 && samplers.size() != next) {
      document.fail(owner, "does not have exactly one sampler");
    }
  }
}

}  // namespace

[[noreturn]] void refuse_glb(const std::string& path, const std::string& element,
                             const std::string& cause) {
  throw Error(ErrorKind::kInput, "CACHE_INVALID",
              element + ": " + cause + "; only a GLB cache that skinbake wrote can be read",
              {path, ""});
}

ParsedGlb parse_glb(const RandomAccessFile& file, const std::string& path,
                    std::uint64_t max_memory) {
  const GlbErrorThrower refuse = [path](const std::string& element, const std::string& cause) {
    refuse_glb(path, element, cause);
  };
  try {
    ParsedGlb parsed{read_glb_document(file, max_memory, refuse), {}, {}, {}};
    parsed.frames = read_all_frames(parsed.document);
    parsed.timeline = read_timeline(parsed.document, parsed.frames);
    parsed.clips = read_clips(parsed.document, parsed.frames);
    if (parsed.frames.frame_count > 1) check_animations(parsed.document, file, parsed.timeline);
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
      ErrorKind::kUsage, "MESH_UNKNOWN",
      "no mesh '" + wanted + "' in the cache; there are: " + ids + did_you_mean(wanted, known),
      {path, ""});
}

}  // namespace skinbake
