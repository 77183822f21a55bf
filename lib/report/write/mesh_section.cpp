// A mesh of the report: its counts, its topology and its runs.

#include "report/cracks.h"
#include "report/write/sections.h"

namespace skinbake {
namespace {

OrderedJson component_json(const Component& component) {
  return {{"first_vertex", component.first_vertex},
          {"triangle_count", component.triangle_count},
          {"closed", component.closed},
          {"solid", component.solid},
          {"boundary_components", component.caps.size()},
          {"cap_area_fraction", component.cap_area_fraction}};
}

// Null: no crack opens.
OrderedJson crack_json(const MeshRecord& mesh) {
  const std::optional<RunCrack> widest = widest_crack_of(mesh);
  if (!widest) return {};
  return {{"gap_m", widest->crack.gap_m},
          {"clip", name_json(widest->run->clip)},
          {"at", place_json(widest->crack.at, widest->run->frames)}};
}

OrderedJson topology_json(const MeshRecord& mesh) {
  const Topology& topology = *mesh.topology;
  OrderedJson json{{"welded_vertex_count", topology.welded_vertex_count},
                   {"cracked_positions", topology.cracked_positions},
                   {"closed", topology.closed},
                   {"boundary_edges", topology.boundary_edges},
                   {"boundary_components", topology.boundary_components},
                   {"nonmanifold_edges", topology.nonmanifold_edges},
                   {"flipped_edges", topology.flipped_edges},
                   {"flipped_triangles", topology.flipped_triangles},
                   {"non_orientable_patches", topology.non_orientable_patches},
                   {"cap_area_fraction", topology.cap_area_fraction},
                   {"components", array_json(topology.components, component_json)}};
  if (topology.cracked_positions > 0) json["widest_crack"] = crack_json(mesh);
  return json;
}

OrderedJson distances_json(const FitDistances& distances) {
  return {{"rms", distances.rms_m}, {"max", distances.max_m}};
}

OrderedJson comparison_json(const FitComparison& comparison) {
  return {{"fit", distances_json(comparison.fit)}, {"largest", distances_json(comparison.largest)}};
}

OrderedJson modifier_json(const ModifierRecord& modifier) {
  OrderedJson json{{"modifier", modifier.modifier},
                   {"vertices_touched", modifier.vertices_touched},
                   {"largest_weight_moved", modifier.largest_weight_moved},
                   {"vertex", optional_json(modifier.vertex)},
                   {"joints_added", modifier.joints_added}};
  if (modifier.fit) json["fit"] = influence_fit_json(*modifier.fit);
  return json;
}

}  // namespace

OrderedJson influence_fit_json(const InfluenceFitErrors& fit) {
  OrderedJson json{{"unit", to_string(Unit::kMetres)},
                   {"frames", fit.frames},
                   {"vertices_fitted", fit.vertices_fitted},
                   {"trained", comparison_json(fit.trained)}};
  if (fit.left_out) json["left_out"] = comparison_json(*fit.left_out);
  return json;
}

OrderedJson mesh_json(const MeshRecord& mesh, PerVertex per_vertex) {
  const Rig& rig = *mesh.rig;
  const bool has_node = rig.node >= 0;
  OrderedJson json{{"id", rig.id}, {"node", has_node ? OrderedJson(rig.node) : OrderedJson()}};
  json["node_name"] = name_json(has_node ? rig.skeleton->nodes[std::size_t(rig.node)].name : "");
  json["mesh_name"] = name_json(rig.mesh->name);
  if (!mesh.follows_joint.empty()) json["follows_joint"] = mesh.follows_joint;
  json["vertex_count"] = rig.mesh->vertex_count();
  json["triangle_count"] = rig.mesh->triangles.size();
  json["bbox_diagonal_m"] = mesh.bbox_diagonal_m;
  json["primitives"] =
      array_json(rig.mesh->primitives, [](const Primitive& primitive) -> OrderedJson {
        return {{"first_vertex", primitive.first_vertex}, {"vertex_count", primitive.vertex_count}};
      });
  if (!mesh.modifiers.empty()) json["modifiers"] = array_json(mesh.modifiers, modifier_json);
  if (mesh.topology) json["topology"] = topology_json(mesh);
  json["runs"] =
      array_json(mesh.runs, [&](const RunRecord& run) { return run_json(rig, run, per_vertex); });
  return json;
}

}  // namespace skinbake
