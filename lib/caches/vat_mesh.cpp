#include "caches/vat_mesh.h"

#include <algorithm>

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

void add_lookup(const Primitive& primitive, const VatLayout& layout, PrimitiveExtras& extras) {
  std::vector<VertexAttribute>& all = extras.attributes;
  const auto is_named = [](const char* name) {
    return [name](const VertexAttribute& attribute) { return attribute.name == name; };
  };
  std::erase_if(all, is_named("TEXCOORD_1"));
  if (std::none_of(all.begin(), all.end(), is_named("TEXCOORD_0"))) {
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
  CacheHeader changed = header;
  changed.extras = extras;
  changed.frames.frame_count = 1;
  changed.options = {{"normals", with_normals ? "1" : "0"}};
  return changed;
}

}  // namespace skinbake
