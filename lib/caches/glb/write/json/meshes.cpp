#include "caches/glb/write/json/meshes.h"

#include <algorithm>
#include <array>
#include <vector>

#include "caches/glb/encoding.h"

namespace skinbake {

namespace {

constexpr int kPositionStride = static_cast<int>(kFloatVertexBytes);
constexpr int kQuantizedStride = static_cast<int>(kQuantizedVertexBytes);

// The elements of the array `meshes`: primitives and their morph targets.
class MeshJson {
 public:
  // All three arguments must outlive the object.
  MeshJson(const GlbLayout& layout, AccessorArrays& arrays, JsonWriter& json)
      : layout_(layout), arrays_(arrays), json_(json) {}

  // Writes the meshes of all parts.
  void write(const GlbMesh& mesh) {
    static_.assign(mesh.primitives.size(), {});
    views_.assign(mesh.attributes.size(), {});
    for (part_ = 0; part_ < layout_.timeline.parts.size(); ++part_) write_part(mesh);
  }

 private:
  // Indices of bufferViews; -1: the layout's range is empty.
  struct BlockViews {
    int dense = -1, sparse_values = -1, sparse_indices = -1, floats = -1;
  };
  struct AttributeViews {
    int base = -1;  // of the part; -1: each primitive has a compressed view
    std::vector<BlockViews> blocks;
  };
  // Accessors of a primitive that all parts share; empty: not added yet.
  struct StaticAccessors {
    std::vector<int> attributes;
    int indices = -1;
  };

  void write_part(const GlbMesh& mesh) {
    json_.begin_object();
    const std::string& name = mesh.header.rig->mesh->name;
    if (!name.empty()) json_.key("name").value(part_name(name, part_));
    for (std::size_t a = 0; a < mesh.attributes.size(); ++a)
      add_views(mesh.attributes[a], views_[a]);
    json_.key("primitives").begin_array();
    for (std::size_t p = 0; p < mesh.primitives.size(); ++p) write_primitive(mesh, p);
    json_.end_array();
    if (target_count() > 0) {
      json_.key("weights").numbers(std::vector<double>(target_count()));
      json_.key("extras").begin_object().key("targetNames").begin_line_array();
      for (std::size_t f = span().first + 1; f < span().end; ++f) json_.value(frame_name(f));
      json_.end_array().end_object();
    }
    json_.end_object();
  }

  const GlbFrameSpan& span() const { return layout_.timeline.parts[part_]; }
  std::size_t target_count() const { return layout_.timeline.target_count(part_); }

  // "frame 7"; in a file of several clips "walk frame 7".
  std::string frame_name(std::size_t frame) const {
    std::size_t c = 0;
    while (!layout_.timeline.clips[c].contains(frame)) ++c;
    const GlbClip& clip = layout_.clips[c];
    const auto position = static_cast<std::int64_t>(frame - layout_.timeline.clips[c].first);
    const std::string name = "frame " + std::to_string(clip.frames.frame(position));
    return layout_.clips.size() == 1 ? name : clip.id + " " + name;
  }

  JsonWriter& begin_vectors(std::int64_t vertices, const char* type = "VEC3") {
    if (!layout_.options.is_quantized()) {
      return arrays_.begin_accessor(kComponentFloat, vertices, type);
    }
    return arrays_.begin_accessor(kComponentInt16, vertices, type).key("normalized").value(true);
  }

  int dense_stride() const {
    return layout_.options.is_quantized() ? kQuantizedStride : kPositionStride;
  }
  int base_stride(const GlbMorphedAttribute& attribute) const {
    const bool has_w = attribute.name == kTangentAttribute && !layout_.options.is_quantized();
    return dense_stride() + (has_w ? static_cast<int>(sizeof(float)) : 0);
  }

