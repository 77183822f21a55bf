#include "caches/glb/write/layout.h"

#include <algorithm>
#include <array>
#include <limits>

#include "caches/mesh_cache.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

// The limit of the number of weights, F x (F-1): a signed 32-bit integer must hold it.
constexpr std::int64_t kMaxWeights = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t kMaxTargets = std::uint64_t{1} << 20;  // their JSON takes half a gigabyte

[[noreturn]] void fail_too_large(const std::string& path, const std::string& cause) {
  throw Error(ErrorKind::kUsage, "CACHE_TOO_LARGE", cause + "; bake fewer frames", {path, ""});
}

void check_counts(const std::string& path, const FrameRange& frames, std::uint64_t primitives) {
  const std::int64_t f = frames.frame_count;
  if (f > kMaxWeights || f * (f - 1) > kMaxWeights) {
    fail_too_large(path, std::to_string(f) + " frames; a GLB of morph targets holds 46341 at most");
  }
  if (static_cast<std::uint64_t>(f) * primitives > kMaxTargets) {
    fail_too_large(path, std::to_string(f) + " frames of " + std::to_string(primitives) +
                             " primitives; a GLB holds " + std::to_string(kMaxTargets) +
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
                    " have the same time as float32; use a smaller frame rate, or another format",
                {path, ""});
  }
}

std::vector<GlbPrimitive> plan_primitives(const Mesh& mesh, const MeshMaterials* materials) {
  std::vector<GlbPrimitive> planned;
  for (std::size_t p = 0; p < mesh.primitives.size(); ++p) {
    if (mesh.primitives[p].vertex_count == 0) continue;
    GlbPrimitive& primitive = planned.emplace_back();
    primitive.vertices = mesh.primitives[p];
    if (!mesh.tangents.empty()) {
      const std::size_t first_w = std::size_t{mesh.primitives[p].first_vertex} * 4 + 3;
      primitive.has_tangents = mesh.tangents[first_w] != 0;
    }
    if (materials == nullptr) continue;
    primitive.materials = &materials->primitives[p];
    // 65535 restarts a strip of uint16 indices, so the largest index must be smaller.
    primitive.index_type =
        mesh.primitives[p].vertex_count <= 65535 ? kComponentUint16 : kComponentUint32;
    primitive.attributes.resize(primitive.materials->attributes.size());
  }
  return planned;
}

GlbMesh plan_mesh(const CacheHeader& header, const GlbOptions& options,
                  const MeshMaterials* materials) {
  GlbMesh mesh;
  mesh.header = header;
  mesh.primitives = plan_primitives(*header.rig->mesh, materials);
  mesh.attributes.push_back({kPositionAttribute, {}, {}, {}, {}});
  if (options.normals && header.normals) {
    mesh.attributes.push_back({kNormalAttribute, {}, {}, {}, {}});
  }
  if (mesh.has_normals() && options.tangents && header.tangents) {
    mesh.attributes.push_back({kTangentAttribute, {}, {}, {}, {}});
  }
  const auto count = static_cast<std::size_t>(header.frames.frame_count);
  for (GlbMorphedAttribute& attribute : mesh.attributes) {
    attribute.base_streams.resize(mesh.primitives.size());
    attribute.blocks.resize((count + kFramesPerBlock - 1) / kFramesPerBlock);
    attribute.targets.resize((count - 1) * mesh.primitives.size());
  }
  return mesh;
}

void append_indices(GlbPrimitive& primitive, const AppendBytes& append) {
  if (primitive.materials == nullptr || !primitive.materials->is_indexed) return;
  const std::vector<std::uint32_t>& indices = primitive.materials->indices;
  if (primitive.index_type == kComponentUint32) {
    primitive.indices = append(indices.data(), indices.size() * sizeof(std::uint32_t));
    return;
  }
  const std::vector<std::uint16_t> narrow(indices.begin(), indices.end());
  primitive.indices = append(narrow.data(), narrow.size() * sizeof(std::uint16_t));
}

void append_animation(GlbLayout& layout, const FrameRange& frames, const AppendBytes& append) {
  const std::vector<float> times = times_of(frames);
  layout.times = append(times.data(), times.size() * sizeof(float));
  const auto count = static_cast<std::uint32_t>(times.size());
  std::vector<std::uint32_t> indices;
  for (std::uint32_t f = 1; f < count; ++f) indices.push_back(f * (count - 1) + f - 1);
  layout.weight_indices = append(indices.data(), indices.size() * sizeof(std::uint32_t));
  const std::vector<float> ones(indices.size(), 1.0F);
  layout.weight_values = append(ones.data(), ones.size() * sizeof(float));
}

void require_extension(const std::string& name, GlbMaterials& materials) {
  for (std::vector<std::string>* names :
       {&materials.extensions_used, &materials.extensions_required}) {
    names->push_back(name);
    std::sort(names->begin(), names->end());
  }
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
  std::vector<const MeshMaterials*> used;
  for (const CacheHeader& h : headers) {
    const MeshMaterials* materials =
        h.materials ? h.materials->meshes.at(h.rig->node).get() : nullptr;
    if (materials != nullptr) used.push_back(materials);
    layout.meshes.push_back(plan_mesh(h, layout.options, materials));
  }
  if (header.materials) {
    layout.materials = collect_materials(*header.materials, used);
    layout.copyright = header.materials->copyright;
  }
  if (layout.options.is_quantized()) require_extension("KHR_mesh_quantization", layout.materials);
  if (layout.options.meshopt) require_extension("EXT_meshopt_compression", layout.materials);
  return layout;
}

void append_static_data(GlbLayout& layout, const AppendBytes& append) {
  const FrameRange& frames = layout.meshes.front().header.frames;
  if (frames.frame_count > 1) {
    constexpr std::array<std::uint32_t, 4> kZeros{};
    layout.zeros = append(kZeros.data(), sizeof kZeros);
    append_animation(layout, frames, append);
  }
  layout.images.clear();
  for (const ImageFile* image : layout.materials.images) {
    layout.images.push_back(append(image->bytes->data(), image->bytes->size()));
  }
  for (GlbMesh& mesh : layout.meshes) {
    for (GlbPrimitive& primitive : mesh.primitives) {
      append_indices(primitive, append);
      for (std::size_t a = 0; a < primitive.attributes.size(); ++a) {
        const std::vector<float>& values = primitive.materials->attributes[a].values;
        primitive.attributes[a] = append(values.data(), values.size() * sizeof(float));
      }
    }
  }
}

std::uint64_t max_frame_data_bytes(const GlbLayout& layout) {
  std::uint64_t bytes = 0;
  for (const GlbMesh& mesh : layout.meshes) {
    bytes += max_frame_bytes(mesh, layout.options) *
             static_cast<std::uint64_t>(mesh.header.frames.frame_count);
    // In frame 0, a tangent of floats has a fourth component, w.
    if (mesh.has_tangents()) bytes += mesh.header.rig->mesh->vertex_count() * sizeof(float);
  }
  return bytes;
}

}  // namespace skinbake
