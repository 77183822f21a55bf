// Loads the indices, materials, texture coordinates and colours of a mesh's primitives.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gltf/document/json_member.h"
#include "gltf/loaders.h"
#include "gltf/materials/materials.h"
#include "gltf/mesh/accessor.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

const Format kCoordinatesFormat{
    AccessorType::kVec2,
    {ComponentType::kFloat, ComponentType::kUnsignedByte, ComponentType::kUnsignedShort},
    "VEC2 of float, or of normalised unsigned byte or short",
    {ComponentType::kByte, ComponentType::kShort}};
const Format kRgbFormat{
    AccessorType::kVec3,
    {ComponentType::kFloat, ComponentType::kUnsignedByte, ComponentType::kUnsignedShort},
    "VEC3 or VEC4 of float, or of normalised unsigned byte or short"};
const Format kRgbaFormat{AccessorType::kVec4, kRgbFormat.component_types, kRgbFormat.text};

class MaterialsLoader {
 public:
  MaterialsLoader(Document& document, int mesh) : document_(document), mesh_(mesh) {}

  PrimitiveMaterials load(std::size_t p, const Mesh& geometry) {
    const std::size_t vertices = geometry.primitives[p].vertex_count;
    const Model::Primitive& source =
        document_.model.meshes[static_cast<std::size_t>(mesh_)].primitives[p];
    PrimitiveMaterials materials;
    materials.mode = source.mode;
    materials.material = material_of(p);
    if (vertices == 0) return materials;
    if (source.indices >= 0) load_indices(p, source.indices, materials);
    for (const auto& [name, accessor] : source.attributes) {
      if (name.starts_with("TEXCOORD_") || name.starts_with("COLOR_")) {
        load_attribute(p, name, accessor, vertices, materials);
      }
    }
    note_left_out(p, !geometry.normals.empty());
    return materials;
  }

 private:
  // The checked JSON does not contain materials, so the index is checked here.
  int material_of(std::size_t p) const {
    const json& primitive =
        document_.materials->at("meshes")[static_cast<std::size_t>(mesh_)]["primitives"][p];
    const auto material = primitive.find("material");
    if (material == primitive.end()) return -1;
    const std::size_t count = materials_array(document_, "materials").size();
    if (!index_below(count, *material)) {
      Element where = attribute_element(document_, mesh_, p, "");
      document_.fail("REFERENCE_INVALID", {where.name + ", material", where.pointer + "/material"},
                     "is none of the " + std::to_string(count) + " materials");
    }
    return material->get<int>();
  }

  // Notes normals and tangents that the output leaves out; the checked JSON may not contain
  // tangents.
  void note_left_out(std::size_t p, bool has_normals) {
    const json& attributes = document_.materials->at(
        "meshes")[static_cast<std::size_t>(mesh_)]["primitives"][p]["attributes"];
    for (const std::string name : {"NORMAL", "TANGENT"}) {
      if (!attributes.contains(name)) continue;
      const bool is_normal = name == "NORMAL";
      const bool is_wanted = is_normal ? document_.keeps_normals : document_.keeps_tangents;
      if (is_wanted && (is_normal || has_normals)) continue;
      const Element where = attribute_element(document_, mesh_, p, name);
      document_.note("NORMALS_LEFT_OUT", where.pointer,
                     where.name + " is not kept" +
                         (is_wanted   ? ", because the mesh is read without normals"
                          : is_normal ? "; the format option normals=1 keeps it"
                                      : "; the GLB option tangents=1 keeps it"));
    }
  }

  // load_mesh has checked that the indices are in range.
  void load_indices(std::size_t p, int accessor, PrimitiveMaterials& materials) {
    const Element where = attribute_element(document_, mesh_, p, "");
    const std::size_t count = accessor_at(document_, accessor).count;
    materials.is_indexed = true;
    materials.indices.resize(count);
    decode(document_, accessor, where, materials.indices.data());
  }

  void load_attribute(std::size_t p, const std::string& name, int accessor, std::size_t vertices,
                      PrimitiveMaterials& materials) {
    const Element where = attribute_element(document_, mesh_, p, name);
    const Model::Accessor& source = accessor_at(document_, accessor);
    check_format(document_, accessor,
                 name.starts_with("TEXCOORD_")        ? kCoordinatesFormat
                 : source.type == AccessorType::kVec3 ? kRgbFormat
                                                      : kRgbaFormat,
                 where);
    check_vertex_count(document_, accessor, vertices, where);
    VertexAttribute attribute{name, component_count(source), {}};
    const std::size_t size = vertices * static_cast<std::size_t>(attribute.width);
    attribute.values.resize(size);
    decode(document_, accessor, where, attribute.values.data(), Integers::kAsDeclared);
    if (all_finite(attribute.values.data(), size)) {
      materials.attributes.push_back(std::move(attribute));
      return;
    }
    document_.note("ATTRIBUTE_LEFT_OUT", where.pointer,
                   where.name + " has a NaN or an infinity; left out");
  }

  Document& document_;
  int mesh_;
};

}  // namespace

MeshMaterials load_mesh_materials(Document& document, int mesh, const Mesh& geometry) {
  MaterialsLoader loader(document, mesh);
  MeshMaterials materials;
  for (std::size_t p = 0; p < geometry.primitives.size(); ++p) {
    materials.primitives.push_back(loader.load(p, geometry));
  }
  return materials;
}

}  // namespace skinbake::gltf
