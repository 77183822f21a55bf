#include "caches/glb/parsed.h"

#include <algorithm>
#include <string_view>

#include "base/nearest_word.h"
#include "caches/format_list.h"
#include "caches/glb/options.h"
#include "caches/sidecar.h"
#include "json/print.h"
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
  FrameRange frames{fps, integer("first_frame", kMaxFrame), integer("frame_step", kMaxFrame),
                    integer("frame_count", kMaxFrameCount)};
  if (frames.frame_step < 1 || frames.frame_count < 1 ||
      frames.frame_step > static_cast<std::int64_t>(kMaxFrame) / frames.frame_count) {
    document.fail(kMetadata, "does not have frames");
  }
  if (!read_end(source, frames)) {
    document.fail(kMetadata, "has an end_s that is not between the last frame and the one before");
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
    clips.push_back({id, range.first_frame, range.frame_step, range.frame_count, end_of(range)});
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
    const Json asset = parsed.document.root().value("asset", Json::object());
    if (!asset.value("extras", Json::object()).contains("skinbake")) refuse_rig(path);
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
    if (id == wanted || "#" + dumped(node) == wanted) {
      return meshes.size() > 1 ? std::optional(SelectedMesh{i, id}) : std::nullopt;
    }
    ids += (ids.empty() ? "'" : ", '") + id + "'";
    known.push_back(id);
  }
  if (wanted == "all") return std::nullopt;
  throw Error(
      "MESH_UNKNOWN",
      "no mesh '" + wanted + "' in the cache; there are: " + ids + did_you_mean(wanted, known),
      {path, ""});
}

namespace {

using Json = nlohmann::json;

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

// What a sampler moves: the weights or the scale of the node of a part, of every mesh.
struct ExpectedChannel {
  std::size_t part, sampler;
  std::string_view path;
};

// Checks the animation of one clip. Its samplers are, as the writer lists them: the weights of each
// part that shows the clip; in a file of several parts, the scales that show each of these parts
// from its first frame on, and the zero that hides all other parts.
class AnimationCheck {
 public:
  AnimationCheck(const GlbDocument& document, const RandomAccessFile& file,
                 const GlbTimeline& timeline, std::size_t clip, const FrameRange& frames)
      : document_(document),
        file_(file),
        timeline_(timeline),
        clip_(clip),
        frames_(frames),
        parts_(timeline.parts_of(clip)),
        owner_("animation " + std::to_string(clip)),
        animation_(document.array(document.root(), "animations", "the file")[clip]),
        samplers_(document.array(animation_, "samplers", owner_)) {}

  void run() {
    for (std::size_t part = parts_.first; part < parts_.end; ++part) check_weights(part);
    if (timeline_.parts.size() > 1) check_scales();
    if (channels_.empty() ? !samplers_.empty() : samplers_.size() != next_) {
      fail("does not have exactly the samplers of its meshes");
    }
    check_channels();
  }

 private:
  [[noreturn]] void fail(const std::string& cause) const { document_.fail(owner_, cause); }

  const Json& next_sampler() {
    if (next_ >= samplers_.size()) fail("does not have a sampler for each mesh");
    return samplers_[next_++];
  }

  std::uint64_t accessor_of(const Json& sampler, const char* name) const {
    return document_.integer(sampler, name, file_.size(), owner_);
  }

  float time_of(std::size_t frame_of_file) const {
    const auto k = static_cast<std::int64_t>(frame_of_file - timeline_.clips[clip_].first);
    return static_cast<float>(frames_.time_s(k));
  }

  void check_times(const Json& sampler, const std::vector<float>& expected) const {
    const auto times = document_.scalars(accessor_of(sampler, "input"), owner_);
    if (times.count != expected.size() || times.sparse_count != 0 || times.stream_bytes != 0 ||
        times.stride != sizeof(float)) {
      fail("does not have one key for each frame");
    }
    std::vector<float> stored(expected.size());
    file_.read_at(stored.data(), stored.size() * sizeof(float), times.values_offset);
    if (stored != expected) fail("has keys at other times than its frames");
  }

