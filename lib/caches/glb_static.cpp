#include "caches/glb_static.h"

#include <algorithm>

#include "caches/glb_meshopt.h"
#include "caches/glb_numbers.h"
#include "caches/needs_rig.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr std::int64_t kMostWeights = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t kMostTargets = std::uint64_t{1} << 20;  // their JSON has half a gigabyte

[[noreturn]] void fail_too_large(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::kUsage, "CACHE_TOO_LARGE", what + "; bake fewer frames", {path, ""});
}

void check_counts(const std::string& path, const FrameRange& frames, std::uint64_t primitives) {
  const std::int64_t f = frames.frame_count;
  if (f > kMostWeights || f * (f - 1) > kMostWeights) {
    fail_too_large(path, std::to_string(f) + " frames; a GLB of morph targets holds 46341 at most");
  }
  if (static_cast<std::uint64_t>(f) * primitives > kMostTargets) {
    fail_too_large(path, std::to_string(f) + " frames of " + std::to_string(primitives) +
                             " primitives; a GLB holds " + std::to_string(kMostTargets) +
                             " morph targets at most");
  }
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
    throw Error(ErrorKind::kUsage, "CACHE_TIMES_COLLIDE",
                "frames " + std::to_string(frame - frames.frame_step) + " and " +
                    std::to_string(frame) +
                    " have the same time as float32; take a smaller --fps, or another format",
                {path, ""});
  }
}

GlbMesh plan_mesh(const CacheHeader& header, const GlbOptions& options, const MeshExtras* extras) {
  GlbMesh mesh;
  mesh.header = header;
  const std::vector<Primitive>& primitives = header.rig->mesh->primitives;
  for (std::size_t p = 0; p < primitives.size(); ++p) {
    if (primitives[p].vertex_count == 0) continue;
    GlbPrimitive& primitive = mesh.primitives.emplace_back();
    primitive.vertices = primitives[p];
    if (!header.rig->mesh->tangents.empty()) {
      const std::size_t first_w = std::size_t{primitives[p].first_vertex} * 4 + 3;
      primitive.has_tangents = header.rig->mesh->tangents[first_w] != 0;
    }
    if (extras == nullptr) continue;
    primitive.extras = &extras->primitives[p];
    // All ones restarts a strip, so the greatest index must stay below.
    primitive.index_type = primitives[p].vertex_count <= 65535 ? kU16 : kU32;
    primitive.attributes.resize(primitive.extras->attributes.size());
  }
  mesh.streams.push_back({kPositions, {}, {}, {}, {}});
  if (options.normals && header.normals) mesh.streams.push_back({kNormals, {}, {}, {}, {}});
  if (mesh.has_normals() && options.tangents && header.tangents) {
    mesh.streams.push_back({kTangents, {}, {}, {}, {}});
  }
  const auto count = static_cast<std::size_t>(header.frames.frame_count);
  for (GlbStream& stream : mesh.streams) {
    stream.packed.resize(mesh.primitives.size());
    stream.blocks.resize((count + kFramesPerBlock - 1) / kFramesPerBlock);
    stream.targets.resize((count - 1) * mesh.primitives.size());
  }
  return mesh;
}

void write_indices(GlbPrimitive& primitive, const AppendBytes& append) {
  if (primitive.extras == nullptr || !primitive.extras->is_indexed) return;
  const std::vector<std::uint32_t>& indices = primitive.extras->indices;
  if (primitive.index_type == kU32) {
    primitive.indices = append(indices.data(), indices.size() * sizeof(std::uint32_t));
    return;
  }
  const std::vector<std::uint16_t> narrow(indices.begin(), indices.end());
  primitive.indices = append(narrow.data(), narrow.size() * sizeof(std::uint16_t));
}

void write_weights(GlbLayout& layout, const FrameRange& frames, const AppendBytes& append) {
  const std::vector<float> times = times_of(frames);
  layout.times = append(times.data(), times.size() * sizeof(float));
  const auto count = static_cast<std::uint32_t>(times.size());
  std::vector<std::uint32_t> places;
  for (std::uint32_t f = 1; f < count; ++f) places.push_back(f * (count - 1) + f - 1);
  layout.weight_places = append(places.data(), places.size() * sizeof(std::uint32_t));
  const std::vector<float> ones(places.size(), 1.0F);
  layout.weight_values = append(ones.data(), ones.size() * sizeof(float));
}

