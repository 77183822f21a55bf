#include "gltf/write/change_writers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "gltf/write/own_elements.h"
#include "gltf/write/vertex_accessors.h"
#include "rig/primitive_normals.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

// An order of primitives by the data of their vertices. Primitives whose data one accessor can hold
// are equal. A search among many primitives therefore does not compare all of them.
class ByMorphs {
 public:
  explicit ByMorphs(const AddedMorphs& morphs) {
    add(morphs.base_positions);
    add(morphs.base_normals);
    for (const MorphTarget& target : morphs.targets) {
      add(target.positions);
      add(target.normals);
    }
  }

  bool operator()(const Primitive& a, const Primitive& b) const {
    if (a.vertex_count != b.vertex_count) return a.vertex_count < b.vertex_count;
    for (const std::vector<float>* const values : vectors_) {
      const float* const begin = values->data() + std::size_t{a.first_vertex} * 3;
      const auto [mine, other] = std::mismatch(begin, begin + std::size_t{a.vertex_count} * 3,
                                               values->data() + std::size_t{b.first_vertex} * 3);
      if (mine != begin + std::size_t{a.vertex_count} * 3) return *mine < *other;
    }
    return false;
  }

 private:
  void add(const std::vector<float>& values) {
    if (!values.empty()) vectors_.push_back(&values);
  }

  std::vector<const std::vector<float>*> vectors_;
};

// The attributes that a primitive gets instead of its present ones, and further targets.
struct PrimitiveMorphs {
  std::optional<std::size_t> positions, normals;  // accessors
  json targets = json::array();
};

PrimitiveMorphs add_data(DocumentWriter& writer, const AddedMorphs& morphs,
                         const Primitive& vertices) {
  PrimitiveMorphs added;
  if (!morphs.base_positions.empty()) {
    added.positions = add_vectors(writer, morphs.base_positions, vertices, Bounds::kYes);
  }
  const bool has_base = !morphs.base_normals.empty();
  const bool lacks_normals = has_base && !has_normals(morphs.base_normals, vertices);
  if (has_base && !lacks_normals) {
    added.normals = add_vectors(writer, morphs.base_normals, vertices, Bounds::kNo);
  }
  for (const MorphTarget& of : morphs.targets) {
    json target{{"POSITION",
                 add_displacements(writer, of.positions, vertices, DisplacementsOf::kPositions)}};
    if (!of.normals.empty() && !lacks_normals) {
      target["NORMAL"] = add_displacements(writer, of.normals, vertices, DisplacementsOf::kNormals);
    }
    added.targets.push_back(std::move(target));
  }
  return added;
}

void add_to_primitive(const PrimitiveMorphs& added, json& primitive) {
  if (added.positions) replace_attribute(primitive, "POSITION", *added.positions);
  if (added.normals) replace_attribute(primitive, "NORMAL", *added.normals);
  json& targets = primitive["targets"];
  if (!targets.is_array()) targets = json::array();
  for (const json& target : added.targets) targets.push_back(target);
}

// Primitives with equal data, which often share their vertices in the file, share the new ones.
void add_to_primitives(DocumentWriter& writer, const AddedMorphs& morphs,
                       const std::vector<Primitive>& primitives, json& mesh) {
  std::map<Primitive, PrimitiveMorphs, ByMorphs> added{ByMorphs(morphs)};
  for (std::size_t p = 0; p < primitives.size(); ++p) {
    if (primitives[p].vertex_count == 0) continue;
    const auto [equal, is_new] = added.try_emplace(primitives[p]);
    if (is_new) equal->second = add_data(writer, morphs, primitives[p]);
    add_to_primitive(equal->second, mesh["primitives"][p]);
  }
}

// Programs show the names in extras.targetNames.
void add_names(json& mesh, const AddedMorphs& morphs, std::size_t own_count) {
  json& extras = mesh["extras"];
  if (extras.is_null()) extras = json::object();
  if (!extras.is_object()) return;  // another program's value
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
  json mesh = writer.current()["meshes"][mesh_index];
  add_to_primitives(writer, changes.morphs, changes.rig->mesh->primitives, mesh);
  add_names(mesh, changes.morphs, changes.rig->morph_weights.size());
  mesh["weights"] = rest_weights(changes);
  writer.document().element("meshes", mesh_index) = std::move(mesh);
  writer.document().element("nodes", node).erase("weights");  // the mesh has them now
  animate_weights(writer, changes, clips);
}

void erase_without_targets(DocumentWriter& writer, const RigChanges& changes) {
  if (changes.morphs.empty()) return;
  const std::size_t mesh = own_mesh(writer, static_cast<std::size_t>(changes.rig->node));
  json& primitives = writer.document().element("meshes", mesh)["primitives"];
  const std::vector<Primitive>& loaded = changes.rig->mesh->primitives;
  for (std::size_t p = loaded.size(); p-- > 0;) {
    if (loaded[p].vertex_count == 0) primitives.erase(p);
  }
}

}  // namespace skinbake::gltf
