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
  const int base = layout_.options.meshopt ? -1  // each primitive has its own
                                           : parts_.view(mesh.base, kVertexTarget, dense_bytes());
  add_block_views(mesh);
  json_.key("primitives").begin_array();
  for (std::size_t p = 0; p < mesh.primitives.size(); ++p) write_primitive(mesh, p, base);
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

JsonWriter& GlbMeshJson::open_positions(std::int64_t vertices) {
  if (!layout_.options.is_quantised()) return parts_.open(kFloat, vertices, "VEC3");
  return parts_.open(kShort, vertices, "VEC3").key("normalized").value(true);
}

int GlbMeshJson::dense_bytes() const {
  return layout_.options.is_quantised() ? static_cast<int>(kElementBytes) : kPositionBytes;
}

void GlbMeshJson::add_block_views(const GlbMesh& mesh) {
  block_views_.clear();
  for (const GlbBlock& block : mesh.blocks) {
    BlockViews& views = block_views_.emplace_back();
    if (block.dense.bytes != 0) {
      views.dense = parts_.view(block.dense, kVertexTarget, dense_bytes());
    }
    if (block.values.bytes == 0) continue;
    views.values = parts_.view(block.values);
    views.indices = parts_.view(block.indices);
  }
}

void GlbMeshJson::write_primitive(const GlbMesh& mesh, std::size_t p, int base) {
  const GlbPrimitive& primitive = mesh.primitives[p];
  const std::int64_t vertices = primitive.vertices.vertex_count;
  json_.begin_object();
  json_.key("attributes").begin_line_object();
  JsonWriter& position = open_positions(vertices);
  if (layout_.options.meshopt) {
    position.key("bufferView")
        .value(parts_.packed_view(primitive.packed, primitive.vertices.vertex_count));
  } else {
    position.key("bufferView").value(base).key("byteOffset");
    position.value(std::uint64_t{primitive.vertices.first_vertex} *
                   static_cast<std::uint64_t>(dense_bytes()));
  }
  parts_.bounds(primitive.bounds);
  json_.key("POSITION").value(parts_.close());
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
  int still = -1;
  for (std::int64_t k = 0; k < mesh.target_count(); ++k) {
    const GlbTarget& target =
        mesh.targets[static_cast<std::size_t>(k) * mesh.primitives.size() + p];
    int accessor = still;
    if (target.kind != GlbTarget::Kind::kStill || still < 0) {
      const std::size_t block = static_cast<std::size_t>(k + 1) / kFramesPerBlock;
      accessor = add_target(mesh.primitives[p], target, block);
    }
    if (target.kind == GlbTarget::Kind::kStill) still = accessor;
    json_.begin_line_object().key("POSITION").value(accessor).end_object();
  }
  json_.end_array();
}

int GlbMeshJson::add_target(const GlbPrimitive& primitive, const GlbTarget& target,
                            std::size_t block) {
  const std::int64_t vertices = primitive.vertices.vertex_count;
  const int index_type = glb_index_bytes(primitive.vertices.vertex_count) == 2 ? kU16 : kU32;
  JsonWriter& a = open_positions(vertices);
  if (target.packed.bytes != 0) {
    a.key("bufferView").value(parts_.packed_view(target.packed, primitive.vertices.vertex_count));
    parts_.bounds(target.bounds);
  } else if (target.kind == GlbTarget::Kind::kDense) {
    a.key("bufferView").value(block_views_[block].dense);
    a.key("byteOffset").value(target.values_offset);
    parts_.bounds(target.bounds);
  } else if (target.kind == GlbTarget::Kind::kSparse) {
    parts_.bounds(target.bounds);
    parts_.sparse({target.moved, block_views_[block].indices, index_type, target.indices_offset,
                   block_views_[block].values, target.values_offset});
  } else {
    if (zero_values_ < 0) {
      zero_values_ = parts_.view({layout_.zeros.offset, kPositionBytes});
      zero_index_ = parts_.view({layout_.zeros.offset + kPositionBytes, sizeof(std::uint32_t)});
    }
    parts_.bounds({{0, 0, 0}, {0, 0, 0}});
    parts_.sparse({1, zero_index_, kU32, 0, zero_values_, 0});
  }
  return parts_.close();
}

}  // namespace skinbake