void require_extension(const std::string& name, GlbLooks& looks) {
  for (std::vector<std::string>* names : {&looks.extensions_used, &looks.extensions_required}) {
    names->push_back(name);
    std::sort(names->begin(), names->end());
  }
}

// Of all vertices of a mesh in one frame. All but positions may be wide.
std::uint64_t most_frame_bytes(const GlbMesh& mesh, const GlbOptions& options) {
  constexpr std::uint64_t kFilling = 3;
  std::uint64_t bytes = 0;
  for (const GlbPrimitive& primitive : mesh.primitives) {
    const std::size_t vertices = primitive.vertices.vertex_count;
    const auto most = [&](std::size_t element_bytes) -> std::uint64_t {
      return options.meshopt ? most_meshopt_bytes({vertices, element_bytes}) + kFilling
                             : vertices * element_bytes;
    };
    const std::uint64_t floats = most(3 * sizeof(float));
    const std::uint64_t dense = options.is_quantised() ? most(kElementBytes) : floats;
    bytes += dense + (mesh.streams.size() - 1) * std::max(dense, floats);
  }
  return bytes;
}

}  // namespace

GlbLayout plan_glb(const std::string& path, std::span<const CacheHeader> headers) {
  const CacheHeader& header = headers.front();
  GlbLayout layout;
  layout.options = parse_glb_options(header.options);
  for (const CacheHeader& h : headers) require_rig("GLB", path, h);
  std::uint64_t primitives = 0;
  for (const CacheHeader& h : headers) primitives += h.rig->mesh->primitives.size();
  check_counts(path, header.frames, primitives);
  check_times(path, header.frames);
  layout.first_time_s = header.frames.time_s(0);
  layout.last_time_s = header.frames.time_s(header.frames.frame_count - 1);
  std::vector<const MeshExtras*> used;
  for (const CacheHeader& h : headers) {
    const MeshExtras* extras = h.extras ? h.extras->meshes.at(h.rig->node).get() : nullptr;
    if (extras != nullptr) used.push_back(extras);
    layout.meshes.push_back(plan_mesh(h, layout.options, extras));
  }
  if (header.extras) {
    layout.looks = collect_looks(*header.extras, used);
    layout.copyright = header.extras->copyright;
  }
  if (layout.options.is_quantised()) require_extension("KHR_mesh_quantization", layout.looks);
  if (layout.options.meshopt) require_extension("EXT_meshopt_compression", layout.looks);
  return layout;
}

void write_static_parts(GlbLayout& layout, const AppendBytes& append) {
  const FrameRange& frames = layout.meshes.front().header.frames;
  if (frames.frame_count > 1) {
    constexpr std::array<std::uint32_t, 4> kZeros{};
    layout.zeros = append(kZeros.data(), sizeof kZeros);
    write_weights(layout, frames, append);
  }
  layout.images.clear();
  for (const ImageFile* image : layout.looks.images) {
    layout.images.push_back(append(image->bytes->data(), image->bytes->size()));
  }
  for (GlbMesh& mesh : layout.meshes) {
    for (GlbPrimitive& primitive : mesh.primitives) {
      write_indices(primitive, append);
      for (std::size_t a = 0; a < primitive.attributes.size(); ++a) {
        const std::vector<float>& values = primitive.extras->attributes[a].values;
        primitive.attributes[a] = append(values.data(), values.size() * sizeof(float));
      }
    }
  }
}

std::uint64_t most_glb_bytes(const GlbLayout& layout) {
  std::uint64_t bytes = 0;
  for (const GlbMesh& mesh : layout.meshes) {
    bytes += most_frame_bytes(mesh, layout.options) *
             static_cast<std::uint64_t>(mesh.header.frames.frame_count);
    if (mesh.has_tangents()) bytes += mesh.header.rig->mesh->vertex_count() * sizeof(float);
  }
  return bytes;
}

}  // namespace skinbake
