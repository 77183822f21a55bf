#include "caches/vat/mesh.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace skinbake {

namespace {

VertexAttribute lookup_attribute(const Primitive& primitive, const VatLayout& layout) {
  VertexAttribute attribute{"TEXCOORD_1", 2, {}};
  attribute.values.reserve(std::size_t{primitive.vertex_count} * 2);
  for (VertexIndex v = 0; v < primitive.vertex_count; ++v) {
    const auto texcoord = layout.texcoord(std::int64_t{primitive.first_vertex} + v);
    attribute.values.insert(attribute.values.end(), texcoord.begin(), texcoord.end());
  }
  return attribute;
}

// The lookup is set 1, as shaders expect; the sets of the mesh from 1 on move up by one.
std::size_t moved_set(std::size_t set) {
  return set == 0 ? 0 : set + 1;
}

void move_texcoords(std::vector<VertexAttribute>& attributes) {
  constexpr std::string_view kTexcoord = "TEXCOORD_";
  for (VertexAttribute& attribute : attributes) {
    if (!attribute.name.starts_with(kTexcoord)) continue;
    const std::size_t set = std::strtoull(attribute.name.c_str() + kTexcoord.size(), nullptr, 10);
    attribute.name = std::string(kTexcoord) + std::to_string(moved_set(set));
  }
}

void move_texcoords(JsonTemplate& material) {
  for (JsonTemplate::Reference& reference : material.references) {
    if (reference.array != JsonTemplate::Array::kTexcoord) continue;
    reference.index = moved_set(reference.index);
  }
}

void add_lookup_attribute(const Primitive& primitive, const VatLayout& layout,
                          PrimitiveMaterials& materials) {
  std::vector<VertexAttribute>& all = materials.attributes;
  move_texcoords(all);
  const auto is_first = [](const VertexAttribute& a) { return a.name == "TEXCOORD_0"; };
  if (std::none_of(all.begin(), all.end(), is_first)) {
    all.push_back({"TEXCOORD_0", 2, std::vector<float>(std::size_t{primitive.vertex_count} * 2)});
  }
  all.push_back(lookup_attribute(primitive, layout));
  std::sort(all.begin(), all.end(),
            [](const VertexAttribute& a, const VertexAttribute& b) { return a.name < b.name; });
}

// A header of the static mesh, with the materials of `header`.
CacheHeader first_frame_of(const CacheHeader& header, bool with_normals) {
  CacheHeader first = header;
  first.frames.frame_count = 1;
  first.options = {{"normals", with_normals ? "1" : "0"}};
  return first;
}

}  // namespace

CacheHeader vat_mesh_header(const CacheHeader& header, const VatLayout& layout, bool with_normals) {
  const Rig& rig = *header.rig;
  const auto materials = header.materials ? std::make_shared<AssetMaterials>(*header.materials)
                                          : std::make_shared<AssetMaterials>();
  std::shared_ptr<const MeshMaterials>& current = materials->meshes[rig.node];
  const auto mesh =
      current ? std::make_shared<MeshMaterials>(*current) : std::make_shared<MeshMaterials>();
  mesh->primitives.resize(rig.mesh->primitives.size());
  for (std::size_t p = 0; p < mesh->primitives.size(); ++p) {
    add_lookup_attribute(rig.mesh->primitives[p], layout, mesh->primitives[p]);
  }
  current = mesh;
  for (JsonTemplate& material : materials->materials) move_texcoords(material);
  CacheHeader changed = first_frame_of(header, with_normals);
  changed.materials = materials;
  return changed;
}

}  // namespace skinbake
