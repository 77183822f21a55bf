#include "caches/glb/layout.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/containers.h"
#include "caches/mesh_cache.h"
#include "rig/primitive_normals.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

// The limit of the number of weights, F x (F-1): a signed 32-bit integer must hold it.
constexpr std::int64_t kMaxWeights = std::numeric_limits<std::int32_t>::max();
// Each target takes more than 256 bytes of JSON, so more targets never fit into it.
constexpr std::uint64_t kMaxTargets = kMaxGlbJsonBytes / 256;

[[noreturn]] void fail_too_large(const std::string& path, const std::string& cause) {
  throw Error("CACHE_TOO_LARGE", cause, {path, ""});
}

// `f`: the number of frames of all clips.
void check_counts(const std::string& path, std::int64_t f, bool split, std::uint64_t primitives) {
  if (!split && (f > kMaxWeights || f * (f - 1) > kMaxWeights)) {
    fail_too_large(path, std::to_string(f) + " frames; a GLB of morph targets holds 46341 at most");
  }
  if (primitives > 0 && static_cast<std::uint64_t>(f) > kMaxTargets / primitives) {
    fail_too_large(path, std::to_string(f) + " frames of " + std::to_string(primitives) +
                             " primitives; a GLB holds " + std::to_string(kMaxTargets) +
                             " morph targets at most");
  }
}

// The limit of the scales that show and hide the parts of a file with split=1. Each clip hides the
// parts that it does not have, and each part of a clip hides the others.
constexpr std::uint64_t kMaxPartScales = std::uint64_t{1} << 20;  // their JSON takes 100 MB

void check_parts(const std::string& path, const GlbTimeline& timeline, std::uint64_t meshes) {
  const std::uint64_t clips = timeline.clips.size(), parts = timeline.parts.size();
  std::uint64_t scales = clips * parts * meshes;
  for (std::size_t c = 0; c < clips; ++c) {
    const std::uint64_t shown = timeline.parts_of(c).count();
    scales += shown * shown;
  }
  if (scales <= kMaxPartScales) return;
  throw Error("CACHE_TOO_LARGE",
              std::to_string(clips) + (clips == 1 ? " clip" : " clips") + " and " +
                  std::to_string(parts) + " parts of each mesh need " + std::to_string(scales) +
                  " scales that show and hide the parts; a GLB holds " +
                  std::to_string(kMaxPartScales) + " at most (option targets)",
              {path, ""});
}

std::vector<float> times_of(const FrameRange& frames) {
  std::vector<float> times;
  for (std::int64_t k = 0; k < frames.frame_count; ++k) {
    times.push_back(static_cast<float>(frames.time_s(k)));
  }
  return times;
}

void check_times(const std::string& path, const FrameRange& frames) {
  const std::vector<float> times = times_of(frames);
  for (std::size_t k = 1; k < times.size(); ++k) {
    if (times[k] > times[k - 1]) continue;
    const auto frame = frames.frame(static_cast<std::int64_t>(k));
    throw Error("CACHE_TIMES_COLLIDE",
                "frames " + std::to_string(frame - frames.frame_step) + " and " +
                    std::to_string(frame) + " have the same time as float32",
                {path, ""});
  }
}

std::vector<GlbPrimitive> plan_primitives(const Mesh& mesh, std::optional<NormalKind> normals) {
  std::vector<GlbPrimitive> planned;
  for (const Primitive& vertices : mesh.primitives) {
    if (vertices.vertex_count == 0) continue;
    const std::size_t first_w = std::size_t{vertices.first_vertex} * 4 + 3;
    planned.push_back({vertices,
                       {},
                       normals == NormalKind::kGeometric || has_normals(mesh.normals, vertices),
                       !mesh.tangents.empty() && mesh.tangents[first_w] != 0});
  }
  return planned;
}

