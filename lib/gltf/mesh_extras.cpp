// How the vertices of a mesh make primitives, and what they carry beside positions and normals.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gltf/accessor.h"
#include "gltf/looks.h"
#include "gltf/parts.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

const Format kCoordinatesFormat{
    TINYGLTF_TYPE_VEC2,
    {TINYGLTF_COMPONENT_TYPE_FLOAT, TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE,
     TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT},
    "VEC2 of float, or of normalised unsigned byte or short",
    {TINYGLTF_COMPONENT_TYPE_BYTE, TINYGLTF_COMPONENT_TYPE_SHORT}};
const Format kRgbFormat{TINYGLTF_TYPE_VEC3,
                        {TINYGLTF_COMPONENT_TYPE_FLOAT, TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE,
                         TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT},
                        "VEC3 or VEC4 of float, or of normalised unsigned byte or short"};
const Format kRgbaFormat{TINYGLTF_TYPE_VEC4, kRgbFormat.component_types, kRgbFormat.text};

class ExtrasLoader {
 public:
  ExtrasLoader(Document& document, int mesh) : document_(document), mesh_(mesh) {}

  PrimitiveExtras load(std::size_t p, const Mesh& geometry) {
    const std::size_t vertices = geometry.primitives[p].vertex_count;
    const tinygltf::Primitive& source =
        document_.model.meshes[static_cast<std::size_t>(mesh_)].primitives[p];
    PrimitiveExtras extras;
    extras.mode = source.mode;
    extras.material = material_of(p);
    if (vertices == 0) return extras;
    if (source.indices >= 0) load_indices(p, source.indices, extras);
    for (const auto& [name, accessor] : source.attributes) {
      if (name.starts_with("TEXCOORD_") || name.starts_with("COLOR_")) {
        load_attribute(p, name, accessor, vertices, extras);
      }
    }
    note_left_out(p, !geometry.normals.empty());
    return extras;
  }

 private:
  // tinygltf is not shown it: a wrong one matters only here.
  int material_of(std::size_t p) const {
    const json& primitive =
        document_.looks->at("meshes")[static_cast<std::size_t>(mesh_)]["primitives"][p];
    const auto material = primitive.find("material");
    if (material == primitive.end()) return -1;
    const std::size_t count = looks_array(document_, "materials").size();
    if (!material->is_number_unsigned() || material->get<std::uint64_t>() >= count) {
      Element where = attribute_element(document_, mesh_, p, "");
      document_.fail("REFERENCE_INVALID", {where.name + ", material", where.pointer + "/material"},
                     "is none of the " + std::to_string(count) + " materials; re-export the file");
    }
    return material->get<int>();
  }

  // They have to turn with every frame. tinygltf may not be shown tangents.
  void note_left_out(std::size_t p, bool has_normals) {
    const json& attributes = document_.looks->at(
        "meshes")[static_cast<std::size_t>(mesh_)]["primitives"][p]["attributes"];
    for (const std::string name : {"NORMAL", "TANGENT"}) {
      if (!attributes.contains(name)) continue;
      const bool is_normal = name == "NORMAL";
      const bool is_wanted = is_normal ? document_.keeps_normals : document_.keeps_tangents;
      if (is_wanted && (is_normal || has_normals)) continue;
      const Element where = attribute_element(document_, mesh_, p, name);
      document_.note(IssueCode::NORMALS_LEFT_OUT, where.pointer,
                     where.name + " is not kept" +
                         (is_wanted   ? ", for the mesh is read without normals"
                          : is_normal ? "; it is with normals=1 of the format"
                                      : "; it is in a GLB with tangents=1"));
    }
  }

  // The geometry was loaded from them: they are in range.
  void load_indices(std::size_t p, int accessor, PrimitiveExtras& extras) {
    const Element where = attribute_element(document_, mesh_, p, "");
    const std::size_t count = accessor_at(document_, accessor).count;
    document_.reserve(count, sizeof(std::uint32_t), where);
    extras.is_indexed = true;
    extras.indices.resize(count);
    decode(document_, accessor, where, extras.indices.data());
  }

  void load_attribute(std::size_t p, const std::string& name, int accessor, std::size_t vertices,
                      PrimitiveExtras& extras) {
    const Element where = attribute_element(document_, mesh_, p, name);
    const tinygltf::Accessor& source = accessor_at(document_, accessor);
    check_format(document_, accessor,
                 name.starts_with("TEXCOORD_")       ? kCoordinatesFormat
                 : source.type == TINYGLTF_TYPE_VEC3 ? kRgbFormat
                                                     : kRgbaFormat,
                 where);
    check_vertex_count(document_, accessor, vertices, where);
    VertexAttribute attribute{name, component_count(source), {}};
    const std::size_t size = vertices * static_cast<std::size_t>(attribute.width);
    document_.reserve(size, sizeof(float), where);
    attribute.values.resize(size);
    decode(document_, accessor, where, attribute.values.data(), Integers::kAsDeclared);
    if (all_finite(attribute.values.data(), size)) {
      extras.attributes.push_back(std::move(attribute));
      return;
    }
    document_.note(IssueCode::ATTRIBUTE_LEFT_OUT, where.pointer,
                   where.name + " has a NaN or an infinity; left out");
  }

  Document& document_;
  int mesh_;
};

}  // namespace

MeshExtras load_mesh_extras(Document& document, int mesh, const Mesh& geometry) {
  ExtrasLoader loader(document, mesh);
  MeshExtras extras;
  for (std::size_t p = 0; p < geometry.primitives.size(); ++p) {
    extras.primitives.push_back(loader.load(p, geometry));
  }
  return extras;
}

}  // namespace skinbake::gltf
