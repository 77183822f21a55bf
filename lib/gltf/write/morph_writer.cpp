#include "gltf/write/morph_writer.h"

#include <string>

#include "gltf/write/own_elements.h"
#include "gltf/write/vertex_accessors.h"
#include "gltf/write/weight_channels.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

void add_to_primitive(DocumentWriter& writer, const AddedMorphs& morphs, const Primitive& vertices,
                      json& primitive) {
  if (vertices.vertex_count == 0) return;
  if (!morphs.base_positions.empty()) {
    replace_attribute(primitive, "POSITION",
                      add_vectors(writer, morphs.base_positions, vertices, Bounds::kYes));
  }
  if (!morphs.base_normals.empty()) {
    replace_attribute(primitive, "NORMAL",
                      add_vectors(writer, morphs.base_normals, vertices, Bounds::kNo));
  }
  json& targets = primitive["targets"];
  if (!targets.is_array()) targets = json::array();
  for (const MorphTarget& added : morphs.targets) {
    json target{{"POSITION", add_displacements(writer, added.positions, vertices, Bounds::kYes)}};
    if (!added.normals.empty()) {
      target["NORMAL"] = add_displacements(writer, added.normals, vertices, Bounds::kNo);
    }
    targets.push_back(std::move(target));
  }
}

// Programs show the names in extras.targetNames.
void add_names(json& mesh, const AddedMorphs& morphs, std::size_t own_count) {
  json& extras = mesh["extras"];
  if (!extras.is_null() && !extras.is_object()) return;  // another program's value
  json& names = extras["targetNames"];
  if (!names.is_array()) names = json::array();
  while (names.size() < own_count) names.push_back("target_" + std::to_string(names.size()));
  while (names.size() > own_count) names.erase(names.size() - 1);
  for (const std::string& name : morphs.names) names.push_back(name);
}

json rest_weights(const RigChanges& changes) {
  json weights = json::array();
  for (const double weight : changes.rig->morph_weights) weights.push_back(weight);
  for (const float weight : changes.morphs.rest_weights) weights.push_back(weight);
  return weights;
}

}  // namespace

void add_morphs(DocumentWriter& writer, const RigChanges& changes, std::span<const Clip> clips) {
  if (changes.morphs.empty()) return;
  const auto node = static_cast<std::size_t>(changes.rig->node);
  const std::size_t mesh_index = own_mesh(writer, node);
  json mesh = writer.document()["meshes"][mesh_index];
  const std::vector<Primitive>& primitives = changes.rig->mesh->primitives;
  for (std::size_t p = 0; p < primitives.size(); ++p) {
    add_to_primitive(writer, changes.morphs, primitives[p], mesh["primitives"][p]);
  }
  add_names(mesh, changes.morphs, changes.rig->morph_weights.size());
  mesh["weights"] = rest_weights(changes);
  writer.document()["meshes"][mesh_index] = std::move(mesh);
  writer.document()["nodes"][node].erase("weights");  // the mesh has them now
  animate_weights(writer, changes, clips);
}

}  // namespace skinbake::gltf
