#include "gltf/write/morph_writer.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "gltf/write/own_elements.h"
#include "gltf/write/vertex_accessors.h"
#include "gltf/write/weight_channels.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

bool are_equal(const std::vector<float>& values, const Primitive& a, const Primitive& b) {
  if (values.empty()) return true;
  const auto begin = [&](const Primitive& of) {
    return values.begin() + static_cast<std::ptrdiff_t>(of.first_vertex) * 3;
  };
  return std::equal(begin(a), begin(a) + static_cast<std::ptrdiff_t>(a.vertex_count) * 3, begin(b));
}

// Whether the vertices of both primitives have the same data, as those of one accessor.
bool have_equal_morphs(const AddedMorphs& morphs, const Primitive& a, const Primitive& b) {
  return a.vertex_count == b.vertex_count && are_equal(morphs.base_positions, a, b) &&
         are_equal(morphs.base_normals, a, b) &&
         std::all_of(morphs.targets.begin(), morphs.targets.end(), [&](const MorphTarget& target) {
           return are_equal(target.positions, a, b) && are_equal(target.normals, a, b);
         });
}

// What the primitives of a mesh get: attributes in place of their own, and further targets.
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
  if (!morphs.base_normals.empty()) {
    added.normals = add_vectors(writer, morphs.base_normals, vertices, Bounds::kNo);
  }
  for (const MorphTarget& of : morphs.targets) {
    json target{{"POSITION",
                 add_displacements(writer, of.positions, vertices, DisplacementsOf::kPositions)}};
    if (!of.normals.empty()) {
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
  std::vector<PrimitiveMorphs> added(primitives.size());
  for (std::size_t p = 0; p < primitives.size(); ++p) {
    if (primitives[p].vertex_count == 0) continue;
    const auto end = primitives.begin() + static_cast<std::ptrdiff_t>(p);
    const auto equal = std::find_if(primitives.begin(), end, [&](const Primitive& other) {
      return have_equal_morphs(morphs, other, primitives[p]);
    });
    added[p] = equal == end ? add_data(writer, morphs, primitives[p])
                            : added[static_cast<std::size_t>(equal - primitives.begin())];
    add_to_primitive(added[p], mesh["primitives"][p]);
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
  json mesh = writer.document()["meshes"][mesh_index];
  add_to_primitives(writer, changes.morphs, changes.rig->mesh->primitives, mesh);
  add_names(mesh, changes.morphs, changes.rig->morph_weights.size());
  mesh["weights"] = rest_weights(changes);
  writer.document()["meshes"][mesh_index] = std::move(mesh);
  writer.document()["nodes"][node].erase("weights");  // the mesh has them now
  animate_weights(writer, changes, clips);
}

void erase_without_targets(DocumentWriter& writer, const RigChanges& changes) {
  if (changes.morphs.empty()) return;
  const std::size_t mesh = own_mesh(writer, static_cast<std::size_t>(changes.rig->node));
  json& primitives = writer.document()["meshes"][mesh]["primitives"];
  const std::vector<Primitive>& loaded = changes.rig->mesh->primitives;
  for (std::size_t p = loaded.size(); p-- > 0;) {
    if (loaded[p].vertex_count == 0) primitives.erase(p);
  }
}

}  // namespace skinbake::gltf