GlbMesh plan_mesh(const CacheHeader& header, const GlbOptions& options,
                  const GlbTimeline& timeline) {
  GlbMesh mesh;
  mesh.header = header;
  mesh.primitives = plan_primitives(*header.rig->mesh, header.normals);
  mesh.attributes.push_back({kPositionAttribute, {}, {}, {}});
  if (options.normals && header.normals) {
    mesh.attributes.push_back({kNormalAttribute, {}, {}, {}});
  }
  if (mesh.has_normals() && options.tangents && header.tangents) {
    mesh.attributes.push_back({kTangentAttribute, {}, {}, {}});
  }
  const std::size_t parts = timeline.parts.size();
  for (GlbPrimitive& primitive : mesh.primitives) primitive.bounds.resize(parts);
  for (GlbMorphedAttribute& attribute : mesh.attributes) {
    attribute.bases.resize(parts, {{}, std::vector<BinRange>(mesh.primitives.size())});
    attribute.blocks.resize(timeline.block_count());
    attribute.targets.resize(timeline.frame_count() * mesh.primitives.size());
  }
  return mesh;
}

BinRange append_floats(const std::vector<float>& values, const AppendBytes& append) {
  return append(values.data(), values.size() * sizeof(float));
}

// Appends the weights of the targets of a part in the frames of a clip: 1 for the target of the
// frame, else 0. The base does not have a target.
void append_weights(const GlbTimeline& timeline, std::size_t part, const GlbFrameSpan& shown,
                    const AppendBytes& append, GlbClip::Weights& weights) {
  const std::size_t base = timeline.parts[part].first, targets = timeline.target_count(part);
  std::vector<std::uint32_t> indices;
  for (std::size_t f = std::max(shown.first, base + 1); f < shown.end; ++f) {
    indices.push_back(static_cast<std::uint32_t>((f - shown.first) * targets + f - base - 1));
  }
  std::vector<float> values(indices.size(), 1.0F);
  if (indices.empty()) indices = {0}, values = {0};  // a sparse accessor must list an element
  weights.count = indices.size();
  weights.indices = append(indices.data(), indices.size() * sizeof(std::uint32_t));
  weights.values = append_floats(values, append);
}

// Appends the times from which each part shows the clip, and for each part the scales of its node
// at these times: (1, 1, 1) from its own time on, else (0, 0, 0).
void append_visibility(const GlbTimeline& timeline, std::size_t c, const std::vector<float>& times,
                       const AppendBytes& append, GlbClip& clip) {
  std::vector<float> starts, scales;
  for (std::size_t part = clip.parts.first; part < clip.parts.end; ++part) {
    starts.push_back(times[timeline.shown(part, c).first - timeline.clips[c].first]);
    for (std::size_t visible = clip.parts.first; visible < clip.parts.end; ++visible) {
      scales.insert(scales.end(), 3, visible == part ? 1.0F : 0.0F);
    }
  }
  clip.part_times = append_floats(starts, append);
  clip.part_scales = append_floats(scales, append);
}

void append_animation(const GlbTimeline& timeline, std::size_t c, const AppendBytes& append,
                      GlbClip& clip) {
  const std::vector<float> times = times_of(clip.frames);
  clip.times = append_floats(times, append);
  for (std::size_t i = 0; i < clip.parts.count(); ++i) {
    const std::size_t part = clip.parts.first + i;
    if (timeline.target_count(part) == 0) continue;
    append_weights(timeline, part, timeline.shown(part, c), append, clip.weights[i]);
  }
  if (timeline.parts.size() > 1) append_visibility(timeline, c, times, append, clip);
}

// The upper bound of the bytes of all attributes of one frame.
std::uint64_t max_frame_bytes(const GlbMesh& mesh, const GlbOptions& options) {
  constexpr std::uint64_t kMaxPadding = 3;
  std::uint64_t bytes = 0;
  for (const GlbPrimitive& primitive : mesh.primitives) {
    const std::size_t vertices = primitive.vertices.vertex_count;
    const auto max_bytes = [&](std::size_t element_bytes) -> std::uint64_t {
      return options.meshopt ? max_meshopt_bytes({vertices, element_bytes}) + kMaxPadding
                             : vertices * element_bytes;
    };
    const std::uint64_t floats = max_bytes(kFloatVertexBytes);
    const std::uint64_t dense = options.is_quantized() ? max_bytes(kQuantizedVertexBytes) : floats;
    bytes += dense + (mesh.attributes.size() - 1) * std::max(dense, floats);
  }
  return bytes;
}

