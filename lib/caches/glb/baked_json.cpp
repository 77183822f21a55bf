#include "caches/glb/baked_json.h"

#include <array>
#include <utility>
#include <vector>

#include "caches/glb/accessor_json.h"
#include "caches/glb/animation_json.h"
#include "caches/glb/encoding.h"
#include "caches/mesh_cache.h"
#include "caches/sidecar.h"
#include "gltf/write/baked_document.h"
#include "json/print.h"

namespace skinbake {

namespace {

using nlohmann::json;

constexpr int kPositionStride = static_cast<int>(kFloatVertexBytes);
constexpr int kQuantizedStride = static_cast<int>(kQuantizedVertexBytes);

// The name of a mesh or a node in a part: "arm", "arm_2".
std::string part_name(const std::string& name, std::size_t part) {
  return part == 0 ? name : name + "_" + std::to_string(part + 1);
}

json numbers(const std::array<float, 3>& values) {
  return {gltf::decimal(values[0]), gltf::decimal(values[1]), gltf::decimal(values[2])};
}

void set_bounds(const Box& bounds, json& accessor) {
  accessor["min"] = numbers(bounds.min);
  accessor["max"] = numbers(bounds.max);
}

// The meshes of the parts of one mesh: primitives and their morph targets.
class MeshJson {
 public:
  // All arguments must outlive the object. `source`: the mesh without frames.
  MeshJson(const GlbLayout& layout, const GlbMesh& mesh, const json& source, AccessorArrays& arrays)
      : layout_(layout),
        mesh_(mesh),
        source_(source),
        arrays_(arrays),
        views_(mesh.attributes.size()) {}

  json part(std::size_t part) {
    part_ = part;
    json::object_t made;
    const std::string& name = mesh_.header.rig->mesh->name;
    if (!name.empty()) made["name"] = part_name(name, part);
    for (std::size_t a = 0; a < mesh_.attributes.size(); ++a) add_views(a);
    json primitives = source_.at("primitives");
    for (std::size_t p = 0; p < primitives.size(); ++p) {
      for (std::size_t a = 0; a < mesh_.attributes.size(); ++a) {
        if (!has_attribute(p, a)) continue;
        primitives[p]["attributes"][std::string(mesh_.attributes[a].name)] = add_base(p, a);
      }
      if (target_count() > 0) primitives[p]["targets"] = targets_of(p);
    }
    made["primitives"] = std::move(primitives);
    if (target_count() > 0) {
      made["weights"] = json::array_t(target_count(), json(0));
      made["extras"] = {{"targetNames", target_names()}};
    }
    return made;
  }

 private:
  struct BlockViews {
    std::size_t dense = 0, sparse_values = 0, sparse_indices = 0, floats = 0;  // unless empty
  };
  struct AttributeViews {
    std::size_t base = 0;  // of the part; with meshopt=1, each primitive has a compressed view
    std::vector<BlockViews> blocks;
  };

  const GlbFrameSpan& span() const { return layout_.timeline.parts[part_]; }
  std::size_t target_count() const { return layout_.timeline.target_count(part_); }
  bool has_attribute(std::size_t p, std::size_t a) const {
    return mesh_.has_attribute(mesh_.primitives[p], mesh_.attributes[a]);
  }

  // "frame 7"; in a file of several clips "walk frame 7".
  json target_names() const {
    json names = json::array();
    for (std::size_t f = span().first + 1; f < span().end; ++f) {
      std::size_t c = 0;
      while (!layout_.timeline.clips[c].contains(f)) ++c;
      const GlbClip& clip = layout_.clips[c];
      const auto position = static_cast<std::int64_t>(f - layout_.timeline.clips[c].first);
      const std::string name = "frame " + std::to_string(clip.frames.frame(position));
      names.push_back(layout_.clips.size() == 1 ? name : clip.id + " " + name);
    }
    return names;
  }