  void add_views(const GlbMorphedAttribute& attribute, AttributeViews& views) {
    if (!layout_.options.meshopt) {
      views.base =
          arrays_.add_view(attribute.bases[part_].range, kGlbVertexTarget, base_stride(attribute));
    }
    if (!views.blocks.empty()) return;  // an earlier part has added them
    for (const GlbBlock& block : attribute.blocks) {
      BlockViews& added = views.blocks.emplace_back();
      if (!block.dense.is_empty()) {
        added.dense = arrays_.add_view(block.dense, kGlbVertexTarget, dense_stride());
      }
      if (!block.floats.is_empty()) {
        added.floats = arrays_.add_view(block.floats, kGlbVertexTarget, kPositionStride);
      }
      if (block.sparse_values.is_empty()) continue;
      added.sparse_values = arrays_.add_view(block.sparse_values);
      added.sparse_indices = arrays_.add_view(block.sparse_indices);
    }
  }

  // Adds the accessor of a primitive's attribute in the base. `a`: index of the attribute.
  int add_base(const GlbMesh& mesh, std::size_t p, std::size_t a) {
    const GlbPrimitive& primitive = mesh.primitives[p];
    const GlbMorphedAttribute& attribute = mesh.attributes[a];
    JsonWriter& accessor = begin_vectors(primitive.vertices.vertex_count,
                                         attribute.name == kTangentAttribute ? "VEC4" : "VEC3");
    if (layout_.options.meshopt) {
      accessor.key("bufferView")
          .value(arrays_.add_compressed_view(attribute.bases[part_].streams[p],
                                             primitive.vertices.vertex_count,
                                             kQuantizedVertexBytes));
    } else {
      accessor.key("bufferView").value(views_[a].base).key("byteOffset");
      accessor.value(std::uint64_t{primitive.vertices.first_vertex} *
                     static_cast<std::uint64_t>(base_stride(attribute)));
    }
    if (a == 0) arrays_.write_bounds(primitive.bounds[part_]);
    return arrays_.end_accessor();
  }

  void write_attributes(const GlbMesh& mesh, std::size_t p) {
    const GlbPrimitive& primitive = mesh.primitives[p];
    json_.key("attributes").begin_line_object();
    for (std::size_t a = 0; a < mesh.attributes.size(); ++a) {
      if (!mesh.has_attribute(primitive, mesh.attributes[a])) continue;
      json_.key(mesh.attributes[a].name).value(add_base(mesh, p, a));
    }
    std::vector<int>& added = static_[p].attributes;
    for (std::size_t a = 0; a < primitive.attributes.size(); ++a) {
      const GlbStaticAttribute& attribute = primitive.attributes[a];
      if (added.size() == a) {
        added.push_back(arrays_.add_accessor(arrays_.add_view(attribute.range, kGlbVertexTarget),
                                             kComponentFloat, primitive.vertices.vertex_count,
                                             "VEC" + std::to_string(attribute.width)));
      }
      json_.key(attribute.name).value(added[a]);
    }
    json_.end_object();
  }

  int indices_accessor(const GlbPrimitive& primitive, std::size_t p) {
    int& indices = static_[p].indices;
    if (indices < 0) {
      indices = arrays_.add_accessor(arrays_.add_view(primitive.indices, kGlbIndexTarget),
                                     primitive.index_type, primitive.index_count, "SCALAR");
    }
    return indices;
  }

  void write_primitive(const GlbMesh& mesh, std::size_t p) {
    const GlbPrimitive& primitive = mesh.primitives[p];
    json_.begin_object();
    write_attributes(mesh, p);
    if (!primitive.indices.is_empty()) {
      json_.key("indices").value(indices_accessor(primitive, p));
    }
    if (primitive.material >= 0) {
      json_.key("material").value(layout_.materials.material_numbers.at(primitive.material));
    }
    if (primitive.mode != kGlbTriangles) json_.key("mode").value(primitive.mode);
    write_targets(mesh, p);
    json_.end_object();
  }

