#include "caches/vat/mesh.h"

#include <cstdlib>
#include <string_view>
#include <utility>

#include "caches/glb/writer.h"
#include "gltf/document/json_member.h"
#include "gltf/document/references.h"

namespace skinbake {

namespace {

using nlohmann::json;

constexpr std::string_view kTexcoord = "TEXCOORD_";

// The lookup is set 1, as shaders expect; the sets of the mesh from 1 on move up by one.
std::uint64_t moved_set(std::uint64_t set) {
  return set == 0 ? 0 : set + 1;
}

void move_texcoords(json& attributes) {
  json::object_t moved;
  for (const auto& [name, accessor] : attributes.items()) {
    std::string to = name;
    if (name.starts_with(kTexcoord)) {
      const auto set = std::strtoull(name.c_str() + kTexcoord.size(), nullptr, 10);
      to = std::string(kTexcoord) + std::to_string(moved_set(set));
    }
    moved[to] = accessor;
  }
  attributes = std::move(moved);
}

std::vector<float> lookup_of(const Primitive& primitive, const VatLayout& layout) {
  std::vector<float> values;
  values.reserve(std::size_t{primitive.vertex_count} * 2);
  for (VertexIndex v = 0; v < primitive.vertex_count; ++v) {
    const auto texcoord = layout.texcoord(std::int64_t{primitive.first_vertex} + v);
    values.insert(values.end(), texcoord.begin(), texcoord.end());
  }
  return values;
}

void add_lookup(const Mesh& mesh, const VatLayout& layout, BakedDocument& document) {
  for (json& material : document.json["materials"]) {
    gltf::visit_texcoord_uses(material, [](json& set) {
      if (const auto number = gltf::whole_number(set)) set = moved_set(*number);
    });
  }
  std::size_t number = 0;
  for (const Primitive& vertices : mesh.primitives) {
    if (vertices.vertex_count == 0) continue;
    json& attributes = document.json["meshes"][0]["primitives"][number++]["attributes"];
    move_texcoords(attributes);
    if (!attributes.contains("TEXCOORD_0")) {
      const std::vector<float> zeros(std::size_t{vertices.vertex_count} * 2);
      attributes["TEXCOORD_0"] = document.add_floats(zeros, 2);
    }
    attributes["TEXCOORD_1"] = document.add_floats(lookup_of(vertices, layout), 2);
  }
}

}  // namespace

std::unique_ptr<CacheWriter> open_vat_mesh(const std::string& path, const CacheHeader& header,
                                           const VatLayout& layout, bool with_normals) {
  CacheHeader first = header;
  first.frames.frame_count = 1;
  first.options = {{"normals", with_normals ? "1" : "0"}};
  // Every primitive gets normals, as in the texture.
  if (first.normals) first.normals = NormalKind::kGeometric;
  return open_auxiliary_glb(path, first, [&](BakedDocument& document) {
    add_lookup(*header.rig->mesh, layout, document);
  });
}

}  // namespace skinbake