  json vectors(std::size_t p, const char* type, bool is_float) const {
    const bool is_quantized = layout_.options.is_quantized() && !is_float;
    json accessor = accessor_of(is_quantized ? kComponentInt16 : kComponentFloat,
                                mesh_.primitives[p].vertices.vertex_count, type);
    if (is_quantized) accessor["normalized"] = true;
    return accessor;
  }

  int dense_stride() const {
    return layout_.options.is_quantized() ? kQuantizedStride : kPositionStride;
  }
  int base_stride(const GlbMorphedAttribute& attribute) const {
    const bool has_w = attribute.name == kTangentAttribute && !layout_.options.is_quantized();
    return dense_stride() + (has_w ? static_cast<int>(sizeof(float)) : 0);
  }

  void add_views(std::size_t a) {
    const GlbMorphedAttribute& attribute = mesh_.attributes[a];
    AttributeViews& views = views_[a];
    if (!layout_.options.meshopt) {
      views.base =
          arrays_.add_view(attribute.bases[part_].range, kVertexTarget, base_stride(attribute));
    }
    if (!views.blocks.empty()) return;  // an earlier part has added them
    for (const GlbBlock& block : attribute.blocks) {
      BlockViews& added = views.blocks.emplace_back();
      if (!block.dense.is_empty()) {
        added.dense = arrays_.add_view(block.dense, kVertexTarget, dense_stride());
      }
      if (!block.floats.is_empty()) {
        added.floats = arrays_.add_view(block.floats, kVertexTarget, kPositionStride);
      }
      if (block.sparse_values.is_empty()) continue;
      added.sparse_values = arrays_.add_view(block.sparse_values);
      added.sparse_indices = arrays_.add_view(block.sparse_indices);
    }
  }

  // The accessor of a primitive's attribute in the base.
  std::size_t add_base(std::size_t p, std::size_t a) {
    const GlbPrimitive& primitive = mesh_.primitives[p];
    const GlbMorphedAttribute& attribute = mesh_.attributes[a];
    json accessor = vectors(p, attribute.name == kTangentAttribute ? "VEC4" : "VEC3", false);
    if (layout_.options.meshopt) {
      accessor["bufferView"] =
          arrays_.add_compressed_view(attribute.bases[part_].streams[p],
                                      primitive.vertices.vertex_count, kQuantizedVertexBytes);
    } else {
      accessor["bufferView"] = views_[a].base;
      accessor["byteOffset"] = std::uint64_t{primitive.vertices.first_vertex} *
                               static_cast<std::uint64_t>(base_stride(attribute));
    }
    if (a == 0) set_bounds(primitive.bounds[part_], accessor);
    return arrays_.add(std::move(accessor));
  }

  // All zero targets of one attribute share an accessor.
  json targets_of(std::size_t p) {
    json targets = json::array();
    std::vector<std::optional<std::size_t>> zeros(mesh_.attributes.size());
    for (std::size_t f = span().first + 1; f < span().end; ++f) {
      json::object_t target;
      for (std::size_t a = 0; a < mesh_.attributes.size(); ++a) {
        if (!has_attribute(p, a)) continue;
        const GlbMorphedAttribute& attribute = mesh_.attributes[a];
        const GlbTarget& of_frame = attribute.targets[f * mesh_.primitives.size() + p];
        const bool is_zero = of_frame.kind == GlbTarget::Kind::kZero;
        const std::size_t accessor =
            is_zero && zeros[a]
                ? *zeros[a]
                : add_target(p, of_frame, views_[a].blocks[layout_.timeline.block_of(f)], a == 0);
        if (is_zero) zeros[a] = accessor;
        target[std::string(attribute.name)] = accessor;
      }
      targets.push_back(std::move(target));
    }
    return targets;
  }

