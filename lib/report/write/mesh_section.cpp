// A mesh of the report: its counts, its topology and its runs.

#include "report/write/sections.h"

namespace skinbake {
namespace {

void write_component(const Component& component, JsonWriter& json) {
  json.begin_object();
  json.key("first_vertex").value(component.first_vertex);
  json.key("triangle_count").value(component.triangle_count);
  json.key("closed").value(component.closed).key("solid").value(component.solid);
  json.key("boundary_components").value(component.caps.size());
  json.key("cap_area_fraction").value(component.cap_area_fraction);
  json.end_object();
}

void write_topology(const Topology& topology, JsonWriter& json) {
  json.key("topology").begin_object();
  json.key("welded_vertex_count").value(topology.welded_vertex_count);
  json.same_line().key("cracked_positions").value(topology.cracked_positions);
  json.same_line().key("closed").value(topology.closed);
  json.same_line().key("boundary_edges").value(topology.boundary_edges);
  json.same_line().key("boundary_components").value(topology.boundary_components);
  json.same_line().key("nonmanifold_edges").value(topology.nonmanifold_edges);
  json.key("flipped_edges").value(topology.flipped_edges);
  json.same_line().key("flipped_triangles").value(topology.flipped_triangles);
  json.same_line().key("non_orientable_patches").value(topology.non_orientable_patches);
  json.same_line().key("cap_area_fraction").value(topology.cap_area_fraction);
  json.key("components").begin_line_array();
  for (const Component& component : topology.components) write_component(component, json);
  json.end_array();
  json.end_object();
}

void write_run(const RunContext& context, JsonWriter& json) {
  const RunRecord& run = context.run;
  json.begin_object();
  write_name("clip", run.clip, json);
  json.same_line();
  write_name("method", run.name(), json);
  if (!run.method_on_mesh.empty()) {
    json.same_line().key("method_on_mesh").value(run.method_on_mesh);
  }
  if (!run.profile.empty()) json.same_line().key("profile").value(run.profile);
  json.same_line().key("frame_count").value(run.frames.frame_count);
  if (run.has_own_frames) {
    json.key("frames").begin_line_object();
    json.key("fps").value(run.frames.fps).key("first_frame").value(run.frames.first_frame);
    json.key("frame_step").value(run.frames.frame_step).end_object();
  }
  if (run.difference) write_difference(context, *run.difference, json);
  if (run.error) write_error(context, *run.error, json);
  if (run.volume) write_volume(context, *run.volume, json);
  for (const MetricResult& result : run.metrics) write_metric(context, result, json);
  json.end_object();
}

void write_distances(std::string_view key, const FitDistances& distances, JsonWriter& json) {
  json.key(key).begin_object();
  json.key("rms").value(distances.rms_m);
  json.key("max").value(distances.max_m);
  json.end_object();
}

void write_comparison(std::string_view key, const FitComparison& comparison, JsonWriter& json) {
  json.key(key).begin_object();
  write_distances("fit", comparison.fit, json);
  write_distances("largest", comparison.largest, json);
  json.end_object();
}

}  // namespace

void write_influence_fit(std::string_view key, const InfluenceFitErrors& fit, JsonWriter& json) {
  json.key(key).begin_object();
  json.key("unit").value(to_string(Unit::kMetres));
  json.key("frames").value(fit.frames);
  json.key("vertices_fitted").value(fit.vertices_fitted);
  write_comparison("trained", fit.trained, json);
  if (fit.left_out) write_comparison("left_out", *fit.left_out, json);
  json.end_object();
}

namespace {

void write_modifiers(const std::vector<ModifierRecord>& modifiers, JsonWriter& json) {
  json.key("modifiers").begin_array();
  for (const ModifierRecord& modifier : modifiers) {
    json.begin_line_object();
    json.key("modifier").value(modifier.modifier);
    json.key("vertices_touched").value(modifier.vertices_touched);
    json.key("largest_weight_moved").value(modifier.largest_weight_moved);
    json.key("vertex");
    modifier.vertex ? json.value(*modifier.vertex) : json.null();
    json.key("joints_added").strings(modifier.joints_added);
    if (modifier.fit) write_influence_fit("fit", *modifier.fit, json);
    json.end_object();
  }
  json.end_array();
}

std::string_view node_name(const Rig& rig) {
  return rig.node < 0 ? std::string_view() : rig.skeleton->nodes[std::size_t(rig.node)].name;
}

}  // namespace

void write_name(std::string_view key, std::string_view name, JsonWriter& json) {
  json.key(key);
  if (name.empty()) {
    json.null();
  } else {
    json.value(name);
  }
}

void write_pose(const std::string& name, JsonWriter& json) {
  if (!name.empty()) json.same_line().key("pose").value(name);
}

void write_place(std::string_view key, const NamedFrames& frames, const Place& place,
                 JsonWriter& json) {
  json.key(key);
  if (place.frame < 0) {
    json.null();
    return;
  }
  json.begin_line_object();
  json.key("frame").value(frames.frame(place.frame));
  json.key("time_s").value(frames.time_s(place.frame));
  if (place.vertex >= 0) json.key("vertex").value(place.vertex);
  if (place.triangle >= 0) json.key("triangle").value(place.triangle);
  if (place.edge[0] >= 0) json.key("edge").numbers(place.edge);
  write_pose(frames.pose_name(frames.frame(place.frame)), json);
  json.end_object();
}

void write_mesh(const MeshRecord& mesh, PerVertex per_vertex, JsonWriter& json) {
  const Rig& rig = *mesh.rig;
  json.begin_object();
  json.key("id").value(rig.id);
  json.same_line().key("node");
  rig.node < 0 ? json.null() : json.value(rig.node);
  json.same_line();
  write_name("node_name", node_name(rig), json);
  json.same_line();
  write_name("mesh_name", rig.mesh->name, json);
  if (!mesh.follows_joint.empty()) {
    json.same_line().key("follows_joint").value(mesh.follows_joint);
  }
  json.key("vertex_count").value(rig.mesh->vertex_count());
  json.same_line().key("triangle_count").value(rig.mesh->triangles.size());
  json.same_line().key("bbox_diagonal_m").value(mesh.bbox_diagonal_m);
  json.key("primitives").begin_line_array();
  for (const Primitive& primitive : rig.mesh->primitives) {
    json.begin_object();
    json.key("first_vertex").value(primitive.first_vertex);
    json.key("vertex_count").value(primitive.vertex_count);
    json.end_object();
  }
  json.end_array();
  if (!mesh.modifiers.empty()) write_modifiers(mesh.modifiers, json);
  if (mesh.topology) write_topology(*mesh.topology, json);
  json.key("runs").begin_array();
  for (const RunRecord& run : mesh.runs) write_run({rig, run, per_vertex}, json);
  json.end_array();
  json.end_object();
}

}  // namespace skinbake