  void check_weights(std::size_t part) {
    const std::size_t targets = timeline_.target_count(part);
    if (targets == 0) return;
    channels_.push_back({part, next_, "weights"});
    const Json& sampler = next_sampler();
    const GlbFrameSpan shown = timeline_.shown(part, clip_);
    std::vector<float> times;
    for (std::size_t f = shown.first; f < shown.end; ++f) times.push_back(time_of(f));
    check_times(sampler, times);
    const Json& interpolation = document_.member(sampler, "interpolation", owner_);
    if (interpolation != "LINEAR" && interpolation != "STEP") {
      fail("moves its meshes by other weights than its frames need");
    }
    const ListedWeights expected(timeline_.parts[part], shown);
    const auto weights = document_.scalars(accessor_of(sampler, "output"), owner_);
    if (weights.count != shown.count() * targets ||
        weights.sparse_count != expected.indices.size() || weights.index_bytes != 4) {
      fail("does not have one weight for each frame");
    }
    std::vector<std::uint32_t> indices(weights.sparse_count);
    std::vector<float> values(weights.sparse_count);
    file_.read_at(indices.data(), indices.size() * 4, weights.indices_offset);
    file_.read_at(values.data(), values.size() * 4, weights.values_offset);
    if (indices != expected.indices || values != expected.values) {
      fail("has a frame in which not exactly one weight is 1");
    }
  }

  // Steps from one scale to the next, equal on all axes.
  void check_steps(const std::vector<float>& times, const std::vector<float>& expected) {
    const Json& sampler = next_sampler();
    check_times(sampler, times);
    if (document_.member(sampler, "interpolation", owner_) != "STEP") {
      fail("does not show its meshes in steps");
    }
    const auto scales = document_.directions(accessor_of(sampler, "output"), owner_);
    if (!scales.is_float || scales.count != expected.size() || scales.sparse_count != 0) {
      fail("does not have one scale for each of its meshes");
    }
    std::vector<float> stored(3 * expected.size());
    read_glb_vectors(
        file_, scales,
        [this](const std::string& element, const std::string& cause) {
          document_.fail(element, cause);
        },
        stored.data());
    for (std::size_t i = 0; i < stored.size(); ++i) {
      if (stored[i] != expected[i / 3]) fail("shows a mesh at other times than the mesh's frames");
    }
  }

  void check_scales() {
    std::vector<float> starts;
    for (std::size_t part = parts_.first; part < parts_.end; ++part) {
      starts.push_back(time_of(timeline_.shown(part, clip_).first));
    }
    for (std::size_t i = 0; i < starts.size(); ++i) {
      channels_.push_back({parts_.first + i, next_, "scale"});
      std::vector<float> scales(starts.size());
      scales[i] = 1;
      check_steps(starts, scales);
    }
    if (starts.size() == timeline_.parts.size()) return;
    for (std::size_t part = 0; part < timeline_.parts.size(); ++part) {
      const bool is_shown = parts_.first <= part && part < parts_.end;
      if (!is_shown) channels_.push_back({part, next_, "scale"});
    }
    check_steps({starts[0]}, {0});
  }

  void check_channels() const {
    const std::size_t nodes = document_.array(document_.root(), "nodes", "the file").size();
    const std::size_t meshes = nodes / timeline_.parts.size();
    const Json& channels = document_.array(animation_, "channels", owner_);
    if (channels.size() != meshes * channels_.size()) {
      fail("does not have exactly the channels of its meshes");
    }
    for (std::size_t i = 0; i < channels.size(); ++i) {
      const ExpectedChannel& expected = channels_[i % channels_.size()];
      const std::size_t node = i / channels_.size() * timeline_.parts.size() + expected.part;
      const Json& target = document_.member(channels[i], "target", owner_);
      if (document_.integer(channels[i], "sampler", samplers_.size(), owner_) != expected.sampler ||
          document_.integer(target, "node", nodes, owner_) != node ||
          document_.member(target, "path", owner_) != expected.path) {
        fail("has a channel that does not move its mesh");
      }
    }
  }

  const GlbDocument& document_;
  const RandomAccessFile& file_;
  const GlbTimeline& timeline_;
  std::size_t clip_;
  const FrameRange& frames_;
  GlbTimeline::Parts parts_;
  std::string owner_;
  const Json& animation_;
  const Json& samplers_;
  std::size_t next_ = 0;  // the sampler to check
  std::vector<ExpectedChannel> channels_;
};

}  // namespace

void check_animations(const GlbDocument& document, const RandomAccessFile& file,
                      const GlbTimeline& timeline, std::span<const FrameRange> clips) {
  const Json& animations = document.array(document.root(), "animations", "the file");
  if (animations.size() != clips.size()) {
    document.fail("the file", "does not have exactly one animation for each clip");
  }
  for (std::size_t c = 0; c < clips.size(); ++c) {
    AnimationCheck(document, file, timeline, c, clips[c]).run();
  }
}

}  // namespace skinbake
