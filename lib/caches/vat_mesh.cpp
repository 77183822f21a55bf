#include "caches/vat_mesh.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace skinbake {

namespace {

VertexAttribute lookup(const Primitive& primitive, const VatLayout& layout) {
  VertexAttribute attribute{"TEXCOORD_1", 2, {}};
  for (VertexIndex v = 0; v < primitive.vertex_count; ++v) {
    const auto texcoord = layout.texcoord(std::int64_t{primitive.first_vertex} + v);
    attribute.values.insert(attribute.values.end(), texcoord.begin(), texcoord.end());
  }
  return attribute;
}

// The look-up is set 1, as shaders expect it; the mesh's own sets from 1 on are one further.
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

void add_lookup(const Primitive& primitive, const VatLayout& layout, PrimitiveExtras& extras) {
  std::vector<VertexAttribute>& all = extras.attributes;
  move_texcoords(all);
  const auto is_first = [](const VertexAttribute& a) { return a.name == "TEXCOORD_0"; };
  if (std::none_of(all.begin(), all.end(), is_first)) {
    all.push_back({"TEXCOORD_0", 2, std::vector<float>(std::size_t{primitive.vertex_count} * 2)});
  }
  all.push_back(lookup(primitive, layout));
  std::sort(all.begin(), all.end(),
            [](const VertexAttribute& a, const VertexAttribute& b) { return a.name < b.name; });
}

}  // namespace

CacheHeader vat_mesh_header(const CacheHeader& header, const VatLayout& layout, bool with_normals) {
  const Rig& rig = *header.rig;
  const auto extras = header.extras ? std::make_shared<AssetExtras>(*header.extras)
                                    : std::make_shared<AssetExtras>();
  std::shared_ptr<const MeshExtras>& of_file = extras->meshes[rig.node];
  const auto mesh =
      of_file ? std::make_shared<MeshExtras>(*of_file) : std::make_shared<MeshExtras>();
  mesh->primitives.resize(rig.mesh->primitives.size());
  for (std::size_t p = 0; p < mesh->primitives.size(); ++p) {
    add_lookup(rig.mesh->primitives[p], layout, mesh->primitives[p]);
  }
  of_file = mesh;
  for (JsonTemplate& material : extras->materials) move_texcoords(material);
  CacheHeader changed = header;
  changed.extras = extras;
  changed.frames.frame_count = 1;
  changed.options = {{"normals", with_normals ? "1" : "0"}};
  return changed;
}

}  // namespace skinbake