// The clips of a file, without the ranges of their animations.
std::vector<GlbClip> plan_clips(std::span<const CacheHeader> headers, const GlbTimeline& timeline) {
  std::vector<GlbClip> clips;
  for (std::size_t c = 0; c < headers.size(); ++c) {
    GlbClip& clip =
        clips.emplace_back(GlbClip{headers[c].clip, headers[c].frames, {}, {}, {}, {}, {}});
    clip.parts = timeline.parts_of(c);
    clip.weights.resize(clip.parts.count());
  }
  return clips;
}

}  // namespace

GlbTimeline plan_glb_timeline(const std::string& path, std::span<const CacheHeader> headers,
                              const GlbOptions& options) {
  for (const CacheHeader& header : headers) require_rig("GLB", path, header);
  const std::span<const CacheHeader> clips = clips_of_first_mesh(headers);
  std::uint64_t primitives = 0;
  for (std::size_t h = 0; h < headers.size(); h += clips.size()) {
    for (const Primitive& p : headers[h].rig->mesh->primitives) primitives += p.vertex_count > 0;
  }
  check_counts(path, frames_of_clips(clips).frame_count, options.max_targets != 0, primitives);
  std::vector<std::int64_t> counts;
  for (const CacheHeader& clip : clips) counts.push_back(clip.frames.frame_count);
  GlbTimeline timeline = plan_timeline(counts, static_cast<std::size_t>(options.max_targets));
  check_parts(path, timeline, headers.size() / clips.size());
  return timeline;
}

GlbLayout plan_glb(const std::string& path, std::span<const CacheHeader> headers) {
  const CacheHeader& header = headers.front();
  const std::span<const CacheHeader> clips = clips_of_first_mesh(headers);
  GlbLayout layout;
  layout.options = parse_glb_options(header.options);
  layout.timeline = plan_glb_timeline(path, headers, layout.options);
  for (const CacheHeader& clip : clips) check_times(path, clip.frames);
  layout.clips = plan_clips(clips, layout.timeline);
  std::vector<gltf::BakedMesh> baked;
  for (std::size_t m = 0; m < headers.size(); m += clips.size()) {
    const CacheHeader& h = headers[m];
    layout.meshes.push_back(plan_mesh(h, layout.options, layout.timeline));
    layout.meshes.back().header.appearance.reset();
    baked.push_back({h.rig, h.space == Space::kScene, layout.options.is_quantized()});
  }
  layout.document = gltf::baked_meshes(header.appearance.get(), baked);
  return layout;
}

void append_static_data(GlbLayout& layout, const AppendBytes& append) {
  if (layout.is_animated()) {
    constexpr std::array<std::uint32_t, 4> kZeros{};
    layout.zeros = append(kZeros.data(), sizeof kZeros);
    for (std::size_t c = 0; c < layout.clips.size(); ++c) {
      append_animation(layout.timeline, c, append, layout.clips[c]);
    }
  }
  BakedDocument& document = layout.document;
  for (nlohmann::json& view : document.json["bufferViews"]) {
    const gltf::ByteSpan bytes = document.buffers.at(view["buffer"].get<std::size_t>());
    view["byteOffset"] = append(bytes.data(), bytes.size()).offset;
  }
}

void drop_static_data(GlbLayout& layout) {
  for (nlohmann::json& view : layout.document.json["bufferViews"]) view["buffer"] = 0;
  layout.document.buffers.clear();
  layout.document.storage.clear();
}

std::uint64_t max_frame_data_bytes(const GlbLayout& layout) {
  std::uint64_t bytes = 0;
  for (const GlbMesh& mesh : layout.meshes) {
    // The base of a part may also be a target.
    const std::size_t bases = layout.timeline.parts.size();
    bytes += max_frame_bytes(mesh, layout.options) * (layout.timeline.frame_count() + bases - 1);
    // In a base, a tangent of floats has a fourth component, w.
    if (mesh.has_tangents()) bytes += bases * mesh.header.rig->mesh->vertex_count() * sizeof(float);
  }
  return bytes;
}

}  // namespace skinbake