  // All zero targets of one attribute share an accessor.
  void write_targets(const GlbMesh& mesh, std::size_t p) {
    if (target_count() == 0) return;
    json_.key("targets").begin_line_array();
    std::vector<int> zero_accessors(mesh.attributes.size(), -1);
    for (std::size_t f = span().first + 1; f < span().end; ++f) {
      json_.begin_line_object();
      for (std::size_t a = 0; a < mesh.attributes.size(); ++a) {
        const GlbMorphedAttribute& attribute = mesh.attributes[a];
        if (!mesh.has_attribute(mesh.primitives[p], attribute)) continue;
        const GlbTarget& target = attribute.targets[f * mesh.primitives.size() + p];
        const bool is_zero = target.kind == GlbTarget::Kind::kZero;
        int accessor = zero_accessors[a];
        if (!is_zero || accessor < 0) {
          accessor = add_target(mesh.primitives[p], target,
                                views_[a].blocks[layout_.timeline.block_of(f)], a == 0);
        }
        if (is_zero) zero_accessors[a] = accessor;
        json_.key(attribute.name).value(accessor);
      }
      json_.end_object();
    }
    json_.end_array();
  }

  // `has_bounds`: glTF requires the bounds of positions.
  int add_target(const GlbPrimitive& primitive, const GlbTarget& target, const BlockViews& views,
                 bool has_bounds) {
    const std::int64_t vertices = primitive.vertices.vertex_count;
    const bool is_zero = target.kind == GlbTarget::Kind::kZero;
    const bool is_float = target.kind == GlbTarget::Kind::kFloat;
    JsonWriter& accessor = is_float ? arrays_.begin_accessor(kComponentFloat, vertices, "VEC3")
                                    : begin_vectors(vertices);
    if (!target.stream.is_empty()) {
      const std::size_t bytes = is_float ? kFloatVertexBytes : kQuantizedVertexBytes;
      accessor.key("bufferView")
          .value(
              arrays_.add_compressed_view(target.stream, primitive.vertices.vertex_count, bytes));
    } else if (target.kind == GlbTarget::Kind::kDense) {
      accessor.key("bufferView").value(views.dense).key("byteOffset").value(target.values_offset);
    } else if (is_float) {
      accessor.key("bufferView").value(views.floats).key("byteOffset").value(target.values_offset);
    }
    if (has_bounds) arrays_.write_bounds(is_zero ? Box{{0, 0, 0}, {0, 0, 0}} : target.bounds);
    if (target.kind == GlbTarget::Kind::kSparse) {
      const bool is_short = glb_index_bytes(primitive.vertices.vertex_count) == 2;
      arrays_.write_sparse({target.displaced, views.sparse_indices,
                            is_short ? kComponentUint16 : kComponentUint32, target.indices_offset,
                            views.sparse_values, target.values_offset});
    } else if (is_zero) {
      write_zero_values();
    }
    return arrays_.end_accessor();
  }

  // A sparse accessor must list at least one element: vertex 0, with a zero displacement.
  void write_zero_values() {
    if (zero_values_ < 0) {
      zero_values_ = arrays_.add_view({layout_.zeros.offset, kFloatVertexBytes});
      zero_index_ = arrays_.add_view({layout_.zeros.offset + kFloatVertexBytes,  //
                                      sizeof(std::uint32_t)});
    }
    arrays_.write_sparse({1, zero_index_, kComponentUint32, 0, zero_values_, 0});
  }

  const GlbLayout& layout_;
  AccessorArrays& arrays_;
  JsonWriter& json_;
  // Of the mesh that is being written.
  std::size_t part_ = 0;
  std::vector<AttributeViews> views_;    // [attribute]
  std::vector<StaticAccessors> static_;  // [primitive]
  int zero_values_ = -1, zero_index_ = -1;
};

}  // namespace

void write_meshes(const GlbLayout& layout, AccessorArrays& arrays, JsonWriter& json) {
  MeshJson meshes(layout, arrays, json);
  json.key("meshes").begin_array();
  for (const GlbMesh& mesh : layout.meshes) meshes.write(mesh);
  json.end_array();
}

}  // namespace skinbake