  // `has_bounds`: glTF requires the bounds of positions.
  std::size_t add_target(std::size_t p, const GlbTarget& target, const BlockViews& views,
                         bool has_bounds) {
    const VertexIndex vertices = mesh_.primitives[p].vertices.vertex_count;
    const bool is_zero = target.kind == GlbTarget::Kind::kZero;
    const bool is_float = target.kind == GlbTarget::Kind::kFloat;
    json accessor = vectors(p, "VEC3", is_float);
    if (!target.stream.is_empty()) {
      accessor["bufferView"] = arrays_.add_compressed_view(
          target.stream, vertices, is_float ? kFloatVertexBytes : kQuantizedVertexBytes);
    } else if (is_float || target.kind == GlbTarget::Kind::kDense) {
      accessor["bufferView"] = is_float ? views.floats : views.dense;
      accessor["byteOffset"] = target.values_offset;
    }
    if (has_bounds) set_bounds(is_zero ? Box{{0, 0, 0}, {0, 0, 0}} : target.bounds, accessor);
    if (target.kind == GlbTarget::Kind::kSparse) {
      const bool is_short = glb_index_bytes(vertices) == 2;
      accessor["sparse"] = sparse_of(
          {target.displaced, views.sparse_indices, is_short ? kComponentUint16 : kComponentUint32,
           target.indices_offset, views.sparse_values, target.values_offset});
    } else if (is_zero) {
      accessor["sparse"] = zero_values();
    }
    return arrays_.add(std::move(accessor));
  }

  // A sparse accessor must list at least one element: vertex 0, with a zero displacement.
  json zero_values() {
    if (!zero_values_) {
      zero_values_ = arrays_.add_view({layout_.zeros.offset, kFloatVertexBytes});
      arrays_.add_view({layout_.zeros.offset + kFloatVertexBytes, sizeof(std::uint32_t)});
    }
    return sparse_of({1, *zero_values_ + 1, kComponentUint32, 0, *zero_values_, 0});
  }

