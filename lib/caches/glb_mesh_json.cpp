#include "caches/glb_mesh_json.h"

#include "caches/glb_meshopt.h"

namespace skinbake {

namespace {

constexpr int kTriangles = 4;

}  // namespace

void GlbMeshJson::write(const GlbMesh& mesh) {
  json_.begin_object();
  const std::string& name = mesh.header.rig->mesh->name;
  if (!name.empty()) json_.key("name").value(name);
  views_.clear();
  for (const GlbStream& stream : mesh.streams) views_.push_back(views_of(stream));
  json_.key("primitives").begin_array();
  for (std::size_t p = 0; p < mesh.primitives.size(); ++p) write_primitive(mesh, p);
  json_.end_array();
  if (mesh.target_count() > 0) {
    json_.key("weights").numbers(
        std::vector<double>(static_cast<std::size_t>(mesh.target_count())));
    json_.key("extras").begin_object().key("targetNames").begin_line_array();
    for (std::int64_t k = 1; k <= mesh.target_count(); ++k) {
      json_.value("frame " + std::to_string(mesh.header.frames.frame(k)));
    }
    json_.end_array().end_object();
  }
  json_.end_object();
}

JsonWriter& GlbMeshJson::open_vectors(std::int64_t vertices, const char* type) {
  if (!layout_.options.is_quantised()) return parts_.open(kFloat, vertices, type);
  return parts_.open(kShort, vertices, type).key("normalized").value(true);
}

int GlbMeshJson::dense_bytes() const {
  return layout_.options.is_quantised() ? static_cast<int>(kElementBytes) : kPositionBytes;
}

int GlbMeshJson::base_bytes(const GlbStream& stream) const {
  const bool has_w = stream.attribute == kTangents && !layout_.options.is_quantised();
  return dense_bytes() + (has_w ? static_cast<int>(sizeof(float)) : 0);
}

GlbMeshJson::StreamViews GlbMeshJson::views_of(const GlbStream& stream) {
  StreamViews views;
  if (!layout_.options.meshopt) {
    views.base = parts_.view(stream.base, kVertexTarget, base_bytes(stream));
  }
  for (const GlbBlock& block : stream.blocks) {
    BlockViews& of_block = views.blocks.emplace_back();
    if (block.dense.bytes != 0) {
      of_block.dense = parts_.view(block.dense, kVertexTarget, dense_bytes());
    }
    if (block.wide.bytes != 0) {
      of_block.wide = parts_.view(block.wide, kVertexTarget, kPositionBytes);
    }
    if (block.values.bytes == 0) continue;
    of_block.values = parts_.view(block.values);
    of_block.indices = parts_.view(block.indices);
  }
  return views;
}

// An attribute of a primitive in frame 0.
int GlbMeshJson::add_base(const GlbMesh& mesh, std::size_t p, std::size_t s) {
  const GlbPrimitive& primitive = mesh.primitives[p];
  const GlbStream& stream = mesh.streams[s];
  JsonWriter& a = open_vectors(primitive.vertices.vertex_count,
                               stream.attribute == kTangents ? "VEC4" : "VEC3");
  if (layout_.options.meshopt) {
    a.key("bufferView")
        .value(
            parts_.packed_view(stream.packed[p], primitive.vertices.vertex_count, kElementBytes));
  } else {
    a.key("bufferView").value(views_[s].base).key("byteOffset");
    a.value(std::uint64_t{primitive.vertices.first_vertex} *
            static_cast<std::uint64_t>(base_bytes(stream)));
  }
  if (s == 0) parts_.bounds(primitive.bounds);
  return parts_.close();
}

void GlbMeshJson::write_primitive(const GlbMesh& mesh, std::size_t p) {
  const GlbPrimitive& primitive = mesh.primitives[p];
  const std::int64_t vertices = primitive.vertices.vertex_count;
  json_.begin_object();
  json_.key("attributes").begin_line_object();
  for (std::size_t s = 0; s < mesh.streams.size(); ++s) {
    if (!mesh.has(mesh.streams[s], primitive)) continue;
    json_.key(mesh.streams[s].attribute).value(add_base(mesh, p, s));
  }
  for (std::size_t a = 0; a < primitive.attributes.size(); ++a) {
    const VertexAttribute& attribute = primitive.extras->attributes[a];
    json_.key(attribute.name)
        .value(parts_.plain(parts_.view(primitive.attributes[a], kVertexTarget), kFloat, vertices,
                            "VEC" + std::to_string(attribute.width)));
  }
  json_.end_object();
  if (primitive.indices.bytes != 0) {
    json_.key("indices").value(
        parts_.plain(parts_.view(primitive.indices, kIndexTarget), primitive.index_type,
                     static_cast<std::int64_t>(primitive.extras->indices.size()), "SCALAR"));
  }
  if (primitive.extras != nullptr && primitive.extras->material >= 0) {
    json_.key("material").value(layout_.looks.material_numbers.at(primitive.extras->material));
  }
  if (primitive.extras != nullptr && primitive.extras->mode != kTriangles) {
    json_.key("mode").value(primitive.extras->mode);
  }
  write_targets(mesh, p);
  json_.end_object();
}

void GlbMeshJson::write_targets(const GlbMesh& mesh, std::size_t p) {
  if (mesh.target_count() == 0) return;
  json_.key("targets").begin_line_array();
  std::vector<int> still(mesh.streams.size(), -1);
  for (std::int64_t k = 0; k < mesh.target_count(); ++k) {
    json_.begin_line_object();
    for (std::size_t s = 0; s < mesh.streams.size(); ++s) {
      const GlbStream& stream = mesh.streams[s];
      if (!mesh.has(stream, mesh.primitives[p])) continue;
      const GlbTarget& target =
          stream.targets[static_cast<std::size_t>(k) * mesh.primitives.size() + p];
      int accessor = still[s];
      if (target.kind != GlbTarget::Kind::kStill || still[s] < 0) {
        const std::size_t block = static_cast<std::size_t>(k + 1) / kFramesPerBlock;
        accessor = add_target(mesh.primitives[p], target, views_[s].blocks[block], s == 0);
      }
      if (target.kind == GlbTarget::Kind::kStill) still[s] = accessor;
      json_.key(stream.attribute).value(accessor);
    }
    json_.end_object();
  }
  json_.end_array();
}

// glTF wants the bounds of positions.
int GlbMeshJson::add_target(const GlbPrimitive& primitive, const GlbTarget& target,
                            const BlockViews& views, bool has_bounds) {
  const std::int64_t vertices = primitive.vertices.vertex_count;
  const int index_type = glb_index_bytes(primitive.vertices.vertex_count) == 2 ? kU16 : kU32;
  const bool is_still = target.kind == GlbTarget::Kind::kStill;
  const GlbBounds bounds = is_still ? GlbBounds{{0, 0, 0}, {0, 0, 0}} : target.bounds;
  const bool is_wide = target.kind == GlbTarget::Kind::kWide;
  JsonWriter& a = is_wide ? parts_.open(kFloat, vertices, "VEC3") : open_vectors(vertices);
  if (target.packed.bytes != 0) {
    const std::size_t bytes = is_wide ? kPositionBytes : kElementBytes;
    a.key("bufferView")
        .value(parts_.packed_view(target.packed, primitive.vertices.vertex_count, bytes));
  } else if (target.kind == GlbTarget::Kind::kDense) {
    a.key("bufferView").value(views.dense).key("byteOffset").value(target.values_offset);
  } else if (is_wide) {
    a.key("bufferView").value(views.wide).key("byteOffset").value(target.values_offset);
  }
  if (has_bounds) parts_.bounds(bounds);
  if (target.kind == GlbTarget::Kind::kSparse) {
    parts_.sparse({target.moved, views.indices, index_type, target.indices_offset, views.values,
                   target.values_offset});
  } else if (is_still) {
    if (zero_values_ < 0) {
      zero_values_ = parts_.view({layout_.zeros.offset, kPositionBytes});
      zero_index_ = parts_.view({layout_.zeros.offset + kPositionBytes, sizeof(std::uint32_t)});
    }
    parts_.sparse({1, zero_index_, kU32, 0, zero_values_, 0});
  }
  return parts_.close();
}

}  // namespace skinbake
