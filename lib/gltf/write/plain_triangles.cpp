#include "gltf/write/change_writers.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "gltf/document/json_member.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

constexpr const char* kDracoExtension = "KHR_draco_mesh_compression";
constexpr int kShortIndices = 5123, kLongIndices = 5125;
constexpr std::size_t kMostShortVertices = 65535;  // the index 65535 restarts primitives

// The indices of a primitive's vertices. The triangles of a mesh are in the order of its vertices.
std::vector<std::uint32_t> indices_of(const Mesh& mesh, const Primitive& primitive) {
  const auto begin = std::partition_point(
      mesh.triangles.begin(), mesh.triangles.end(),
      [&](const auto& triangle) { return triangle[0] < primitive.first_vertex; });
  std::vector<std::uint32_t> indices;
  for (auto triangle = begin; triangle != mesh.triangles.end(); ++triangle) {
    if ((*triangle)[0] - primitive.first_vertex >= primitive.vertex_count) break;
    for (const VertexIndex vertex : *triangle) indices.push_back(vertex - primitive.first_vertex);
  }
  return indices;
}

std::size_t add_indices(DocumentWriter& writer, const std::vector<std::uint32_t>& indices,
                        bool are_short) {
  const std::size_t view = writer.add_view(are_short ? bytes_as<std::uint16_t>(indices)
                                                     : bytes_as<std::uint32_t>(indices));
  const std::size_t accessor = writer.add_accessor(view, "SCALAR", indices.size());
  writer.document().element("accessors", accessor)["componentType"] =
      are_short ? kShortIndices : kLongIndices;
  return accessor;
}

bool is_without_attributes(const json& primitive) {
  const json& draco = member(member(primitive, "extensions"), kDracoExtension);
  return draco.is_object() && member(draco, "attributes").empty();
}

void erase_draco(json& primitive) {
  json& extensions = primitive["extensions"];
  extensions.erase(kDracoExtension);
  if (extensions.empty()) primitive.erase("extensions");
}

bool has_draco(const json& gltf) {
  const json& meshes = member(gltf, "meshes");
  return std::any_of(meshes.begin(), meshes.end(), [](const json& mesh) {
    const json& primitives = member(mesh, "primitives");
    return std::any_of(primitives.begin(), primitives.end(), [](const json& primitive) {
      return member(member(primitive, "extensions"), kDracoExtension).is_object();
    });
  });
}

void unlist_draco(EditedDocument& document) {
  for (const char* list : {"extensionsUsed", "extensionsRequired"}) {
    if (!document.current().contains(list)) continue;
    json& names = document.member(list);
    json kept = json::array();
    for (const json& name : names) {
      if (name != kDracoExtension) kept.push_back(name);
    }
    names = std::move(kept);
    if (names.empty()) document.erase(list);
  }
}

}  // namespace

void write_plain_triangles(DocumentWriter& writer, const RigChanges& changes) {
  const std::size_t index = writer.current()["nodes"][static_cast<std::size_t>(changes.rig->node)]
                                .at("mesh")
                                .get<std::size_t>();
  const Mesh& loaded = *changes.rig->mesh;
  bool has_erased = false;
  for (std::size_t p = 0; p < loaded.primitives.size(); ++p) {
    if (!is_without_attributes(writer.current()["meshes"][index]["primitives"][p])) continue;
    const std::vector<std::uint32_t> indices = indices_of(loaded, loaded.primitives[p]);
    const std::size_t accessor =
        add_indices(writer, indices, loaded.primitives[p].vertex_count <= kMostShortVertices);
    json& primitive = writer.document().element("meshes", index)["primitives"][p];
    primitive["indices"] = accessor;
    primitive.erase("mode");  // Draco decodes strips to lists of triangles
    erase_draco(primitive);
    has_erased = true;
  }
  if (has_erased && !has_draco(writer.current())) unlist_draco(writer.document());
}

}  // namespace skinbake::gltf