  const GlbLayout& layout_;
  const GlbMesh& mesh_;
  const json& source_;
  AccessorArrays& arrays_;
  std::size_t part_ = 0;
  std::vector<AttributeViews> views_;  // [attribute]
  std::optional<std::size_t> zero_values_;
};

json frames_of(const FrameRange& frames) {
  json made{{"first_frame", frames.first_frame},
            {"frame_step", frames.frame_step},
            {"frame_count", frames.frame_count}};
  add_end(end_of(frames), made);
  return made;
}

// Where the file comes from: asset.extras.skinbake. Of several clips, it has the frames of all, and
// a list of the clips.
json provenance_of(const GlbLayout& layout) {
  const CacheHeader& header = layout.meshes.front().header;
  const GlbClip& clip = layout.clips.front();
  const bool is_one = layout.clips.size() == 1;
  const auto all = static_cast<std::int64_t>(layout.timeline.frame_count());
  json made = frames_of(is_one ? clip.frames : FrameRange{clip.frames.fps, 0, 1, all});
  made["method"] = header.method;
  made["modifiers"] = header.modifiers;
  made["clip"] = is_one && !clip.id.empty() ? json(clip.id) : json();
  made["fps"] = clip.frames.fps;
  made["space"] = header.space == Space::kScene ? "scene" : "mesh";
  if (layout.options.max_targets != 0) made["split"] = layout.options.max_targets;
  if (!is_one) made["clips"] = json::array();
  for (std::size_t c = 0; !is_one && c < layout.clips.size(); ++c) {
    json& listed = made["clips"].emplace_back(frames_of(layout.clips[c].frames));
    listed["id"] = layout.clips[c].id;
  }
  made["meshes"] = json::array();
  for (const GlbMesh& mesh : layout.meshes) {
    made["meshes"].push_back({{"id", mesh.header.rig->id}, {"node", mesh.header.rig->node}});
  }
  made["inputs"] = json::array();
  for (const InputFile& input : with_file_names(header.inputs)) {
    made["inputs"].push_back({{"role", input.role},
                              {"path", input.path},
                              {"bytes", input.bytes},
                              {"xxh128", input.xxh128}});
  }
  return made;
}

// Nodes, and their meshes, are [mesh][part]. Without an animation, only the first part is visible.
json node_of(const GlbLayout& layout, std::size_t i) {
  const std::size_t parts = layout.timeline.parts.size();
  const GlbMesh& mesh = layout.meshes[i / parts];
  const Rig& rig = *mesh.header.rig;
  const std::string& name = rig.skeleton->nodes[static_cast<std::size_t>(rig.node)].name;
  json::object_t node{{"mesh", i}};
  if (!name.empty()) node["name"] = part_name(name, i % parts);
  if (layout.options.is_quantized()) {
    node["translation"] = numbers(mesh.grid.centre);
    node["scale"] = numbers({mesh.grid.scale, mesh.grid.scale, mesh.grid.scale});
  }
  if (i % parts > 0) node["scale"] = {0, 0, 0};
  return node;
}

void set_extensions(const GlbLayout& layout, json& document) {
  const json required = std::exchange(document["extensionsRequired"], json::array());
  json used = gltf::extensions_of_appearance(document);
  for (const json& name : used) {
    if (std::find(required.begin(), required.end(), name) == required.end()) continue;
    document["extensionsRequired"].push_back(name);
  }
  const auto require = [&](const char* name) {
    used.push_back(name);
    document["extensionsRequired"].push_back(name);
  };
  if (layout.options.is_quantized()) require("KHR_mesh_quantization");
  if (layout.options.meshopt) require("EXT_meshopt_compression");
  document["extensionsUsed"] = std::move(used);
}

void add_meshes(const GlbLayout& layout, AccessorArrays& arrays, json& document) {
  const json sources = std::exchange(document["meshes"], json::array());
  json numbers = json::array();
  document["nodes"] = json::array();
  for (std::size_t m = 0; m < layout.meshes.size(); ++m) {
    MeshJson mesh(layout, layout.meshes[m], sources[m], arrays);
    for (std::size_t part = 0; part < layout.timeline.parts.size(); ++part) {
      const std::size_t number = document["meshes"].size();
      document["nodes"].push_back(node_of(layout, number));
      numbers.push_back(number);
      document["meshes"].push_back(mesh.part(part));
    }
  }
  document["scenes"] = json::array({json{{"nodes", std::move(numbers)}}});
}

// glTF does not allow empty lists of the document.
void erase_empty_lists(json& document) {
  for (auto member = document.begin(); member != document.end();) {
    const bool is_empty = member->is_array() && member->empty();
    member = is_empty ? document.erase(member) : std::next(member);
  }
}

}  // namespace

std::string glb_json(const GlbLayout& layout) {
  json document = layout.document.json;
  json asset = std::move(document["asset"]);
  document.erase("asset");
  asset["version"] = "2.0";
  asset["extras"] = {{"skinbake", provenance_of(layout)}};
  for (std::size_t m = 0; layout.options.is_quantized() && m < layout.meshes.size(); ++m) {
    gltf::scale_lengths(document, m, 1 / double{layout.meshes[m].grid.scale});
  }
  set_extensions(layout, document);
  document["scene"] = 0;
  AccessorArrays arrays(document);
  add_meshes(layout, arrays, document);
  document["animations"] = json::array();
  for (std::size_t c = 0; layout.is_animated() && c < layout.clips.size(); ++c) {
    document["animations"].push_back(animation_json(layout, c, arrays));
  }
  document["buffers"] = {{{"byteLength", layout.bytes}}};
  // With meshopt=1, the second buffer is the fallback buffer. It does not have data: only the
  // ranges of decoded elements refer to it.
  if (arrays.decoded_bytes() > 0) {
    document["buffers"].push_back(
        {{"byteLength", arrays.decoded_bytes()},
         {"extensions", {{"EXT_meshopt_compression", {{"fallback", true}}}}}});
  }
  erase_empty_lists(document);
  std::string text = dumped(document);
  text.replace(
      0, 1,
      std::string(kBakedGlbBeginning) + SKINBAKE_VERSION "\"," + dumped(asset).substr(1) + ",");
  return text;
}

}  // namespace skinbake
